// Reads the struct types of an EIP-712 document as JSON has them: their names and fields, each on its own. What they
// refer to: `typed-data-types.ts`.
import { typedDataError } from './payload-error.ts';
import { isReservedName } from './typed-data-atoms.ts';

export type TypedDataField = { name: string; type: string };

export type FieldsByStruct = ReadonlyMap<string, readonly TypedDataField[]>;

export const DOMAIN_TYPE = 'EIP712Domain';

/** EIP-712's five, in its order. */
const DOMAIN_FIELDS: readonly TypedDataField[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
];

/** A record, own fields only: never an array, never null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * All types with the domain's, which the document may leave out and may not write otherwise than the fields of `domain`
 * are.
 */
export function readTypes(given: unknown, domain: Readonly<Record<string, unknown>>): FieldsByStruct {
  if (!isRecord(given)) throw typedDataError('.types must be an object of types by name.');
  const domainFields = readDomainFields(domain);
  const types = new Map([[DOMAIN_TYPE, domainFields]]);
  for (const [name, fields] of Object.entries(given)) {
    const read = readFields(name, fields);
    if (name === DOMAIN_TYPE && textOf(name, read) !== textOf(name, domainFields))
      throw typedDataError(
        `.types.${DOMAIN_TYPE} must list the fields of domain with their types, in the order of EIP-712.`,
      );
    types.set(name, read);
  }
  return types;
}

/** `Name(type name,…)`, as `encodeType` writes it. */
export function textOf(struct: string, fields: readonly TypedDataField[]): string {
  return `${struct}(${fields.map(({ type, name }) => `${type} ${name}`).join(',')})`;
}

function readDomainFields(domain: Readonly<Record<string, unknown>>): readonly TypedDataField[] {
  const unknown = Object.keys(domain).find((name) => DOMAIN_FIELDS.every((field) => field.name !== name));
  if (unknown !== undefined) throw typedDataError(`.domain has a field "${unknown}", which EIP-712 does not have.`);
  const fields = DOMAIN_FIELDS.filter(({ name }) => Object.hasOwn(domain, name));
  if (fields.length === 0) throw typedDataError('.domain is empty: give at least one of the fields of EIP-712.');
  return fields;
}

function readFields(struct: string, fields: unknown): readonly TypedDataField[] {
  if (!isIdentifier(struct) || isReservedName(struct))
    throw typedDataError(`.types has the name "${struct}", which no struct can have.`);
  if (!Array.isArray(fields) || fields.length === 0)
    throw typedDataError(`.types.${struct} must be a list of one or more fields.`);
  const read = (fields as unknown[]).map((field) => readField(struct, field));
  if (new Set(read.map(({ name }) => name)).size < read.length)
    throw typedDataError(`.types.${struct} has a field name twice.`);
  return read;
}

function readField(struct: string, field: unknown): TypedDataField {
  if (!isRecord(field) || Object.keys(field).length !== 2)
    throw typedDataError(`.types.${struct} must have fields of name and type, and nothing else.`);
  const { name, type } = field;
  if (!isIdentifier(name) || typeof type !== 'string')
    throw typedDataError(`.types.${struct} must have fields of name and type, each a plain name.`);
  return { name, type };
}

/** `__proto__` is no plain field of a JavaScript object: others would lose it on the way. */
const isIdentifier = (name: unknown): name is string =>
  typeof name === 'string' && /^[A-Za-z_]\w*$/.test(name) && name !== '__proto__';
