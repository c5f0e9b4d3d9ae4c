// Goal: what nodes say and compute in each protocol agrees with the pages that specify it, and a change of any part of
// it is seen. Method: the verifier of mpc/audit/verifier, which is written in Python from those pages, reads the
// transcripts that mpc/tests/transcripts makes; then copies with one value altered, each of which it must refuse by the
// check that the value belongs to. What makes the transcripts anew is the Rust test.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  type Alteration,
  at,
  bit,
  hasVerifier,
  hexOf,
  type Json,
  message,
  operations,
  put,
  refusesEach,
  result,
  root,
  verify,
} from './verifier.ts';

type Curve = 'ed25519' | 'secp256k1';

const fileOf = (curve: Curve) => join(root, `mpc/vectors/transcripts/${curve}.json`);
const directory = mkdtempSync(join(tmpdir(), 'countersign-transcripts-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test.runIf(hasVerifier)('the transcripts hold', async () => {
  const { output, refusal } = await verify(fileOf('ed25519'), fileOf('secp256k1'));
  expect(refusal).toBe('');
  // The numbers of checks: a verifier that skipped some would say fewer.
  expect([...output.matchAll(/: (\d+) checks hold/g)].map(([, count]) => count)).toEqual(['215', '1006']);
});

describe.runIf(hasVerifier).each<[Curve, Alteration[]]>([
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
])('on %s an altered copy is refused', (curve, alterations) =>
  refusesEach(() => fileOf(curve), directory, alterations),
);

test.runIf(hasVerifier)('an operation that is left out and a cut message are refused', async () => {
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
