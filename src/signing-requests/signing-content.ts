// What a caller wants signed, read and checked, before anything is stored. Every sign route, and every item of a batch, becomes one of these.

import { PAYLOAD_BYTES_MAX } from '../../domain/payloads/limits.ts';
import { PayloadError } from '../../domain/payloads/payload-error.ts';
import type { NetworkRow } from '../../drizzle/networks/networks.ts';
import type { SigningPayload } from '../../workflows/sign.ts';
import { ApiError } from '../http/errors.ts';

export type Hex = `0x${string}`;

export interface SigningContent {
  /** What the nodes are shown. They compute from it what they sign; only a raw digest is signed as it is. */
  payload: SigningPayload;
  /** 0x and 64 hex digits, lower case. */
  signingHash: Hex;
  /** What `signingHash` is the hash of, as far as it is known: kept for audit. */
  unsignedTx: Hex;
}

export interface SigningIntent {
  network: NetworkRow;
  /** Where the signature may be valid: `network` first (valid-networks.ts). */
  validOn: readonly [NetworkRow, ...NetworkRow[]];
  content: SigningContent;
  /** Absent when the network's default applies. */
  path: readonly number[] | undefined;
}

/** Whole bytes in hex, with or without 0x. */
export function readHex(name: string, text: string): Hex {
  const digits = text.replace(/^0[xX]/, '');
  if (!/^([0-9a-fA-F]{2})*$/.test(digits))
    throw new ApiError('invalid_request', `${name} must be whole bytes in hex, with or without 0x.`);
  return `0x${digits.toLowerCase()}`;
}

export const sizeOf = (hex: Hex) => (hex.length - 2) / 2;

export function assertFits(name: string, sizeBytes: number): void {
  if (sizeBytes > PAYLOAD_BYTES_MAX)
    throw new ApiError(
      'invalid_request',
      `${name} has ${sizeBytes} bytes, and at most ${PAYLOAD_BYTES_MAX} can be signed.`,
    );
}

/** Reads with the code of payloads/: what that refuses is the caller's mistake. */
export function orInvalidRequest<Content>(read: () => Content): Content {
  try {
    return read();
  } catch (error) {
    if (error instanceof PayloadError) throw new ApiError('invalid_request', error.message);
    throw error;
  }
}
