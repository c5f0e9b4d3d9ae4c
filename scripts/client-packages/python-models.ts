// The component schemas of the document as typed dictionaries of Python. Knows JSON Schema as this service writes it,
// and no other: what it does not know, it refuses.

import { type Document, nameOf, type Schema } from './document.ts';

const LINE_WIDTH = 100;
const HEAD = `"""Shapes of the interface, made from openapi.json by scripts/client-python.ts: run \`npm run generate\`."""

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict
`;
const SCALARS = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' } as const;
/** Words of Python that are no names of fields. */
const RESERVED = new Set(['from', 'in', 'is', 'not', 'and', 'or', 'if', 'else', 'pass', 'class', 'def', 'with', 'as']);

const isEnvelope = (name: string): boolean => name.endsWith('Answer') || name === 'Error';
export const fieldName = (name: string): string => (RESERVED.has(name) ? `${name}_` : name);

export function pythonModels({ components }: Document): string {
  const made = new Map<string, string>();
  for (const [name, schema] of Object.entries(components.schemas))
    if (!isEnvelope(name)) declare(name, withWhatItIs(schema, components.schemas), made);
  return [HEAD, ...made.values()].join('\n\n');
}

/** Of a component that is another and requires more: both in one. */
function withWhatItIs(schema: Schema, schemas: Record<string, Schema>): Schema {
  const [{ $ref } = {}, ...others] = schema.allOf ?? [];
  if ($ref === undefined) return schema;
  const other = schemas[nameOf($ref)];
  if (others.length > 0 || other === undefined) throw new Error(`There is more in ${$ref} than one shape.`);
  return { ...other, ...schema, required: [...(other.required ?? []), ...(schema.required ?? [])] };
}

/** Adds the declaration, behind those of what it is made of. */
function declare(name: string, schema: Schema, made: Map<string, string>): void {
  if (made.has(name)) throw new Error(`Two shapes would be called ${name}: give one of them a title.`);
  made.set(name, '');
  if (schema.properties === undefined) {
    const type = pythonType(schema, name, made);
    made.set(name, `${comment(schema.description, '')}${name}: TypeAlias = ${quoted(type)}\n`);
  } else made.set(name, typedDictionary(name, schema, made));
}

function typedDictionary(name: string, { properties = {}, required = [], description }: Schema, made: Made): string {
  const fields = Object.entries(properties).map(([field, schema]) => {
    const type = pythonType(schema, name + pascal(field), made);
    return { field, schema, type: required.includes(field) ? quoted(type) : `NotRequired[${quoted(type)}]` };
  });
  if (fields.some(({ field }) => RESERVED.has(field) || !/^[A-Za-z_]\w*$/.test(field))) {
    const lines = fields.map(({ field, type }) => `        ${JSON.stringify(field)}: ${type},\n`);
    return `${comment(description, '')}${name} = TypedDict(\n    "${name}",\n    {\n${lines.join('')}    },\n)\n`;
  }
  const lines = fields.map(
    ({ field, schema, type }) => `${comment(schema.description, '    ')}    ${field}: ${type}\n`,
  );
  return `class ${name}(TypedDict):\n${docstring(description)}${lines.join('') || '    pass\n'}`;
}

type Made = Map<string, string>;

/** As an expression; what has no name of its own is declared under `name`. */
export function pythonType(schema: Schema, name: string, made: Made): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if (schema.enum !== undefined) return literal(schema.enum);
  if ('const' in schema) return literal([schema.const]);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined)
    return [...new Set(choices.map((each, index) => pythonType(each, `${name}${index + 1}`, made)))].join(' | ');
  if (schema.type === 'array') return `list[${pythonType(schema.items ?? {}, `${name}Item`, made)}]`;
  if (schema.type === undefined) return 'Any';
  if (schema.type !== 'object') return SCALARS[schema.type];
  if (schema.properties !== undefined) {
    declare(name, schema, made);
    return name;
  }
  const { additionalProperties } = schema;
  const value =
    typeof additionalProperties === 'object' ? pythonType(additionalProperties, `${name}Value`, made) : 'Any';
  return `dict[str, ${value}]`;
}

const CONSTANTS = new Map<unknown, string>([
  [true, 'True'],
  [false, 'False'],
  [null, 'None'],
]);

const literal = (values: readonly unknown[]) =>
  `Literal[${values.map((value) => CONSTANTS.get(value) ?? JSON.stringify(value)).join(', ')}]`;

/** A type may name what is declared later. */
function quoted(type: string): string {
  const names = type.replaceAll(/"[^"]*"/g, '').match(/\b[A-Z]\w*/g) ?? [];
  return names.every((name) => ['Any', 'Literal', 'None', 'True', 'False'].includes(name)) ? type : `'${type}'`;
}

const pascal = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');

function docstring(text: string | undefined): string {
  if (text === undefined) return '';
  const lines = wrap(text, LINE_WIDTH - 4);
  const end = lines.length > 1 || text.length > LINE_WIDTH - 10 ? '\n    """' : '"""';
  return `    """${lines.join('\n    ').replaceAll('\\', '\\\\')}${end}\n\n`;
}

const comment = (text: string | undefined, indent: string) =>
  text === undefined
    ? ''
    : wrap(text, LINE_WIDTH - indent.length - 2)
        .map((line) => `${indent}# ${line}\n`)
        .join('');

export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
