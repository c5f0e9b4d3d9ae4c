// The console as somebody uses it: signing in, and the way to every page. Waits for what a person would see.
import type { Page } from 'playwright-core';

export interface Key {
  apiKey: string;
  apiSecret: string;
}

/** Things that have a page of their own, by their ids. */
export interface Things {
  walletId: string;
  signingRequestId: string;
  withdrawalId: string;
  webhookId: string;
  exportId: string;
}

export async function signIn(page: Page, { apiKey, apiSecret }: Key, address = '/console'): Promise<void> {
  await page.goto(address);
  await page.getByLabel('Key', { exact: true }).fill(apiKey);
  await page.getByLabel('Secret').fill(apiSecret);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

/** Every page, by a name for its picture. */
export const everyPage = ({ walletId, signingRequestId, withdrawalId, webhookId, exportId }: Things) => ({
  overview: '/',
  wallets: '/wallets',
  wallet: `/wallets/${walletId}`,
  'signing-requests': '/signing-requests',
  'signing-request': `/signing-requests/${signingRequestId}`,
  withdrawals: '/withdrawals',
  'new-withdrawal': '/withdrawals/new',
  withdrawal: `/withdrawals/${withdrawalId}`,
  transactions: '/transactions',
  exports: '/exports',
  export: `/exports/${exportId}`,
  'export-schedules': '/export-schedules',
  policy: '/policy',
  'policy-history': '/policy/history',
  users: '/users',
  passkeys: '/passkeys',
  webhooks: '/webhooks',
  webhook: `/webhooks/${webhookId}`,
  events: '/events',
  audit: '/audit',
  nodes: '/nodes',
  'no-such-page': '/no-such-page',
});

/** As a link of the console leads there: a new load of the page would end the session. */
export async function show(page: Page, path: string): Promise<void> {
  const address = `/console${path === '/' ? '' : path}`;
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(address)})`);
  await untilLoaded(page);
}

export async function untilLoaded(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('main:not(:has(.loading))').waitFor();
}

/** Where the page shows that something has this status. */
export const statusOn = (page: Page, status: string) => page.locator('main .status', { hasText: status }).first();
