// What of a request does not fit its schema, in one plain sentence. Ajv finds it; its words are for programmers.
import type { FastifyError } from 'fastify';

type ValidationIssue = NonNullable<FastifyError['validation']>[number];

export function describeValidation(
  issues: ValidationIssue[],
  context: string | undefined,
  schema?: DescribedSchema,
): string {
  const [issue] = issues;
  if (issue === undefined) return 'The request is not valid.';
  const where = `${context ?? 'request'}${issue.instancePath.replaceAll('/', '.')}`;
  const { additionalProperty, allowedValues } = issue.params as {
    additionalProperty?: string;
    allowedValues?: unknown[];
  };
  const described = schemaAt(schema, issue.instancePath);
  if (additionalProperty !== undefined) {
    const known = described?.properties === undefined ? '' : `: ${knownFields(described.properties)}`;
    return `${where} has an unknown field "${additionalProperty}"${known}.`;
  }
  if (allowedValues !== undefined) return `${where} must be one of ${allowedValues.map(String).join(', ')}.`;
  // Nobody should have to read a regular expression: what the field is says its form.
  if (issue.keyword === 'pattern')
    return `${where} is malformed${described?.description === undefined ? '.' : `. It is: ${described.description}`}`;
  return `${where} ${expectationOf(issue) ?? issue.message ?? 'is not valid'}.`;
}

/** What a value must be, in plain words. Undefined where Ajv's own words serve. */
function expectationOf({ keyword, params }: ValidationIssue): string | undefined {
  const { limit, type, missingProperty, format } = params as Record<string, string | number | undefined>;
  switch (keyword) {
    case 'required':
      return `lacks the field "${missingProperty}"`;
    case 'type':
      return `must be ${kinds[String(type)] ?? type}`;
    case 'minimum':
      return `must be at least ${limit}`;
    case 'maximum':
      return `must be at most ${limit}`;
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must have at least ${counted(limit, 'character')}`;
    case 'maxLength':
      return `must have at most ${counted(limit, 'character')}`;
    case 'minItems':
      return limit === 1 ? 'must not be empty' : `must have at least ${counted(limit, 'item')}`;
    case 'maxItems':
      return `must have at most ${counted(limit, 'item')}`;
    case 'minProperties':
      return limit === 1 ? 'must have a field at least' : undefined;
    case 'maxProperties':
      return `must have at most ${counted(limit, 'field')}`;
    case 'uniqueItems':
      return 'must not have the same item twice';
    case 'format':
      return formats[String(format)];
    default:
      return undefined;
  }
}

const kinds: Record<string, string> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
};

const formats: Record<string, string> = {
  uuid: 'must be a UUID',
  uri: 'must be a URI',
  email: 'must be an e-mail address',
  'date-time': 'must be a time in RFC 3339, such as 2026-01-31T12:00:00Z',
};

const counted = (count: number | string | undefined, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** As much of a schema as a sentence about a mistake needs. */
export interface DescribedSchema {
  description?: string;
  properties?: Record<string, DescribedSchema>;
  items?: DescribedSchema;
}

/** Undefined within what may have one of several shapes. */
function schemaAt(schema: DescribedSchema | undefined, instancePath: string): DescribedSchema | undefined {
  let at = schema;
  for (const part of instancePath.split('/').slice(1))
    at = at?.items ?? (Object.hasOwn(at?.properties ?? {}, part) ? at?.properties?.[part] : undefined);
  return at;
}

/** What a caller may send instead; aliases are taken, and not recommended. */
export function knownFields(properties: Record<string, object>): string {
  const names = Object.entries(properties).flatMap(([name, schema]) => ('x-alias-of' in schema ? [] : [name]));
  return names.length === 0 ? 'it takes none' : `it takes ${names.join(', ')}`;
}
