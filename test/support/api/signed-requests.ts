// Requests about wallets, signed as a caller would sign them and still plain data: a test alters them before they are
// sent.
import { createHmac } from 'node:crypto';
import { wallets } from '../../../drizzle/wallets/wallets.ts';
import type { TestApi, TestKey } from './api.ts';

export const WALLETS = '/api/v1/wallets';

export interface Sent {
  method: string;
  url: string;
  payload: string;
  headers: Record<string, string>;
}

export const unixSeconds = () => Math.floor(Date.now() / 1000);

export function signed({ method, url, payload }: Omit<Sent, 'headers'>, key: TestKey): Sent {
  const timestamp = String(unixSeconds());
  const hex = createHmac('sha256', key.apiSecret)
    .update(`method=${method}&path=${url}&timestamp=${timestamp}&body=${payload}`)
    .digest('hex');
  const headers = { 'access-api-key': key.apiKey, 'access-timestamp': timestamp, 'access-sign': hex };
  return {
    method,
    url,
    payload,
    headers: { ...headers, ...(payload === '' ? {} : { 'content-type': 'application/json' }) },
  };
}

let made = 0;
/** Another one each time. */
export const walletBody = () => {
  made += 1;
  return { name: `wallet ${made}`, wallet_type: 'mpc' };
};

/** Another one each time. */
export const write = ({ admin }: TestApi, key = admin): Sent =>
  signed({ method: 'POST', url: WALLETS, payload: JSON.stringify(walletBody()) }, key);
export const read = ({ workspaceId, admin }: TestApi): Sent =>
  signed(
    { method: 'GET', url: `/api/v1/workspaces/${workspaceId}/wallets?limit=2&sort_order=asc`, payload: '' },
    admin,
  );

/** The status of the answer. */
export async function send({ app }: TestApi, { method, url, payload, headers }: Sent): Promise<number> {
  const response = await app.inject({
    method: method as 'GET',
    url,
    headers,
    ...(payload === '' ? {} : { payload }),
  });
  return response.statusCode;
}

export const withHeader = (sent: Sent, name: string, value: string): Sent => ({
  ...sent,
  headers: { ...sent.headers, [name]: value },
});

export const countWallets = async ({ db }: TestApi) => (await db.select().from(wallets)).length;
