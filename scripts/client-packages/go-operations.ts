// The operations of the document as methods of the Go client. Types are those that oapi-codegen makes.
import { type Document, type Method, methodsOf, nameOf, type Schema } from './document.ts';

const HEAD = `// Code generated from openapi.json by scripts/client-go.ts; DO NOT EDIT.

package countersign

import (
	"context"
	"io"
	"iter"
	"net/http"
	"net/url"

	"PACKAGE/api"
)
`;

/** What is handed to oapi-codegen: what callers name, without what the client does for them. */
export function documentForGo(document: Document): Document {
  const copy = structuredClone(document) as Document & { components: { responses?: unknown } };
  const methods = new Map(methodsOf(copy).map((method) => [method.operationId, method]));
  for (const [path, verbs] of Object.entries(copy.paths))
    for (const operation of Object.values(verbs)) {
      const method = methods.get(operation.operationId);
      if (method === undefined) delete copy.paths[path];
      else operation.parameters = [...placesIn(path), ...method.query];
      operation.responses = { '200': {} };
    }
  delete copy.components.responses;
  for (const name of Object.keys(copy.components.schemas))
    if (name.endsWith('Answer') || name === 'Error') delete copy.components.schemas[name];
  copy.components.parameters = {};
  return withPlainTypes(copy);
}

const placesIn = (path: string) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    return { name, in: 'path' as const, required: true, schema: { type: 'string' as const } };
  });

/** Ids are text: nothing is gained from sixteen bytes. Lists of texts are lists of texts without being told so. */
function withPlainTypes<Value>(value: Value): Value {
  const text = JSON.stringify(value, (key, each: unknown) => {
    if (key === 'format' && each === 'uuid') return undefined;
    return isListOfTexts(each) ? { type: 'string', ...each } : each;
  });
  return JSON.parse(text) as Value;
}

function isListOfTexts(value: unknown): value is { enum: string[] } {
  if (typeof value !== 'object' || value === null || !('enum' in value) || !Array.isArray(value.enum)) return false;
  return value.enum.every((each) => typeof each === 'string');
}

export function goOperations(document: Document, types: ReadonlyMap<string, string>, packageName: string): string {
  const methods = methodsOf(document).map((method) => methodText(method, types));
  return [HEAD.replace('PACKAGE', packageName), ...methods].join('\n');
}

type Types = ReadonlyMap<string, string>;

function methodText(method: Method, types: Types): string {
  const { operationId, summary, query, row, data } = method;
  const name = pascal(operationId);
  const params = query.length === 0 ? [] : [`params *api.${typeNamed(`${operationId}Params`, types)}`];
  const paramsGiven = query.length === 0 ? 'nil' : 'params';
  const given = ['ctx context.Context', ...method.pathNames.map((each) => `${camel(each)} string`), ...params];
  const head = `// ${name} is the operation "${summary}".\nfunc (c *Client) ${name}(`;
  const path = pathOf(method);
  if (row !== undefined)
    return `${head}${given.join(', ')}) iter.Seq2[${typeOf(row, types)}, error] {
	return pages[${typeOf(row, types)}](ctx, c, ${path}, ${paramsGiven})
}
`;
  if (data.length === 0)
    return `${head}${given.join(', ')}) (io.ReadCloser, error) {
	return c.file(ctx, ${path}, ${paramsGiven})
}
`;
  if (method.body !== undefined) given.push(`body ${method.bodyRequired ? '' : '*'}${typeOf(method.body, types)}`);
  given.push('options ...CallOption');
  const call = `c.call(ctx, call{http.Method${pascal(method.verb.toLowerCase())}, ${path}, ${paramsGiven}, ${
    method.body === undefined ? 'nil' : 'body'
  }, options}`;
  const [first, second] = data.map((each) => typeOf(each, types));
  if (second === undefined)
    return `${head}${given.join(', ')}) (${first}, error) {
	var data ${first}
	_, err := ${call}, &data)
	return data, err
}
`;
  return `${head}${given.join(', ')}) (*${first}, *${second}, error) {
	return either[${first}, ${second}](ctx, c, call{http.Method${pascal(method.verb.toLowerCase())}, ${path}, ${paramsGiven}, ${
    method.body === undefined ? 'nil' : 'body'
  }, options})
}
`;
}

function pathOf({ path }: Method): string {
  const parts = path.split(/\{(\w+)\}/).map((part, index) => {
    if (index % 2 === 0) return JSON.stringify(part);
    return part === 'workspace_id' ? '"{workspace_id}"' : `url.PathEscape(${camel(part)})`;
  });
  return parts
    .filter((part) => part !== '""')
    .join(' + ')
    .replaceAll('" + "', '');
}

function typeOf(schema: Schema, types: Types): string {
  if (schema.$ref !== undefined) return `api.${typeNamed(nameOf(schema.$ref), types)}`;
  if (schema.type === 'array') return `[]${typeOf(schema.items ?? {}, types)}`;
  if (schema.type === 'integer') return 'int64';
  if (schema.type === 'string') return 'string';
  throw new Error(
    `Give this shape a title, so that clients have a name for it: ${JSON.stringify(schema).slice(0, 100)}`,
  );
}

/** As the generator writes it, whose initialisms are its own. */
function typeNamed(name: string, types: Types): string {
  const found = types.get(name.toLowerCase());
  if (found === undefined) throw new Error(`The generator of types made no ${name}.`);
  return found;
}

const INITIALISMS = new Map([
  ['api', 'API'],
  ['id', 'ID'],
]);

const words = (name: string) =>
  name
    .replaceAll(/([A-Z])/g, '_$1')
    .toLowerCase()
    .split('_')
    .filter(Boolean);
const capital = (word: string) => INITIALISMS.get(word) ?? word.slice(0, 1).toUpperCase() + word.slice(1);
const pascal = (name: string): string => words(name).map(capital).join('');
const camel = (name: string): string => {
  const [first = '', ...rest] = words(name);
  return [first, ...rest.map(capital)].join('');
};
