// A recipient of its own for every payment, so that whoever was paid twice is seen. Nobody has their keys.
import { randomBytes } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { base58, bech32 } from '@scure/base';
import { getAddress, toHex } from 'viem';

export function anyRecipient(networkCode: string): string {
  if (networkCode === 'ETHEREUM_SANDBOX') return getAddress(toHex(randomBytes(20)));
  if (networkCode === 'SOL_SANDBOX') return base58.encode(ed25519.getPublicKey(randomBytes(32)));
  // Pays to the hash of a key, in the form of a regression test network.
  return bech32.encode('bcrt', [0, ...bech32.toWords(randomBytes(20))]);
}
