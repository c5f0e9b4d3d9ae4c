// openapi.json as the generators of clients see it: one method for each operation. Knows no language.

export interface Schema {
  $ref?: string;
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null';
  description?: string;
  format?: string;
  enum?: readonly unknown[];
  const?: unknown;
  allOf?: readonly Schema[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
}

export interface Parameter {
  $ref?: string;
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: Schema;
}

interface Operation {
  operationId: string;
  summary: string;
  parameters?: readonly Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
}

export interface Method {
  operationId: string;
  summary: string;
  verb: string;
  path: string;
  /** All but the workspace, which the client knows. */
  pathNames: readonly string[];
  /** All but the cursor of a list that is walked. */
  query: readonly Parameter[];
  canWait: boolean;
  body: Schema | undefined;
  bodyRequired: boolean;
  /** Of a list that is walked, page by page. */
  row: Schema | undefined;
  /** What `data` may be, by the order of statuses; nothing for a file. */
  data: readonly Schema[];
  /** Of a file: none of its forms is binary. */
  isText: boolean;
}

const PREFIX = '/api/v1/';

export const nameOf = ($ref: string): string => $ref.slice($ref.lastIndexOf('/') + 1);

/** The signed ones. */
export function methodsOf(document: Document): Method[] {
  return Object.entries(document.paths).flatMap(([path, verbs]) =>
    path.startsWith(PREFIX)
      ? Object.entries(verbs).map(([verb, operation]) => methodOf(document, { path, verb, operation }))
      : [],
  );
}

function methodOf({ components }: Document, { path, verb, operation }: Place): Method {
  const parameters = (operation.parameters ?? []).map((each) => {
    const found = each.$ref === undefined ? each : components.parameters[nameOf(each.$ref)];
    if (found === undefined) throw new Error(`There is no ${each.$ref}.`);
    return found;
  });
  const contents = Object.entries(operation.responses).flatMap(([status, { content }]) =>
    status.startsWith('2') && content !== undefined ? [content] : [],
  );
  const data = contents.flatMap((content) => content['application/json'] ?? []).map(({ schema }) => dataOf(schema));
  const isWalked = data[0]?.type === 'array' && parameters.some(({ name }) => name === 'cursor');
  return {
    operationId: operation.operationId,
    summary: operation.summary,
    verb: verb.toUpperCase(),
    path,
    pathNames: parameters
      .filter((each) => each.in === 'path')
      .map(({ name }) => name)
      .filter((name) => name !== 'workspace_id'),
    query: parameters.filter((each) => each.in === 'query' && !(isWalked && each.name === 'cursor')),
    canWait: parameters.some(({ name }) => name.toLowerCase() === 'prefer'),
    body: operation.requestBody?.content['application/json']?.schema,
    bodyRequired: operation.requestBody?.required === true,
    row: isWalked ? (data[0]?.items ?? {}) : undefined,
    isText: contents.every((content) => Object.values(content).every(({ schema }) => schema.format !== 'binary')),
    data: data.filter((each, index) => data.findIndex((other) => sameType(each, other)) === index),
  };

  function dataOf(schema: Schema): Schema {
    const envelope = schema.$ref === undefined ? schema : components.schemas[nameOf(schema.$ref)];
    const data = envelope?.properties?.['data'];
    if (data === undefined) throw new Error(`The answer of ${operation.operationId} is no envelope.`);
    return data;
  }
}

interface Place {
  path: string;
  verb: string;
  operation: Operation;
}

const sameType = (one: Schema, other: Schema) =>
  one.$ref === undefined ? JSON.stringify(one) === JSON.stringify(other) : one.$ref === other.$ref;
