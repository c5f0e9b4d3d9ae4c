// Goal: a browser's signature by a key that cannot be read out is the one that the client makes by the secret, and the
// one of the reference page. Method: Node.js has the same Web Crypto; generated requests, with bytes beyond ASCII.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { signRequest } from '../../../src/client/sign-request.ts';
import { authorizeInBrowser } from '../../../src/client/web-crypto.ts';
import { signCall } from '../../../src/http/openapi/reference-page.ts';

const request = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PATCH'),
  path: fc.string({ unit: 'grapheme' }).map((text) => `/api/v1/wallets?name=${encodeURIComponent(text)}`),
  body: fc.string({ unit: 'grapheme' }),
});

test('the two make the same headers', async () => {
  await fc.assert(
    fc.asyncProperty(request, fc.string({ minLength: 1 }), fc.nat(), async (asked, apiSecret, second) => {
      const authorize = await authorizeInBrowser('a key', apiSecret);
      expect(await authorize(asked, second)).toEqual(signRequest({ apiKey: 'a key', apiSecret }, asked, second));
    }),
  );
});

test('the reference page signs the same text', async () => {
  const asked = { method: 'POST', path: '/api/v1/wallets?name=%C3%A9', body: '{"name":"é"}' };
  const headers = { 'ACCESS-API-KEY': 'a key', 'ACCESS-SIGN': 'a secret' };
  const { headers: signed } = await signCall({ url: asked.path, method: 'POST', headers, body: asked.body });
  const authorize = await authorizeInBrowser('a key', 'a secret');
  const ours = await authorize(asked, Number(signed['ACCESS-TIMESTAMP']));
  expect(Buffer.from(String(ours['ACCESS-SIGN']), 'base64').toString()).toBe(signed['ACCESS-SIGN']);
});
