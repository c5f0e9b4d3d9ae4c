// The digest of EIP-712 of a document that was read. Hashes a type once: viem does so for each struct of it, and eleven
// thousand small ones, which fit into a payload, held a process for ten seconds.
import { keccak_256 } from '@noble/hashes/sha3.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { ReadTypedData } from './typed-data.ts';
import { type AtomValue, bytesOf, isWord } from './typed-data-atoms.ts';
import { DOMAIN_TYPE, type TypedDataField } from './typed-data-fields.ts';
import type { StructTypes } from './typed-data-types.ts';

/**
 * What the digest is the keccak256 of: 0x1901, the domain separator and, unless the domain is all that is signed, the
 * hash of the message.
 */
export function preimageOf({ document, types }: ReadTypedData): Uint8Array {
  const { primaryType, domain, message } = document;
  const hasher = new Hasher(types);
  const parts = [Uint8Array.of(0x19, 0x01), hasher.wordOf(DOMAIN_TYPE, domain)];
  if (primaryType !== DOMAIN_TYPE) parts.push(hasher.wordOf(primaryType, message));
  return concatBytes(...parts);
}

class Hasher {
  readonly #types: StructTypes;
  readonly #typeHashes = new Map<string, Uint8Array>();

  constructor(types: StructTypes) {
    this.#types = types;
  }

  /** The 32 bytes that a value contributes to what encloses it; of a struct, its hashStruct. */
  wordOf(typeName: string, value: unknown): Uint8Array {
    const type = this.#types.kindOf(typeName);
    if (type.kind === 'struct')
      return this.#hashStruct(typeName, type.fields, value as Readonly<Record<string, unknown>>);
    if (type.kind === 'array')
      return keccak_256(concatBytes(...(value as unknown[]).map((item) => this.wordOf(type.element, item))));
    const bytes = bytesOf(type.atom, value as AtomValue);
    return isWord(type.atom) ? bytes : keccak_256(bytes);
  }

  #hashStruct(name: string, fields: readonly TypedDataField[], value: Readonly<Record<string, unknown>>): Uint8Array {
    const words = fields.map((field) => this.wordOf(field.type, value[field.name]));
    return keccak_256(concatBytes(this.#typeHashOf(name), ...words));
  }

  #typeHashOf(struct: string): Uint8Array {
    const hash = this.#typeHashes.get(struct) ?? keccak_256(utf8ToBytes(this.#types.encodeType(struct)));
    this.#typeHashes.set(struct, hash);
    return hash;
  }
}
