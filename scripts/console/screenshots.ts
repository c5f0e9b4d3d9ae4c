// `npm run screenshots`: a picture of every page of the console, dark and light, wide and as on a phone, in
// build/screenshots/. Beside a running `npm start`, whose workspace it gives something to show.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CountersignClient } from '../../src/client/client.ts';
import { findChromium, startBrowser } from '../../test/support/browser/chromium.ts';
import {
  everyPage,
  type Key,
  show,
  signIn,
  type Things,
  untilLoaded,
} from '../../test/support/browser/console-pages.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = join(root, 'build/screenshots');
const NAME = 'for the pictures';
const NETWORK = 'ETHEREUM_SANDBOX';
const STRANGER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const devices = { wide: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };

interface Credentials {
  base_url: string;
  api_key: string;
  api_secret: string;
}

async function makeThings(client: CountersignClient): Promise<Things> {
  const walletId = await findOrMakeWallet(client);
  const asked = await client.signMessage(walletId, { network_internal_code: NETWORK, message: 'Good morning' });
  const webhooks = '/api/v1/workspaces/{workspace_id}/webhooks' as const;
  const [existing] = await client.get(webhooks);
  const url = 'http://127.0.0.1:9/nobody-listens';
  const body = { url, events: ['wallet.created' as const], description: NAME };
  const webhook = existing ?? (await client.post(webhooks, { body }));
  await makePolicies(client);
  return {
    walletId,
    signingRequestId: asked.signing_request.id,
    withdrawalId: await findOrAskWithdrawal(client, walletId),
    webhookId: webhook.id,
    exportId: await makeExports(client),
  };
}

async function findOrAskWithdrawal(client: CountersignClient, walletId: string): Promise<string> {
  for await (const { id } of client.list('/api/v1/workspaces/{workspace_id}/withdrawals')) return id;
  const { withdrawal } = await client.post('/api/v1/wallets/{wallet_id}/request-withdrawal', {
    path: { wallet_id: walletId },
    body: { asset: 'ETH', network: NETWORK, amount: '0.25', recipient_address: STRANGER, notes: 'a first payment' },
  });
  return withdrawal.id;
}

/** Versions that differ, of which the last one allows what is done here. */
async function makePolicies(client: CountersignClient): Promise<void> {
  for await (const _ of client.policyVersions({ limit: 1 })) return;
  const noRaw = { name: 'no blind signatures', when: { payload_kinds: ['raw_digest' as const] }, then: deny };
  const known = { name: 'known destinations', when: { destination: { in_address_book: true } }, then: allow };
  const other = { ...known, when: { ...known.when, operations: ['withdrawal' as const] } };
  await client.setPolicy({ rules: [known, noRaw], default: allow });
  await client.setPolicy({ rules: [noRaw, other], default: allow });
}

const [allow, deny] = [{ action: 'allow' as const }, { action: 'deny' as const }];

/** Answers the id of one that is completed. */
async function makeExports(client: CountersignClient): Promise<string> {
  const { id } = await client.startExport({ content: 'transactions', format: 'csv' }).wait();
  for await (const _ of client.exportSchedules()) return id;
  const monthly = { cron: '30 6 1 * *', time_zone: 'Europe/Zurich', window: 'previous_month' as const };
  await client.createExportSchedule({ content: 'transactions', format: 'csv', ...monthly });
  return id;
}

async function findOrMakeWallet(client: CountersignClient): Promise<string> {
  for await (const { id } of client.wallets({ name: NAME })) return id;
  const { wallet_id: id } = await client.createWallet({ name: NAME }).wait();
  const assets = await client.get('/api/v1/assets', { query: { symbol: ['ETH'] } });
  const ether = assets.find(({ network }) => network.internal_code === 'ETHEREUM_SANDBOX');
  if (ether === undefined) throw new Error('This service has no sandbox: run `npm start`.');
  await client.post('/api/v1/sandbox/faucet', { body: { wallet_id: id, asset_id: ether.id, amount: '10' } });
  for (;;) {
    const balances = await client.get('/api/v1/wallets/{wallet_id}/balances', { path: { wallet_id: id } });
    if (balances.some(({ available }) => Number(available) > 0)) return id;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function takePictures(program: string, baseUrl: string, key: Key, things: Things): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const browser = await startBrowser(program);
  for (const [device, viewport] of Object.entries(devices))
    for (const colorScheme of ['light', 'dark'] as const) {
      const window = await browser.open(baseUrl, { viewport, colorScheme });
      const page = await window.newPage();
      const picture = (name: string) => join(folder, `${name}-${device}-${colorScheme}.png`);
      await page.goto('/console');
      await untilLoaded(page);
      await page.screenshot({ path: picture('sign-in'), fullPage: true });
      await signIn(page, key);
      for (const [name, path] of Object.entries(everyPage(things))) {
        await show(page, path);
        await page.screenshot({ path: picture(name), fullPage: true });
      }
      for (const complaint of window.complaints) console.log(`${device}, ${colorScheme}: ${complaint}`);
      await window.close();
    }
  await browser.close();
}

const file = join(root, '.local/credentials.json');
if (!existsSync(file)) throw new Error('There are no pictures: run `npm start` first, and leave it running.');
const { base_url, api_key, api_secret } = JSON.parse(readFileSync(file, 'utf8')) as Credentials;
const key = { apiKey: api_key, apiSecret: api_secret };
const chromium = await findChromium();
if ('missing' in chromium) throw new Error(`There are no pictures: ${chromium.missing}.`);
await takePictures(
  chromium.program,
  base_url,
  key,
  await makeThings(new CountersignClient({ baseUrl: base_url, ...key })),
);
console.log(`The pictures are in ${folder}.`);
