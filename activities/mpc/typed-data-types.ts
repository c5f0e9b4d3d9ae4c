// The struct types of one EIP-712 document: checks those that are used, by the nodes' rules, and answers what a type name stands for. Knows no values.
import { ClusterError, type TypedData } from './cluster.ts';
import { type Atom, atomNamed, isReservedName } from './typed-data-atoms.ts';
import { maxTypedDataTypes, maxTypeTextBytes, type StructType, type TypedDataField } from './wire.ts';

export const domainType = 'EIP712Domain';

/** EIP-712's five, in its order; a domain has at least one of them. */
const domainFields = [
  'string name',
  'string version',
  'uint256 chainId',
  'address verifyingContract',
  'bytes32 salt',
] as const;

export type TypeKind =
  | { kind: 'atom'; atom: Atom }
  | { kind: 'array'; element: string; length: number | undefined }
  | { kind: 'struct'; fields: readonly TypedDataField[] };

export function misfit(what: string): ClusterError {
  return new ClusterError('invalid_request', `the typed data ${what}`);
}

/** The types that the domain and the primary type use; all others are left out, as they are in the digest. */
export class StructTypes {
  readonly #used = new Map<string, StructType>();
  /** Of all of them together, as `encodeType` writes them. */
  readonly textBytes: number;

  /** Throws `invalid_request` for types that the nodes would refuse. */
  constructor(types: TypedData['types'], primaryType: string) {
    const waiting = [domainType, primaryType];
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      if (this.#used.has(name)) continue;
      const struct = structNamed(types, name);
      this.#used.set(name, struct);
      if (this.#used.size > maxTypedDataTypes) throw misfit('has too many types');
      for (const { typeName } of struct.fields) {
        const base = baseOf(typeName);
        if (atomNamed(base) === undefined) waiting.push(base);
      }
    }
    assertDomain(this.#used.get(domainType)?.fields ?? []);
    this.textBytes = Buffer.byteLength(this.list.map(typeText).join(''));
    if (this.textBytes > maxTypeTextBytes) throw misfit('has types that are too long');
  }

  /** Ascending by name, as they travel. */
  get list(): StructType[] {
    return [...this.#used.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  kindOf(typeName: string): TypeKind {
    const array = arrayOf(typeName);
    if (array !== undefined) return { kind: 'array', ...array };
    const atom = atomNamed(typeName);
    if (atom !== undefined) return { kind: 'atom', atom };
    const struct = this.#used.get(typeName);
    if (struct === undefined) throw misfit('uses an unknown type');
    return { kind: 'struct', fields: struct.fields };
  }
}

function structNamed(types: TypedData['types'], name: string): StructType {
  const fields = Object.hasOwn(types, name) ? types[name] : undefined;
  if (fields === undefined) throw misfit('uses an unknown type');
  if (!isIdentifier(name) || isReservedName(name)) throw misfit('has a type with a name that a struct cannot have');
  if (fields.length === 0) throw misfit('has a type without fields');
  const names = new Set(fields.map((field) => field.name));
  if (names.size !== fields.length || ![...names].every(isIdentifier))
    throw misfit('has a type with a repeated or invalid field name');
  return { name, fields: fields.map((field) => ({ name: field.name, typeName: field.type })) };
}

const isIdentifier = (name: string) => /^[A-Za-z_]\w*$/.test(name);

/** The outermost array of a type name: `T[2][]` is an array of `T[2]`. */
function arrayOf(typeName: string): { element: string; length: number | undefined } | undefined {
  const [, element, digits] = /^(.*)\[([1-9]\d{0,8})?\]$/s.exec(typeName) ?? [];
  return element === undefined ? undefined : { element, length: digits === undefined ? undefined : Number(digits) };
}

function baseOf(typeName: string): string {
  let base = typeName;
  for (let array = arrayOf(base); array !== undefined; array = arrayOf(base)) base = array.element;
  return base;
}

function assertDomain(fields: readonly TypedDataField[]): void {
  const positions = fields.map(({ typeName, name }) =>
    domainFields.findIndex((known) => known === `${typeName} ${name}`),
  );
  const inOrder = positions.every((position, index) => position > (index === 0 ? -1 : (positions[index - 1] ?? -1)));
  if (!inOrder) throw misfit('has a domain with other fields than EIP-712 knows, or in another order');
}

/** `Name(type name,…)` */
function typeText({ name, fields }: StructType): string {
  return `${name}(${fields.map((field) => `${field.typeName} ${field.name}`).join(',')})`;
}
