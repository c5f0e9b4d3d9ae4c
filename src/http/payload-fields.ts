// Reads fields that carry bytes, and holds what is signed to the bounds of the nodes. What cannot be read is the
// caller's mistake.
import { PAYLOAD_BYTES_MAX } from '../../domain/payloads/limits.ts';
import { PayloadError } from '../../domain/payloads/payload-error.ts';
import { ApiError } from './errors.ts';

export type Hex = `0x${string}`;

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

/** Reads with the code of domain/payloads/: what that refuses is the caller's mistake. */
export function orInvalidRequest<Content>(read: () => Content): Content {
  try {
    return read();
  } catch (error) {
    if (error instanceof PayloadError) throw new ApiError('invalid_request', error.message);
    throw error;
  }
}
