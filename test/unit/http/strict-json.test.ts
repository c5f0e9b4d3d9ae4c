// Goal: a body is read as JSON.parse reads it, or refused when another program could read it otherwise. Method:
// examples of every kind of ambiguity, and random JSON, as it is and with one name doubled.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseStrictJson, StrictJsonError } from '../../../src/http/strict-json.ts';

const parse = (text: string) => parseStrictJson(Buffer.from(text));

describe('a name that is there twice', () => {
  test.each([
    ['side by side', '{"a":1,"a":2}'],
    ['with equal values', '{"a":1,"a":1}'],
    ['apart', '{"a":1,"b":[{"c":2}],"a":3}'],
    ['deep', '{"x":[0,{"y":{"a":1,"b":"a","a":2}}]}'],
    ['with spaces', '{ "a" : 1 ,\n "a"\t: 2 }'],
    ['spelt with an escape', '{"ab":1,"\\u0061b":2}'],
    ['with an escaped quote', '{"a\\"":1,"a\\"":2}'],
    ['after a string that holds braces', '{"a":"}{,\\"","a":2}'],
    ['empty', '{"":1,"":2}'],
  ])('%s', (_name, text) => {
    expect(() => parse(text)).toThrow(StrictJsonError);
    expect(() => parse(text)).toThrow(/twice/);
  });
});

test.each([
  '{"a":{"a":1},"b":{"a":2}}',
  '[{"a":1},{"a":2}]',
  '{"a":"a","b":"a"}',
  '{"a":["b","b"],"b":1}',
  '{"a":[1,2],"b":[[],{}],"c":{}}',
  '{"constructor":1,"toString":2,"hasOwnProperty":3}',
  '{"a":"\\\\u0000"}',
  ' [] ',
  'null',
  '"a"',
])('%s is taken', (text) => {
  expect(parse(text)).toEqual(JSON.parse(text));
});

describe('refused', () => {
  test.each([
    ['no JSON', '{"a":', /not valid JSON/],
    ['a string without end', '{"a', /not valid JSON/],
    ['a string that ends in a backslash', '"\\', /not valid JSON/],
    ['a name with a wrong escape', '{"\\x":1}', /not valid JSON/],
    ['closed too often', '{}}', /not valid JSON/],
    ['nothing', '', /not valid JSON/],
    ['a comment', '{"a":1 /* b */}', /not valid JSON/],
    ['__proto__', '{"a":{"__proto__":{"admin":true}}}', /__proto__/],
    ['__proto__, escaped', '{"\\u005f_proto__":1}', /__proto__/],
    ['U+0000', '{"a":"x\\u0000y"}', /U\+0000/],
    ['depth', `${'['.repeat(65)}${']'.repeat(65)}`, /nested/],
  ])('%s', (_name, text, message) => {
    expect(() => parse(text)).toThrow(StrictJsonError);
    expect(() => parse(text)).toThrow(message);
  });

  test('bytes that are no UTF-8, which a decoder would silently replace', () => {
    for (const bytes of [
      [0x22, 0xff, 0x22],
      [0x22, 0xc0, 0x80, 0x22],
      [0x22, 0xed, 0xa0, 0x80, 0x22],
    ])
      expect(() => parseStrictJson(Buffer.from(bytes))).toThrow(/UTF-8/);
  });
});

test('half a million levels are refused like sixty-five, whether they end or not', () => {
  for (const text of ['['.repeat(500_000), '{"a":'.repeat(200_000), `${'['.repeat(500_000)}${']'.repeat(500_000)}`])
    expect(() => parse(text)).toThrow(/nested/);
});

test.each(['{"a":"\\ud800"}', '["\\uDC00x"]', '{"\\ud83d":1}', '"\\\\\\ud800"'])('a lone surrogate: %s', (text) => {
  expect(() => parse(text)).toThrow(/surrogate/);
});

test.each(['"\\ud83d\\ude00"', '"\\\\ud800"', '"\\\\\\\\ud800"'])('no lone surrogate: %s', (text) => {
  expect(parse(text)).toBe(JSON.parse(text));
});

test('random JSON is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), (text) => {
      fc.pre(!text.includes('\\u0000') && !text.includes('__proto__'));
      expect(parse(text)).toEqual(JSON.parse(text));
    }),
  );
});

test('a random object with one of its names doubled is refused', () => {
  const names = fc.uniqueArray(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(names, fc.nat(), fc.jsonValue({ maxDepth: 2 }), (unique, choice, value) => {
      const written = [...unique, unique[choice % unique.length] as string].map(
        (name) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
      );
      expect(() => parse(`{${written.join(',')}}`)).toThrow(StrictJsonError);
    }),
  );
});
