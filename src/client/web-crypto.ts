// Signs requests in a browser by a key that no script can read out again, as sign-request.ts does by the secret. Keeps
// the key for as long as the page holds the function.
import { toBase64 } from './base64.ts';
import { signedText } from './sign-request.ts';
import type { Authorize } from './transport.ts';

const hmac = { name: 'HMAC', hash: 'SHA-256' };
const bytesOf = (text: string) => new TextEncoder().encode(text);
const hexOf = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Browsers have what it takes on pages from HTTPS and from this machine alone. */
export async function authorizeInBrowser(apiKey: string, apiSecret: string): Promise<Authorize> {
  const key = await crypto.subtle.importKey('raw', bytesOf(apiSecret), hmac, false, ['sign']);
  return async (request, unixSeconds) => {
    const signature = await crypto.subtle.sign('HMAC', key, bytesOf(signedText(request, unixSeconds)));
    return {
      'ACCESS-API-KEY': apiKey,
      'ACCESS-TIMESTAMP': String(unixSeconds),
      'ACCESS-SIGN': toBase64(bytesOf(hexOf(new Uint8Array(signature)))),
    };
  };
}
