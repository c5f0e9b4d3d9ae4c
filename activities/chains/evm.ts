// Addresses of EVM chains. Knows no network and no node.
import { publicKeyToAddress } from 'viem/accounts';
import { bytesToHex } from 'viem';
import { secp256k1 } from '@noble/curves/secp256k1.js';

/** EIP-55 address of a compressed secp256k1 public key (33 bytes). */
export function evmAddress(publicKey: Uint8Array): string {
  return publicKeyToAddress(bytesToHex(secp256k1.Point.fromBytes(publicKey).toBytes(false)));
}
