// Reads the parameters of a JSON-RPC call. Anything of another form is refused as the real RPC does (-32602).
import { type Address, isAddress, isSignature } from '@solana/kit';
import { invalidParams } from './rpc-error.ts';

export type Parameters = readonly unknown[];
export type Options = Record<string, unknown>;

export function readAddress(value: unknown): Address {
  if (typeof value !== 'string' || !isAddress(value)) throw invalidParams('an address was expected');
  return value;
}

export function readSignature(value: unknown): string {
  if (typeof value !== 'string' || !isSignature(value)) throw invalidParams('a signature was expected');
  return value;
}

export function readNumber(value: unknown, least = 0, most = Number.MAX_SAFE_INTEGER): number {
  if (!Number.isSafeInteger(value) || (value as number) < least || (value as number) > most)
    throw invalidParams(`a whole number from ${least} to ${most} was expected`);
  return value as number;
}

export function readList<Item>(value: unknown, most: number, read: (item: unknown) => Item): Item[] {
  if (!Array.isArray(value) || value.length > most) throw invalidParams(`a list of at most ${most} was expected`);
  return value.map(read);
}

/** The last parameter of most methods. A commitment in it changes nothing: there is only one state. */
export function readOptions(value: unknown): Options {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw invalidParams('an object of options was expected');
  return value as Options;
}

export function readEncoding({ encoding }: Options): { encoding?: string } {
  if (encoding === undefined || encoding === null) return {};
  if (typeof encoding !== 'string') throw invalidParams('encoding must be a string');
  return { encoding };
}
