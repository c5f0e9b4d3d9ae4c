// Goal: what is the same thing is one component of the OpenAPI document, and the document says no less by that. Method:
// small documents; what differs in more than it may is refused.
import { expect, test } from 'vitest';
import { shareComponents } from '../../../src/http/openapi/shared-components.ts';
import { tieStricterComponents } from '../../../src/http/openapi/stricter-components.ts';

const text = { type: 'string' };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const record = (title: string, properties: object, options: object = {}) => ({
  title,
  type: 'object',
  required: ['id'],
  properties,
  ...options,
});

/** What a document makes of schemas that two operations answer. */
function componentsOf(one: object, other: object) {
  const answer = (operationId: string, schema: object) => ({
    get: { operationId, responses: { 200: { content: { 'application/json': { schema } } } } },
  });
  const document: Parameters<typeof shareComponents>[0] = {
    paths: { '/one': answer('readOne', one), '/other': answer('readOther', other) },
    components: {},
  };
  shareComponents(document, {});
  return document.components.schemas;
}

test.each(['first', 'last'])('a record that one answer shows more of is one, described with all of it: %s', (place) => {
  const narrow = record('Key', { id: text, name: text });
  const wide = record('Key', { id: text, name: text, secret: text });
  const schemas = place === 'first' ? componentsOf(wide, narrow) : componentsOf(narrow, wide);
  expect(schemas).toEqual({ Key: { type: 'object', required: ['id'], properties: wide.properties } });
});

test.each([
  ['a property of another type', { id: text, name: { type: 'integer' } }, {}],
  ['more that is required', { id: text, name: text, secret: text }, { required: ['id', 'secret'] }],
  ['what takes nothing else', { id: text, name: text, secret: text }, { additionalProperties: false }],
])('two records of one name are refused: %s', (_case, properties, options) => {
  const narrow = record('Key', { id: text, name: text }, 'additionalProperties' in options ? options : {});
  expect(() => componentsOf(narrow, record('Key', properties, options))).toThrow('are called Key');
});

test('a map has its words where it is used', () => {
  const map = (description: string) => ({ title: 'Map', type: 'object', additionalProperties: {}, description });
  const schemas = componentsOf(record('One', { id: map('First.') }), record('Other', { id: map('Second.') }));
  expect(schemas).toEqual({
    Map: { type: 'object', additionalProperties: {} },
    One: { type: 'object', required: ['id'], properties: { id: { ...ref('Map'), description: 'First.' } } },
    Other: expect.anything(),
  });
});

test('what only requires more is the other and what it requires beside', () => {
  const properties = { a: text, b: text, c: text };
  const schemas: Record<string, unknown> = {
    Strict: { type: 'object', properties, required: ['a', 'b'], description: 'Words.' },
    Loose: { type: 'object', properties, required: ['a'] },
    Same: { type: 'object', properties, required: ['a'] },
    Neither: { type: 'object', properties, required: ['b', 'c'] },
    Closed: { type: 'object', properties, required: ['a', 'b'], additionalProperties: false },
    Shorter: { type: 'object', properties: { a: text, b: text }, required: ['a', 'b'] },
  };
  const before = structuredClone(schemas);
  tieStricterComponents(schemas);
  expect(schemas).toEqual({
    ...before,
    Strict: { description: 'Words.', allOf: [ref('Loose')], required: ['b'] },
    Same: { allOf: [ref('Loose')] },
  });
});
