// Reads a whole Solana transaction, as wallets and their callers pass it on: places for signatures, then the message.
// The signatures that are there already are not looked at.
import { SOLANA_MESSAGE_BYTES_MAX } from './limits.ts';
import { PayloadError } from './payload-error.ts';
import { requiredSigners } from './solana-message.ts';

const SIGNATURE_BYTES = 64;
/** Of a packet: more signatures than this fit in none, so that their number has one byte. */
const SIGNATURES_MAX = 0x7f;

/**
 * The message that is signed, of bytes that are it or a whole transaction with it. Throws `PayloadError` for anything
 * else, and for what could be read in both ways.
 */
export function messageToSign(bytes: Uint8Array): Uint8Array {
  if (bytes.length > SOLANA_MESSAGE_BYTES_MAX) {
    // Nothing larger fits into a packet, its signatures included.
    requiredSigners(bytes);
  }
  const inside = orUndefined(() => messageOfTransaction(bytes));
  if (inside === undefined) {
    requiredSigners(bytes);
    return bytes;
  }
  if (orUndefined(() => requiredSigners(bytes)) !== undefined)
    throw new PayloadError('unsigned_tx can be read as a transaction and as a message: send the message alone.');
  return inside;
}

function orUndefined<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof PayloadError) return undefined;
    throw error;
  }
}

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
