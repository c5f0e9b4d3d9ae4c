// Goal: the digest that the API stores for a message is the one of EIP-191, version 0x45, for text and for bytes.
// Method: published vectors (the documentation of web3.js for "Hello World", of ExWeb3EcRecover for the others), then
// generated messages against viem.
import * as fc from 'fast-check';
import { hashMessage, toHex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApi, type TestApi } from '../support/api/api.ts';
import { type SignCall, signCall } from '../support/api/sign.ts';

const network_internal_code = 'ETHEREUM_SANDBOX';

let api: TestApi;
let signMessage: SignCall;
let alias: SignCall;
beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1' });
  const walletId = await api.makeActiveWallet();
  signMessage = signCall(api, 'signMessage', walletId);
  alias = signCall(api, 'sign', walletId);
});
afterAll(() => api.stop());

const vectors = [
  ['Hello World', 'utf8', '0xa1de988600a42c4b4ab089b619297c17d53cffae5d5120d82d8a92d0bb3b78f2'],
  ['hello world', 'utf8', '0xd9eba16ed0ecae432b71fe008c98cc872bb4cc214d3220a36f365326cf807d68'],
  [
    '0x0cc175b9c0f1b6a831c399e26977266192eb5ffee6ae2fec3ad71c777531578f',
    'hex',
    '0x45ae8a2c05772a03b0ea9296f9e55413c496795ce833293a1f52b7df652044ce',
  ],
] as const;

test.each(vectors)('%s as %s', async (message, encoding, digest) => {
  const answer = await signMessage({ network_internal_code, message, encoding });
  expect(answer.body.data.signing_request.signing_hash).toBe(digest);
  const call = await alias({ method: 'personal_sign', message, chain_id: 31337 });
  expect(call.body.data.signing_request.signing_hash).toBe(digest);
});

test('any text, in any script', async () => {
  // JSON carries U+0000 too, but the API refuses it in bodies: such a message is sent as bytes.
  const text = fc.string({ unit: 'grapheme', maxLength: 300 }).filter((value) => !value.includes('\0'));
  await fc.assert(
    fc.asyncProperty(text, async (message) => {
      const answer = await signMessage({ network_internal_code, message });
      expect(answer.body.data?.signing_request.signing_hash).toBe(hashMessage(message));
    }),
    { numRuns: 60 },
  );
});

test('any bytes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      const answer = await signMessage({ network_internal_code, message: toHex(bytes), encoding: 'hex' });
      expect(answer.body.data?.signing_request.signing_hash).toBe(hashMessage({ raw: bytes }));
    }),
    { numRuns: 60 },
  );
});
