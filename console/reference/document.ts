// The OpenAPI document as the reference page reads it: references followed, and every operation with its place in the
// page. Knows nothing of how it looks.

export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  format?: string;
  const?: unknown;
  enum?: readonly unknown[];
  examples?: readonly unknown[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

interface Reference {
  $ref: string;
}

interface Media {
  schema?: Schema;
  example?: unknown;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
}

interface Header {
  description?: string;
}

export interface Answer {
  description: string;
  headers?: Readonly<Record<string, Header | Reference>>;
  content?: Readonly<Record<string, Media>>;
}

interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  deprecated?: boolean;
  tags: readonly string[];
  parameters?: readonly (Parameter | Reference)[];
  requestBody?: { required?: boolean; content: Readonly<Record<string, Media>> };
  responses: Readonly<Record<string, Answer | Reference>>;
  security?: readonly unknown[];
  'x-scope'?: string;
}

export interface ApiDocument {
  info: { title: string; version: string; description: string };
  tags: readonly { name: string; description: string }[];
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  webhooks: Readonly<Record<string, { post: Operation }>>;
  components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** An operation that callers ask for, or an event that the service posts to them. */
export interface Entry {
  kind: 'operation' | 'event';
  /** Where it is in the page. */
  address: string;
  method: string;
  path: string;
  isSigned: boolean;
  operation: Operation;
}

export interface Group {
  name: string;
  description: string;
  entries: readonly Entry[];
}

export function groupsOf(document: ApiDocument): readonly Group[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Entry => {
      const address = `/operations/${operation.operationId}`;
      const isSigned = operation.security?.length !== 0;
      return { kind: 'operation', address, method: method.toUpperCase(), path, isSigned, operation };
    }),
  );
  const groups = document.tags.map(({ name, description }) => ({
    name,
    description,
    entries: operations.filter(({ operation }) => operation.tags.includes(name)),
  }));
  const events = Object.entries(document.webhooks).map(([type, { post }]): Entry => {
    return { kind: 'event', address: `/events/${type}`, method: 'EVENT', path: type, isSigned: false, operation: post };
  });
  return [...groups, { name: 'events', description: 'What the service posts to webhooks.', entries: events }];
}

/** Those in which every word of `filter` is found. */
export function filtered(groups: readonly Group[], filter: string): readonly Group[] {
  const asked = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = ({ method, path, operation }: Entry, group: string) => {
    const { operationId, summary, description = '' } = operation;
    const text = [group, method, path, operationId, summary, description].join(' ').toLowerCase();
    return asked.every((word) => text.includes(word));
  };
  return groups
    .map((group) => ({ ...group, entries: group.entries.filter((entry) => fits(entry, group.name)) }))
    .filter(({ entries }) => entries.length > 0);
}

/** What a reference leads to. What stands beside the reference, such as another description, goes before it. */
export function followed<Value extends object>(document: ApiDocument, value: Value | Reference): Value {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as Value;
  const [, , kind = '', name = ''] = value.$ref.split('/');
  const found = document.components[kind]?.[name];
  if (found === undefined) throw new Error(`The document has no ${value.$ref}.`);
  const { $ref: _, ...beside } = value;
  return followed(document, { ...(found as Value), ...beside });
}

/** A schema with its references followed, and what it is made of put together. */
export function flattened(document: ApiDocument, schema: Schema): Schema {
  const { allOf, ...own } = followed<Schema>(document, schema);
  if (allOf === undefined) return own;
  const parts = [...allOf.map((part) => flattened(document, part)), own];
  const required = [...new Set(parts.flatMap((part) => part.required ?? []))];
  const properties = Object.assign({}, ...parts.map((part) => part.properties));
  return { ...Object.assign({}, ...parts), required, properties };
}

/** A value of the document as it is written in a path, a query or a list of values. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** What a reader may try: the example of the document, as text. */
export const exampleOf = ({ example, schema }: Parameter): string => {
  const shown = example ?? schema.examples?.[0];
  return shown === undefined ? '' : asText(shown);
};

export const exampleOfBody = ({ requestBody }: Operation): string | undefined => {
  const media = requestBody?.content['application/json'];
  return media === undefined ? undefined : JSON.stringify(media.example ?? {}, null, 2);
};
