// Goal: the console says which nodes made a signature, how the nodes are, and when one has banned another or their
// policies differ. Method: a real Chromium at the API in this process, over rows as the worker leaves them.
import { eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type NodeReport, saveNodeHealth } from '../../../drizzle/observability/node-health.ts';
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

  const POLICY = 'ab'.repeat(32);
  const report = (node: number, more: Partial<NodeReport> = {}): NodeReport => ({
    cluster: 'main',
    node,
    threshold: 2,
    status: 'up',
    version: '0.1.0',
    policySha256: POLICY,
    answerMs: 3,
    signingMs: 41,
    ...more,
  });
  const tell = (...reports: NodeReport[]) => saveNodeHealth(api.db, reports);
  /** Not what it has read before: it reads the status again after a while. */
  async function showAnew(path: string): Promise<void> {
    await page.reload();
    await signIn(page, api.admin);
    await show(page, path);
  }

  test('the page of the nodes shows how each is', async () => {
    await tell(
      report(1),
      report(2, { signingMs: null }),
      report(3, { status: 'down', error: 'it is away', answerMs: null, policySha256: null, version: null }),
    );
    await showAnew('/nodes');
    const rows = await page.getByRole('table', { name: 'Nodes' }).locator('tbody tr').all();
    const shown = await Promise.all(rows.map((row) => row.locator('td').allTextContents()));
    const [first = [], second = [], third = []] = shown;
    expect(first.slice(0, 3)).toEqual(['1 of main', 'up', '0.1.0']);
    expect(first[3]).toMatch(/^abab.*Copy$/);
    expect(first.slice(4, 8)).toEqual(['3 ms', '41 ms', 'none', '—']);
    expect(second.slice(4, 6)).toEqual(['3 ms', '—']);
    expect(third.slice(1, 8)).toEqual(['down', '—', '—', '—', '41 ms', 'none', 'it is away']);
    expect(await page.getByText('sign by different policies').count()).toBe(0);
    expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBeLessThanOrEqual(0);
    await show(page, '/');
    await page.getByText('Node 3 of the cluster main', { exact: true }).waitFor();
    expect(await page.getByText('different policies').count()).toBe(0);
    expect(await page.getByText('does not sign with').count()).toBe(0);
  });

  test('a ban and policies that differ stand on the first page and on that of the nodes', async () => {
    await tell(report(1, { bans: 4, bannedNodes: [2, 3] }), report(2), report(3, { policySha256: 'cd'.repeat(32) }));
    await showAnew('/');
    await page.getByText('Node 1 of the cluster main does not sign with nodes 2 and 3 any more').waitFor();
    await page.getByRole('link', { name: 'The nodes of the cluster main sign by different policies' }).click();
    await page.getByText('The nodes of the cluster main sign by different policies.', { exact: true }).waitFor();
    await page.getByRole('cell', { name: '2, 3', exact: true }).waitFor();
  });
});
