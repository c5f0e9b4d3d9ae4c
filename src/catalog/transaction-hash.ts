// Which texts can be the hash of a transaction on a network, each in the one form in which it is stored.
import { base58 } from '@scure/base';
import type { AddressType } from '../../domain/wallets/address-types.ts';

const SIGNATURE_BYTES = 64;
const SIGNATURE_DIGITS_MAX = 88;

/** Undefined when it is none. */
export function canonicalTransactionHash(addressType: AddressType, text: string): string | undefined {
  switch (addressType) {
    case 'evm':
      return /^0x[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : undefined;
    case 'btc':
    case 'tron':
      return /^[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : undefined;
    case 'sol':
      return isSignature(text) ? text : undefined;
  }
}

/** A transaction on Solana is known by its first signature. */
function isSignature(text: string): boolean {
  if (text.length > SIGNATURE_DIGITS_MAX) return false;
  try {
    return base58.decode(text).length === SIGNATURE_BYTES;
  } catch {
    return false;
  }
}
