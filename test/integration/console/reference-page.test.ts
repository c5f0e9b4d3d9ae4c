// Goal: the reference at /docs shows every operation and event of the document, finds them, signs a call in the browser
// without giving the secret away, says plainly why a call is refused, and is usable by everybody. Method: a real
// Chromium at the API in this process; what it sends is looked at, and axe-core looks at its pages, dark and light.
import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { findChromium, startBrowser, type TestBrowser } from '../../support/browser/chromium.ts';

interface Described {
  paths: Record<string, Record<string, { operationId: string }>>;
  webhooks: Record<string, unknown>;
}

const looked = ['/docs', '/docs/operations/requestWithdrawal', '/docs/operations/listWallets', '/docs/no-such-thing'];

const chromium = await findChromium();
if ('missing' in chromium) console.log(`The reference is not looked at: ${chromium.missing}.`);

describe.skipIf('missing' in chromium)('the reference in a browser', { timeout: 120_000 }, () => {
  let api: TestApi;
  let address: string;
  let browser: TestBrowser;
  beforeAll(async () => {
    api = await startApi();
    address = await api.app.listen({ host: '127.0.0.1', port: 0 });
    browser = await startBrowser('program' in chromium ? chromium.program : '');
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await api?.stop();
  });

  async function open(path = '/docs', options = {}) {
    const window = await browser.open(address, options);
    const page = await window.newPage();
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return { window, page };
  }

  async function enterKey(page: Page, apiSecret = api.admin.apiSecret): Promise<void> {
    await page.getByLabel('Key', { exact: true }).fill(api.admin.apiKey);
    await page.getByLabel('Secret').fill(apiSecret);
    await page.getByRole('button', { name: 'Use this key' }).click();
  }

  const answerOn = (page: Page) => page.locator('main [role=status]');

  test('every operation and every event has its page, and the filter finds it', async () => {
    const { paths, webhooks }: Described = (await api.app.inject({ method: 'GET', url: '/openapi.json' })).json();
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    const { page, window } = await open();
    const links = page.locator('main .tasks a');
    expect(await links.count()).toBe(operations.length + Object.keys(webhooks).length);
    const addresses = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    for (const path of addresses) {
      await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`);
      await page.locator('main .endpoint').waitFor();
    }
    await page.getByLabel('Filter').fill('drop withdrawal');
    await page.getByRole('link', { name: 'Drop a withdrawal' }).click();
    await page.getByRole('heading', { level: 1, name: 'Drop a withdrawal' }).waitFor();
    expect(page.url()).toBe(`${address}/docs/operations/dropWithdrawal`);
    await page.getByLabel('Filter').fill('no such words');
    await page.getByText('Nothing matches.').waitFor();
    expect([...window.complaints, ...window.strangers]).toEqual([]);
    await window.close();
  });

  test('fields, examples and errors of an operation can be read', async () => {
    const { page, window } = await open('/docs/operations/requestWithdrawal');
    await page.getByText('Holds the amount, asks the policy').waitFor();
    const body = page.getByRole('region', { name: 'Body' });
    await body.getByText('recipient_address', { exact: true }).first().waitFor();
    await body.getByText('A decimal number in the asset').waitFor();
    await page.getByRole('region', { name: 'Answers' }).getByText('409').click();
    await page.getByText('less is available than is asked for').waitFor();
    await window.close();
  });

  test('a call is signed in the browser by a secret that does not leave it', async () => {
    const { page, window } = await open('/docs/operations/listWallets');
    const sent: string[] = [];
    window.on('request', (request) =>
      sent.push(JSON.stringify([request.url(), request.headers(), request.postData()])),
    );
    await enterKey(page);
    await page.getByRole('button', { name: 'Forget the key' }).waitFor();
    expect(await page.getByLabel('workspace_id').inputValue()).toBe(api.workspaceId);
    await page.getByLabel('limit').fill('1');
    await page.getByRole('button', { name: 'Send GET' }).click();
    await answerOn(page).getByText('"success": true').waitFor();
    expect(sent.some((request) => request.includes('limit=1') && request.includes('access-sign'))).toBe(true);

    await page.getByLabel('Filter').fill('create a wallet');
    await page.getByRole('link', { name: 'Create a wallet' }).click();
    await page.getByLabel('Body, as it is sent').fill(JSON.stringify({ name: 'of the page', wallet_type: 'mpc' }));
    for (const _ of ['once', 'and again in the same second']) {
      await page.getByRole('button', { name: 'Send POST' }).click();
      await answerOn(page).getByText('wallet_id').waitFor();
    }
    const made = await api.call('GET', `/api/v1/workspaces/${api.workspaceId}/wallets?name=of%20the%20page`);
    expect(made.body.data).toHaveLength(2);
    await answerOn(page).getByText('Headers').click();
    await answerOn(page).getByText('x-request-id').waitFor();
    expect(sent.join()).not.toContain(api.admin.apiSecret);
    expect(await page.content()).not.toContain(api.admin.apiSecret);
    expect(await page.evaluate('[Object.keys(localStorage), Object.keys(sessionStorage), document.cookie]')).toEqual([
      [],
      [],
      '',
    ]);
    await page.getByRole('button', { name: 'Forget the key' }).click();
    await page.getByRole('button', { name: 'Use this key' }).waitFor();
    expect([...window.complaints, ...window.strangers]).toEqual([]);
    await window.close();
  });

  test('a wrong key, a missing scope and a refused body are said plainly', async () => {
    const { page, window } = await open('/docs/operations/createWallet');
    await enterKey(page, 'another');
    await page.getByRole('alert').getByText('The service knows no such key').waitFor();
    expect(await page.getByLabel('Secret').inputValue()).toBe('');
    await enterKey(page);
    await page.getByLabel('Body, as it is sent').fill('{"name":');
    await page.getByRole('button', { name: 'Send POST' }).click();
    await answerOn(page).getByText('invalid_request').waitFor();
    await page.getByRole('button', { name: 'Forget the key' }).click();
    const reader = await api.makeKey({ scopes: ['wallets:read'] });
    await page.getByLabel('Key', { exact: true }).fill(reader.apiKey);
    await page.getByLabel('Secret').fill(reader.apiSecret);
    await page.getByRole('button', { name: 'Use this key' }).click();
    await page.getByText('Your key lacks the scope').waitFor();
    await window.close();
  });

  test('what needs no key is called without one', async () => {
    const { page, window } = await open('/docs/operations/readTime');
    await page.getByRole('button', { name: 'Send GET' }).click();
    await answerOn(page).getByText('unix_seconds').waitFor();
    await window.close();
  });

  test.each([
    ['light', 1280],
    ['dark', 1280],
    ['dark', 360],
  ] as const)(
    'in %s colours, %d wide, no page has a fault that axe finds or is too wide',
    async (colorScheme, width) => {
      const { page, window } = await open('/docs/operations/createWallet', {
        colorScheme,
        viewport: { width, height: 800 },
      });
      await enterKey(page);
      await page.getByRole('button', { name: 'Forget the key' }).waitFor();
      const faults: string[] = [];
      for (const path of looked) {
        await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.evaluate("for (const folded of document.querySelectorAll('details')) folded.open = true");
        faults.push(...(await faultsOf(page)).map((fault) => `${path}: ${fault}`));
        const tooWide = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
        if (tooWide > 0) faults.push(`${path}: too wide by ${tooWide}`);
      }
      expect(faults).toEqual([]);
      await window.close();
    },
  );

  test('by keyboard alone one reaches an operation', async () => {
    const { page, window } = await open('/docs', { viewport: { width: 360, height: 740 } });
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').textContent()).toBe('Skip to the page');
    await page.getByRole('button', { name: 'Menu' }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Filter').focus();
    await page.keyboard.type('read the time');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('main .endpoint').waitFor();
    expect(await page.locator(':focus').evaluate((focused) => focused.tagName)).toBe('H1');
    await window.close();
  });
});

async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>("axe.run(document, { resultTypes: ['violations'] })");
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
