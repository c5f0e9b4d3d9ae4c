// The atomic types of EIP-712: their names, which JSON values are of them, and a value's one form, in JSON and in
// bytes. Knows no structs and no arrays.
import { concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { isAddress } from 'viem';
import { typedDataError } from './payload-error.ts';
import { isWellFormed } from './text.ts';

export type Atom =
  | { kind: 'address' | 'bool' | 'bytes' | 'string' }
  | { kind: 'uint' | 'int'; bits: number }
  | { kind: 'bytesN'; size: number };

export type AtomValue = string | boolean;

/** `undefined` also for Solidity's short forms `uint` and `int`, which EIP-712 does not have. */
export function atomNamed(name: string): Atom | undefined {
  if (name === 'address' || name === 'bool' || name === 'bytes' || name === 'string') return { kind: name };
  const [, kind, digits] = /^(uint|int|bytes)([1-9]\d{0,2})$/.exec(name) ?? [];
  const number = Number(digits);
  if (kind === 'bytes') return number <= 32 ? { kind: 'bytesN', size: number } : undefined;
  if (kind !== 'uint' && kind !== 'int') return undefined;
  return number <= 256 && number % 8 === 0 ? { kind, bits: number } : undefined;
}

/** What a struct may not be called: an atom's name, or one that would read like a variant of it. */
export function isReservedName(name: string): boolean {
  return /^(address|bool|string)$|^(bytes|uint|int)/.test(name);
}

/**
 * The value in its one JSON form: integers as decimal text, bytes and addresses in lower case. `where` is its place in
 * the document.
 */
export function readAtom(atom: Atom, value: unknown, where: string): AtomValue {
  switch (atom.kind) {
    case 'string':
      return readText(value, where);
    case 'bytes':
      return readBytes(value, where);
    case 'bytesN':
      return readBytes(value, where, atom.size);
    case 'address':
      return readAddress(value, where);
    case 'bool':
      if (typeof value !== 'boolean') throw typedDataError(`${where} must be true or false.`);
      return value;
    case 'uint':
    case 'int':
      return readInteger(atom, value, where);
  }
}

function readText(value: unknown, where: string): string {
  if (typeof value !== 'string') throw typedDataError(`${where} must be a string.`);
  if (!isWellFormed(value)) throw typedDataError(`${where} has a lone surrogate, which no UTF-8 text has.`);
  return value;
}

function readBytes(value: unknown, where: string, size?: number): string {
  if (typeof value !== 'string' || !/^0x([\da-fA-F]{2})*$/.test(value))
    throw typedDataError(`${where} must be bytes: 0x and an even number of hex digits.`);
  const given = (value.length - 2) / 2;
  if (size !== undefined && given !== size)
    throw typedDataError(`${where} has ${given} bytes, and its type says ${size}.`);
  return value.toLowerCase();
}

/** Letters of mixed case are a checksum, and a wrong one is a mistyped address. */
function readAddress(value: unknown, where: string): string {
  if (typeof value !== 'string' || !isAddress(value, { strict: true }))
    throw typedDataError(`${where} must be an address: 0x and 40 hex digits, with a right checksum where it has one.`);
  return value.toLowerCase();
}

function readInteger({ kind, bits }: Extract<Atom, { bits: number }>, value: unknown, where: string): string {
  const isText = typeof value === 'string' && /^(0|-?[1-9]\d{0,77}|0x[\da-fA-F]{1,64})$/.test(value);
  if (!isText && !Number.isSafeInteger(value))
    throw typedDataError(`${where} must be a whole number: beyond 2^53 - 1 as a string, decimal or 0x hex.`);
  const integer = BigInt(value as string | number);
  const fits = (kind === 'int' ? BigInt.asIntN(bits, integer) : BigInt.asUintN(bits, integer)) === integer;
  if (!fits) throw typedDataError(`${where} is out of the range of ${kind}${bits}.`);
  return integer.toString();
}

/** Whether its values are 32 bytes; else they have a length of their own. */
export const isWord = ({ kind }: Atom) => kind !== 'string' && kind !== 'bytes';

/** A value that was read, as the ABI encodes it: a word's 32 bytes, or those of the text or the byte string itself. */
export function bytesOf(atom: Atom, value: AtomValue): Uint8Array {
  switch (atom.kind) {
    case 'string':
      return utf8ToBytes(String(value));
    case 'bytes':
      return hexToBytes(String(value).slice(2));
    case 'bytesN':
      return concatBytes(hexToBytes(String(value).slice(2)), new Uint8Array(32 - atom.size));
    case 'bool':
    case 'address':
    case 'uint':
    case 'int':
      return hexToBytes(BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, '0'));
  }
}
