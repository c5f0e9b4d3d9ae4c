// Flattens an EIP-712 document to the form in which it goes to the nodes: types, then values as tokens in the order of the types. Everything that the nodes
// would refuse is refused here, and what would take viem too long. Computes no digest: that is `digest.ts`, by other code, so that a flaw here cannot hide.
import { BorshError, encode } from './borsh.ts';
import type { TypedData } from './cluster.ts';
import { atomToken } from './typed-data-atoms.ts';
import { domainType, misfit, StructTypes, type TypeKind } from './typed-data-types.ts';
import {
  maxPayloadBytes,
  maxTypedDataDepth,
  type Token,
  type TypedDataField,
  typedData,
  type WireTypedData,
} from './wire.ts';

/**
 * Structs times the length of all types: viem hashes a struct's types anew for each struct, and eleven thousand small ones of long types, which fit into a
 * payload, would hold up this process for seconds. A bulk order of Seaport with 64 orders needs a third of this. The nodes hash each type once.
 */
const maxHashedTypeBytes = 1024 * 1024;

/** Throws `invalid_request` for whatever does not fit: a type, a missing, unknown or ill-typed field, an array's length, too much of anything. */
export function flattenTypedData({ types, primaryType, domain, message }: TypedData): WireTypedData {
  const structs = new StructTypes(types, primaryType);
  const isDomainOnly = primaryType === domainType;
  if (isDomainOnly && Object.keys(message).length > 0) throw misfit('has a message besides its domain');
  const flat = {
    types: structs.list,
    primaryType,
    domain: flattened(structs, domainType, domain),
    message: isDomainOnly ? [] : flattened(structs, primaryType, message),
  };
  if (!isShort(flat)) throw misfit(`has more than ${maxPayloadBytes} bytes`);
  return flat;
}

function isShort(flat: WireTypedData): boolean {
  try {
    return encode(typedData, flat).length <= maxPayloadBytes;
  } catch (error) {
    if (error instanceof BorshError) return false;
    throw error;
  }
}

function flattened(structs: StructTypes, typeName: string, value: unknown): Token[] {
  const flattening = new Flattening(structs);
  flattening.append(typeName, value, 1);
  return flattening.tokens;
}

class Flattening {
  readonly tokens: Token[] = [];
  readonly #structs: StructTypes;
  #hashedTypeBytes = 0;

  constructor(structs: StructTypes) {
    this.#structs = structs;
  }

  /** `depth` counts the structs and arrays that enclose what is appended, itself included. */
  append(typeName: string, value: unknown, depth: number): void {
    const type = this.#structs.kindOf(typeName);
    if (type.kind === 'atom') {
      this.tokens.push(atomToken(type.atom, value));
      return;
    }
    if (depth > maxTypedDataDepth) throw misfit('is nested too deeply');
    if (type.kind === 'array') this.#appendArray(type, value, depth);
    else this.#appendStruct(type.fields, value, depth);
  }

  #appendArray(type: Extract<TypeKind, { kind: 'array' }>, value: unknown, depth: number): void {
    if (!Array.isArray(value)) throw misfit('has something else where an array belongs');
    if (type.length !== undefined && type.length !== value.length)
      throw misfit('has an array of another length than its type');
    this.tokens.push({ kind: 'Count', count: value.length });
    for (const element of value as unknown[]) this.append(type.element, element, depth + 1);
  }

  #appendStruct(fields: readonly TypedDataField[], value: unknown, depth: number): void {
    this.#hashedTypeBytes += this.#structs.textBytes;
    if (this.#hashedTypeBytes > maxHashedTypeBytes) throw misfit('has too many structs for the length of its types');
    if (!isRecord(value)) throw misfit('has something else where a struct belongs');
    const names = new Set(fields.map(({ name }) => name));
    if (Object.keys(value).some((name) => !names.has(name))) throw misfit('has a field that its type does not have');
    for (const field of fields) {
      if (!Object.hasOwn(value, field.name)) throw misfit('lacks a field of its type');
      this.append(field.typeName, value[field.name], depth + 1);
    }
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
