// Goal: whoever reads openapi.json finds the groups of the interface in its order, and an example of every body and
// every error that is true. Method: the committed document is walked, and each example is judged by its own schema.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import Schema from 'typebox/schema';
import { describe, expect, test } from 'vitest';
import { apiErrors } from '../../../domain/failures.ts';

interface Media {
  schema: { examples?: unknown[]; $ref?: string };
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}
interface Operation {
  operationId: string;
  tags?: string[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { $ref?: string; content?: Record<string, Media> }>;
}
interface Document {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Media['schema']>; responses: Record<string, Operation['responses'][string]> };
}

const path = resolve(import.meta.dirname, '../../../openapi.json');
const document = JSON.parse(readFileSync(path, 'utf8')) as Document;
const { components } = document;
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
/** Rule 3 of the interface. */
const OF_THE_INTERFACE = [
  'catalog',
  'wallets',
  'balances',
  'withdrawals',
  'transactions',
  'signing',
  'webhooks',
  'api-keys',
  'audit',
  'observability',
];

function isValid({ schema }: Media, value: unknown): boolean {
  return Schema.Compile({ ...schema, components } as object).Check(value);
}

function examplesOf({ schema, example, examples = {} }: Media): unknown[] {
  const shared = schema.$ref === undefined ? undefined : components.schemas[schema.$ref.split('/').at(-1) ?? ''];
  const inMedia = Object.values(examples).map(({ value }) => value);
  return [example, ...inMedia, ...(schema.examples ?? []), ...(shared?.examples ?? [])].filter(
    (found) => found !== undefined,
  );
}

describe('groups of operations', () => {
  test('those of the interface come first, in its order, and each says what it is', () => {
    const names = document.tags.map(({ name }) => name);
    expect(names.slice(0, OF_THE_INTERFACE.length)).toEqual(OF_THE_INTERFACE);
    for (const { description } of document.tags) expect(description).toMatch(/^[A-Z].{20,}\.$/);
  });

  test('every operation is in one of them, and none is empty', () => {
    const used = operations.map(({ tags = [] }) => tags);
    expect(used.filter((tags) => tags.length !== 1)).toEqual([]);
    expect([...new Set(used.flat())].sort()).toEqual(document.tags.map(({ name }) => name).sort());
  });
});

describe('examples', () => {
  const bodies = operations.flatMap(({ operationId, requestBody }) =>
    Object.values(requestBody?.content ?? {}).map((media) => [operationId, media] as const),
  );

  test.each(bodies)('of the body of %s', (_operationId, media) => {
    const examples = examplesOf(media);
    expect(examples.length).toBeGreaterThan(0);
    expect(examples.filter((example) => !isValid(media, example))).toEqual([]);
    expect(isValid(media, 'no body of any operation')).toBe(false);
  });

  test('of every error answer, with a code of that status', () => {
    const errors = operations.flatMap(({ operationId, responses }) =>
      Object.entries(responses)
        .filter(([status]) => Number(status) >= 400)
        .map(([status, response]) => {
          const shared = response.$ref?.split('/').at(-1);
          return { operationId, status, content: (shared ? components.responses[shared] : response)?.content ?? {} };
        }),
    );
    expect(errors.length).toBeGreaterThan(500);
    const wrong = errors.filter(({ status, content }) => {
      const medias = Object.values(content);
      const told = medias.flatMap(examplesOf) as { code: keyof typeof apiErrors }[];
      const isOfStatus = told.every(({ code }) => String(apiErrors[code]?.status) === status);
      return told.length === 0 || !isOfStatus || !medias.every((media) => isValid(media, media.example));
    });
    expect(wrong).toEqual([]);
  });
});

describe('what a request may hold', () => {
  /** Every schema that a body is made of, with where it stands. */
  function* nodesOf(value: unknown, at: string, seen: Set<string>): Generator<[string, Record<string, unknown>]> {
    if (typeof value !== 'object' || value === null) return;
    const { $ref } = value as { $ref?: string };
    const name = $ref?.split('/').at(-1);
    if (name !== undefined && !seen.has(name)) {
      seen.add(name);
      yield* nodesOf(components.schemas[name], name, seen);
    }
    if (!Array.isArray(value)) yield [at, value as Record<string, unknown>];
    for (const [key, each] of Object.entries(value)) yield* nodesOf(each, `${at}/${key}`, seen);
  }
  const nodes = operations.flatMap(({ operationId, requestBody }) => [...nodesOf(requestBody, operationId, new Set())]);

  test('has one type, which a generator of clients can name', () => {
    expect(nodes.length).toBeGreaterThan(500);
    expect(nodes.filter(([, { type }]) => Array.isArray(type)).map(([at]) => at)).toEqual([]);
  });

  test('is told apart by a discriminator only where every form is a schema of its own, which is mapped', () => {
    const found = nodes.filter(([, { discriminator }]) => discriminator !== undefined);
    expect(found.length).toBeGreaterThan(0);
    for (const [at, { discriminator, oneOf, anyOf }] of found) {
      const forms = ((oneOf ?? anyOf) as { $ref?: string }[]).map(({ $ref }) => $ref);
      const { mapping = {} } = discriminator as { mapping?: Record<string, string> };
      expect(new Set(Object.values(mapping)), at).toEqual(new Set(forms));
    }
  });

  test('has no field twice, once with an underscore and once without', () => {
    const twins = nodes.flatMap(([at, { properties }]) => {
      const names = Object.keys((properties as object | undefined) ?? {});
      const plain = names.map((name) => name.replaceAll('_', '').toLowerCase());
      return new Set(plain).size === plain.length ? [] : [at];
    });
    expect(twins).toEqual([]);
  });
});
