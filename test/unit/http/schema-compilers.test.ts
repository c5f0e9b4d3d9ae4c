// Goal: what is the same schema is compiled once, and never taken for another. Method: the compilers that the API gives
// to Fastify.
import { expect, test } from 'vitest';
import { schemaCompilers } from '../../../src/http/schema-compilers.ts';

const named = (type: string) => ({ named: { $id: 'named', type } });
const compilerOf = (
  kind: 'buildValidator' | 'buildSerializer',
  others: object = {},
  customOptions: object = { coerceTypes: false },
) =>
  (schemaCompilers[kind] as (others: object, settings: object) => (route: { schema: unknown }) => unknown)(others, {
    customOptions,
  });

test.each(['buildValidator', 'buildSerializer'] as const)('%s: of each schema one, for all apps', (kind) => {
  const compiled = compilerOf(kind)({ schema: { type: 'string', maxLength: 3 } });
  expect(compilerOf(kind)({ schema: { type: 'string', maxLength: 3 } })).toBe(compiled);
  expect(compilerOf(kind)({ schema: { type: 'string', maxLength: 4 } })).not.toBe(compiled);
});

test('what a schema refers to is a part of it', () => {
  const [text, number] = ['string', 'integer'].map((type) =>
    compilerOf('buildValidator', named(type))({ schema: { $ref: 'named#' } }),
  ) as ((value: unknown) => boolean)[];
  expect([text?.('1'), text?.(1)]).toEqual([true, false]);
  expect([number?.('1'), number?.(1)]).toEqual([false, true]);
});

test('what the settings make of it is a part of it', () => {
  const [refuses, takes] = [false, true].map((coerceTypes) =>
    compilerOf('buildValidator', {}, { coerceTypes })({ schema: { properties: { count: { type: 'integer' } } } }),
  ) as ((value: unknown) => boolean)[];
  expect([refuses?.({ count: '1' }), takes?.({ count: '1' })]).toEqual([false, true]);
});
