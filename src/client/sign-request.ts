// Computes the three headers that authenticate a request. Sends nothing and keeps no secret. Runs in browsers too.
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { toBase64 } from './base64.ts';

export type Credentials = { apiKey: string; apiSecret: string };
export type SignableRequest = { method: string /** With the query string, as sent. */; path: string; body: string };

/** What a signature is of. */
export function signedText({ method, path, body }: SignableRequest, unixSeconds: number): string {
  return `method=${method}&path=${path}&timestamp=${unixSeconds}&body=${body}`;
}

/**
 * For HTTP code of one's own, too. `path` begins with /api/v1, `body` is the text that is sent, empty for none, and the
 * service takes each signature of a write once: two equal writes need two seconds.
 */
export function signRequest(credentials: Credentials, request: SignableRequest, unixSeconds: number) {
  const text = utf8ToBytes(signedText(request, unixSeconds));
  const hex = bytesToHex(hmac(sha256, utf8ToBytes(credentials.apiSecret), text));
  return {
    'ACCESS-API-KEY': credentials.apiKey,
    'ACCESS-TIMESTAMP': String(unixSeconds),
    'ACCESS-SIGN': toBase64(utf8ToBytes(hex)),
  };
}
