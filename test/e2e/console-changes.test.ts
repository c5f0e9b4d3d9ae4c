// Goal: what was asked for is changed on its way, at the console: another policy comes into force while an approval
// waits, a change of the policy gives way to another one while somebody is about to approve it, and withdrawals are
// cancelled, sped up and dropped. Method: API and worker as processes, three real nodes, an Ethereum that makes blocks
// only when the test says so, and two people at a real Chromium, one of them with a virtual authenticator.
import type { Page } from 'playwright-core';
import { v7 as uuidv7 } from 'uuid';
import { type Address, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectDatabase } from '../../drizzle/database/connection.ts';
import { Seals } from '../../drizzle/seals/seals.ts';
import { insertUser } from '../../drizzle/users/users.ts';
import { createEnrolmentLink } from '../../src/commands/create-enrolment-link.ts';
import { makeApprover } from '../support/browser/approver.ts';
import { findChromium, startBrowser, type TestBrowser } from '../support/browser/chromium.ts';
import { show, signIn, statusOn } from '../support/browser/console-pages.ts';
import { enrolAndSignIn, giveAuthenticator } from '../support/browser/virtual-passkeys.ts';
import { type Anvil, startAnvil } from '../support/chains/anvil.ts';
import { type Stack, startStack } from '../support/processes/stack.ts';

const MINUTE_MS = 60_000;
/** What the service works for. It ends what hangs: a machine that does much else needs most of it. */
const SLOW = { timeout: 3 * MINUTE_MS };
const LONG = { timeout: 4 * MINUTE_MS };
const NETWORK = 'ETHEREUM_SANDBOX';
const MINED_EVERY_MS = 500;

const allowed = { rules: [], default: { action: 'allow' } };
const needsOne = { rules: [], default: { action: 'require_approvals', approvals: 1 } };
const denied = { rules: [{ name: 'nothing leaves', when: {}, then: { action: 'deny' } }], default: { action: 'deny' } };

const chromium = await findChromium();
if ('missing' in chromium) console.log(`The console is not used: ${chromium.missing}.`);

describe.skipIf('missing' in chromium)('what changes on its way', () => {
  let anvil: Anvil;
  let stack: Stack;
  let browser: TestBrowser;
  let asker: Page;
  let approver: Page;
  let isMining = true;
  let miner: NodeJS.Timeout;

  beforeAll(async () => {
    anvil = await startAnvil();
    stack = await startStack({ environment: { RPC_URLS: `${NETWORK}=${anvil.url}` } });
    miner = setInterval(() => void (isMining && anvil.client.mine({ blocks: 1 }).catch(() => {})), MINED_EVERY_MS);
    browser = await startBrowser('program' in chromium ? chromium.program : '');
    const origin = stack.baseUrl.replace('127.0.0.1', 'localhost');
    asker = await (await browser.open(origin)).newPage();
    approver = await (await browser.open(origin)).newPage();
    for (const page of [asker, approver]) page.setDefaultTimeout(MINUTE_MS);
    await signIn(asker, { apiKey: stack.apiKey, apiSecret: stack.secrets[0] ?? '' });
    await signIn(approver, await makeApprover(stack));
    await asker.getByRole('button', { name: 'Create the first wallet' }).click();
    await asker.getByRole('heading', { name: 'Second step: money' }).waitFor(SLOW);
    await asker.getByRole('button', { name: 'Pay from the faucet' }).click();
    await asker.getByRole('heading', { name: 'Third step: a withdrawal' }).waitFor(SLOW);
  }, 8 * MINUTE_MS);
  afterAll(async () => {
    clearInterval(miner);
    await browser?.close();
    await stack?.stop();
    await anvil?.stop();
  });

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const paid = (address: Address) => anvil.client.getBalance({ address });
  const someAddress = () => privateKeyToAccount(generatePrivateKey()).address;

  /** Sends the form to the end. Answers where the withdrawal is shown. */
  async function ask(amount: string, to: Address): Promise<string> {
    await show(asker, '/withdrawals/new');
    await asker.getByRole('heading', { level: 1, name: 'New withdrawal' }).waitFor();
    await asker.getByLabel('Amount', { exact: true }).fill(amount);
    await asker.getByLabel('To address').fill(to);
    await button(asker, 'Ask for the withdrawal').click();
    await asker.getByRole('heading', { level: 1, name: 'Withdrawal', exact: true }).waitFor();
    return `/withdrawals/${asker.url().split('/').at(-1)}`;
  }

  async function press(page: Page, name: string, reason?: string): Promise<void> {
    await button(page, name).click();
    const dialog = page.getByRole('alertdialog');
    if (reason !== undefined) await dialog.getByLabel('Reason').fill(reason);
    await dialog.getByRole('button', { name, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  }

  async function setPolicy(document: object): Promise<void> {
    await show(asker, '/policy');
    await asker.getByLabel('The policy as JSON').fill(JSON.stringify(document));
    await button(asker, 'Set the policy').click();
    await asker.locator('main form', { hasText: 'One moment…' }).waitFor({ state: 'detached' });
  }

  /** A withdrawal that waits for one approval. */
  async function askForApproval(): Promise<{ to: Address; path: string }> {
    await setPolicy(needsOne);
    await asker.getByText('needs 1 approvals').waitFor(SLOW);
    const to = someAddress();
    const path = await ask('0.125', to);
    await statusOn(asker, 'pending approval').waitFor(SLOW);
    return { to, path };
  }

  test(
    'another policy leaves what was decided as it was, and says so; what is asked for then it refuses',
    LONG,
    async () => {
      const { to, path } = await askForApproval();
      await show(approver, path);
      await approver.getByText('0 of 1').waitFor();
      expect(await approver.locator('.caution').count()).toBe(0);

      await setPolicy(denied);
      await asker.getByText('nothing leaves').first().waitFor(SLOW);
      await approver.locator('.caution', { hasText: 'is in force since this was asked for' }).waitFor(SLOW);
      await press(approver, 'Approve');
      await show(asker, path);
      await statusOn(asker, 'completed').waitFor(SLOW);
      expect(await paid(to)).toBe(parseEther('0.125'));

      await show(asker, '/withdrawals/new');
      await asker.getByLabel('Amount', { exact: true }).fill('0.0625');
      await asker.getByLabel('To address').fill(to);
      await button(asker, 'Ask for the withdrawal').click();
      await asker.getByRole('alert').getByText('nothing leaves').waitFor(SLOW);
    },
  );

  test(
    'a policy that takes passkeys holds for what waits: the key is refused, and the passkey approves',
    LONG,
    async () => {
      const { to, path } = await askForApproval();
      const withPasskey = await (await browser.open(new URL(approver.url()).origin)).newPage();
      withPasskey.setDefaultTimeout(MINUTE_MS);
      await giveAuthenticator(withPasskey);
      await enrolAndSignIn(withPasskey, await makeLink(stack, new URL(approver.url()).origin));

      await setPolicy({ rules: [], default: { ...needsOne.default, approve_with: 'passkey' } });
      await asker.getByText('each by passkey').waitFor(SLOW);
      await show(approver, path);
      await approver.locator('.caution', { hasText: 'by passkey alone' }).waitFor(SLOW);
      await button(approver, 'Approve').click();
      const dialog = approver.getByRole('alertdialog');
      await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
      await dialog.getByRole('alert').getByText('approvals by passkey only').waitFor(SLOW);
      await approver.keyboard.press('Escape');
      await approver.getByText('0 of 1').waitFor();

      await show(withPasskey, path);
      await press(withPasskey, 'Approve');
      await show(asker, path);
      await statusOn(asker, 'completed').waitFor(SLOW);
      expect(await paid(to)).toBe(parseEther('0.125'));
      await withPasskey.context().close();
    },
  );

  test(
    'a change of the policy that gave way to another one is not approved by who was looking at it',
    LONG,
    async () => {
      await setPolicy({ ...allowed, changes: { approvals: 1 } });
      await asker.getByText('A change of the policy').waitFor(SLOW);
      await setPolicy({ ...needsOne, changes: { approvals: 1 } });
      await asker.getByRole('heading', { name: 'Waits: version' }).waitFor(SLOW);
      await show(approver, '/policy');
      await approver.getByText('needs 1 approvals').first().waitFor(SLOW);
      await button(approver, 'Approve').click();
      const dialog = approver.getByRole('alertdialog');
      await dialog.waitFor();

      const unseen = {
        rules: [{ name: 'all of it', when: {}, then: { action: 'allow' } }],
        default: { action: 'allow' },
      };
      await setPolicy(unseen);
      await asker.getByText('all of it').first().waitFor(SLOW);
      // Behind the dialog the page shows it by now.
      await approver.getByText('all of it').first().waitFor(SLOW);
      await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
      await dialog.getByRole('alert').getByText('The digest is not that of what waits').waitFor(SLOW);
      const { active, pending } = await stack.client.policy();
      expect([active.document.changes, pending?.document]).toEqual([{ approvals: 1 }, unseen]);

      await approver.keyboard.press('Escape');
      await press(approver, 'Reject', 'nobody has told me of it');
      await approver.getByRole('heading', { name: 'Waits: version' }).waitFor({ state: 'detached' });
      await approver.getByRole('link', { name: 'History' }).click();
      const version = (number: number) =>
        approver.locator('section', { has: approver.getByRole('heading', { name: `Version ${number}`, exact: true }) });
      await version((pending?.version ?? 0) - 1)
        .getByText('superseded', { exact: true })
        .first()
        .waitFor();
      const newest = version(pending?.version ?? 0);
      await newest.getByText('rejected', { exact: true }).first().waitFor();
      await newest.getByText('Rule "all of it"').waitFor();
      await newest.locator('ins', { hasText: '"name": "all of it"' }).waitFor();

      await setPolicy(needsOne);
      await asker.getByRole('heading', { name: 'Waits: version' }).waitFor(SLOW);
      await show(approver, '/policy');
      await press(approver, 'Approve');
      await show(asker, '/policy');
      await asker.getByText('needs 1 approvals').first().waitFor(SLOW);
    },
  );

  test(
    'one that waits for approval is cancelled: nobody can approve it, and its money is there again',
    LONG,
    async () => {
      const to = someAddress();
      const path = await ask('0.125', to);
      await statusOn(asker, 'pending approval').waitFor(SLOW);
      await show(approver, path);
      await button(approver, 'Approve').waitFor();
      await press(asker, 'Cancel withdrawal', 'asked for by mistake');
      await statusOn(asker, 'cancelled').waitFor(SLOW);
      await asker.getByText('asked for by mistake').first().waitFor();
      await statusOn(approver, 'cancelled').waitFor(SLOW);
      for (const name of ['Approve', 'Reject', 'Cancel withdrawal', 'Speed up', 'Drop'])
        expect([name, await button(approver, name).count()]).toEqual([name, 0]);
      expect(await held(stack)).toEqual(['0']);
      expect(await paid(to)).toBe(0n);
    },
  );

  /** A withdrawal that waits for a block, with the hash of its transaction. */
  async function askWithoutBlocks(to: Address): Promise<string> {
    await stack.client.setPolicy(allowed as never);
    isMining = false;
    await ask('0.125', to);
    await button(asker, 'Drop').waitFor(SLOW);
    expect(await button(asker, 'Cancel withdrawal').count()).toBe(0);
    return hashOn(asker);
  }

  const hashOn = async (page: Page): Promise<string> => {
    const hash = page
      .locator('main dd', { hasText: /^0x[0-9a-f]{64}/ })
      .locator('code')
      .first();
    return (await hash.getAttribute('title')) ?? '';
  };

  test('one that waits for a block is sped up: the dearer transaction lands, and it pays once', LONG, async () => {
    const to = someAddress();
    const first = await askWithoutBlocks(to);
    expect(first).toMatch(/^0x[0-9a-f]{64}$/);
    await press(asker, 'Speed up');
    await asker.getByText('A caller wants it sped up.').waitFor(SLOW);
    await expect.poll(() => hashOn(asker), { timeout: MINUTE_MS }).not.toBe(first);
    const second = await hashOn(asker);
    isMining = true;
    await statusOn(asker, 'completed').waitFor(SLOW);
    expect(await hashOn(asker)).toBe(second);
    expect(await paid(to)).toBe(parseEther('0.125'));
    const receipt = await anvil.client.getTransactionReceipt({ hash: second as `0x${string}` });
    expect(receipt.status).toBe('success');
    expect(await button(asker, 'Speed up').count()).toBe(0);
  });

  test('one that waits for a block is dropped: it moves nothing, and is not sped up after that', LONG, async () => {
    const to = someAddress();
    const first = await askWithoutBlocks(to);
    await press(asker, 'Drop', 'the address was wrong');
    await asker.getByText('A caller wants it dropped.').waitFor(SLOW);
    await asker.getByText('the address was wrong').first().waitFor();
    await button(asker, 'Speed up').click();
    const dialog = asker.getByRole('alertdialog');
    await dialog.getByRole('button', { name: 'Speed up', exact: true }).click();
    await dialog.getByRole('alert').getByText('is being dropped').waitFor(SLOW);
    await asker.keyboard.press('Escape');
    await expect.poll(() => hashOn(asker), { timeout: MINUTE_MS }).not.toBe(first);
    isMining = true;
    await statusOn(asker, 'failed').waitFor(SLOW);
    await asker.getByText('Failed because').waitFor();
    expect(await paid(to)).toBe(0n);
    expect(await held(stack)).toEqual(['0']);
    for (const name of ['Speed up', 'Drop', 'Cancel withdrawal'])
      expect([name, await button(asker, name).count()]).toEqual([name, 0]);
  });
});

async function held({ client }: Stack): Promise<string[]> {
  const amounts: string[] = [];
  for await (const balance of client.balances()) if (balance.symbol === 'ETH') amounts.push(balance.held);
  return amounts;
}

/** For another user, who approves by passkey. */
async function makeLink({ databaseUrl, workspaceId, keyEncryptionKey }: Stack, consoleOrigin: string): Promise<string> {
  const connection = connectDatabase(databaseUrl, { poolSize: 1, name: 'test-console' });
  const sealing = { seals: new Seals([Buffer.from(keyEncryptionKey, 'hex')]), note: () => {} };
  const userId = uuidv7();
  await connection.db.transaction((tx) =>
    insertUser(tx, sealing, { id: userId, workspaceId, name: 'approver with a passkey', createdBy: 'test' }),
  );
  const asked = { workspaceId, userId, roles: ['approver' as const], consoleOrigin };
  const link = await createEnrolmentLink(connection.db, asked, { keyEncryptionKey, action: 'workspace create-link' });
  await connection.close();
  if (link === undefined) throw new Error('there is no link');
  return link.url;
}
