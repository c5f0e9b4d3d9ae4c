// Goal: a key made for callers of old may sign as they do, without the query and without a body of {}, and no other key
// may. Method: requests signed by hand against the API on a real database.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApi, type TestApi } from '../../support/api/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const now = () => Math.floor(Date.now() / 1000);

async function get(headers: Record<string, string>, url: string): Promise<number> {
  return (await api.app.inject({ method: 'GET', url, headers })).statusCode;
}

test('a legacy key may sign the path without its query, others may not', async () => {
  const walletId = await api.makeActiveWallet();
  const [path, query] = [`/api/v1/wallets/${walletId}/address`, '?address_type=evm'];
  const legacy = await api.makeKey({ scopes: ['wallets:read'], legacyPathSigning: true });
  const plain = await api.makeKey({ scopes: ['wallets:read'] });
  for (const [key, status] of [
    [legacy, 200],
    [plain, 401],
  ] as const) {
    const timestamp = String(now());
    const sign = createHmac('sha256', key.apiSecret)
      .update(`method=GET&path=${path}&timestamp=${timestamp}&body=`)
      .digest('hex');
    const headers = { 'access-api-key': key.apiKey, 'access-timestamp': timestamp, 'access-sign': sign };
    expect(await get(headers, path + query)).toBe(status);
  }
});

test('a legacy key may sign nothing for a body of {}, others may not', async () => {
  const path = `/api/v1/workspaces/${api.workspaceId}/withdrawals/unfreeze`;
  const legacy = await api.makeKey({ scopes: ['workspace:admin'], legacyPathSigning: true });
  const plain = await api.makeKey({ scopes: ['workspace:admin'] });
  for (const [key, rawBody, status] of [
    [legacy, '{}', 200],
    [legacy, '{ }', 401],
    [plain, '{}', 401],
  ] as const) {
    const timestamp = String(now());
    const sign = createHmac('sha256', key.apiSecret)
      .update(`method=POST&path=${path}&timestamp=${timestamp}&body=`)
      .digest('hex');
    expect(
      (
        await api.call('POST', path, undefined, {
          key,
          rawBody,
          headers: { 'access-timestamp': timestamp, 'access-sign': sign },
        })
      ).status,
    ).toBe(status);
  }
});

test('a legacy key may sign as all others do, under both of its secrets, and no other form', async () => {
  const path = `/api/v1/workspaces/${api.workspaceId}/wallets?limit=1`;
  const key = await api.makeKey({ scopes: ['wallets:read'], legacyPathSigning: true });
  const signedAs = async (signedPath: string, apiSecret: string) => {
    const timestamp = String(now());
    const canonical = `method=GET&path=${signedPath}&timestamp=${timestamp}&body=`;
    const sign = createHmac('sha256', apiSecret).update(canonical).digest('hex');
    return get({ 'access-api-key': key.apiKey, 'access-timestamp': timestamp, 'access-sign': sign }, path);
  };
  const self = await api.call('GET', '/api/v1/api-keys/self', undefined, { key });
  const rotated = await api.call('POST', `/api/v1/api-keys/${self.body.data.id}/rotate`, {});
  for (const apiSecret of [key.apiSecret, rotated.body.data.api_secret])
    for (const [signedPath, status] of [
      [path, 200],
      [path.split('?', 1)[0] ?? '', 200],
      [`${path}0`, 401],
    ] as const)
      expect(await signedAs(signedPath, apiSecret)).toBe(status);
});
