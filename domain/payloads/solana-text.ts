// Tells text that is signed on Solana as it is, without a prefix, from everything else: nothing but being text sets it
// apart from a transaction. As the nodes tell it (mpc/src/chains/solana_text.rs).
import { PAYLOAD_BYTES_MAX } from './limits.ts';
import { PayloadError } from './payload-error.ts';
import { requiredSigners } from './solana-message.ts';

/** Control characters but those between lines and words. */
const CONTROLS = /[^\P{Cc}\t\n\r]/u;

/** Throws `PayloadError`. */
export function assertSolanaText(bytes: Uint8Array): void {
  if (bytes.length > PAYLOAD_BYTES_MAX)
    throw new PayloadError(`message has ${bytes.length} bytes, and at most ${PAYLOAD_BYTES_MAX} can be signed.`);
  if (!isText(bytes)) throw new PayloadError('message is not text: it must be UTF-8 without control characters.');
  if (isTransaction(bytes)) throw new PayloadError('message is a transaction: have it signed as one.');
}

/** Well-formed UTF-8 that says something. */
export function isText(bytes: Uint8Array): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.length > 0 && !CONTROLS.test(text);
  } catch {
    return false;
  }
}

function isTransaction(bytes: Uint8Array): boolean {
  try {
    requiredSigners(bytes);
    return true;
  } catch (error) {
    if (error instanceof PayloadError) return false;
    throw error;
  }
}
