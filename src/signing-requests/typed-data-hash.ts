// The hashes of EIP-712 over values that have been read. viem hashes a type anew for each struct of it, so that 28 kB of small structs would hold the
// process for a second; here once for each type.
import { concat, keccak256, numberToHex, padHex, stringToHex } from 'viem';
import type { Hex } from './signing-content.ts';
import { arrayOf, atomOf, baseOf, type StructTypes, textOf } from './typed-data-types.ts';

export class StructHasher {
  readonly #types: StructTypes;
  readonly #typeHashes = new Map<string, Hex>();

  constructor(types: StructTypes) {
    this.#types = types;
  }

  /** hashStruct: keccak256(typeHash ‖ the word of each field). */
  hash(name: string, value: Readonly<Record<string, unknown>>): Hex {
    const words = (this.#types[name] ?? []).map((field) => this.#wordOf(field.type, value[field.name]));
    return keccak256(concat([this.#typeHashOf(name), ...words]));
  }

  /** The 32 bytes that a value contributes to what encloses it. */
  #wordOf(type: string, value: unknown): Hex {
    const array = arrayOf(type);
    if (array !== undefined)
      return keccak256(concat((value as unknown[]).map((item) => this.#wordOf(array.element, item))));
    const atom = atomOf(type);
    return atom === undefined
      ? this.hash(type, value as Readonly<Record<string, unknown>>)
      : atomicWord(atom.kind, value);
  }

  #typeHashOf(name: string): Hex {
    const known = this.#typeHashes.get(name);
    if (known !== undefined) return known;
    const used = new Set([name]);
    // A set's walk includes what is added on the way.
    for (const each of used)
      for (const { type } of this.#types[each] ?? []) if (atomOf(baseOf(type)) === undefined) used.add(baseOf(type));
    const others = [...used].slice(1).sort();
    const hash = keccak256(
      stringToHex([name, ...others].map((each) => textOf(each, this.#types[each] ?? [])).join('')),
    );
    this.#typeHashes.set(name, hash);
    return hash;
  }
}

function atomicWord(kind: string, value: unknown): Hex {
  switch (kind) {
    case 'string':
      return keccak256(stringToHex(value as string));
    case 'bytes':
      return keccak256(value as Hex);
    case 'bytesN':
      return padHex(value as Hex, { dir: 'right', size: 32 });
    case 'address':
      return padHex(value as Hex, { size: 32 });
    case 'bool':
      return numberToHex(value === true ? 1 : 0, { size: 32 });
    default:
      return numberToHex(BigInt.asUintN(256, value as bigint), { size: 32 });
  }
}
