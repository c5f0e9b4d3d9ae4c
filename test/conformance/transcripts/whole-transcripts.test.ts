// Goal: oblivious transfers and multiplications on secp256k1, and all protocols among five nodes of which three sign,
// agree with the pages that specify them. Method: the Rust test makes the transcripts again, with each message whole
// and with the secrets of the oblivious transfers; the verifier reads them, and refuses copies with one value altered.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Alteration, bit, hasVerifier, message, refusesEach, result, root, verify } from './verifier.ts';

const MINUTES = 60_000;
const directory = mkdtempSync(join(tmpdir(), 'countersign-whole-transcripts-'));
const whole = (name: string) => join(directory, `${name}.json`);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

beforeAll(async () => {
  const command = ['test', '--release', '--locked', '--manifest-path', join(root, 'mpc/Cargo.toml')];
  const env = { ...process.env, WHOLE_TRANSCRIPTS: directory };
  await promisify(execFile)(
    'cargo',
    [...command, '--test', 'transcripts', '--', '--include-ignored', 'transcripts_of_'],
    { env },
  );
}, 15 * MINUTES);

test.runIf(hasVerifier).each([
  ['ed25519-3-of-5', '394'],
  ['secp256k1', '6490'],
  ['secp256k1-3-of-5', '19061'],
])(
  'the transcripts of %s hold',
  async (name, count) => {
    const { output, refusal } = await verify(whole(name));
    expect(refusal).toBe('');
    // A verifier that skipped some checks would say fewer.
    expect(output).toContain(`: ${count} checks hold`);
  },
  5 * MINUTES,
);

const transfers = (operation: 'generate' | 'refresh', node: number, other: number, ...names: (number | string)[]) => [
  ...result(operation, node, 'oblivious_transfers'),
  String(other),
  ...names,
];

/** The last byte, counted from the end, of what a sender's message ends with: scalars of 33 bytes, and their number. */
const [OFFSET, COMBINATION] = [-1, -101];
const [HASH, SALT] = [-135, -167];
/** Of a receiver's message, which ends with the checks of 256 rows. */
const CHOICES = -(256 * 26 + 3);
/** Of the proof of encryption 224, the last that the verifier looks at. A seed of 32 bytes stands behind all. */
const PROOF = -(32 + 31 * 540 + 1);

const alterations: Alteration[] = [
  ['a proof of encryption', message('generate', 4, 1, 2), bit(PROOF), /challenges of a proof of encryption/],
  ['the seed of the bases', message('generate', 4, 2, 1), bit(-1), /the tuple of a proof of encryption/],
  [
    "a receiver's seed",
    transfers('generate', 1, 3, 'both_seeds', 0),
    bit(0),
    /seeds that the sender's bits name|rows of/,
  ],
  ["a sender's seed", transfers('generate', 3, 1, 'seeds'), bit(5), /the seeds that the sender's bits name/],
  ['a row of a receiver', message('sign', 1, 1, 3), bit(3000), /the number of choices in the rows of a receiver/],
  ['the check of its choices', message('sign', 1, 3, 1), bit(CHOICES), /the check of a receiver's choices/],
  ['the binding of a message', message('sign', 1, 1, 3), bit(2), /the binding of a message of node 1/],
  ['a correction of a sender', message('sign', 2, 1, 3), bit(20_000), /inputs in a column of a sender|canonical/],
  ['the salt of a sender', message('sign', 2, 3, 1), bit(SALT), /inputs in a column of a sender/],
  ['the hash of a sender', message('sign', 2, 1, 3), bit(HASH), /the hash that a sender computes/],
  ['a combination of inputs', message('sign', 2, 3, 1), bit(COMBINATION), /the combination of a sender's inputs/],
  ['an offset of a sender', message('sign', 2, 1, 3), bit(OFFSET), /an input of node 1/],
  ['an output that a sender shows', message('sign', 2, 1, 3), bit(36), /an output of node 1|not on secp256k1/],
];

describe.runIf(hasVerifier)('an altered copy is refused', () =>
  refusesEach(() => whole('secp256k1'), directory, alterations),
);
