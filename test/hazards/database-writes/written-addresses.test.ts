// Goal: an address that was written by SQL is never shown as a wallet's own, nor taken from; and rows of before there
// were seals are sealed once, not again for whoever writes more of them. Method: the API on a real database, whose rows
// are changed as their owner could.
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { assets } from '../../../drizzle/networks/assets.ts';
import { rowSealing } from '../../../drizzle/sealed-rows/row-sealing.ts';
import { walletAssets } from '../../../drizzle/wallets/wallet-assets.ts';
import { findSealedAddress } from '../../../drizzle/wallets/wallet-keys.ts';
import { walletAddresses, wallets } from '../../../drizzle/wallets/wallets.ts';
import { describeSealing, resealRows, sealRows } from '../../../src/commands/seal-rows.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { testSeals } from '../../support/rows/seals.ts';

const thief = '0x000000000000000000000000000000000000dEaD';
const own = /^0x[0-9a-fA-F]{40}$/;

let api: TestApi;
let walletId: string;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
  walletId = await api.makeActiveWallet();
});

const get = (path: string) => api.call('GET', `/api/v1${path}`);
const shown = () => [
  `/wallets/${walletId}/deposit-address`,
  `/wallets/${walletId}/address`,
  `/web3/wallet-detail/${walletId}`,
];

test('a deposit address that was changed is an error, not an answer', async () => {
  for (const path of shown()) expect((await get(path)).body.data.address).toMatch(own);
  await api.db.update(walletAddresses).set({ address: thief }).where(eq(walletAddresses.walletId, walletId));
  for (const path of shown()) {
    const { status, body } = await get(path);
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toContain(thief);
  }
});

test('that of another wallet of ours, with its seal, is none of this one', async () => {
  const other = await api.makeActiveWallet();
  const [row] = await api.db.select().from(walletAddresses).where(eq(walletAddresses.walletId, other));
  await api.db.delete(walletAddresses).where(eq(walletAddresses.walletId, walletId));
  await api.db.insert(walletAddresses).values({ ...row, walletId, addressType: 'evm' } as never);
  for (const path of shown()) expect((await get(path)).status).toBe(500);
});

test('an attached asset that names another address is not shown', async () => {
  const [asset] = await api.db.select().from(assets).where(eq(assets.symbol, 'USDC')).limit(1);
  const attached = await api.call('POST', `/api/v1/wallets/${walletId}/assets`, { asset_id: asset?.id });
  expect(attached.status).toBe(201);
  expect((await get(`/wallets/${walletId}/assets`)).status).toBe(200);
  await api.db.update(walletAssets).set({ address: thief }).where(eq(walletAssets.walletId, walletId));
  const { status, body } = await get(`/wallets/${walletId}/assets`);
  expect(status).toBe(500);
  expect(JSON.stringify(body)).not.toContain(thief);
});

test('a wallet that was moved to another workspace shows nothing there', async () => {
  const { workspaceId, key } = await api.makeWorkspace();
  await api.db.update(wallets).set({ workspaceId }).where(eq(wallets.id, walletId));
  for (const path of shown()) expect((await api.call('GET', `/api/v1${path}`, undefined, { key })).status).toBe(500);
});

test('rows of before are sealed once: what is written later without a seal stays void', async () => {
  const sealed = () => findSealedAddress(api.db, testSeals, { workspaceId: api.workspaceId, id: walletId }, 'evm');
  await api.db.update(wallets).set({ seal: null }).where(eq(wallets.id, walletId));
  await api.db.update(walletAddresses).set({ seal: null }).where(eq(walletAddresses.walletId, walletId));
  await expect(sealed()).rejects.toThrow('was not written by this service');
  // As the migration leaves a database that has workspaces.
  await api.db.delete(rowSealing);
  expect(describeSealing(await sealRows(api.db, testSeals))).toMatch(/sealed: .*wallet address/);
  expect((await sealed())?.address).toMatch(own);

  const foreign = { walletId, addressType: 'evm' as const, address: thief, derivationPath: 'm', seal: null };
  await api.db.delete(walletAddresses).where(eq(walletAddresses.walletId, walletId));
  await api.db.insert(walletAddresses).values(foreign);
  expect(describeSealing(await sealRows(api.db, testSeals))).toContain('are sealed once');
  await expect(sealed()).rejects.toThrow('was not written by this service');
  const { broken } = await resealRows(api.db, testSeals);
  expect(broken).toContain(`wallet_address ${walletId}/evm`);
});
