// Goal: who sends a request that does not fit reads what to change, in words that name no schema. Method: the
// validators that the API gives to Fastify, over a mistake of each kind.
import { expect, test } from 'vitest';
import { describeValidation } from '../../../src/http/describe-validation.ts';
import { schemaCompilers } from '../../../src/http/schema-compilers.ts';

type Issues = Parameters<typeof describeValidation>[0];
const compile = (
  schemaCompilers.buildValidator as unknown as (
    others: object,
    settings: object,
  ) => (route: { schema: unknown }) => { (value: unknown): boolean; errors: Issues | null }
)({}, { customOptions: { coerceTypes: false, removeAdditional: false } });

const mistakes: [string, object, unknown, string][] = [
  ['a field that is missing', { required: ['name'] }, {}, 'body lacks the field "name".'],
  ['a field that is unknown', { additionalProperties: false, properties: { name: {} } }, { nom: 1 }, '"nom": it takes'],
  ['a number for a string', { type: 'string' }, 1, 'body must be a string.'],
  ['a fraction', { type: 'integer' }, 1.5, 'body must be an integer.'],
  ['text for a boolean', { type: 'boolean' }, 'true', 'body must be true or false.'],
  ['too small', { minimum: 1 }, 0, 'body must be at least 1.'],
  ['too large', { maximum: 200 }, 201, 'body must be at most 200.'],
  ['empty text', { minLength: 1 }, '', 'body must not be empty.'],
  ['short text', { minLength: 8 }, 'a', 'body must have at least 8 characters.'],
  ['long text', { maxLength: 1 }, 'ab', 'body must have at most 1 character.'],
  ['an empty list', { minItems: 1 }, [], 'body must not be empty.'],
  ['a long list', { maxItems: 2 }, [1, 2, 3], 'body must have at most 2 items.'],
  ['an item twice', { uniqueItems: true }, [1, 1], 'body must not have the same item twice.'],
  ['an empty object', { minProperties: 1 }, {}, 'body must have a field at least.'],
  ['no UUID', { format: 'uuid' }, 'x', 'body must be a UUID.'],
  ['no time', { format: 'date-time' }, 'x', 'body must be a time in RFC 3339, such as 2026-01-31T12:00:00Z.'],
  ['none of the choices', { enum: ['a', 'b'] }, 'c', 'body must be one of a, b.'],
  ['a form', { pattern: '^[0-9]+$', description: 'Digits.' }, 'x', 'body is malformed. It is: Digits.'],
];

test.each(mistakes)('%s', (_, schema, value, sentence) => {
  const validate = compile({ schema });
  expect(validate(value)).toBe(false);
  const described = describeValidation(validate.errors ?? [], 'body', schema);
  expect(described).toContain(sentence);
  expect(described).not.toMatch(/NOT|property|[<>^\\]/);
});

test('says where', () => {
  const schema: object = { properties: { items: { items: { properties: { amount: { type: 'string' } } } } } };
  const validate = compile({ schema });
  validate({ items: [{ amount: '1' }, { amount: 2 }] });
  expect(describeValidation(validate.errors ?? [], 'body', schema)).toBe('body.items.1.amount must be a string.');
});
