// Computes the three headers that authenticate a request. Sends nothing and keeps no secret.
import { createHmac } from 'node:crypto';

export type Credentials = { apiKey: string; apiSecret: string };
export type SignableRequest = { method: string /** With the query string, as sent. */; path: string; body: string };

/**
 * For HTTP code of one's own, too. `path` begins with /api/v1, `body` is the text that is sent, empty for none, and the
 * service takes each signature of a write once: two equal writes need two seconds.
 */
export function signRequest(credentials: Credentials, request: SignableRequest, unixSeconds: number) {
  const canonical = `method=${request.method}&path=${request.path}&timestamp=${unixSeconds}&body=${request.body}`;
  const hex = createHmac('sha256', credentials.apiSecret).update(canonical).digest('hex');
  return {
    'ACCESS-API-KEY': credentials.apiKey,
    'ACCESS-TIMESTAMP': String(unixSeconds),
    'ACCESS-SIGN': Buffer.from(hex).toString('base64'),
  };
}
