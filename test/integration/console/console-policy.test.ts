// Goal: whoever writes a policy at the console is told its faults while he writes, each with its place: what is no
// JSON, what the schema refuses, and what does not fit the workspace; and what a draft would decide is tried on a
// withdrawal and on signatures before it is set. Method: a real Chromium at the API in this process, over a real
// database.
import axe, { type AxeResults } from 'axe-core';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { findChromium, startBrowser, type TestBrowser, type Watched } from '../../support/browser/chromium.ts';
import { show, signIn } from '../../support/browser/console-pages.ts';
import { connectEveryNetwork, sandbox } from '../../support/rows/funded.ts';

const STRANGER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const NOBODY = '01900000-0000-7000-8000-000000000000';
const ruleOf = (name: string, then: object = { action: 'deny' }, when: object = {}) => ({ name, when, then });
const policyOf = (...rules: object[]) => JSON.stringify({ rules, default: { action: 'allow' } }, null, 2);

const chromium = await findChromium();
if ('missing' in chromium) console.log(`No policy is written at the console: ${chromium.missing}.`);

describe.skipIf('missing' in chromium)('writing a policy', { timeout: 120_000 }, () => {
  let api: TestApi;
  let browser: TestBrowser;
  let window: BrowserContext & Watched;
  let page: Page;
  beforeAll(async () => {
    api = await startApi();
    await connectEveryNetwork(api.db);
    await api.makeActiveWallet();
    const address = await api.app.listen({ host: '127.0.0.1', port: 0 });
    browser = await startBrowser('program' in chromium ? chromium.program : '');
    window = await browser.open(address);
    page = await window.newPage();
    await signIn(page, api.admin);
    await show(page, '/policy');
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await api?.stop();
  });

  const write = (text: string) => page.getByLabel('The policy as JSON').fill(text);
  const fault = (text: string) => page.locator('.fault', { hasText: text });
  const isMarked = () => page.getByLabel('The policy as JSON').getAttribute('aria-invalid');
  const unmarked = () => page.getByText('The service finds no fault in it.').waitFor();

  test.each([
    ['a comma that is missing', '{\n  "rules": []\n  "default": {}\n}', 'Line 3, column 3 A comma is missing'],
    ['a comma too many', '{\n  "rules": [],\n}', 'Line 3, column 1 A name in double quotes is missing here'],
    ['a comment', '{\n  // none\n  "rules": []\n}', 'Line 2, column 3 JSON has no comments'],
    ['an end that is missing', '{\n  "rules": [', 'A closing bracket ] is missing'],
    [
      'a name twice',
      '{\n  "rules": [],\n  "rules": []\n}',
      'Line 3, column 3 The name "rules" stands here a second time',
    ],
  ])('no JSON: %s', async (_name, text, said) => {
    await write(text);
    await fault(said).first().waitFor();
    expect(await isMarked()).toBe('true');
  });

  test('nothing that is no JSON is sent, and a fault leads to its place', async () => {
    await write('{\n  "rules": [}\n}');
    await page.getByRole('button', { name: 'Set the policy' }).click();
    await page.getByRole('alert').getByText('Line 2, column 13').waitFor();
    await page.getByRole('button', { name: 'Line 2, column 13' }).first().click();
    const place = 'document.activeElement.tagName + document.activeElement.selectionStart';
    expect(await page.evaluate(place)).toBe('TEXTAREA14');
  });

  test.each([
    ['an action that there is not', policyOf(ruleOf('a', { action: 'perhaps' })), 'Line 6, column'],
    [
      'a field that there is not',
      policyOf(ruleOf('a', { action: 'deny' }, { colour: ['red'] })),
      'unknown field "colour"',
    ],
    ['a field that is missing', '{\n  "rules": []\n}', 'Line 1, column 1 body.document lacks the field "default"'],
    ['a name that two rules have', policyOf(ruleOf('a'), ruleOf('b'), ruleOf('a')), 'is taken'],
    [
      'a wallet that is not here',
      policyOf(ruleOf('a', { action: 'deny' }, { wallet_ids: [NOBODY] })),
      'names the wallet',
    ],
    [
      'too few approvers',
      policyOf(ruleOf('a', { action: 'require_approvals', approvals: 2, approvers: [NOBODY] })),
      'asks for 2 approvals of 1 approvers',
    ],
    [
      'an address of no chain',
      policyOf(ruleOf('a', { action: 'deny' }, { destination: { addresses: ['0x12'] } })),
      '0x12',
    ],
  ])('refused by the service while one types: %s', async (_name, text, said) => {
    await write(text);
    await fault(said).waitFor();
    expect(await fault(said).getByRole('button').textContent()).toMatch(/^Line \d+, column \d+$/);
    expect(await isMarked()).toBe('true');
    await write(policyOf(ruleOf('a')));
    await unmarked();
    expect(await isMarked()).toBe('false');
  });

  test('the place of a fault is that of the rule that the service names', async () => {
    const text = policyOf(ruleOf('first'), ruleOf('second', { action: 'deny' }, { networks: ['NOWHERE'] }));
    await write(text);
    const line = text.slice(0, text.indexOf('"second"')).split('\n').length;
    await fault('names the network NOWHERE')
      .getByRole('button', { name: `Line ${line},` })
      .waitFor();
  });

  test('a draft is tried on a withdrawal and on signatures, and the policy in force stays', async () => {
    const noDigest = ruleOf('no digests', { action: 'deny' }, { payload_kinds: ['raw_digest'] });
    const noPayment = ruleOf('no payments', { action: 'deny' }, { operations: ['withdrawal'] });
    await write(policyOf(noDigest, noPayment));
    await unmarked();
    const withdrawal = page.getByRole('region', { name: 'Simulate a withdrawal' });
    await withdrawal.getByLabel('Simulated asset').selectOption(sandbox.ETH.assetId);
    await withdrawal.getByLabel('Simulated amount').fill('0.1');
    await withdrawal.getByLabel('Simulated destination').fill(STRANGER);
    await withdrawal.getByRole('button', { name: 'Simulate' }).click();
    await withdrawal.getByText('The policy says: allow').waitFor();
    await withdrawal.getByLabel('Against').selectOption('draft');
    await withdrawal.getByRole('button', { name: 'Simulate' }).click();
    await withdrawal.getByText('The policy says: deny').waitFor();

    const signature = page.getByRole('region', { name: 'Simulate a signature' });
    await signature.getByLabel('Against').selectOption('draft');
    await signature.getByLabel('Simulated network').selectOption('ETHEREUM_SANDBOX');
    await signature.getByLabel('Simulated message').fill('Hello');
    await signature.getByRole('button', { name: 'Simulate signature' }).click();
    await signature.getByText('The policy says: allow').waitFor();
    await signature.getByLabel('What is signed').selectOption('raw');
    await signature.getByLabel('Simulated digest').fill('ab'.repeat(32));
    await signature.getByRole('button', { name: 'Simulate signature' }).click();
    await signature.getByText('The policy says: deny').waitFor();
    await signature.getByText('no digests').first().waitFor();
    await signature.getByLabel('What is signed').selectOption('typed');
    await signature.getByLabel('Simulated typed data').fill('{');
    await signature.getByRole('button', { name: 'Simulate signature' }).click();
    await signature.getByRole('alert').getByText('The typed data is no JSON').waitFor();
    await write('{');
    await withdrawal.getByRole('button', { name: 'Simulate' }).click();
    await withdrawal.getByRole('alert').getByText('Line 1, column').waitFor();
    const { body } = await api.call('GET', `/api/v1/workspaces/${api.workspaceId}/policy`);
    expect(body.data.active.version).toBe(0);
  });

  test('with faults beside it, and a result below it, the page is without a fault that axe finds', async () => {
    await write('{"rules": [}');
    await fault('Line 1').first().waitFor();
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate<AxeResults>("axe.run(document, { resultTypes: ['violations'] })");
    expect(violations.map(({ id }) => id)).toEqual([]);
  });

  test('what is set is what was written, and the field shows what is in force again', async () => {
    await write(policyOf(ruleOf('kept')));
    await unmarked();
    await page.getByRole('button', { name: 'Set the policy' }).click();
    await page.getByText('In force: version 1').waitFor();
    expect(await page.getByLabel('The policy as JSON').inputValue()).toContain('"kept"');
    expect(window.strangers).toEqual([]);
  });
});
