// What a caller wants signed, read and checked, before anything is stored. Every sign route, and every item of a batch, becomes one of these.
import type { NetworkRow } from '../../drizzle/networks.ts';
import type { SignInput } from '../../workflows/sign.ts';
import { ApiError } from '../http/errors.ts';

export type Hex = `0x${string}`;

export interface SigningContent {
  /** What the nodes are shown. They compute from it what they sign; only a raw digest is signed as it is. */
  payload: SignInput['payload'];
  /** 0x and 64 hex digits, lower case. */
  signingHash: Hex;
  /** What `signingHash` is the hash of, as far as it is known: kept for audit. */
  unsignedTx: Hex;
}

export interface SigningIntent {
  network: NetworkRow;
  content: SigningContent;
  /** Absent when the network's default applies. */
  path: readonly number[] | undefined;
}

/** The nodes take payloads of at most 64 KiB (mpc/PROTOCOL.md). */
export const PAYLOAD_BYTES_MAX = 65_536;

/** Whole bytes in hex, with or without 0x. */
export function readHex(name: string, text: string): Hex {
  const digits = text.replace(/^0[xX]/, '');
  if (!/^([0-9a-fA-F]{2})*$/.test(digits))
    throw new ApiError('invalid_request', `${name} must be whole bytes in hex, with or without 0x.`);
  return `0x${digits.toLowerCase()}`;
}

export const sizeOf = (hex: Hex) => (hex.length - 2) / 2;

export function assertFits(name: string, sizeBytes: number, maxBytes = PAYLOAD_BYTES_MAX): void {
  if (sizeBytes > maxBytes)
    throw new ApiError('invalid_request', `${name} has ${sizeBytes} bytes, and at most ${maxBytes} can be signed.`);
}

/** A lone surrogate has no UTF-8: it would be signed as another character. */
export const isWellFormed = (text: string) => !/\p{Surrogate}/u.test(text);
