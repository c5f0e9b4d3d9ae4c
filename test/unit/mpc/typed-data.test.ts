// Goal: typed data goes to the nodes as mpc/PROTOCOL.md has it, with nothing that they would refuse, and weighs there
// what was counted before. Method: one value of one type a case, written as tokens; documents just as large as the
// nodes take. What is refused otherwise: test/unit/payloads.
import { keccak_256 } from '@noble/hashes/sha3.js';
import { describe, expect, it } from 'vitest';
import { ClusterError } from '../../../activities/mpc/port.ts';
import { encode } from '../../../activities/mpc/transport/borsh.ts';
import { type Token, typedData, type WireTypedData } from '../../../activities/mpc/transport/wire.ts';
import { digestOf } from '../../../activities/mpc/verify/digest.ts';
import { wirePayload } from '../../../activities/mpc/verify/payload.ts';
import { flattenTypedData } from '../../../activities/mpc/verify/typed-data.ts';
import { PAYLOAD_BYTES_MAX } from '../../../domain/payloads/limits.ts';
import type { TypedData } from '../../../domain/payloads/typed-data.ts';
import { digestOfTokens } from '../../conformance/typed-data/reference.ts';
import { domainType, field, mail, refusalOf, sample } from '../payloads/documents.ts';

const plain = (tokens: readonly Token[]) =>
  tokens.map((token) =>
    Object.values(token).map((part) => (part instanceof Uint8Array ? Buffer.from(part).toString('hex') : part)),
  );
const ones = 'ff'.repeat(32);
it.each<[string, unknown, string, unknown]>([
  ['uint8', 255, 'Word', 'ff'.padStart(64, '0')],
  ['uint256', (2n ** 256n - 1n).toString(), 'Word', ones],
  ['int8', -1, 'Word', ones],
  ['int8', '-128', 'Word', `${'ff'.repeat(31)}80`],
  ['int8', '127', 'Word', '7f'.padStart(64, '0')],
  ['int256', (-(2n ** 255n)).toString(), 'Word', `80${'00'.repeat(31)}`],
  ['bool', true, 'Word', '01'.padStart(64, '0')],
  ['bool', false, 'Word', '00'.repeat(32)],
  ['bytes3', '0xABcdef', 'Word', 'abcdef'.padEnd(64, '0')],
  ['address', `0x${'ab'.repeat(20)}`, 'Word', 'ab'.repeat(20).padStart(64, '0')],
  ['bytes', '0x', 'Bytes', ''],
  ['bytes', '0x00ff', 'Bytes', '00ff'],
  ['string', '0x1234', 'Text', '0x1234'],
  ['uint8[]', [], 'Count', 0],
])('writes %s %j', (type, value, kind, content) => {
  expect(plain(flattenTypedData(sample(type, value)).message)).toEqual([[kind, content]]);
});

it('leaves out types that nothing uses, and puts the others in order', () => {
  expect(flattenTypedData(mail).types.map(({ name }) => name)).toEqual(['EIP712Domain', 'Mail', 'Person']);
  const types = { ...mail.types, Alien: [field('person', 'Person')] };
  expect(flattenTypedData({ ...mail, types })).toEqual(flattenTypedData(mail));
});

it('takes a domain alone', () => {
  const expected: WireTypedData = {
    types: [{ name: 'EIP712Domain', fields: [{ name: 'name', typeName: 'string' }] }],
    primaryType: 'EIP712Domain',
    domain: [{ kind: 'Text', text: 'x' }],
    message: [],
  };
  const types = { EIP712Domain: domainType };
  expect(flattenTypedData({ ...mail, types, primaryType: 'EIP712Domain', message: {} })).toEqual(expected);
});

describe('64 KiB in the encoding of the nodes, and no more:', () => {
  const N = [field('a', 'bool'), field('b', 'string')];
  const listOf = (element: unknown) => (size: number) => Array.from({ length: size }, () => element);
  it.each<[string, (size: number) => unknown]>([
    ['string', (size) => 'x'.repeat(size)],
    ['bytes', (size) => `0x${'00'.repeat(size)}`],
    ['uint8[]', listOf(1)],
    ['bytes[]', listOf('0x')],
    ['string[][]', listOf(['ü'])],
    ['N[]', listOf({ a: true, b: '\u{10ffff}' })],
  ])('%s', (type, valueOf) => {
    // What nothing uses weighs nothing.
    const documentOf = (size: number) => sample(type, valueOf(size), { N, Unused: [field('unused', 'N[]')] });
    const bytesOf = (size: number) => encode(typedData, flattenTypedData(documentOf(size))).length;
    const most = Math.floor((PAYLOAD_BYTES_MAX - bytesOf(0)) / (bytesOf(1) - bytesOf(0)));
    expect(bytesOf(most)).toBeLessThanOrEqual(PAYLOAD_BYTES_MAX);
    expect(refusalOf(documentOf(most + 1))).toBe('typed_data is too large: at most 65536 bytes can be signed.');
  });
});

it('does not take long for many small structs of long types', () => {
  const name = 'f'.repeat(4_000);
  const items = Array.from({ length: 10_000 }, () => ({ [name]: '' }));
  const document = sample('Item[]', items, { Item: [field(name, 'string')] });
  const cpuMs = (work: () => void) => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  let digest: Uint8Array = new Uint8Array();
  const takenMs = cpuMs(() => {
    digest = digestOf({ kind: 'evm_typed_data', typedData: document });
  });
  const type = Buffer.from(`Item(string ${name})`);
  const tenthOfTypeHashesMs = cpuMs(() => items.slice(0, 1_000).forEach(() => keccak_256(type)));
  // A type hash for each struct would take all of them.
  expect(takenMs).toBeLessThan(5 * tenthOfTypeHashesMs);
  const few = (count: number) => ({ ...document, message: { x: items.slice(0, count) } });
  const digestOfFew = digestOf({ kind: 'evm_typed_data', typedData: few(3) });
  expect(digestOfFew).toEqual(digestOfTokens(flattenTypedData(few(3))));
  expect(digestOfFew).not.toEqual(digest);
});

it('is an invalid request, not to be repeated, when it does not fit', () => {
  const wrong: TypedData = { ...mail, primaryType: 'Post' };
  const payload = { kind: 'evm_typed_data', typedData: wrong } as const;
  for (const use of [() => digestOf(payload), () => wirePayload(payload, 'secp256k1')]) {
    expect(use).toThrow(ClusterError);
    expect(use).toThrow(expect.objectContaining({ code: 'invalid_request', retryable: false }));
  }
});
