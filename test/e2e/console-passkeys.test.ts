// Goal: two people who hold no API key come from an enrolment link to a withdrawal that one asks for, the other
// approves by passkey, and the chain confirms; what proves the vote is verified offline; what happened is exported and
// downloaded; a second tab is signed in and out with the first; who is disabled is signed out. Method: API and worker
// as processes, three real nodes, the sandbox's Ethereum, and a real Chromium with virtual authenticators.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { BrowserContext, Page } from 'playwright-core';
import { v7 as uuidv7 } from 'uuid';
import { createPublicClient, http, parseEther } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Role } from '../../domain/users/roles.ts';
import { connectDatabase } from '../../drizzle/database/connection.ts';
import { Seals } from '../../drizzle/seals/seals.ts';
import { insertUser } from '../../drizzle/users/users.ts';
import { createEnrolmentLink } from '../../src/commands/create-enrolment-link.ts';
import { findChromium, startBrowser, type TestBrowser, type Watched } from '../support/browser/chromium.ts';
import { show, statusOn } from '../support/browser/console-pages.ts';
import { enrolAndSignIn, giveAuthenticator, signInWithPasskey } from '../support/browser/virtual-passkeys.ts';
import { startTestEthereum, type TestChain } from '../support/chains/chains.ts';
import { type Stack, startStack } from '../support/processes/stack.ts';

const MINUTE_MS = 60_000;
/** What the service works for. It ends what hangs: a machine that does much else needs most of it. */
const SLOW = { timeout: 3 * MINUTE_MS };
const NETWORK = 'ETHEREUM_SANDBOX';
const STRANGER = privateKeyToAccount(`0x${'cd'.repeat(32)}`).address;
const run = promisify(execFile);

const chromium = await findChromium();
if ('missing' in chromium) console.log(`The console is not used: ${chromium.missing}.`);

describe.skipIf('missing' in chromium)('two people with passkeys', () => {
  let directory: string;
  let ethereum: TestChain;
  let stack: Stack;
  let browser: TestBrowser;
  let origin: string;
  let windows: (BrowserContext & Watched)[];
  let asker: Page;
  let approver: Page;
  let approverId: string;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'countersign-passkeys-'));
    ethereum = await startTestEthereum(join(directory, 'ethereum'));
    const exportDirectory = join(directory, 'exports');
    mkdirSync(exportDirectory);
    const environment = { RPC_URLS: `${NETWORK}=${ethereum.address}`, EXPORT_DIRECTORY: exportDirectory };
    stack = await startStack({ environment });
    origin = stack.baseUrl.replace('127.0.0.1', 'localhost');
    browser = await startBrowser('program' in chromium ? chromium.program : '');
    windows = [await browser.open(origin), await browser.open(origin)];
    [asker, approver] = (await Promise.all(windows.map((window) => window.newPage()))) as [Page, Page];
    for (const page of [asker, approver]) {
      page.setDefaultTimeout(MINUTE_MS);
      await giveAuthenticator(page);
    }
    await enrolAndSignIn(asker, (await makeLink(['administrator'])).url);
    const link = await makeLink(['approver']);
    approverId = link.userId;
    await enrolAndSignIn(approver, link.url);
  }, 8 * MINUTE_MS);
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
    await ethereum?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  async function makeLink(roles: Role[]) {
    const { databaseUrl, workspaceId, keyEncryptionKey } = stack;
    const connection = connectDatabase(databaseUrl, { poolSize: 1, name: 'test-passkeys' });
    const sealing = { seals: new Seals([Buffer.from(keyEncryptionKey, 'hex')]), note: () => {} };
    const [userId, name] = [uuidv7(), `with a passkey, ${roles.join()}`];
    await connection.db.transaction((tx) =>
      insertUser(tx, sealing, { id: userId, workspaceId, name, createdBy: 'test' }),
    );
    const asked = { workspaceId, userId, roles, consoleOrigin: origin };
    const link = await createEnrolmentLink(connection.db, asked, { keyEncryptionKey, action: 'workspace create-link' });
    await connection.close();
    if (link === undefined) throw new Error('there is no link');
    return link;
  }

  test('from signing in to a withdrawal that the chain confirms', { timeout: 8 * MINUTE_MS }, async () => {
    await asker.getByRole('button', { name: 'Create the first wallet' }).click();
    await asker.getByRole('heading', { name: 'Second step: money' }).waitFor(SLOW);
    await asker.getByRole('button', { name: 'Pay from the faucet' }).click();
    await asker.getByRole('heading', { name: 'Third step: a withdrawal' }).waitFor(SLOW);
    await show(asker, '/policy');
    const byPasskey = { action: 'require_approvals', approvals: 1, approve_with: 'passkey' };
    await asker.getByLabel('The policy as JSON').fill(JSON.stringify({ rules: [], default: byPasskey }));
    await asker.getByRole('button', { name: 'Set the policy' }).click();
    await asker.getByText('needs 1 approvals').waitFor(SLOW);

    await show(asker, '/withdrawals/new');
    await asker.getByLabel('Amount', { exact: true }).fill('0.25');
    await asker.getByLabel('To address').fill(STRANGER);
    await asker.getByRole('button', { name: 'Ask for the withdrawal' }).click();
    await asker.getByRole('heading', { level: 1, name: 'Withdrawal', exact: true }).waitFor();
    const id = asker.url().split('/').at(-1) ?? '';
    await statusOn(asker, 'pending approval').waitFor(SLOW);
    await expect(
      stack.client.post('/api/v1/withdrawals/{withdrawal_id}/approve', { path: { withdrawal_id: id } }),
    ).rejects.toThrow();

    await show(approver, `/withdrawals/${id}`);
    await approver.getByText(STRANGER).first().waitFor();
    await approver.getByRole('button', { name: 'Approve', exact: true }).click();
    const dialog = approver.getByRole('alertdialog');
    await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await statusOn(asker, 'completed').waitFor(SLOW);
    const chain = createPublicClient({ transport: http(ethereum.address) });
    expect(await chain.getBalance({ address: STRANGER })).toBe(parseEther('0.25'));

    const evidence = await stack.client.get('/api/v1/approvals/{subject_id}/evidence', { path: { subject_id: id } });
    const file = join(directory, 'evidence.json');
    writeFileSync(file, JSON.stringify(evidence));
    const verified = await run(process.execPath, [resolve(import.meta.dirname, '../../dist/verify-approval.js'), file]);
    expect(verified.stdout).toContain('1 of 1 approvals are proven by passkeys.');
    expect(verified.stdout).toContain(`${approverId} approved: proven`);
  });

  test('what happened is exported, and comes whole by the session', { timeout: 4 * MINUTE_MS }, async () => {
    await show(asker, '/exports');
    await asker.getByLabel('What is exported').selectOption('withdrawals');
    await asker.getByRole('button', { name: 'Start the export' }).click();
    await statusOn(asker, 'completed').waitFor(SLOW);
    const download = asker.getByRole('button', { name: 'Download' });
    const [got] = await Promise.all([asker.waitForEvent('download'), download.click()]);
    await asker.getByText('Downloaded whole.').waitFor();
    const lines = readFileSync(await got.path(), 'utf8')
      .trimEnd()
      .split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(STRANGER);

    await show(asker, '/export-schedules');
    await asker.getByRole('button', { name: 'Create the schedule' }).click();
    await asker.getByRole('table', { name: 'Export schedules' }).waitFor(SLOW);
    await asker.getByRole('button', { name: 'Run now' }).click();
    await asker.getByRole('alertdialog').getByRole('button', { name: 'Run now' }).click();
    await asker.getByRole('heading', { level: 1, name: 'Export: Transactions as CSV' }).waitFor(SLOW);
    await statusOn(asker, 'completed').waitFor(SLOW);
  });

  test('another passkey is added, and the last one stays', { timeout: 4 * MINUTE_MS }, async () => {
    await show(approver, '/passkeys');
    await approver.getByRole('button', { name: 'Remove' }).click();
    const dialog = approver.getByRole('alertdialog');
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByText('your last passkey').waitFor();
    await approver.keyboard.press('Escape');
  });

  test('a second tab is signed in, and out with the first; a reload stays signed in', {
    timeout: 4 * MINUTE_MS,
  }, async () => {
    const tab = await (windows[0] as BrowserContext).newPage();
    tab.setDefaultTimeout(MINUTE_MS);
    await tab.goto('/console');
    await tab.getByRole('button', { name: 'Sign out', exact: true }).waitFor();
    await asker.reload();
    await asker.getByRole('button', { name: 'Sign out', exact: true }).click();
    await asker.getByRole('button', { name: 'Use a passkey' }).waitFor();
    await tab.getByRole('button', { name: 'Use a passkey' }).waitFor(SLOW);
    await tab.close();
    await signInWithPasskey(asker);
  });

  test('who is disabled is signed out, and signs in no more', { timeout: 4 * MINUTE_MS }, async () => {
    await stack.client.patch('/api/v1/users/{user_id}', {
      path: { user_id: approverId },
      body: { status: 'disabled' },
    });
    await approver.getByRole('button', { name: 'Use a passkey' }).waitFor(SLOW);
    await approver.getByRole('button', { name: 'Use a passkey' }).click();
    await approver.getByRole('alert').getByText('opens nothing').waitFor();
    const complaints = windows.flatMap((window) => window.complaints).filter((text) => !/status of 4\d\d/.test(text));
    expect([...complaints, ...windows.flatMap((window) => window.strangers)]).toEqual([]);
  });
});
