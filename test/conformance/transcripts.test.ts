// Goal: what nodes say and compute in each protocol agrees with the pages that specify it, and a change of any part of
// it is seen. Method: the verifier of mpc/audit/verifier, which is written in Python from those pages, reads the
// transcripts that mpc/tests/transcripts makes; then copies with one value altered, each of which it must refuse by the
// check that the value belongs to. What makes the transcripts anew is the Rust test.
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';

type Json = number | string | Json[] | { [name: string]: Json };
type Place = readonly (number | string)[];
type Curve = 'ed25519' | 'secp256k1';

const python = process.env['PYTHON'] ?? 'python3';
const hasPython = spawnSync(python, ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']).status === 0;
const root = resolve(import.meta.dirname, '../..');
const verifier = join(root, 'mpc/audit/verifier/verify.py');
const fileOf = (curve: Curve) => join(root, `mpc/vectors/transcripts/${curve}.json`);
const directory = mkdtempSync(join(tmpdir(), 'countersign-transcripts-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function verify(...files: string[]): Promise<{ output: string; refusal: string }> {
  const run = promisify(execFile)(python, ['-B', verifier, ...files]);
  const { stdout, stderr } = await run.catch((error: Error & { stdout: string; stderr: string }) => error);
  return { output: stdout, refusal: stderr };
}

/** What stands at a place, which has to be there. */
function at(json: Json, place: Place): Json {
  const value = place.reduce<Json | undefined>((inner, name) => (inner as Record<string, Json>)?.[name], json);
  if (value === undefined) throw new Error(`There is nothing at ${place.join('.')}.`);
  return value;
}

function hexOf(value: Json | undefined): string {
  if (typeof value !== 'string') throw new Error('There are no bytes here.');
  return value;
}

/** One bit of the byte at `position`, counted from the end if it is negative. */
function flipped(hex: Json, position: number): string {
  const bytes = Buffer.from(hexOf(hex), 'hex');
  const index = position < 0 ? bytes.length + position : position;
  bytes.writeUInt8(bytes.readUInt8(index) ^ 1, index);
  return bytes.toString('hex');
}

function altered(curve: Curve, place: Place, change: (value: Json) => Json): string {
  const transcript = JSON.parse(readFileSync(fileOf(curve), 'utf8')) as Json;
  const holder = at(transcript, place.slice(0, -1)) as Record<string, Json>;
  holder[String(place.at(-1))] = change(at(transcript, place));
  const file = join(directory, `${curve}-${place.join('-').replaceAll(/\W/g, '_')}.json`);
  writeFileSync(file, JSON.stringify(transcript));
  return file;
}

const bit = (position: number) => (value: Json) => flipped(value, position);
const put = (other: Json) => () => other;
const operations = { generate: 0, sign: 1, signByChild: 2, refresh: 3, signRefreshed: 4, repair: 5 } as const;
const message = (operation: keyof typeof operations, round: number, from: number, to: number): Place => [
  'operations',
  operations[operation],
  'rounds',
  round - 1,
  String(from),
  String(to),
];
const result = (operation: keyof typeof operations, node: number, name: string): Place => [
  'operations',
  operations[operation],
  'results',
  String(node),
  name,
];

/** Who contributes without Python is not held up. */
const mayRun = hasPython || process.env['CI'] !== undefined;

test.runIf(mayRun)('the transcripts hold', async () => {
  const { output, refusal } = await verify(fileOf('ed25519'), fileOf('secp256k1'));
  expect(refusal).toBe('');
  // The numbers of checks: a verifier that skipped some would say fewer.
  expect([...output.matchAll(/: (\d+) checks hold/g)].map(([, count]) => count)).toEqual(['215', '1006']);
});

describe.each<[Curve, [string, Place, (value: Json) => Json, RegExp][]]>([
  [
    'ed25519',
    [
      ['a commitment to a coefficient', message('generate', 1, 1, 2), bit(10), /broadcast of node 1|point/],
      ['a fragment', message('generate', 3, 2, 1), bit(6), /a fragment of node 2/],
      ['an echo', message('generate', 2, 3, 1), bit(0), /broadcast of node 3/],
      ['a share', result('generate', 1, 'share'), bit(0), /the share of node 1/],
      ['a transcript', result('generate', 3, 'transcript'), bit(0), /the transcript/],
      ['the session id', ['operations', 0, 'session_id'], bit(0), /the echo/],
      ["a nonce's commitment", message('sign', 1, 1, 3), bit(6), /point|commitment/],
      ['a signature share', message('sign', 2, 3, 1), bit(0), /the signature share of node 3/],
      ['what is signed', ['operations', operations.sign, 'message'], bit(0), /the signature share/],
      ['a signature', result('sign', 1, 'signature'), bit(40), /the signature of node 1/],
      ['the path of a child', ['operations', operations.signByChild, 'path', 0], put(1), /commitment of node/],
      ['a signer', ['operations', operations.sign, 'nodes', 1], put(2), /refused/],
      ['a fragment of the refresh', message('refresh', 3, 1, 2), bit(7), /a fragment of node 1/],
      ['a refreshed share', result('refresh', 2, 'share'), bit(1), /the share of node 2/],
      ['a part of a helper', message('repair', 1, 1, 3), bit(-32), /the parts of helper/],
      ['a sum of a helper', message('repair', 2, 3, 2), bit(0), /the parts of helper|the sum/],
      ['the repaired share', result('repair', 2, 'share'), bit(0), /the share of node 2/],
      ['the target', ['operations', operations.repair, 'target'], put(3), /refused/],
    ],
  ],
  [
    'secp256k1',
    [
      ['a fragment', message('generate', 1, 1, 2), bit(-1), /the point of node/],
      ['a commitment to a proof', message('generate', 2, 1, 2), bit(0), /broadcast of node 1/],
      ['a commitment to a seed', message('generate', 2, 1, 2), bit(-1), /a seed of node 1/],
      ['a share', result('generate', 1, 'share'), bit(-1), /the share of node 1/],
      ['a public point', result('generate', 2, 'point'), bit(-1), /the point of node 2/],
      ['the key', result('generate', 3, 'public_key'), bit(0), /the public key/],
      ['a signature', result('sign', 1, 'signature'), bit(-1), /the signature of node 1/],
      ['a recovery id', result('sign', 3, 'recovery_id'), (id) => 1 - Number(id), /the recovery id of node 3/],
      ['a last message', message('sign', 3, 1, 3), bit(-1), /the signature/],
      ['what is signed', ['operations', operations.sign, 'message'], bit(0), /the key share's point/],
      ['a fragment of the refresh', message('refresh', 1, 2, 3), bit(-1), /the constant term of node 2/],
      ['a new point', message('refresh', 5, 3, 1), bit(0), /the transcript of node 3/],
      ['a refreshed share', result('refresh', 2, 'share'), bit(-1), /the share of node 2/],
      ['a term of a helper', message('repair', 2, 1, 2), bit(34), /the term of helper 1/],
      ['the repaired share', result('repair', 2, 'share'), bit(-1), /the share of node 2/],
    ],
  ],
])('on %s an altered copy is refused', (curve, cases) => {
  test.runIf(mayRun).each(cases)('%s', async (_, place, change, reason) => {
    const { output, refusal } = await verify(altered(curve, place, change));
    expect(output).toBe('');
    expect(refusal).toMatch(/: refused: /);
    expect(refusal).toMatch(reason);
  });
});

test.runIf(mayRun)('an operation that is left out and a cut message are refused', async () => {
  const file = (name: string, change: (operations: Json[]) => void) => {
    const transcript = JSON.parse(readFileSync(fileOf('ed25519'), 'utf8')) as { operations: Json[] };
    change(transcript.operations);
    writeFileSync(join(directory, name), JSON.stringify(transcript));
    return verify(join(directory, name));
  };
  const { refusal } = await file('left-out.json', (all) => all.splice(operations.refresh, 1));
  expect(refusal).toMatch(/: refused: /);
  const short = await file('cut.json', (all) => {
    const round = at(all, [operations.repair, 'rounds', 1, '1']) as Record<string, Json>;
    round['2'] = hexOf(round['2']).slice(0, -2);
  });
  expect(short.refusal).toMatch(/: refused: /);
});
