// Addresses of Tron. Knows no network and no node.
import { sha256 } from '@noble/hashes/sha2.js';
import { createBase58check } from '@scure/base';
import { hexToBytes } from 'viem';
import { evmAddress } from '../evm/key-address.ts';

const MAINNET_PREFIX = 0x41;

/** Base58check of 0x41 and the 20 bytes that EVM chains use, of a compressed secp256k1 public key (33 bytes). */
export function tronAddress(publicKey: Uint8Array): string {
  const account = hexToBytes(evmAddress(publicKey) as `0x${string}`);
  return createBase58check(sha256).encode(Uint8Array.of(MAINNET_PREFIX, ...account));
}
