// Goal: values that do not fit their types are refused with a sentence that says where, and never shows them; the
// others get one form. Method: one value of one type; a good document, one thing spoilt at a time. The types
// themselves: `typed-data-types.test.ts`.
import { describe, expect, it } from 'vitest';
import { readDocument, type TypedData } from '../../../domain/payloads/typed-data.ts';
import { field, mail, refusalOf, sample } from './documents.ts';

const max = (2n ** 256n - 1n).toString();
const min = (-(2n ** 255n)).toString();
it.each<[string, unknown, unknown]>([
  ['uint8', 255, '255'],
  ['uint8', '0xFF', '255'],
  ['uint8', '0x00', '0'],
  ['uint256', max, max],
  ['uint256', Number.MAX_SAFE_INTEGER, '9007199254740991'],
  ['int8', -128, '-128'],
  ['int8', '127', '127'],
  ['int256', min, min],
  ['bool', false, false],
  ['bytes4', '0xAABBCCDD', '0xaabbccdd'],
  ['bytes', '0x', '0x'],
  ['string', 'Grüße "\\ \0 👋', 'Grüße "\\ \0 👋'],
  ['string', '0x1234', '0x1234'],
  ['address', '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826', '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826'],
  ['uint8[]', [], []],
  // biome-ignore format: a table
  ['uint8[2][]', [[1, '2'], ['0x3', 4]], [['1', '2'], ['3', '4']]],
])('reads %s %j as %j', (type, value, kept) => {
  const { document } = readDocument(sample(type, value));
  expect(document.message).toEqual({ x: kept });
  expect(readDocument(document).document).toEqual(document);
});

describe('refuses a value', () => {
  it.each<[string, RegExp, unknown[]]>([
    ['uint8', /x is out of the range of uint8\.$/, [256, '256', -1, '-1', '0x100']],
    ['uint8', /must be a whole number/, [1.5, '1.5', '', ' 1', '1 ', '0x', '0X1', '+1', '1e2', '01', '-0', '1\n']],
    ['uint8', /must be a whole number/, [true, null, undefined, [1], {}, '-0x1', 1n]],
    [
      'uint256',
      /must be a whole number/,
      [2 ** 53, Number.NaN, Infinity, `0x1${'00'.repeat(32)}`, `1${'0'.repeat(78)}`],
    ],
    ['uint256', /out of the range/, [(2n ** 256n).toString()]],
    ['int8', /out of the range of int8/, [128, -129, '0x80', '0xff', (2n ** 255n).toString()]],
    ['bool', /must be true or false/, [0, 1, 'true', '0x1', null]],
    ['address', /must be an address/, [`0x${'11'.repeat(19)}`, `0x${'11'.repeat(21)}`, '11'.repeat(20), '0x00', '']],
    ['address', /must be an address/, [`0X${'11'.repeat(20)}`, 1, null, [`0x${'11'.repeat(20)}`]]],
    // The checksum of EIP-55, with one letter's case changed.
    ['address', /right checksum/, ['0xcD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826']],
    ['bytes3', /has \d bytes, and its type says 3/, ['0xabcd', '0xabcdef00', '0x']],
    ['bytes3', /must be bytes/, ['abcdef', '0xabcdeg', '0xabcde', 'abc', [1, 2, 3], null]],
    ['bytes', /must be bytes/, ['abcd', '0xabc', '0x0g', 'hello', 1, null, ['0x00'], '0Xab']],
    ['string', /must be a string/, [1, true, null, ['a'], {}]],
    ['string', /lone surrogate/, ['\ud800', 'a\udc00b']],
  ])('that is no %s: %s', (type, words, values) => {
    for (const value of values) {
      expect(refusalOf(sample(type, value)), String(value)).toMatch(words);
      expect(refusalOf(sample(`${type}[]`, [value])), String(value)).toMatch(/^typed_data\.message\.x\.0 /);
    }
  });

  it('that is no array of its length', () => {
    for (const value of ['', {}, null, { length: 0 }, 1])
      expect(refusalOf(sample('uint8[]', value))).toContain('x must be an array');
    for (const value of [[], [1], [1, 2, 3]])
      expect(refusalOf(sample('uint8[2]', value))).toContain(`x has ${value.length} elements, and its type says 2`);
    expect(refusalOf(sample('uint8[2][]', [[1, 2], [3]]))).toContain('x.1 has 1 elements');
  });

  it('that is no struct of its fields', () => {
    const { from, ...rest } = mail.message;
    const refuses = (message: unknown) => refusalOf({ ...mail, message });
    expect(refuses(rest)).toBe('typed_data.message.from is missing.');
    expect(refuses({ ...mail.message, more: 1 })).toBe(
      'typed_data.message has a field "more", which its type does not have.',
    );
    expect(refuses({ ...rest, from: { name: 'Cow' } })).toContain('message.from.wallet is missing');
    expect(refuses({ ...mail.message, to: [from, Object.assign({ z: 1 }, from)] })).toContain('to.1 has a field "z"');
    for (const value of [null, [], 'Cow', undefined]) {
      expect(refuses({ ...rest, from: value })).toContain('message.from must be an object');
      expect(refuses(value)).toContain('message must be an object');
    }
    // What every object inherits is not a field of it.
    expect(refusalOf(sample('N', {}, { N: [field('toString', 'string')] }))).toContain('toString is missing');
  });

  it('of the domain', () => {
    const domain = { salt: '0x00' };
    const { EIP712Domain: _written, ...types } = mail.types;
    expect(refusalOf({ ...mail, types, domain })).toContain('domain.salt has 1 bytes, and its type says 32');
  });

  it('in another part than those of a document', () =>
    expect(refusalOf({ ...mail, extra: 1 })).toBe('typed_data has an unknown field "extra".'));
});

it.each(['constructor', 'toString', 'hasOwnProperty'])('takes %s as a name like any other', (name) => {
  const text = JSON.stringify(sample('NAME', { NAME: 7 }, { NAME: [field('NAME', 'uint8')] }));
  const { document } = readDocument(JSON.parse(text.replaceAll('NAME', name)) as TypedData);
  expect(document.message).toEqual({ x: { [name]: '7' } });
});

it('takes 32 structs and arrays around a value, and no more', () => {
  const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
  const document = (levels: number) => sample(`uint8${'[]'.repeat(levels)}`, nested(levels));
  expect(refusalOf(document(31))).toBe('accepted');
  expect(refusalOf(document(32))).toContain('is nested more than 32 levels deep');
  const endless: Record<string, unknown> = {};
  endless['x'] = endless;
  expect(refusalOf({ ...sample('Sample', 0), message: endless })).toContain('nested more than 32');
});
