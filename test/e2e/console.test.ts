// Goal: somebody new comes from signing in to a withdrawal that another user approves in the console and the chain
// confirms; one that is rejected moves nothing; the switch stops all. Method: API and worker as processes, three real
// nodes, the sandbox's Ethereum, and two people at a real Chromium. Nothing is reloaded.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { createPublicClient, http, parseEther } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeApprover } from '../support/browser/approver.ts';
import { findChromium, startBrowser, type TestBrowser } from '../support/browser/chromium.ts';
import { show, signIn, statusOn } from '../support/browser/console-pages.ts';
import { startTestEthereum, type TestChain } from '../support/chains/chains.ts';
import { type Stack, startStack } from '../support/processes/stack.ts';

const MINUTE_MS = 60_000;
/** What the service works for. It ends what hangs: a machine that does much else needs most of it. */
const SLOW = { timeout: 3 * MINUTE_MS };
const NETWORK = 'ETHEREUM_SANDBOX';
const STRANGER = privateKeyToAccount(`0x${'ab'.repeat(32)}`).address;

const chromium = await findChromium();
if ('missing' in chromium) console.log(`The console is not used: ${chromium.missing}.`);

describe.skipIf('missing' in chromium)('two people at the console', () => {
  let directory: string;
  let ethereum: TestChain;
  let stack: Stack;
  let browser: TestBrowser;
  let asker: Page;
  let approver: Page;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'countersign-console-'));
    ethereum = await startTestEthereum(join(directory, 'ethereum'));
    stack = await startStack({ environment: { RPC_URLS: `${NETWORK}=${ethereum.address}` } });
    browser = await startBrowser('program' in chromium ? chromium.program : '');
    asker = await (await browser.open(stack.baseUrl)).newPage();
    approver = await (await browser.open(stack.baseUrl)).newPage();
    for (const page of [asker, approver]) page.setDefaultTimeout(MINUTE_MS);
    await signIn(asker, { apiKey: stack.apiKey, apiSecret: stack.secrets[0] ?? '' });
    await signIn(approver, await makeApprover(stack));
  }, 8 * MINUTE_MS);
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
    await ethereum?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  /** Sends the form to the end. Answers the id of the withdrawal. */
  async function ask(amount: string): Promise<string> {
    await show(asker, '/withdrawals/new');
    await asker.getByRole('heading', { level: 1, name: 'New withdrawal' }).waitFor();
    await asker.getByLabel('Amount', { exact: true }).fill(amount);
    await asker.getByLabel('To address').fill(STRANGER);
    await asker.getByRole('button', { name: 'Ask for the withdrawal' }).click();
    await asker.getByRole('heading', { level: 1, name: 'Withdrawal', exact: true }).waitFor();
    return asker.url().split('/').at(-1) ?? '';
  }

  async function decide(page: Page, decision: 'Approve' | 'Reject', reason?: string): Promise<void> {
    await page.getByRole('button', { name: decision, exact: true }).click();
    const dialog = page.getByRole('alertdialog');
    if (reason !== undefined) await dialog.getByLabel('Reason').fill(reason);
    await dialog.getByRole('button', { name: decision, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  }

  test('a newcomer is led to a wallet and to money', { timeout: 4 * MINUTE_MS }, async () => {
    await asker.getByRole('button', { name: 'Create the first wallet' }).click();
    await asker.getByRole('heading', { name: 'Second step: money' }).waitFor(SLOW);
    await asker.getByRole('button', { name: 'Pay from the faucet' }).click();
    await asker.getByRole('heading', { name: 'Third step: a withdrawal' }).waitFor(SLOW);
  });

  test('a withdrawal that another user approves is confirmed by the chain', { timeout: 4 * MINUTE_MS }, async () => {
    await show(asker, '/policy');
    const needsOne = { rules: [], default: { action: 'require_approvals', approvals: 1 } };
    await asker.getByLabel('The policy as JSON').fill(JSON.stringify(needsOne));
    await asker.getByRole('button', { name: 'Set the policy' }).click();
    await asker.getByText('needs 1 approvals').waitFor(SLOW);

    const id = await ask('0.25');
    await statusOn(asker, 'pending approval').waitFor(SLOW);
    expect(await asker.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0);

    await approver.getByRole('link', { name: 'Withdrawal of 0.25 ETH' }).click();
    await approver.getByText(STRANGER).first().waitFor();
    expect(approver.url()).toContain(id);
    await decide(approver, 'Approve');

    await statusOn(asker, 'completed').waitFor(SLOW);
    await asker.getByText('Transaction hash').waitFor();
    await asker.getByText('approver').first().waitFor();
    const chain = createPublicClient({ transport: http(ethereum.address) });
    expect(await chain.getBalance({ address: STRANGER })).toBe(parseEther('0.25'));
  });

  test('one that is rejected moves nothing, and says why', { timeout: 4 * MINUTE_MS }, async () => {
    const id = await ask('0.125');
    await show(approver, `/withdrawals/${id}`);
    await decide(approver, 'Reject', 'nobody knows this address');
    await statusOn(asker, 'rejected').waitFor(SLOW);
    await asker.getByText('nobody knows this address').first().waitFor(SLOW);
    const chain = createPublicClient({ transport: http(ethereum.address) });
    expect(await chain.getBalance({ address: STRANGER })).toBe(parseEther('0.25'));
  });

  test('the switch stops all, and another click takes it back', { timeout: 4 * MINUTE_MS }, async () => {
    await show(asker, '/withdrawals/new');
    await asker.getByRole('button', { name: 'Freeze workspace' }).click();
    const dialog = asker.getByRole('alertdialog');
    await dialog.getByLabel('Reason').fill('a drill');
    await dialog.getByRole('button', { name: 'Freeze workspace' }).click();
    await asker.getByRole('button', { name: 'Unfreeze', exact: true }).waitFor(SLOW);
    await asker.getByLabel('Amount').fill('0.1');
    await asker.getByLabel('To address').fill(STRANGER);
    await asker.getByRole('button', { name: 'Ask for the withdrawal' }).click();
    await asker.getByRole('alert').getByText('withdrawals_frozen').waitFor(SLOW);
    await asker.getByRole('button', { name: 'Unfreeze', exact: true }).click();
    await dialog.getByRole('button', { name: 'Unfreeze', exact: true }).click();
    await asker.getByRole('button', { name: 'Freeze workspace' }).waitFor(SLOW);
  });
});
