// The values of an EIP-712 document, read by their types: every field there, none besides, no deeper and no larger than
// the nodes take. Gives back the same values in their one JSON form.
import { PAYLOAD_BYTES_MAX, TYPED_DATA_DEPTH_MAX } from './limits.ts';
import { typedDataError } from './payload-error.ts';
import { type Atom, bytesOf, isWord, readAtom } from './typed-data-atoms.ts';
import { isRecord } from './typed-data-fields.ts';
import type { StructTypes, TypeKind } from './typed-data-types.ts';

export class ValueReader {
  readonly #types: StructTypes;
  #bytes: number;

  /** `otherBytes`: what the document weighs without its values. */
  constructor(types: StructTypes, otherBytes: number) {
    this.#types = types;
    this.#bytes = otherBytes;
  }

  /**
   * `where` is the value's place in the document, for errors: it begins with a dot. `depth` counts structs and arrays
   * around it, itself included.
   */
  read(typeName: string, value: unknown, where: string, depth = 1): unknown {
    const type = this.#types.kindOf(typeName);
    if (type.kind === 'atom') return this.#readAtom(type.atom, value, where);
    if (depth > TYPED_DATA_DEPTH_MAX)
      throw typedDataError(`${where} is nested more than ${TYPED_DATA_DEPTH_MAX} levels deep.`);
    return type.kind === 'array'
      ? this.#readArray(type, value, where, depth)
      : this.#readStruct(type, value, where, depth);
  }

  #readArray(
    { element, length }: Extract<TypeKind, { kind: 'array' }>,
    value: unknown,
    where: string,
    depth: number,
  ): unknown[] {
    if (!Array.isArray(value)) throw typedDataError(`${where} must be an array.`);
    if (length !== undefined && value.length !== length)
      throw typedDataError(`${where} has ${value.length} elements, and its type says ${length}.`);
    this.#weigh(5);
    return value.map((item, index) => this.read(element, item, `${where}.${index}`, depth + 1));
  }

  #readStruct(
    { fields }: Extract<TypeKind, { kind: 'struct' }>,
    value: unknown,
    where: string,
    depth: number,
  ): Readonly<Record<string, unknown>> {
    if (!isRecord(value)) throw typedDataError(`${where} must be an object.`);
    const unknown = Object.keys(value).find((name) => fields.every((field) => field.name !== name));
    if (unknown !== undefined) throw typedDataError(`${where} has a field "${unknown}", which its type does not have.`);
    return Object.fromEntries(
      fields.map(({ name, type }) => {
        if (!Object.hasOwn(value, name)) throw typedDataError(`${where}.${name} is missing.`);
        return [name, this.read(type, value[name], `${where}.${name}`, depth + 1)];
      }),
    );
  }

  #readAtom(atom: Atom, value: unknown, where: string): unknown {
    const read = readAtom(atom, value, where);
    this.#weigh(isWord(atom) ? 33 : 5 + bytesOf(atom, read).length);
    return read;
  }

  /** In the nodes' encoding (mpc/PROTOCOL.md): a tag, then a word of 32 bytes, or a length and as many bytes. */
  #weigh(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > PAYLOAD_BYTES_MAX)
      throw typedDataError(` is too large: at most ${PAYLOAD_BYTES_MAX} bytes can be signed.`);
  }
}
