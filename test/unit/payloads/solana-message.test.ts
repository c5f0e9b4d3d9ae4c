// Goal: only a whole Solana message passes as one, by the same rules as at the nodes
// (mpc/tests/nodes/contents/solana.rs). Method: the messages of the golden vectors, which Solana's own library
// compiled, cut, extended and spoilt one thing at a time.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { requiredSigners } from '../../../domain/payloads/solana-message.ts';
import { refusalBy } from './documents.ts';

const vectors = JSON.parse(
  readFileSync(new URL('../../../mpc/vectors/wire.json', import.meta.url), 'utf8'),
) as readonly { name: string; fields: { bytes?: string } }[];
const messageOf = (name: string) =>
  Buffer.from(vectors.find((vector) => vector.name === `command/${name}`)?.fields.bytes ?? '', 'hex');

const legacy = messageOf('sign_solana_transaction');
const versioned = messageOf('sign_solana_transaction_version_0');
const key = (byte: number) => Buffer.alloc(32, byte);

const refusalOf = (message: Uint8Array) => refusalBy(() => requiredSigners(message));

function changed(message: Buffer, position: number, byte: number): Buffer {
  const copy = Buffer.from(message);
  copy[position] = byte;
  return copy;
}

/** One signer, one program, one instruction with this much data under this length. */
const withData = (length: number[], sizeBytes: number) =>
  Buffer.concat([
    Buffer.of(1, 0, 1, 2),
    key(5),
    key(8),
    key(9),
    Buffer.of(1, 1, 0, ...length),
    Buffer.alloc(sizeBytes, 0xaa),
  ]);

describe.each([
  ['legacy', legacy],
  ['version 0', versioned],
])('a message of %s', (_name, message) => {
  it('tells who must sign it', () => expect(requiredSigners(message)).toEqual([key(5), key(7)]));

  it('is whole', () => {
    for (let length = 0; length < message.length; length += 1) {
      expect(refusalOf(message.subarray(0, length)), `cut to ${length}`).not.toBe('accepted');
    }
    expect(refusalOf(Buffer.concat([message, Buffer.of(0)]))).toContain('left over');
  });
});

it('has lookups exactly when it has a version', () => {
  const marked = Buffer.concat([Buffer.of(0x80), legacy]);
  expect(refusalOf(marked)).toContain('too early');
  expect(refusalOf(Buffer.concat([marked, Buffer.of(0)]))).toBe('accepted');
  expect(refusalOf(Buffer.concat([legacy, Buffer.of(0)]))).toContain('left over');
});

it('has version 0 or none', () => {
  for (let version = 0x81; version <= 0xff; version += 1) {
    expect(refusalOf(changed(versioned, 0, version))).toContain('unknown version');
  }
});

it('has at most 1232 bytes', () => {
  const sizeBytes = 1232 - withData([0x80, 0x09], 0).length;
  const compact = (size: number) => [(size & 0x7f) | 0x80, size >> 7];
  expect(refusalOf(withData(compact(sizeBytes), sizeBytes))).toBe('accepted');
  expect(refusalOf(withData(compact(sizeBytes + 1), sizeBytes + 1))).toBe(
    'unsigned_tx has 1233 bytes, and at most 1232 can be signed.',
  );
});

it('has a header that fits its keys', () => {
  const cases: [number, number, boolean][] = [
    [0, 0, false],
    [0, 1, false],
    [0, 4, true],
    [0, 5, false],
    [1, 2, false],
    [2, 5, true],
    [2, 6, false],
  ];
  for (const [position, byte, fits] of cases) {
    const refusal = refusalOf(changed(legacy, position, byte));
    expect(refusal, `${position}: ${byte}`).toMatch(fits ? /^accepted$/ : /header/);
  }
  expect(refusalOf(Buffer.concat([Buffer.of(1, 0, 0, 0), key(9), Buffer.of(0)]))).toContain('header');
});

it('has indexes in range', () => {
  // Header, seven keys with their count, blockhash, count of instructions; then program, count of accounts, accounts.
  const program = 3 + 1 + 7 * 32 + 32 + 1;
  for (const index of [0, 7, 255]) expect(refusalOf(changed(legacy, program, index))).toContain('no program');
  for (const index of [1, 6]) expect(refusalOf(changed(legacy, program, index))).toBe('accepted');
  expect(refusalOf(changed(legacy, program + 2, 6))).toBe('accepted');
  expect(refusalOf(changed(legacy, program + 2, 7))).toContain('no account');
  // Version 0: five keys of its own and two from a table, in which no program can be.
  const second = program + 1 - 2 * 32;
  expect(refusalOf(changed(versioned, second, 5))).toContain('no program');
  expect(refusalOf(changed(versioned, second + 2, 6))).toBe('accepted');
  expect(refusalOf(changed(versioned, second + 2, 7))).toContain('no account');
});

it('has lookups that add accounts, 256 in all', () => {
  const without = versioned.subarray(0, -4);
  const withLookup = (...parts: number[]) => refusalOf(Buffer.concat([without, Buffer.from(parts)]));
  expect(withLookup(0, 0)).toContain('adds no account');
  expect(withLookup(2, 0, 1, 0)).toBe('accepted');
  expect(withLookup(0, 1, 1)).toContain('no account');
  expect(withLookup(251, 1, ...Buffer.alloc(251), 0)).toBe('accepted');
  expect(withLookup(252, 1, ...Buffer.alloc(252), 0)).toContain('too many accounts');
});

it('has lengths of one form', () => {
  expect(refusalOf(withData([3], 3))).toBe('accepted');
  for (const padded of [
    [0x83, 0x00],
    [0x83, 0x80, 0x00],
    [0x83, 0x80, 0x80, 0x00],
    [0xff, 0xff, 0x04],
  ]) {
    expect(refusalOf(withData(padded, 3))).toContain('compact-u16');
  }
  expect(refusalOf(withData([0xff, 0xff, 0x03], 3))).toContain('too early');
});
