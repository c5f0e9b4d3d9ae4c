// Goal: every page of the console is usable by everybody, shows what callers named as text, says what a key may not
// read, bears a lost connection and long lists, and keeps nothing secret. Method: a real Chromium at the API in this
// process, over rows with hostile names; axe-core looks at each page, dark and light.
import axe, { type AxeResults } from 'axe-core';
import type { BrowserContext, Page } from 'playwright-core';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestApi, TestKey } from '../../support/api/api.ts';
import { sequenceOnce } from '../../support/api/events.ts';
import { type ExportsApi, startExports } from '../../support/api/exports.ts';
import { findChromium, startBrowser, type TestBrowser, type Watched } from '../../support/browser/chromium.ts';
import { everyPage, show, signIn, type Things, untilLoaded } from '../../support/browser/console-pages.ts';
import { ApprovalStage } from '../../support/rows/approvals.ts';
import { sealAudit } from '../../support/rows/audit.ts';
import { connectEveryNetwork, credit, sandbox } from '../../support/rows/funded.ts';
import { insertManyTransactions } from '../../support/rows/transactions.ts';

const HOSTILE = `"><img src=x onerror=window.hostile=1><script>window.hostile=1</script>'</code>{{7*7}}`;
const STRANGER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const MANY = 10_000;
const WORKFLOWS = 'https://temporal.example/namespaces/default/workflows';
/** Two lines of buttons, with what is around them. */
const HEADER_MAX_PIXELS = 110;

const chromium = await findChromium();
if ('missing' in chromium) console.log(`The console is not looked at: ${chromium.missing}.`);

describe.skipIf('missing' in chromium)('the console in a browser', () => {
  let setting: ExportsApi;
  let api: TestApi;
  let address: string;
  let things: Things;
  let browser: TestBrowser;
  beforeAll(async () => {
    setting = await startExports({ webhooks: { resolve: async () => [] }, workflowsUrl: WORKFLOWS });
    api = setting.api;
    await connectEveryNetwork(api.db);
    things = { ...(await makeHostileThings(api)), exportId: await makeExports(setting) };
    await sealAudit(api);
    address = await api.app.listen({ host: '127.0.0.1', port: 0 });
    browser = await startBrowser('program' in chromium ? chromium.program : '');
  });
  afterAll(async () => {
    await browser?.close();
    await setting?.stop();
  });

  async function open(
    key: TestKey = api.admin,
    options = {},
  ): Promise<{ page: Page; window: BrowserContext & Watched }> {
    const window = await browser.open(address, options);
    const page = await window.newPage();
    await signIn(page, key);
    return { page, window };
  }

  describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
    test('every page is without a fault that axe finds, runs no name, and asks nobody else', async () => {
      const { page, window } = await open(api.admin, { colorScheme });
      const faults: string[] = [];
      for (const [name, path] of Object.entries(everyPage(things))) {
        await show(page, path);
        await unfold(page);
        faults.push(...(await faultsOf(page)).map((fault) => `${name}: ${fault}`));
      }
      expect(faults).toEqual([]);
      expect(await page.evaluate('window.hostile')).toBeUndefined();
      expect(window.strangers).toEqual([]);
      expect(window.complaints).toEqual([]);
      await window.close();
    });

    test('every kind of button is readable under the mouse', async () => {
      const { page, window } = await open(api.admin, { colorScheme });
      await show(page, '/users');
      const kinds = { plain: 'Sign out', primary: 'Create user', dangerous: 'Freeze workspace' };
      const unreadable: string[] = [];
      for (const [kind, name] of Object.entries(kinds)) {
        await page.getByRole('button', { name, exact: true }).hover();
        unreadable.push(...(await faultsOf(page)).map((fault) => `${kind}: ${fault}`));
      }
      await page.getByRole('button', { name: 'Freeze workspace' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Freeze workspace' }).hover();
      unreadable.push(...(await faultsOf(page)).map((fault) => `in a dialog: ${fault}`));
      expect(unreadable).toEqual([]);
      await window.close();
    });

    test('where one signs in is as well', async () => {
      const window = await browser.open(address, { colorScheme });
      const page = await window.newPage();
      await page.goto('/console');
      await untilLoaded(page);
      expect(await faultsOf(page)).toEqual([]);
      await window.close();
    });
  });

  test('a dialog is without a fault, is left by Escape, and gives the focus back', async () => {
    const { page, window } = await open();
    const freeze = page.getByRole('button', { name: 'Freeze workspace' });
    await freeze.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    expect(await page.locator(':focus').textContent()).toBe('Freeze workspace');
    await window.close();
  });

  test('hostile names are shown as they are written', async () => {
    const { page, window } = await open();
    await show(page, `/wallets/${things.walletId}`);
    await page.getByRole('heading', { level: 1, name: HOSTILE }).waitFor();
    await page.getByRole('img', { name: 'as a QR code' }).waitFor();
    await show(page, `/withdrawals/${things.withdrawalId}`);
    await page.getByText(HOSTILE).first().waitFor();
    await show(page, `/signing-requests/${things.signingRequestId}`);
    await page.getByText(HOSTILE).first().waitFor();
    expect(await page.evaluate('window.hostile')).toBeUndefined();
    await window.close();
  });

  test('a signing request names its workflow, and leads to it in Temporal', async () => {
    const { page, window } = await open();
    await show(page, `/signing-requests/${things.signingRequestId}`);
    const workflowId = `sign-${things.signingRequestId}`;
    await page.getByText(workflowId).waitFor();
    const link = page.getByRole('link', { name: 'in Temporal' });
    expect(await link.getAttribute('href')).toBe(`${WORKFLOWS}/${workflowId}`);
    await window.close();
  });

  test('a signing request says who voted and when, and each of its steps', async () => {
    const { page, window } = await open();
    const stage = new ApprovalStage(api);
    const key = await stage.makeApprover();
    await show(page, `/signing-requests/${things.signingRequestId}`);
    expect(await page.locator('.steps > li').count()).toBe(1);
    const approved = await stage.decide('signing', things.signingRequestId, { verb: 'approve', key });
    expect(approved.status).toBe(200);
    await page.locator('.steps > li').nth(2).waitFor();
    const steps = await page.locator('.steps > li').allTextContents();
    expect(steps).toMatchObject(
      [/^Asked /, / approved /, /^Approval approved /].map((text) => expect.stringMatching(text)),
    );
    expect(await page.locator('.steps > li time').count()).toBe(3);
    expect(await page.locator('.tasks > li time').count()).toBe(1);
    await window.close();
  });

  test.each([360, 1280])('on a screen of %i pixels no page is wider', async (width) => {
    const { page, window } = await open(api.admin, { viewport: { width, height: 740 } });
    for (const [name, path] of Object.entries(everyPage(things))) {
      await show(page, path);
      await unfold(page);
      const tooWide = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
      expect([name, Math.max(0, tooWide)]).toEqual([name, 0]);
    }
    await window.close();
  });

  test('on a phone the header takes two lines, and the rest is in a menu', async () => {
    const { page, window } = await open(api.admin, { viewport: { width: 360, height: 740 } });
    expect((await page.locator('header.top').boundingBox())?.height).toBeLessThan(HEADER_MAX_PIXELS);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByLabel('Colours').waitFor();
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Audit' }).click();
    await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor();
    await window.close();
  });

  test('the secret is kept nowhere, and a reload forgets who was signed in', async () => {
    const { page, window } = await open();
    await show(page, '/wallets');
    expect(await page.evaluate('[Object.keys(localStorage), Object.keys(sessionStorage), document.cookie]')).toEqual([
      [],
      [],
      '',
    ]);
    expect(await window.cookies()).toEqual([]);
    expect(await page.content()).not.toContain(api.admin.apiSecret);
    await page.reload();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await signIn(page, api.admin, '/console/withdrawals?status=failed');
    await page.getByRole('heading', { level: 1, name: 'Withdrawals' }).waitFor();
    expect(await page.getByLabel('Status', { exact: true }).inputValue()).toBe('failed');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await window.close();
  });

  test('a wrong secret gets a sentence', async () => {
    const window = await browser.open(address);
    const page = await window.newPage();
    await page.goto('/console');
    await page.getByLabel('Key', { exact: true }).fill(api.admin.apiKey);
    await page.getByLabel('Secret').fill('another');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('The service knows no such key').waitFor();
    expect(await page.getByLabel('Secret').inputValue()).toBe('');
    await window.close();
  });

  test('what a key may not read is never an empty list', async () => {
    const { page, window } = await open(await api.makeKey({ scopes: ['wallets:read'] }));
    await show(page, '/withdrawals');
    await page.getByText('This needs the scope withdrawals:read').waitFor();
    await show(page, '/');
    await page.getByText('Not everything can be looked at').waitFor();
    await show(page, `/wallets/${things.walletId}`);
    await page.getByText('needs scope wallets:admin').waitFor();
    expect(await page.getByRole('button', { name: 'Freeze wallet' }).isDisabled()).toBe(true);
    expect(window.complaints).toEqual([]);
    await window.close();
  });

  test('an event changes what is shown, without a reload', async () => {
    const { page, window } = await open();
    await show(page, '/events');
    const body = { name: 'made while somebody looks', wallet_type: 'mpc' };
    const { body: made } = await api.call('POST', '/api/v1/wallets', body);
    await api.call('POST', `/api/v1/workspaces/${api.workspaceId}/withdrawals/freeze`, { reason: 'a drill' });
    await sequenceOnce(api.db);
    await page.getByRole('cell', { name: 'workspace.withdrawals_frozen' }).first().waitFor();
    await page.getByRole('button', { name: 'Unfreeze' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Unfreeze' }).click();
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await sequenceOnce(api.db);
    await page.getByRole('button', { name: 'Freeze workspace' }).waitFor();
    expect(made.data.wallet_id).toBeDefined();
    await window.close();
  });

  test('a lost connection is said, and what happened meanwhile is read when it is back', async () => {
    const { page, window } = await open();
    await show(page, '/webhooks');
    await window.setOffline(true);
    await page.getByRole('link', { name: 'Audit' }).click();
    await page.getByText('The connection to the service is lost.').waitFor();
    const name = `made meanwhile ${uuidv7()}`;
    await api.call('POST', `/api/v1/workspaces/${api.workspaceId}/users`, { name });
    await window.setOffline(false);
    await page.getByText('The connection to the service is lost.').waitFor({ state: 'detached' });
    await show(page, '/users');
    await page.getByRole('cell', { name }).waitFor();
    await window.close();
  });

  test('ten thousand rows are pages of fifty', async () => {
    const { page, window } = await open();
    const { ETH } = sandbox;
    const where = { workspaceId: api.workspaceId, ...ETH };
    await insertManyTransactions(api.db, where, [things.walletId], { rows: MANY });
    const rows = page.getByRole('table', { name: 'Transactions' }).locator('tbody tr');
    await show(page, '/transactions?from=2020-01-01');
    await rows.nth(49).waitFor();
    const first = await rows.first().textContent();
    await page.getByRole('link', { name: 'Next page' }).click();
    await expect.poll(() => rows.first().textContent()).not.toBe(first);
    expect(await rows.count()).toBe(50);
    await page.goBack();
    await expect.poll(() => rows.first().textContent()).toBe(first);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export as CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('transactions.csv');
    expect((await textOf(download)).trimEnd().split('\n').length).toBeGreaterThan(MANY);
    await window.close();
  });
});

async function textOf(download: { createReadStream(): Promise<NodeJS.ReadableStream> }): Promise<string> {
  let text = '';
  for await (const piece of await download.createReadStream()) text += piece.toString();
  return text;
}

/** What is folded is looked at as well. */
const unfold = (page: Page) =>
  page.evaluate("for (const folded of document.querySelectorAll('main details')) folded.open = true");

async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>("axe.run(document, { resultTypes: ['violations'] })");
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

/** One that is completed, whose id it answers, one that waits for a worker, and schedules of both states. */
async function makeExports(setting: ExportsApi): Promise<string> {
  const { api } = setting;
  const worker = await setting.startWorker();
  const { id } = await setting.run({ content: 'audit', format: 'jsonl' });
  await worker.stop();
  await setting.start({ content: 'transactions', format: 'csv' });
  const schedules = `/api/v1/workspaces/${api.workspaceId}/export-schedules`;
  const monthly = { format: 'csv', cron: '30 6 1 * *', time_zone: 'Europe/Zurich' };
  await api.call('POST', schedules, { content: 'transactions', window: 'previous_month', ...monthly });
  const { body } = await api.call('POST', schedules, { content: 'balances', ...monthly });
  await api.call('POST', `${schedules}/${body.data.id}/pause`);
  return id;
}

/** One of everything that callers name, each with a name that would run if it were taken for a page. */
async function makeHostileThings(api: TestApi): Promise<Omit<Things, 'exportId'>> {
  const workspace = `/api/v1/workspaces/${api.workspaceId}`;
  const made = async (method: string, path: string, body: unknown) => {
    const answer = await api.call(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  };
  const walletId = await api.makeActiveWallet();
  await made('PATCH', `/api/v1/wallets/${walletId}`, { name: HOSTILE, metadata: { note: HOSTILE } });
  await made('POST', `/api/v1/wallets/${walletId}/assets`, { asset_id: sandbox.ETH.assetId });
  await credit(api.db, walletId, sandbox.ETH, 10n ** 19n);
  await made('POST', `${workspace}/users`, { name: HOSTILE });
  await made('POST', `${workspace}/api-keys`, { name: HOSTILE, scopes: ['wallets:read'] });
  await made('POST', `${workspace}/address-book`, {
    network_id: sandbox.ETH.networkId,
    address: STRANGER,
    label: HOSTILE,
  });
  const webhook = await made('POST', `${workspace}/webhooks`, {
    url: 'https://receiver.example/%22%3E%3Cscript%3Ewindow.hostile=1%3C/script%3E',
    events: [],
    description: HOSTILE,
  });
  const rule = { name: HOSTILE, description: HOSTILE, when: {}, then: { action: 'require_approvals', approvals: 1 } };
  await made('PUT', `${workspace}/policy`, { rules: [rule], default: { action: 'allow' } });
  const { withdrawal } = await made('POST', `/api/v1/wallets/${walletId}/request-withdrawal`, {
    asset_id: sandbox.ETH.assetId,
    amount: '0.25',
    recipient_address: STRANGER,
    notes: HOSTILE,
    external_id: '"><b>hostile</b>',
  });
  const { signing_request: signing } = await made('POST', `/api/v1/web3/transaction/${walletId}/signMessage`, {
    network_internal_code: 'ETHEREUM_SANDBOX',
    message: HOSTILE,
  });
  const frozen = await api.makeActiveWallet();
  await made('PATCH', `/api/v1/wallets/${frozen}`, { name: `frozen ${HOSTILE}` });
  await made('POST', `/api/v1/wallets/${frozen}/freeze`, { reason: HOSTILE });
  return { walletId, signingRequestId: signing.id, withdrawalId: withdrawal.id, webhookId: webhook.id };
}
