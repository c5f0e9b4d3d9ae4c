// The values of an EIP-712 document, read by their types: every field there, none besides, each in its type's range. Integers become bigint, bytes and
// addresses lower-case hex. Counts what the document will weigh on its way to the nodes.
import { isAddress } from 'viem';
import { isWellFormed } from './signing-content.ts';
import { arrayOf, atomOf, isRecord, misfit, type StructTypes } from './typed-data-types.ts';

/** Structs and arrays around a value, as the nodes count. */
const DEPTH_MAX = 32;

export class ValueReader {
  readonly #types: StructTypes;
  /** Bytes of the values read so far, in the nodes' encoding (mpc/PROTOCOL.md): a tag, then a word of 32 bytes or a length and as many bytes. */
  bytes = 0;

  constructor(types: StructTypes) {
    this.#types = types;
  }

  /** `where` is the value's place in the document, for errors: it begins with a dot. */
  read(type: string, value: unknown, where: string, depth = 1): unknown {
    const array = arrayOf(type);
    const fields = Object.hasOwn(this.#types, type) ? this.#types[type] : undefined;
    if (array === undefined && fields === undefined) return this.#readAtom(type, value, where);
    if (depth > DEPTH_MAX) throw misfit(`${where} is nested more than ${DEPTH_MAX} levels deep.`);
    if (array !== undefined) return this.#readArray(array, value, where, depth);
    return this.#readStruct(fields ?? [], value, where, depth);
  }

  #readArray(
    { element, length }: { element: string; length: number | undefined },
    value: unknown,
    where: string,
    depth: number,
  ): unknown {
    if (!Array.isArray(value)) throw misfit(`${where} must be an array.`);
    if (length !== undefined && value.length !== length)
      throw misfit(`${where} has ${value.length} elements, and its type says ${length}.`);
    this.bytes += 5;
    return value.map((item, index) => this.read(element, item, `${where}.${index}`, depth + 1));
  }

  #readStruct(
    fields: readonly { name: string; type: string }[],
    value: unknown,
    where: string,
    depth: number,
  ): unknown {
    if (!isRecord(value)) throw misfit(`${where} must be an object.`);
    const unknown = Object.keys(value).find((name) => fields.every((field) => field.name !== name));
    if (unknown !== undefined) throw misfit(`${where} has a field "${unknown}", which its type does not have.`);
    return Object.fromEntries(
      fields.map(({ name, type }) => {
        if (!Object.hasOwn(value, name)) throw misfit(`${where}.${name} is missing.`);
        return [name, this.read(type, value[name], `${where}.${name}`, depth + 1)];
      }),
    );
  }

  #readAtom(type: string, value: unknown, where: string): unknown {
    const { kind, width } = atomOf(type) ?? { kind: '', width: 0 };
    switch (kind) {
      case 'string':
        return this.#readText(value, where);
      case 'bytes':
      case 'bytesN':
        return this.#readBytes(kind === 'bytes' ? undefined : width, value, where);
      case 'address':
        // Letters of mixed case are a checksum, and a wrong one is a mistyped address.
        if (typeof value !== 'string' || !isAddress(value, { strict: true }))
          throw misfit(`${where} must be an address: 0x and 40 hex digits, with a right checksum where it has one.`);
        this.bytes += 33;
        return value.toLowerCase();
      case 'bool':
        if (typeof value !== 'boolean') throw misfit(`${where} must be true or false.`);
        this.bytes += 33;
        return value;
      default:
        this.bytes += 33;
        return readInteger(kind === 'int', width, value, where);
    }
  }

  #readText(value: unknown, where: string): string {
    if (typeof value !== 'string') throw misfit(`${where} must be a string.`);
    // PostgreSQL's jsonb cannot hold U+0000.
    if (!isWellFormed(value) || value.includes('\0'))
      throw misfit(`${where} has a lone surrogate or a null character, which cannot be kept.`);
    this.bytes += 5 + Buffer.byteLength(value);
    return value;
  }

  #readBytes(size: number | undefined, value: unknown, where: string): string {
    if (typeof value !== 'string' || !/^0x([\da-fA-F]{2})*$/.test(value))
      throw misfit(`${where} must be bytes: 0x and an even number of hex digits.`);
    const given = (value.length - 2) / 2;
    if (size !== undefined && given !== size) throw misfit(`${where} has ${given} bytes, and its type says ${size}.`);
    this.bytes += size === undefined ? 5 + given : 33;
    return value.toLowerCase();
  }
}

function readInteger(signed: boolean, bits: number, value: unknown, where: string): bigint {
  const isText = typeof value === 'string' && /^(0|-?[1-9]\d{0,77}|0x[\da-fA-F]{1,64})$/.test(value);
  if (!isText && !Number.isSafeInteger(value))
    throw misfit(`${where} must be a whole number: beyond 2^53 - 1 as a string, decimal or 0x hex.`);
  const integer = BigInt(value as string | number);
  const fits = (signed ? BigInt.asIntN(bits, integer) : BigInt.asUintN(bits, integer)) === integer;
  if (!fits) throw misfit(`${where} is out of the range of ${signed ? 'int' : 'uint'}${bits}.`);
  return integer;
}
