// Goal: the console says which nodes made a signature. Method: a real Chromium at the API in this process, over rows as
// the worker leaves them.
import { eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signingRequests } from '../../../drizzle/signing-requests/signing-requests.ts';
import { withdrawals } from '../../../drizzle/withdrawals/withdrawals.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { findChromium, startBrowser, type TestBrowser } from '../../support/browser/chromium.ts';
import { show, signIn } from '../../support/browser/console-pages.ts';
import { connectNetwork, credit, sandbox } from '../../support/rows/funded.ts';

const chromium = await findChromium();
if ('missing' in chromium) console.log(`The console is not looked at: ${chromium.missing}.`);

describe.skipIf('missing' in chromium)('the console in a browser', () => {
  let api: TestApi;
  let walletId: string;
  let browser: TestBrowser;
  let page: Page;
  beforeAll(async () => {
    api = await startApi({ temporalAddress: '127.0.0.1:1' });
    await connectNetwork(api.db, sandbox.ETH.networkId);
    walletId = await api.makeActiveWallet();
    await credit(api.db, walletId, sandbox.ETH, 10n ** 19n);
    const address = await api.app.listen({ host: '127.0.0.1', port: 0 });
    browser = await startBrowser('program' in chromium ? chromium.program : '');
    page = await (await browser.open(address, {})).newPage();
    await signIn(page, api.admin);
  });
  afterAll(async () => {
    await browser?.close();
    await api?.stop();
  });

  const made = async (path: string, body: object) => (await api.call('POST', `/api/v1${path}`, body)).body.data;
  const fact = (name: string) => page.locator('.facts div', { has: page.getByText(name, { exact: true }) });

  test('a signing request names the nodes that signed, once that is known', async () => {
    const { signing_request: signing } = await made(`/web3/transaction/${walletId}/signMessage`, {
      network_internal_code: 'ETHEREUM_SANDBOX',
      message: 'who signs this?',
    });
    await show(page, `/signing-requests/${signing.id}`);
    expect(await fact('Signed by nodes').count()).toBe(0);
    await api.db
      .update(signingRequests)
      .set({ signedByNodes: [1, 3] })
      .where(eq(signingRequests.id, signing.id));
    await show(page, '/signing-requests');
    await show(page, `/signing-requests/${signing.id}`);
    await fact('Signed by nodes').getByText('1, 3', { exact: true }).waitFor();
  });

  test('a withdrawal does, too', async () => {
    const { withdrawal } = await made(`/wallets/${walletId}/request-withdrawal`, {
      asset_id: sandbox.ETH.assetId,
      amount: '0.25',
      recipient_address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    });
    await api.db
      .update(withdrawals)
      .set({ signedByNodes: [2, 3] })
      .where(eq(withdrawals.id, withdrawal.id));
    await show(page, `/withdrawals/${withdrawal.id}`);
    await fact('Signed by nodes').getByText('2, 3', { exact: true }).waitFor();
  });
});
