// Goal: typed data whose values do not fit their types costs no session. Method: a good document, one thing spoilt at a time; the failure must be
// `invalid_request` and name what was spoilt, never the content. The types themselves: `typed-data-types.test.ts`.
import { describe, expect, it } from 'vitest';
import { decode, encode } from '../../../activities/mpc/borsh.ts';
import { ClusterError, type TypedData } from '../../../activities/mpc/cluster.ts';
import { digestOf } from '../../../activities/mpc/digest.ts';
import { flattenTypedData } from '../../../activities/mpc/typed-data.ts';
import { maxPayloadBytes, typedData, type WireTypedData } from '../../../activities/mpc/wire.ts';
import { digestOfTokens } from '../../conformance/typed-data-reference.ts';
import { domainType, field, mail, refusalOf, sample } from './typed-data-samples.ts';

it('takes the document that the others are made of', () => {
  expect(refusalOf(mail)).toBe('accepted');
  expect(flattenTypedData(mail).types.map(({ name }) => name)).toEqual(['EIP712Domain', 'Mail', 'Person']);
});

const word = (hex: string) => ({ kind: 'Word', word: Buffer.from(hex, 'hex') });
const ones = 'ff'.repeat(32);
it.each<[string, unknown, unknown]>([
  ['uint8', 255, word('ff'.padStart(64, '0'))],
  ['uint8', '0xFF', word('ff'.padStart(64, '0'))],
  ['uint256', (2n ** 256n - 1n).toString(), word(ones)],
  ['int8', -1, word(ones)],
  ['int8', '-128', word(`${'ff'.repeat(31)}80`)],
  ['int8', '127', word('7f'.padStart(64, '0'))],
  ['int256', (-(2n ** 255n)).toString(), word(`80${'00'.repeat(31)}`)],
  ['bool', true, word('01'.padStart(64, '0'))],
  ['bytes3', '0xABcdef', word('abcdef'.padEnd(64, '0'))],
  ['address', `0x${'ab'.repeat(20)}`, word('ab'.repeat(20).padStart(64, '0'))],
  ['bytes', '0x', { kind: 'Bytes', bytes: Buffer.alloc(0) }],
  ['string', '0x1234', { kind: 'Text', text: '0x1234' }],
  ['uint8[]', [], { kind: 'Count', count: 0 }],
])('writes %s %j', (type, value, token) => {
  expect(flattenTypedData(sample(type, value)).message).toEqual([token]);
});

describe('refuses a value', () => {
  it.each<[string, unknown[]]>([
    [
      'uint8',
      [256, '256', -1, '-1', '0x100', 1.5, '1.5', '', ' 1', '1 ', '0x', '0X1', '+1', '1e2', true, null, [1], {}],
    ],
    ['uint256', [2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, (2n ** 256n).toString(), `0x1${'00'.repeat(32)}`]],
    ['int8', [128, -129, '0x80', '0xff', '-0x1', (2n ** 255n).toString()]],
    ['bool', [0, 1, 'true', '0x1', null]],
    ['address', [`0x${'11'.repeat(19)}`, `0x${'11'.repeat(21)}`, '11'.repeat(20), `0X${'11'.repeat(20)}`, 1, null, '']],
    // The checksum of EIP-55, with one letter's case changed.
    ['address', ['0xcD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826']],
    ['bytes3', ['0xabcd', '0xabcdef00', 'abcdef', '0xabcdeg', '0xabcde', 'abc', [1, 2, 3]]],
    ['bytes', ['abcd', '0xabc', '0x0g', 'hello', 1, null, ['0x00']]],
    ['string', [1, true, null, ['a'], {}, '\ud800', 'a\udc00b']],
  ])('that is no %s', (type, values) => {
    for (const value of values) {
      expect(refusalOf(sample(type, value)), String(value)).toBe(
        `a value of the typed data does not fit its type ${type}`,
      );
      expect(refusalOf(sample(`${type}[]`, [value])), String(value)).toContain('does not fit its type');
    }
  });

  it('that is no array of its length', () => {
    for (const value of ['', {}, null, { length: 0 }, 1]) {
      expect(refusalOf(sample('uint8[]', value))).toContain('where an array belongs');
    }
    for (const value of [[], [1], [1, 2, 3]]) expect(refusalOf(sample('uint8[2]', value))).toContain('another length');
    expect(refusalOf(sample('uint8[2][]', [[1, 2], [3]]))).toContain('another length');
    expect(refusalOf(sample('uint8[2][]', [[1, 2]]))).toBe('accepted');
  });

  it('that is no struct of its fields', () => {
    const { from, ...rest } = mail.message;
    const refuses = (message: TypedData['message']) => refusalOf({ ...mail, message });
    expect(refuses(rest)).toContain('lacks a field');
    expect(refuses({ ...mail.message, more: 1 })).toContain('does not have');
    expect(refuses({ ...rest, from: { name: 'Cow' } })).toContain('lacks a field');
    expect(refuses({ ...rest, from: Object.assign({ more: 1 }, from) })).toContain('does not have');
    for (const value of [null, [], 'Cow', undefined]) {
      expect(refuses({ ...rest, from: value })).toContain('where a struct belongs');
    }
    expect(refusalOf({ ...mail, domain: {} })).toContain('lacks a field');
    expect(refusalOf({ ...mail, domain: { name: 'x', chainId: 1 } })).toContain('does not have');
    // What every object inherits is not a field of it.
    const inherited = { ...sample('string', ''), types: { ...mail.types, Sample: [field('toString', 'string')] } };
    expect(refusalOf({ ...inherited, message: {} })).toContain('lacks a field');
  });
});

it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('takes %s as a name like any other', (name) => {
  const text = JSON.stringify({
    ...sample('', ''),
    types: { EIP712Domain: domainType, Sample: [field('one', 'NAME')], NAME: [field('NAME', 'uint8')] },
    message: { one: { NAME: 7 } },
  });
  const document = JSON.parse(text.replaceAll('NAME', name)) as TypedData;
  const tokens = flattenTypedData(document);
  expect(tokens.message).toHaveLength(1);
  expect(digestOf({ kind: 'evm_typed_data', typedData: document })).toEqual(digestOfTokens(tokens));
});

it('leaves out types that nothing uses', () => {
  const types = { ...mail.types, Unused: [field('broken', 'nothing')] };
  expect(flattenTypedData({ ...mail, types })).toEqual(flattenTypedData(mail));
});

it('takes a domain alone, but not with a message', () => {
  const document: TypedData = {
    types: { EIP712Domain: domainType },
    primaryType: 'EIP712Domain',
    domain: { name: 'x' },
    message: {},
  };
  const expected: WireTypedData = {
    types: [{ name: 'EIP712Domain', fields: [{ name: 'name', typeName: 'string' }] }],
    primaryType: 'EIP712Domain',
    domain: [{ kind: 'Text', text: 'x' }],
    message: [],
  };
  expect(flattenTypedData(document)).toEqual(expected);
  expect(refusalOf({ ...document, message: { name: 'x' } })).toContain('a message besides its domain');
});

describe('has bounds:', () => {
  it('32 structs and arrays around a value', () => {
    const nested = (levels: number): unknown => (levels === 0 ? [] : [nested(levels - 1)]);
    const document = (levels: number) => sample(`uint8${'[]'.repeat(levels)}`, nested(levels - 1));
    expect(refusalOf(document(31))).toBe('accepted');
    expect(refusalOf(document(32))).toContain('nested too deeply');
    const endless: Record<string, unknown> = {};
    endless['value'] = endless;
    expect(refusalOf({ ...sample('Sample', 0), message: endless })).toContain('nested too deeply');
  });

  it('64 KiB in all', () => {
    const room = maxPayloadBytes - encode(typedData, flattenTypedData(sample('string', ''))).length;
    const full = flattenTypedData(sample('string', 'x'.repeat(room)));
    expect(encode(typedData, full)).toHaveLength(maxPayloadBytes);
    expect(decode(typedData, encode(typedData, full))).toEqual(full);
    expect(refusalOf(sample('string', 'x'.repeat(room + 1)))).toContain('65536 bytes');
    expect(refusalOf(sample('string', 'x'.repeat(maxPayloadBytes + 1)))).toContain('65536 bytes');
    expect(
      refusalOf(
        sample(
          'uint8[]',
          Array.from({ length: maxPayloadBytes + 1 }, () => 1),
        ),
      ),
    ).toContain('65536 bytes');
  });
});

it('has no digest when viem finds none', () => {
  const digest = () => digestOf({ kind: 'evm_typed_data', typedData: { ...mail, primaryType: 'Post' } });
  expect(digest).toThrow(ClusterError);
});
