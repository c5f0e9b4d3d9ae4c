// The operations of the document as methods of two classes of Python, one that waits and one that is awaited.
import { type Document, type Method, methodsOf, type Schema } from './document.ts';
import { fieldName, pythonType, wrap } from './python-models.ts';

const HEAD = `"""Every operation as a method, made from openapi.json by scripts/client-python.ts: run \`npm run generate\`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any, Literal

from . import models

_Values = Mapping[str, object]
_NONE: _Values = {}
`;
const WIDTH = 88;

export function pythonOperations(document: Document): string {
  const methods = methodsOf(document);
  return [HEAD, classOf('Operations', methods, false), classOf('AsyncOperations', methods, true)].join('\n\n');
}

function classOf(name: string, methods: readonly Method[], isAsync: boolean): string {
  const [def, iterator] = isAsync ? ['async def', 'AsyncIterator'] : ['def', 'Iterator'];
  const call = 'method: str, path: str, values: _Values, query: _Values, body: object, headers: _Values';
  return `class ${name}:
    """What the service does, one method for each operation. The workspace is the one of the key."""

    ${def} _call(self, ${call}) -> Any:
        raise NotImplementedError

    ${def} _text(self, path: str, values: _Values, query: _Values) -> str:
        raise NotImplementedError

    ${def} _bytes(self, path: str, values: _Values, query: _Values) -> bytes:
        raise NotImplementedError

    def _each(self, path: str, values: _Values, query: _Values) -> ${iterator}[Any]:
        raise NotImplementedError

${methods.map((method) => methodText(method, isAsync)).join('\n')}`;
}

function methodText(method: Method, isAsync: boolean): string {
  const { operationId, summary, row } = method;
  const iterator = isAsync ? 'AsyncIterator' : 'Iterator';
  const result =
    row === undefined
      ? (dataType(method) ?? (method.isText ? 'str' : 'bytes'))
      : `${iterator}[${typeOf(row, operationId)}]`;
  const def = isAsync && row === undefined ? 'async def' : 'def';
  const given = ['self', ...positional(method), ...keywords(method)];
  const doc = wrap(`${summary}.`, WIDTH).join('\n        ');
  return `    ${def} ${snake(operationId)}(
        ${given.join(',\n        ')},
    ) -> ${result}:
        """${doc}"""
${bodyOf(method, isAsync)}`;
}

function bodyOf(method: Method, isAsync: boolean): string {
  const { verb, path, pathNames, query, row, body, canWait } = method;
  const wait = isAsync ? 'await ' : '';
  const place = `"${path}", ${dictionary(pathNames)}, ${dictionary(query.map(({ name }) => name))}`;
  if (row !== undefined) return `        return self._each(${place})\n`;
  const data = dataType(method);
  if (data === undefined) return `        return ${wait}self.${method.isText ? '_text' : '_bytes'}(${place})\n`;
  const headers = [
    ...(verb === 'GET' ? [] : ['"X-Idempotency-Key": idempotency_key']),
    ...(canWait ? ['"Prefer": wait_seconds'] : []),
  ];
  return `        answer: ${data} = ${wait}self._call(
            "${verb}", ${place}, ${body === undefined ? 'None' : 'body'}, {${headers.join(', ')}}
        )
        return answer
`;
}

function positional({ pathNames, body, bodyRequired, operationId }: Method): string[] {
  const names = pathNames.map((name) => `${fieldName(name)}: str`);
  if (body === undefined) return names;
  return [...names, `body: ${typeOf(body, operationId)}${bodyRequired ? '' : ' | None = None'}`];
}

function keywords({ verb, query, row, canWait, operationId }: Method): string[] {
  const named = query.map(({ name, schema, required }) => {
    const type =
      schema.type === 'array' ? `Sequence[${typeOf(schema.items ?? {}, operationId)}]` : typeOf(schema, operationId);
    return `${fieldName(name)}: ${type}${required === true ? '' : ' | None = None'}`;
  });
  if (verb !== 'GET') named.push('idempotency_key: str | None = None');
  if (row === undefined && canWait) named.push('wait_seconds: int | None = None');
  return named.length === 0 ? [] : ['*', ...named];
}

function dataType({ data, operationId }: Method): string | undefined {
  return data.length === 0 ? undefined : data.map((each) => typeOf(each, operationId)).join(' | ');
}

/** Of a parameter, a body or an answer: what is no scalar has a name of its own. */
function typeOf(schema: Schema, where: string): string {
  const made = new Map<string, string>();
  const type = pythonType(schema, where, made);
  if (made.size > 0) throw new Error(`Give a shape of ${where} a title, so that clients have a name for it.`);
  const isOurs = (word: string) => !['Any', 'Literal', 'None', 'True', 'False'].includes(word);
  // Names in the values of a literal are no types.
  return type.replaceAll(/"[^"]*"|\b[A-Z]\w*/g, (word) =>
    word.startsWith('"') || !isOurs(word) ? word : `models.${word}`,
  );
}

const dictionary = (names: readonly string[]): string =>
  names.length === 0 ? '_NONE' : `{${names.map((name) => `"${name}": ${fieldName(name)}`).join(', ')}}`;

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
