// Goal: what the client signs is what the service signs, and it takes a webhook only for what proves it. Method: the
// vectors that the packages of every language share; webhooks that the Standard Webhooks library signs, and Node's own
// Ed25519, each changed in one place.
import { generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { signRequest, verifyWebhook, WebhookRefusedError } from '../../../src/client/client.ts';

const file = resolve(import.meta.dirname, '../../conformance/client-packages/request-vectors.json');
const vectors = JSON.parse(readFileSync(file, 'utf8')) as {
  name: string;
  given: { api_key: string; api_secret: string; method: string; path: string; body: string; unix_seconds: number };
  access_sign: string;
}[];

test.each(vectors)('a request: $name', ({ given, access_sign }) => {
  const { api_key: apiKey, api_secret: apiSecret, unix_seconds, ...request } = given;
  expect(signRequest({ apiKey, apiSecret }, request, unix_seconds)['ACCESS-SIGN']).toBe(access_sign);
});

describe('a webhook', () => {
  const nowMs = 1_767_225_600_000;
  const secret = `whsec_${Buffer.alloc(24, 3).toString('base64')}`;
  const other = `whsec_${Buffer.alloc(24, 4).toString('base64')}`;
  const body = JSON.stringify({ type: 'webhook.ping', data: { name: 'Grüße 💶' } });
  const { privateKey, publicKey: key } = generateKeyPairSync('ed25519');
  const publicKey = key.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');
  const content = `id-1.${nowMs / 1000}.${body}`;
  const headers = {
    'webhook-id': 'id-1',
    'webhook-timestamp': String(nowMs / 1000),
    'webhook-signature': [
      new Webhook(other).sign('id-1', new Date(nowMs), body),
      new Webhook(secret).sign('id-1', new Date(nowMs), body),
      `v1a,${sign(null, Buffer.from(content), privateKey).toString('base64')}`,
    ].join(' '),
  };
  const at = { nowMs };

  test.each([
    ['its secret', { secret }],
    ['one of several secrets', { secret: [`whsec_${Buffer.alloc(24, 9).toString('base64')}`, secret] }],
    ['the key of the service', { publicKey }],
    ['the key of the service, as libraries take it', { publicKey: `whpk_${publicKey}` }],
  ])('is proven by %s', async (_by, keys) => {
    expect(await verifyWebhook({ body, headers }, keys, at)).toMatchObject({ type: 'webhook.ping' });
    const bytes = { body: Buffer.from(body), headers: new Headers(headers) };
    expect(await verifyWebhook(bytes, keys, at)).toMatchObject({ type: 'webhook.ping' });
  });

  test.each([
    ['another body', { body: `${body} ` }],
    ['another id', { headers: { ...headers, 'webhook-id': 'id-2' } }],
    ['another time', { headers: { ...headers, 'webhook-timestamp': String(nowMs / 1000 + 1) } }],
    ['no signature that is known', { headers: { ...headers, 'webhook-signature': 'v2,AAAA v1,%%% v1a,AAAA' } }],
    ['no headers', { headers: {} }],
  ])('is refused with %s', async (_what, changed) => {
    for (const keys of [{ secret }, { publicKey }, { secret, publicKey }])
      await expect(verifyWebhook({ body, headers, ...changed }, keys, at)).rejects.toThrow(WebhookRefusedError);
  });

  test.each([-301, 301])('is refused %i seconds away from its time', async (seconds) => {
    const then = { nowMs: nowMs + seconds * 1000 };
    await expect(verifyWebhook({ body, headers }, { secret }, then)).rejects.toThrow('more than 300 s');
    const near = { nowMs: nowMs + seconds * 990 };
    await expect(verifyWebhook({ body, headers }, { secret }, near)).resolves.toBeDefined();
  });

  test('is not judged without a key, or with one that is none', async () => {
    for (const keys of [{}, { secret: [] }, { secret: 'whsec_' }, { secret: 'whsec_%' }, { publicKey: 'AAAA' }])
      await expect(verifyWebhook({ body, headers }, keys, at)).rejects.toThrow(TypeError);
  });
});
