// Addresses of EVM chains. Knows no network and no node.

import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToHex } from 'viem';
import { publicKeyToAddress } from 'viem/accounts';

/** EIP-55 address of a compressed secp256k1 public key (33 bytes). */
export function evmAddress(publicKey: Uint8Array): string {
  return publicKeyToAddress(bytesToHex(secp256k1.Point.fromBytes(publicKey).toBytes(false)));
}
