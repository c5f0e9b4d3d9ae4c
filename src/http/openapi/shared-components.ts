// Makes one component of what an OpenAPI document says in many places: generators make one class of each component, and
// readers see a name. Schemas are named by their `title`, answers by their status, parameters by their name. Changes no
// meaning, and nothing of what the routes check.

import { errorExamples } from './error-examples.ts';
import { tieStricterComponents } from './stricter-components.ts';

type Json = Record<string, unknown>;
type Components = Record<'schemas' | 'responses' | 'parameters' | 'headers', Record<string, unknown>>;

interface Names {
  /** By name, those that were found so far. */
  schemas: Record<string, unknown>;
  /** By its values, the name of a list. */
  lists: ReadonlyMap<string, string>;
}

interface Document {
  paths: Record<string, Record<string, Json>>;
  webhooks?: Json;
  components: Partial<Components>;
}

/** Names of the error answers: one a status. */
const errorNames: Readonly<Record<string, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  423: 'Locked',
  429: 'RateLimited',
  503: 'Unavailable',
};

/** What a component saves is worth a name from so many uses on. */
const USES_MIN = 3;

/** `enumNames`: what lists of values are called. */
export function shareComponents(document: Document, enumNames: Readonly<Record<string, readonly string[]>>): void {
  const components: Components = { schemas: {}, responses: {}, parameters: {}, headers: {}, ...document.components };
  document.components = components;
  for (const operation of operationsOf(document)) nameBodies(operation);
  const lists = new Map(Object.entries(enumNames).map(([name, values]) => [values.join(), name]));
  const share = (value: unknown) => shareSchemas(value, { schemas: components.schemas, lists });
  for (const [name, schema] of Object.entries(components.schemas))
    components.schemas[name] = Object.fromEntries(Object.entries(schema as Json).map(([key, of]) => [key, share(of)]));
  document.paths = share(document.paths) as Document['paths'];
  if (document.webhooks) document.webhooks = share(document.webhooks) as Json;
  for (const operation of operationsOf(document))
    for (const [status, response] of Object.entries((operation['responses'] ?? {}) as Json)) {
      const name = errorNames[status];
      if (name === undefined) continue;
      giveExample(status, response as Json);
      (operation['responses'] as Json)[status] = place(components, 'responses', name, response);
    }
  tieStricterComponents(components.schemas);
  shareParameters(document, components);
  shareHeaders(document, components);
}

function giveExample(status: string, { content = {} }: { content?: Record<string, Json> }): void {
  for (const media of Object.values(content)) media['example'] = errorExamples[status];
}

/** What an operation takes and answers is called after it, where it has no name of its own. */
function nameBodies({ operationId, requestBody, responses }: Json): void {
  const name = pascal(String(operationId));
  for (const schema of schemasIn(requestBody)) entitle(schema, `${name}Body`);
  for (const [status, response] of Object.entries((responses ?? {}) as Json))
    if (status.startsWith('2'))
      for (const { properties } of schemasIn(response)) {
        const { data } = (properties ?? {}) as { data?: Json };
        if (data !== undefined) entitle(data, `${name}Data`);
        if (data?.['items'] !== undefined) entitle(data['items'] as Json, `${name}Item`);
      }
}

function schemasIn(holder: unknown): Json[] {
  const { content = {} } = (holder ?? {}) as { content?: Record<string, { schema?: Json }> };
  return Object.values(content).flatMap(({ schema }) => (schema === undefined ? [] : [schema]));
}

function entitle(schema: Json, title: string): void {
  if (schema['type'] === 'object' || 'oneOf' in schema || 'anyOf' in schema) schema['title'] ??= title;
}

/**
 * Every schema of an object that has a title becomes a component of that name. Two schemas with one title are a
 * mistake.
 */
function shareSchemas(value: unknown, names: Names): unknown {
  const { schemas, lists } = names;
  if (Array.isArray(value)) return value.map((item) => shareSchemas(item, names));
  if (typeof value !== 'object' || value === null) return value;
  const schema = Object.fromEntries(
    Object.entries(value).map(([key, of]) => [
      key,
      key === 'examples' || key === 'example' ? of : shareSchemas(of, names),
    ]),
  );
  // The plugin writes a constant as OpenAPI 3.0 has to.
  const { enum: values } = schema as { enum?: unknown[] };
  if (values?.length === 1) {
    delete schema['enum'];
    schema['const'] = values[0];
  }
  const enumName = values && lists.get(values.join());
  if (enumName !== undefined) {
    schemas[enumName] = { type: 'string', enum: values };
    const { description } = schema;
    return { $ref: `#/components/schemas/${enumName}`, ...(description === undefined ? {} : { description }) };
  }
  if ('discriminator' in schema) nameVariants(schema, schemas);
  const { title, ...rest } = schema;
  const name = typeof title === 'string' ? title : envelopeName(rest);
  if (name === undefined || !('type' in rest || 'oneOf' in rest || 'anyOf' in rest)) return schema;
  const known = schemas[name] as Json | undefined;
  // What a map holds is told by the place that it has.
  const { description } = rest;
  const isMap = typeof rest['additionalProperties'] === 'object' && !('properties' in rest);
  if (isMap) delete rest['description'];
  schemas[name] = known === undefined ? rest : widerOf(name, known, rest);
  return { $ref: `#/components/schemas/${name}`, ...(isMap && description !== undefined ? { description } : {}) };
}

/** The plugin moves the examples of a body out of its schema. */
function isSame(one: Json, other: Json): boolean {
  const spelled = (schema: Json) => JSON.stringify({ ...schema, examples: undefined });
  return spelled(one) === spelled(other);
}

/** A record that one answer shows more of, such as a secret that is told once, is described with all of it. */
function widerOf(name: string, one: Json, other: Json): Json {
  if (isSame(one, other)) return { ...one, ...other };
  const namesIn = ({ properties = {} }: Json) => Object.keys(properties as Json);
  const [narrow, wide] = namesIn(one).length < namesIn(other).length ? [one, other] : [other, one];
  const common = Object.entries(wide['properties'] ?? {}).filter(([key]) => namesIn(narrow).includes(key));
  const isOpen = wide['additionalProperties'] !== false;
  if (!isOpen || !isSame({ ...wide, properties: Object.fromEntries(common) }, narrow))
    throw new Error(`two schemas of the document are called ${name}`);
  return wide;
}

/** `WalletAnswer` and `WalletListAnswer`: the envelope around what has a name. */
function envelopeName({ type, properties }: Json): string | undefined {
  const { success, data } = (properties ?? {}) as Record<string, Json | undefined>;
  if (type !== 'object' || success === undefined || data === undefined) return undefined;
  const ofOne = nameOf(data);
  if (ofOne !== undefined) return `${ofOne}Answer`;
  const ofMany = data['type'] === 'array' ? nameOf(data['items']) : undefined;
  return ofMany === undefined ? undefined : `${ofMany}ListAnswer`;
}

const nameOf = (schema: unknown): string | undefined => {
  const { $ref } = (schema ?? {}) as { $ref?: string };
  return $ref?.slice($ref.lastIndexOf('/') + 1);
};

interface Values {
  const?: string;
  enum?: string[];
}

/** A discriminator of OpenAPI needs variants that are components, and says which value leads to which. */
function nameVariants(schema: Json, schemas: Record<string, unknown>): void {
  const { propertyName } = schema['discriminator'] as { propertyName: string };
  const mapping: Record<string, string> = {};
  for (const { $ref } of schema['oneOf'] as { $ref?: string }[]) {
    const variant = schemas[nameOf({ $ref }) ?? ''] as { properties: Record<string, Values> } | undefined;
    const { const: only, enum: several = [] } = variant?.properties[propertyName] ?? {};
    const values = only === undefined ? several : [only];
    if ($ref === undefined || values.length === 0)
      throw new Error(`a variant by ${propertyName} has no title, or no values of its own`);
    for (const value of values) mapping[value] = $ref;
  }
  schema['discriminator'] = { propertyName, mapping };
}

function* operationsOf({ paths }: Document): Generator<Json> {
  for (const methods of Object.values(paths)) yield* Object.values(methods);
}

function place(components: Components, kind: keyof Components, name: string, value: unknown): { $ref: string } {
  const known = components[kind][name];
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(value))
    throw new Error(`two of the document's ${kind} are called ${name}`);
  components[kind][name] = value;
  return { $ref: `#/components/${kind}/${name}` };
}

/** The commonest form of a parameter gets its name; the others stay where they are. */
function shareParameters(document: Document, components: Components): void {
  const lists = [...operationsOf(document)].map(({ parameters }) => (parameters ?? []) as Json[]);
  const shared = commonest(lists.flat(), ({ name }) => pascal(String(name)));
  for (const list of lists)
    for (const [index, parameter] of list.entries()) {
      const name = shared.get(JSON.stringify(parameter));
      if (name !== undefined) list[index] = place(components, 'parameters', name, parameter);
    }
}

function shareHeaders(document: Document, components: Components): void {
  const holders: Json[] = [];
  const responses = [...operationsOf(document)].flatMap(({ responses: of }) => Object.values((of ?? {}) as Json));
  for (const { headers } of [...responses, ...Object.values(components.responses)] as Json[])
    if (headers !== undefined) holders.push(headers as Json);
  const named = holders.flatMap((headers) => Object.entries(headers).map(([name, value]) => ({ name, value })));
  const shared = commonest(named, ({ name }) => pascal(name));
  for (const headers of holders)
    for (const [name, value] of Object.entries(headers)) {
      const found = shared.get(JSON.stringify({ name, value }));
      if (found !== undefined) headers[name] = place(components, 'headers', found, value);
    }
}

/** By text, the name of each that is the commonest of its name and is used often enough. */
function commonest<Item>(items: readonly Item[], nameOfItem: (item: Item) => string): ReadonlyMap<string, string> {
  const uses = new Map<string, { name: string; count: number }>();
  for (const item of items) {
    const text = JSON.stringify(item);
    const use = uses.get(text) ?? { name: nameOfItem(item), count: 0 };
    uses.set(text, { ...use, count: use.count + 1 });
  }
  const best = new Map<string, { text: string; count: number }>();
  for (const [text, { name, count }] of uses)
    if (count >= USES_MIN && count > (best.get(name)?.count ?? 0)) best.set(name, { text, count });
  return new Map([...best].map(([name, { text }]) => [text, name]));
}

const pascal = (name: string) =>
  name
    .split(/[-_]/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
