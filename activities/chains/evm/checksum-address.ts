// The canonical form of an address that a node answered, with the capitals of EIP-55. viem's `getAddress` gives the
// same, and keeps what it has seen in a list whose upkeep costs more than the hash: hundreds of new addresses a block
// took a third of what reading a block costs this process.
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { Address } from 'viem';
import { ChainError } from '../port/chain-error.ts';

/** A block names the same senders and contracts many times. Forgotten all at once, which costs nothing to keep up. */
const known = new Map<string, Address>();
const KNOWN_MAX = 10_000;

/** Throws `ChainError` for what is no address. */
export function checksumAddress(answered: string): Address {
  if (!/^0x[0-9a-f]{40}$/i.test(answered)) throw new ChainError('the node answered what is no address');
  const digits = answered.slice(2).toLowerCase();
  const before = known.get(digits);
  if (before !== undefined) return before;
  const address = addressOf(digits);
  if (known.size >= KNOWN_MAX) known.clear();
  known.set(digits, address);
  return address;
}

function addressOf(digits: string): Address {
  const hash = keccak_256(Buffer.from(digits, 'latin1'));
  let address = '0x';
  for (let index = 0; index < digits.length; index += 1) {
    const nibble = ((hash[index >> 1] ?? 0) >> (index % 2 === 0 ? 4 : 0)) & 15;
    const digit = digits.charAt(index);
    address += nibble >= 8 ? digit.toUpperCase() : digit;
  }
  return address as Address;
}
