// What a schema says, in few words: its type, and what a value has to be besides.
import { type ApiDocument, asText, flattened, type Schema } from './document.ts';

const isNull = ({ type }: Schema) => type === 'null';
const nameOf = ({ $ref }: Schema) => $ref?.split('/').at(-1);

/** Its forms, of which one holds; a schema without any is its only one. That it may be null is no form. */
export function formsOf(document: ApiDocument, schema: Schema): readonly Schema[] {
  const forms = schema.oneOf ?? schema.anyOf;
  return forms?.map((form) => flattened(document, form)).filter((form) => !isNull(form)) ?? [schema];
}

/** The values that are allowed, where they are listed. */
export function valuesOf(document: ApiDocument, schema: Schema): readonly unknown[] | undefined {
  if (schema.const !== undefined) return [schema.const];
  if (schema.enum !== undefined) return schema.enum;
  const forms = formsOf(document, schema);
  const isList = forms.length > 1 && forms.every((form) => form.const !== undefined);
  return isList ? forms.map((form) => form.const) : undefined;
}

/** `list of string (uuid)`, `object`, `string or null`. */
export function typeInWords(document: ApiDocument, given: Schema): string {
  const schema = flattened(document, given);
  const forms = schema.oneOf ?? schema.anyOf;
  const orNull = forms?.some((form) => isNull(flattened(document, form))) ? ' or null' : '';
  const values = valuesOf(document, schema);
  if (values !== undefined) return `${typeof values[0]}${orNull}`;
  const shown = formsOf(document, schema);
  if (forms !== undefined && shown.length > 1) return `one of ${shown.length} forms${orNull}`;
  const [only = schema] = shown;
  if (only.items !== undefined) return `list of ${typeInWords(document, only.items)}${orNull}`;
  const type = typeof only.type === 'string' ? only.type : (only.type?.join(' or ') ?? 'anything');
  return `${type}${only.format === undefined ? '' : ` (${only.format})`}${orNull}`;
}

/** What the form of a choice is called: by its name in the document, else by the value that tells it apart. */
export function titleOfForm(document: ApiDocument, form: Schema): string {
  const named = nameOf(form);
  if (named !== undefined) return named;
  const { properties = {} } = flattened(document, form);
  const told = Object.entries(properties).find(([, { const: value }]) => value !== undefined);
  if (told !== undefined) return `${told[0]}: ${asText(told[1].const)}`;
  return Object.keys(properties).join(', ') || typeInWords(document, form);
}

export function boundsInWords(schema: Schema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  return [
    between(minimum, maximum, ''),
    between(minLength, maxLength, 'characters'),
    between(minItems, maxItems, 'items'),
  ]
    .filter(Boolean)
    .join(', ');
}

function between(least: number | undefined, most: number | undefined, what: string): string {
  if (least === undefined && most === undefined) return '';
  const range =
    least === undefined
      ? `at most ${most}`
      : most === undefined
        ? `at least ${least}`
        : least === most
          ? `${least}`
          : `${least} to ${most}`;
  return `${range} ${what}`.trim();
}
