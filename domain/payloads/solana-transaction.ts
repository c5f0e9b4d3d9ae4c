// Reads a whole Solana transaction, as wallets and their callers pass it on: places for signatures, then the message.
// The signatures that are there already are not looked at.
import { PayloadError } from './payload-error.ts';
import { requiredSigners } from './solana-message.ts';

const SIGNATURE_BYTES = 64;
/** Of a packet: more signatures than this fit in none, so that their number has one byte. */
const SIGNATURES_MAX = 0x7f;

/** The message in it. Throws `PayloadError` unless the bytes are one whole transaction with a place for each signer. */
export function messageOfTransaction(transaction: Uint8Array): Uint8Array {
  const places = transaction[0] ?? 0;
  const message = transaction.subarray(1 + places * SIGNATURE_BYTES);
  if (places === 0 || places > SIGNATURES_MAX || message.length === 0)
    throw new PayloadError('The bytes are no serialized Solana transaction, which begins with its signatures.');
  const signers = requiredSigners(message).length;
  if (signers !== places)
    throw new PayloadError(`The transaction has places for ${places} signatures, and its message needs ${signers}.`);
  return message;
}
