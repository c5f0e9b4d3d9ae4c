// The atomic types of EIP-712: their names, and a JSON value as its one token. Knows no structs and no arrays.
import { isAddress } from 'viem';
import { ClusterError } from './cluster.ts';
import type { Token } from './wire.ts';

export type Atom =
  | { kind: 'address' | 'bool' | 'bytes' | 'string' }
  | { kind: 'uint' | 'int'; bits: number }
  | { kind: 'fixedBytes'; size: number };

/** `undefined` also for Solidity's short forms `uint` and `int`, which EIP-712 does not have. */
export function atomNamed(name: string): Atom | undefined {
  if (name === 'address' || name === 'bool' || name === 'bytes' || name === 'string') return { kind: name };
  const [, kind, digits] = /^(uint|int|bytes)([1-9]\d{0,2})$/.exec(name) ?? [];
  const number = Number(digits);
  if (kind === 'bytes') return number <= 32 ? { kind: 'fixedBytes', size: number } : undefined;
  if (kind !== 'uint' && kind !== 'int') return undefined;
  return number <= 256 && number % 8 === 0 ? { kind, bits: number } : undefined;
}

/** What a struct may not be called: an atom's name, or one that would read like a variant of it. */
export function isReservedName(name: string): boolean {
  return /^(address|bool|string)$|^(bytes|uint|int)/.test(name);
}

/** Throws `invalid_request` for a value that is not one of this type. */
export function atomToken(atom: Atom, value: unknown): Token {
  const token = tokenOf(atom, value);
  if (token === undefined) {
    throw new ClusterError('invalid_request', `a value of the typed data does not fit its type ${nameOf(atom)}`);
  }
  return token;
}

function nameOf(atom: Atom): string {
  if ('bits' in atom) return `${atom.kind}${atom.bits}`;
  return 'size' in atom ? `bytes${atom.size}` : atom.kind;
}

function tokenOf(atom: Atom, value: unknown): Token | undefined {
  switch (atom.kind) {
    case 'string':
      // A lone surrogate has no UTF-8: what is signed would not be what was sent.
      return typeof value === 'string' && Buffer.from(value).toString() === value
        ? { kind: 'Text', text: value }
        : undefined;
    case 'bytes': {
      const bytes = bytesOf(value);
      return bytes === undefined ? undefined : { kind: 'Bytes', bytes };
    }
    case 'fixedBytes': {
      const bytes = bytesOf(value);
      return bytes?.length === atom.size
        ? { kind: 'Word', word: Buffer.concat([bytes, Buffer.alloc(32 - atom.size)]) }
        : undefined;
    }
    case 'address':
      // Strict: letters of mixed case are a checksum, and a wrong one is a mistyped address.
      return typeof value === 'string' && isAddress(value, { strict: true }) ? wordOf(BigInt(value)) : undefined;
    case 'bool':
      return typeof value === 'boolean' ? wordOf(value ? 1n : 0n) : undefined;
    case 'uint':
    case 'int':
      return integerToken(atom, value);
  }
}

function integerToken({ kind, bits }: Extract<Atom, { bits: number }>, value: unknown): Token | undefined {
  const isInteger =
    typeof value === 'string' ? /^(-?\d{1,78}|0x[\da-fA-F]{1,64})$/.test(value) : Number.isSafeInteger(value);
  if (!isInteger) return undefined;
  const integer = BigInt(value as string | number);
  const fits = (kind === 'uint' ? BigInt.asUintN(bits, integer) : BigInt.asIntN(bits, integer)) === integer;
  return fits ? wordOf(BigInt.asUintN(256, integer)) : undefined;
}

function wordOf(value: bigint): Token {
  return { kind: 'Word', word: Buffer.from(value.toString(16).padStart(64, '0'), 'hex') };
}

function bytesOf(value: unknown): Buffer | undefined {
  const isHex = typeof value === 'string' && /^0x([\da-fA-F]{2})*$/.test(value);
  return isHex ? Buffer.from(value.slice(2), 'hex') : undefined;
}
