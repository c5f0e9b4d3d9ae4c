// The types of an EIP-712 document: which names they may have, what a type name stands for, which type is the primary one. Knows no values. As strict
// as the nodes (mpc/PROTOCOL.md), so that nothing is accepted here that they refuse later.
import { ApiError } from '../http/errors.ts';

export interface TypedDataField {
  name: string;
  type: string;
}

/** By name, `EIP712Domain` among them. */
export type StructTypes = Readonly<Record<string, readonly TypedDataField[]>>;

export const DOMAIN_TYPE = 'EIP712Domain';

/** EIP-712's five, in its order. */
const DOMAIN_FIELDS: readonly TypedDataField[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
];

const TYPES_MAX = 64;
const TYPES_TEXT_BYTES_MAX = 4096;

export function misfit(sentence: string): ApiError {
  return new ApiError('invalid_request', `typed_data${sentence}`);
}

/** A record, own fields only: never an array, never null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Checks the types and completes them with the domain's, which the document may leave out. */
export function readTypes(given: unknown, domain: Readonly<Record<string, unknown>>): StructTypes {
  if (!isRecord(given)) throw misfit('.types must be an object of types by name.');
  const domainFields = readDomainFields(domain);
  const types: Record<string, readonly TypedDataField[]> = { [DOMAIN_TYPE]: domainFields };
  for (const [name, fields] of Object.entries(given)) {
    const read = readFields(name, fields);
    if (name === DOMAIN_TYPE && textOf(name, read) !== textOf(name, domainFields))
      throw misfit(`.types.${DOMAIN_TYPE} must list the fields of domain with their types, in the order of EIP-712.`);
    types[name] = read;
  }
  const entries = Object.entries(types);
  if (entries.length > TYPES_MAX) throw misfit(`.types has ${entries.length} types, and at most ${TYPES_MAX} can be.`);
  const textBytes = entries.reduce((sum, [name, fields]) => sum + Buffer.byteLength(textOf(name, fields)), 0);
  if (textBytes > TYPES_TEXT_BYTES_MAX)
    throw misfit(`.types is too long: its text form has at most ${TYPES_TEXT_BYTES_MAX} bytes.`);
  for (const [name, fields] of entries) for (const field of fields) assertKnown(types, name, field);
  return types;
}

/** The type that is named, or else the one that no other type refers to. */
export function choosePrimaryType(types: StructTypes, named: unknown): string {
  const names = Object.keys(types).filter((name) => name !== DOMAIN_TYPE);
  if (named !== undefined) {
    if (typeof named === 'string' && names.includes(named)) return named;
    throw misfit('.primaryType must name one of the types, other than EIP712Domain.');
  }
  const roots = names.filter((name) => names.every((other) => other === name || !refersTo(types, other, name)));
  const [root] = roots;
  if (root === undefined || roots.length > 1)
    throw misfit(`.primaryType is missing, and ${roots.length} types are referred to by no other: name one.`);
  return root;
}

/** The outermost array of a type name: `T[2][]` is an array of `T[2]`. */
export function arrayOf(type: string): { element: string; length: number | undefined } | undefined {
  const [, element, digits] = /^(.*)\[([1-9]\d{0,8})?\]$/s.exec(type) ?? [];
  return element === undefined ? undefined : { element, length: digits === undefined ? undefined : Number(digits) };
}

/** Of an atomic type its bits (integers) or bytes (`bytes1` to `bytes32`); 0 where there is no width. Undefined for any other name. */
export function atomOf(type: string): { kind: string; width: number } | undefined {
  if (/^(address|bool|bytes|string)$/.test(type)) return { kind: type, width: 0 };
  const [, kind = '', digits] = /^(uint|int|bytes)([1-9]\d{0,2})$/.exec(type) ?? [];
  const width = Number(digits);
  if (kind === 'bytes') return width <= 32 ? { kind: 'bytesN', width } : undefined;
  return width <= 256 && width % 8 === 0 ? { kind, width } : undefined;
}

function readDomainFields(domain: Readonly<Record<string, unknown>>): readonly TypedDataField[] {
  const unknown = Object.keys(domain).find((name) => DOMAIN_FIELDS.every((field) => field.name !== name));
  if (unknown !== undefined) throw misfit(`.domain has a field "${unknown}", which EIP-712 does not have.`);
  const fields = DOMAIN_FIELDS.filter(({ name }) => Object.hasOwn(domain, name));
  if (fields.length === 0) throw misfit('.domain is empty: give at least one of the fields of EIP-712.');
  return fields;
}

const isIdentifier = (name: unknown): name is string => typeof name === 'string' && /^[A-Za-z_]\w*$/.test(name);
/** An atom's name, or one that would read like a variant of it; and `__proto__`, which is no plain field of a JavaScript object. */
const isReserved = (name: string) => /^(address|bool|string|__proto__)$|^(bytes|uint|int)/.test(name);

function readFields(name: string, fields: unknown): readonly TypedDataField[] {
  if (!isIdentifier(name) || isReserved(name)) throw misfit(`.types has the name "${name}", which no struct can have.`);
  if (!Array.isArray(fields) || fields.length === 0)
    throw misfit(`.types.${name} must be a list of one or more fields.`);
  const read = (fields as unknown[]).map((field) => readField(name, field));
  if (new Set(read.map((field) => field.name)).size < read.length)
    throw misfit(`.types.${name} has a field name twice.`);
  return read;
}

function readField(struct: string, field: unknown): TypedDataField {
  if (!isRecord(field) || Object.keys(field).length !== 2)
    throw misfit(`.types.${struct} must have fields of name and type, and nothing else.`);
  const { name, type } = field;
  if (!isIdentifier(name) || name === '__proto__' || typeof type !== 'string')
    throw misfit(`.types.${struct} must have fields of name and type, each a plain name.`);
  return { name, type };
}

function assertKnown(types: StructTypes, struct: string, { name, type }: TypedDataField): void {
  const base = baseOf(type);
  if (atomOf(base) === undefined && !Object.hasOwn(types, base))
    throw misfit(`.types.${struct}.${name} has the type "${type}", which is neither EIP-712's nor among types.`);
}

const refersTo = (types: StructTypes, from: string, to: string) =>
  types[from]?.some(({ type }) => baseOf(type) === to) ?? false;

/** Of an array, whatever its dimensions, the type of what is in it. */
export function baseOf(type: string): string {
  const array = arrayOf(type);
  return array === undefined ? type : baseOf(array.element);
}

/** `Name(type name,…)`, as `encodeType` writes it. */
export const textOf = (name: string, fields: readonly TypedDataField[]) =>
  `${name}(${fields.map((field) => `${field.type} ${field.name}`).join(',')})`;
