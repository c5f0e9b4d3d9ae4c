// Addresses of Solana. Knows no network and no node.
import { base58 } from '@scure/base';

/** The base58 text of an ed25519 public key (32 bytes). */
export function solanaAddress(publicKey: Uint8Array): string {
  if (publicKey.length !== 32) throw new Error('a Solana address needs a 32-byte public key');
  return base58.encode(publicKey);
}
