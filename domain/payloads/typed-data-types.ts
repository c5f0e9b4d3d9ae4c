// The struct types of one EIP-712 document as a whole, also those that nothing uses: what a type name stands for, what
// refers to what. Knows no values.
import { TYPE_TEXT_BYTES_MAX, TYPED_DATA_TYPES_MAX } from './limits.ts';
import { typedDataError } from './payload-error.ts';
import { utf8Size } from './text.ts';
import { type Atom, atomNamed } from './typed-data-atoms.ts';
import { DOMAIN_TYPE, type FieldsByStruct, readTypes, type TypedDataField, textOf } from './typed-data-fields.ts';

export type TypeKind =
  | { kind: 'atom'; atom: Atom }
  /** The outermost one: `T[2][]` is an array of `T[2]`. */
  | { kind: 'array'; element: string; length: number | undefined }
  | { kind: 'struct'; fields: readonly TypedDataField[] };

export class StructTypes {
  /** By name, `EIP712Domain` among them. */
  readonly byName: FieldsByStruct;
  /** The structs that each struct's fields name. */
  readonly #references = new Map<string, ReadonlySet<string>>();
  /** A type name is looked at once, however long it is and however many values it has. */
  readonly #kinds = new Map<string, TypeKind>();

  constructor(given: unknown, domain: Readonly<Record<string, unknown>>) {
    this.byName = readTypes(given, domain);
    if (this.byName.size > TYPED_DATA_TYPES_MAX)
      throw typedDataError(`.types has ${this.byName.size} types, and at most ${TYPED_DATA_TYPES_MAX} can be.`);
    const texts = [...this.byName].map(([name, fields]) => textOf(name, fields));
    if (utf8Size(texts.join('')) > TYPE_TEXT_BYTES_MAX)
      throw typedDataError(`.types is too long: its text form has at most ${TYPE_TEXT_BYTES_MAX} bytes.`);
    for (const [name, fields] of this.byName) this.#references.set(name, this.#structsIn(name, fields));
  }

  /** The type that is named, or else the one that no other type refers to. */
  choosePrimaryType(named: unknown): string {
    if (named !== undefined) {
      if (typeof named === 'string' && this.byName.has(named)) return named;
      throw typedDataError('.primaryType must name one of the types.');
    }
    const referred = new Set([...this.#references].flatMap(([from, to]) => [...to].filter((name) => name !== from)));
    const roots = [...this.byName.keys()].filter((name) => name !== DOMAIN_TYPE && !referred.has(name));
    const [root] = roots;
    if (root === undefined || roots.length > 1)
      throw typedDataError(`.primaryType is missing, and ${roots.length} types are referred to by no other: name one.`);
    return root;
  }

  kindOf(typeName: string): TypeKind {
    const kind = this.#kinds.get(typeName) ?? this.#read(typeName);
    this.#kinds.set(typeName, kind);
    return kind;
  }

  /** The struct, then every other one that it refers to, directly or not, by name. */
  reachableFrom(struct: string): readonly string[] {
    const found = new Set([struct]);
    // A set's walk includes what is added on the way.
    for (const each of found) for (const referred of this.#references.get(each) ?? []) found.add(referred);
    return [struct, ...[...found].slice(1).sort()];
  }

  /** The text of the struct's type hash. */
  encodeType(struct: string): string {
    const names = this.reachableFrom(struct);
    return names.map((name) => textOf(name, this.byName.get(name) ?? [])).join('');
  }

  #read(typeName: string): TypeKind {
    const [, element, digits] = /^(.*)\[([1-9]\d{0,8})?\]$/s.exec(typeName) ?? [];
    if (element !== undefined)
      return { kind: 'array', element, length: digits === undefined ? undefined : Number(digits) };
    const atom = atomNamed(typeName);
    return atom === undefined ? { kind: 'struct', fields: this.byName.get(typeName) ?? [] } : { kind: 'atom', atom };
  }

  #structsIn(struct: string, fields: readonly TypedDataField[]): ReadonlySet<string> {
    const found = new Set<string>();
    for (const { name, type } of fields) {
      const base = type.replace(/(\[([1-9]\d{0,8})?\])+$/, '');
      if (this.byName.has(base)) found.add(base);
      else if (atomNamed(base) === undefined)
        throw typedDataError(
          `.types.${struct}.${name} has the type "${type}", which is neither EIP-712's nor among types.`,
        );
    }
    return found;
  }
}
