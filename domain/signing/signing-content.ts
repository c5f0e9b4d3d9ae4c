// What a caller wants signed: read and checked, and not yet stored.
import type { SigningPayload } from './signing-payload.ts';

export interface SigningContent {
  /** What the nodes are shown. They compute from it what they sign; only a raw digest is signed as it is. */
  payload: SigningPayload;
  /** 0x and 64 hex digits, lower case. */
  signingHash: `0x${string}`;
  /** What `signingHash` is the hash of, as far as it is known: kept for audit. */
  unsignedTx: `0x${string}`;
}
