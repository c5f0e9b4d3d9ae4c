// Tells a message that is a digest and nothing else, which nobody can read: under the prefix of EIP-191 a Safe and
// ERC-4337 accounts take 32 bytes for the approval of whatever they are the hash of, and other contracts take its hex
// digits as text. As the nodes' policy tells it.

import { isOffchain, readOffchain } from './solana-offchain.ts';

/** 32 bytes; or 64 hex digits in ASCII, with or without 0x. */
const DIGEST = /^0x([0-9a-f]{64}|(30(78|58))?(3[0-9]|[46][1-6]){64})$/i;

/** `hex`: the bytes of the message, with 0x. */
const isDigest = (hex: string) => DIGEST.test(hex);

/** Whether a payload is a message that is a digest and nothing else, also within the envelope of Solana. */
export function isBlindMessage(payload: { kind: string } | { kind: string; hex: string }): boolean {
  if (!('hex' in payload)) return false;
  if (payload.kind === 'evm_message') return isDigest(payload.hex);
  return payload.kind === 'solana_message' && isDigest(saidOnSolana(payload.hex));
}

function saidOnSolana(hex: string): string {
  const bytes = Buffer.from(hex.slice(2), 'hex');
  return isOffchain(bytes) ? `0x${Buffer.from(readOffchain(bytes).body).toString('hex')}` : hex;
}
