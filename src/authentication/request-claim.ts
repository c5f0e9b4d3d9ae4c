// What a request says about itself in its three headers: which key, when, with which signature. Judges their form and
// the clock, and asks nobody.
import type { FastifyRequest } from 'fastify';
import { CLOCK_SKEW_MAX_SECONDS } from '../../domain/time-limits.ts';
import { AuthenticationError } from '../http/errors.ts';

const HEX_LENGTH = 64;
const BASE64_OF_HEX_LENGTH = 88;

export interface Claim {
  apiKey: string;
  timestamp: string;
  signature: Buffer;
}

export function readClaim(request: FastifyRequest): Claim {
  const apiKey = singleHeader(request, 'access-api-key');
  const timestamp = singleHeader(request, 'access-timestamp');
  const signature = decodeSignature(singleHeader(request, 'access-sign'));
  if (!/^\d{1,12}$/.test(timestamp)) throw new AuthenticationError('malformed timestamp');
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > CLOCK_SKEW_MAX_SECONDS)
    throw new AuthenticationError('timestamp skew');
  return { apiKey, timestamp, signature };
}

/** Node joins a header that is there twice with a comma, which no value of ours holds: what follows refuses it. */
function singleHeader(request: FastifyRequest, name: 'access-api-key' | 'access-timestamp' | 'access-sign'): string {
  const value = request.headers[name];
  if (typeof value !== 'string' || value === '' || value.includes(','))
    throw new AuthenticationError(`missing or repeated header ${name}`);
  return value;
}

/**
 * Hex, or base64 of that hex text, told apart by length. Only the one spelling that base64 has: a decoder would skip
 * foreign characters.
 */
function decodeSignature(text: string): Buffer {
  const isBase64 = text.length === BASE64_OF_HEX_LENGTH;
  const hex = isBase64 ? Buffer.from(text, 'base64').toString('latin1') : text;
  if (hex.length !== HEX_LENGTH || !/^[0-9a-fA-F]+$/.test(hex)) throw new AuthenticationError('malformed signature');
  if (isBase64 && Buffer.from(hex, 'latin1').toString('base64') !== text)
    throw new AuthenticationError('malformed signature');
  return Buffer.from(hex, 'hex');
}
