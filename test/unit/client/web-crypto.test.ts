// Goal: a browser's signature by a key that cannot be read out is the one that the client makes by the secret. Method:
// Node.js has the same Web Crypto; generated requests, with bytes beyond ASCII.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { signRequest } from '../../../src/client/sign-request.ts';
import { authorizeInBrowser } from '../../../src/client/web-crypto.ts';

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
