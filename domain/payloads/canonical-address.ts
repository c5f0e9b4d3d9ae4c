// Which texts are addresses of a chain family, each in the one form in which addresses are compared and stored. Knows
// no node and no network's code: an address of the right form may still be nobody's.
import { sha256 } from '@noble/hashes/sha2.js';
import { base58, createBase58check } from '@scure/base';
import { type Address, getAddress, zeroAddress } from 'viem';
import { type BitcoinNetwork, bitcoinCodecs } from './bitcoin-codecs.ts';

const SOLANA_KEY_BYTES = 32;
/** 32 bytes have 32 to 44 digits. */
const SOLANA_DIGITS_MAX = 44;
/** A prefix byte, 20 bytes of account and 4 of checksum have 34 digits. */
const TRON_DIGITS = 34;
const TRON_ACCOUNT_BYTES = 20;
const TRON_PREFIX = 0x41;
const base58check = createBase58check(sha256);

/**
 * The address in its canonical form, or undefined when it is none. All zeros are nobody's key on any chain: what is
 * sent there is lost. The network decides for Bitcoin only.
 */
export function canonicalAddress(
  addressType: 'evm' | 'sol' | 'btc' | 'tron',
  text: string,
  bitcoinNetwork: BitcoinNetwork,
): string | undefined {
  switch (addressType) {
    case 'evm':
      return canonicalEvmAddress(text);
    case 'sol':
      return canonicalSolanaAddress(text);
    case 'btc':
      return canonicalBitcoinAddress(text, bitcoinNetwork);
    case 'tron':
      return canonicalTronAddress(text);
  }
}

/** EIP-55. In one case only, a text has no checksum and is taken as it is; in mixed case the checksum must fit. */
export function canonicalEvmAddress(text: string): Address | undefined {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return undefined;
  const digits = text.slice(2);
  const address = getAddress(text.toLowerCase());
  if (address === zeroAddress) return undefined;
  const isUnchecked = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  return isUnchecked || address === text ? address : undefined;
}

/**
 * Base58 has one form for each key. Addresses of programs (off the curve) are taken: multisignature vaults are such.
 */
export function canonicalSolanaAddress(text: string): string | undefined {
  if (text.length > SOLANA_DIGITS_MAX) return undefined;
  const key = orUndefined(() => base58.decode(text));
  return key?.length === SOLANA_KEY_BYTES && key.some((byte) => byte !== 0) ? text : undefined;
}

/** P2PKH, P2SH, P2WPKH, P2WSH and P2TR; bech32 in lower case (BIP-173). Not pay-to-anchor, which anybody can spend. */
export function canonicalBitcoinAddress(text: string, network: BitcoinNetwork): string | undefined {
  const codec = bitcoinCodecs[network];
  return orUndefined(() => {
    const decoded = codec.decode(text);
    return decoded.type === 'p2a' ? undefined : codec.encode(decoded);
  });
}

/** Base58check of 0x41 and the 20 bytes that EVM chains use; the hex form of Tron's own tools is none. */
function canonicalTronAddress(text: string): string | undefined {
  if (text.length !== TRON_DIGITS) return undefined;
  const [prefix, ...account] = orUndefined(() => base58check.decode(text)) ?? [];
  const isAccount = prefix === TRON_PREFIX && account.length === TRON_ACCOUNT_BYTES;
  return isAccount && account.some((byte) => byte !== 0) ? text : undefined;
}

/** The decoders throw at whatever is not theirs. */
function orUndefined<Value>(decode: () => Value): Value | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}
