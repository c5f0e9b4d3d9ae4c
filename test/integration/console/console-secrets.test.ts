// Goal: at the console webhooks are made, changed and deleted, keys are made, rotated and revoked, and a secret that
// waits is taken by its own user; each secret stands on the page once and nowhere else, and a session by passkey is
// handed no secret of a key. Method: a real Chromium with a virtual authenticator at the API in this process; what was
// made is looked at and used over the API.
import type { BrowserContext, Page } from 'playwright-core';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scopes } from '../../../domain/scopes.ts';
import { insertUser } from '../../../drizzle/users/users.ts';
import { sequenceEvents } from '../../../drizzle/webhooks/sequence-events.ts';
import { recordAttempts } from '../../../drizzle/webhooks/webhook-deliveries.ts';
import { createEnrolmentLink } from '../../../src/commands/create-enrolment-link.ts';
import { toEventData } from '../../../src/events/event-data.ts';
import { findFreePort } from '../../../src/local/processes/ports.ts';
import { startApi, type TestApi, type TestKey } from '../../support/api/api.ts';
import { findChromium, startBrowser, type TestBrowser, type Watched } from '../../support/browser/chromium.ts';
import { show, signIn } from '../../support/browser/console-pages.ts';
import { enrolAndSignIn, giveAuthenticator } from '../../support/browser/virtual-passkeys.ts';
import { keyEncryptionKey, testSealing } from '../../support/rows/seals.ts';

const chromium = await findChromium();
if ('missing' in chromium) console.log(`Webhooks and keys are not made: ${chromium.missing}.`);

/** No event tells of it, and it is shown long before all else is read again. */
const SOON = { timeout: 10_000 };

describe.skipIf('missing' in chromium)('what is shown once', { timeout: 120_000 }, () => {
  let api: TestApi;
  let origin: string;
  let browser: TestBrowser;
  let window: BrowserContext & Watched;
  let page: Page;
  beforeAll(async () => {
    const port = await findFreePort();
    origin = `http://localhost:${port}`;
    api = await startApi({ consoleOrigin: origin, webhooks: { resolve: async () => [] } });
    await api.app.listen({ host: '127.0.0.1', port });
    browser = await startBrowser('program' in chromium ? chromium.program : '');
    window = await browser.open(origin);
    page = await window.newPage();
    await signIn(page, api.admin);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await api?.stop();
  });

  const workspace = () => `/api/v1/workspaces/${api.workspaceId}`;
  // oxlint-disable-next-line typescript/no-explicit-any
  const listed = async (what: string): Promise<any[]> => (await api.call('GET', `${workspace()}/${what}`)).body.data;
  const userOf = async (key: TestKey): Promise<string> =>
    (await api.call('GET', '/api/v1/api-keys/self', undefined, { key })).body.data.user_id;
  const stored = (at: Page) => at.evaluate<string>('JSON.stringify([localStorage, sessionStorage, document.cookie])');

  async function press(at: Page, button: string): Promise<void> {
    await at.getByRole('button', { name: button, exact: true }).click();
    const dialog = at.getByRole('alertdialog');
    await dialog.getByRole('button', { name: button, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  }

  /** As a worker that has sent the newest delivery. */
  async function answerNext(webhookId: string): Promise<void> {
    const { body } = await api.call('GET', `/api/v1/webhooks/${webhookId}/deliveries?status=pending`);
    const attempt = { deliveryId: body.data[0].id, attempt: 1, startedAt: new Date(), durationMs: 9, statusCode: 204 };
    await recordAttempts(api.db, [{ ...attempt, error: null, status: 'delivered', againInMs: null }]);
  }

  /** Puts it away, and looks for it wherever else it might be. */
  async function takeSecret(at: Page, pattern: RegExp): Promise<string> {
    const secret = (await at.locator('.notice code').last().textContent()) ?? '';
    expect(secret).toMatch(pattern);
    await at.getByRole('button', { name: 'I have kept it' }).click();
    expect(await at.content()).not.toContain(secret);
    expect(await stored(at)).not.toContain(secret);
    expect(at.url()).not.toContain(secret);
    return secret;
  }

  test('a webhook is made, changed, given another secret and deleted', async () => {
    await show(page, '/webhooks');
    await page.getByText('There is no webhook: name a receiver').waitFor();
    await page.getByLabel('Address that events').fill('ftp://receiver.example');
    await page.getByRole('button', { name: 'Create the webhook' }).click();
    await page.getByRole('alert').getByText('url').waitFor();
    await page.getByLabel('Address that events').fill('https://receiver.example/events');
    await page.getByLabel('What it is for').fill('accounting');
    await page.getByText('Only some types of events').click();
    await page.getByLabel('deposit.confirmed').check();
    await page.getByLabel('withdrawal.completed').check();
    await page.getByRole('button', { name: 'Create the webhook' }).click();
    await page.locator('.notice').waitFor();
    const first = await takeSecret(page, /^whsec_[\w+/=]{40,}$/);
    const [made] = await listed('webhooks');
    expect(made).toMatchObject({ description: 'accounting', events: ['deposit.confirmed', 'withdrawal.completed'] });

    await page.getByRole('link', { name: 'https://receiver.example/events' }).click();
    await page.getByText('Change it').click();
    await page.getByRole('button', { name: 'Change the webhook' }).click();
    await page.getByRole('alert').getByText('Nothing of it was changed.').waitFor();
    await page.getByText('Only some types of events').click();
    await page.getByLabel('deposit.confirmed').uncheck();
    await page.getByLabel('What it is for').fill('');
    await page.getByRole('button', { name: 'Change the webhook' }).click();
    await page.getByRole('definition').getByText('withdrawal.completed', { exact: true }).waitFor();
    const [changed] = await listed('webhooks');
    expect(changed).toMatchObject({ url: 'https://receiver.example/events', events: ['withdrawal.completed'] });
    expect(changed).not.toHaveProperty('description');
    expect(await page.getByLabel('deposit.confirmed').isChecked()).toBe(false);
    expect(await page.getByLabel('withdrawal.completed').isChecked()).toBe(true);

    await press(page, 'Test');
    await api.db.transaction((tx) => sequenceEvents(tx, toEventData));
    await page.getByRole('cell', { name: 'none yet' }).waitFor();
    await answerNext(changed.id);
    await page.getByRole('cell', { name: '1: answered 204, 9 ms' }).waitFor(SOON);
    await press(page, 'Redeliver');
    await page.getByRole('cell', { name: 'none yet' }).waitFor();
    await answerNext(changed.id);
    await page.getByRole('cell', { name: 'none yet' }).waitFor({ state: 'detached', ...SOON });
    expect(await page.getByRole('cell', { name: '1: answered 204, 9 ms' }).count()).toBe(2);

    await press(page, 'Rotate secret');
    await page.locator('.notice').waitFor();
    expect(await takeSecret(page, /^whsec_/)).not.toBe(first);
    await page.getByText('Former secret signs until').waitFor();
    await press(page, 'Delete');
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    await page.getByText('There is no webhook: name a receiver').waitFor();
  });

  test('a key is made, signs what it may, and is revoked', async () => {
    const walletId = await api.makeActiveWallet();
    await show(page, '/users');
    await page.getByLabel('Name of the new key').fill('reports');
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.getByRole('alert').getByText('Check at least one').waitFor();
    await page.getByLabel('wallets:read').check();
    await page.getByText('Only some wallets').click();
    await page.locator('fieldset', { hasText: 'All wallets' }).getByRole('checkbox').first().check();
    await page.getByLabel('Addresses it may be used from').fill('127.0.0.1, 2001:db8::/32');
    await page.getByLabel('Last day').fill('2099-12-31');
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.locator('.notice').waitFor();
    const apiSecret = await takeSecret(page, /^\S{32,}$/);
    const made = (await listed('api-keys')).find(({ name }) => name === 'reports');
    expect(made).toMatchObject({
      scopes: ['wallets:read'],
      wallet_ids: [walletId],
      ip_allowlist: ['127.0.0.1', '2001:db8::/32'],
    });
    expect(made.expires_at).toMatch(/^2(099-12-31|100-01-01)T/);
    const key = { apiKey: made.api_key, apiSecret };
    const ask = () => api.call('GET', `/api/v1/wallets/${walletId}`, undefined, { key });
    expect((await ask()).status).toBe(200);
    await page.locator('tr', { hasText: 'reports' }).getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await page.locator('tr', { hasText: 'reports' }).getByText('revoked').waitFor();
    await expect.poll(async () => (await ask()).status).toBe(401);
  });

  test('a key for another user that waits for a third one shows no secret', async () => {
    const guarded = { rules: [], default: { action: 'allow' }, changes: { approvals: 1 } };
    await api.call('PUT', `${workspace()}/policy`, guarded);
    const grace = uuidv7();
    const user = { id: grace, workspaceId: api.workspaceId, name: 'Grace', createdBy: 'test' };
    await api.db.transaction((tx) => insertUser(tx, testSealing, user));
    await page.reload();
    await signIn(page, api.admin);
    await show(page, '/users');
    await page.getByLabel('Whose key it is').selectOption(grace);
    await page.getByLabel('Name of the new key').fill('of Grace');
    await page.getByLabel('signing:approve').check();
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.getByText('It waits for another user. Once it is approved').waitFor();
    expect(await page.locator('.notice').count()).toBe(0);
    expect((await listed('api-keys')).some(({ name }) => name === 'of Grace')).toBe(false);
  });

  test('a key is rotated, and both secrets sign for as long as was chosen', async () => {
    const own = await api.makeKey({ userId: await userOf(api.admin), scopes: ['wallets:read'], name: 'rotated' });
    const asks = (apiSecret: string) =>
      api.call('GET', `${workspace()}/wallets`, undefined, { key: { apiKey: own.apiKey, apiSecret } });
    await show(page, '/wallets');
    await show(page, '/users');
    const row = page.locator('tr', { hasText: 'rotated' });
    const rotate = async (overlap: string) => {
      await row.getByRole('button', { name: 'Rotate' }).click();
      const dialog = page.getByRole('alertdialog');
      await dialog.getByLabel('The secret until now signs for').selectOption({ label: overlap });
      await dialog.getByRole('button', { name: 'Rotate' }).click();
      await dialog.waitFor({ state: 'detached' });
      return takeSecret(page, /^\S{32,}$/);
    };
    const second = await rotate('a day');
    expect([(await asks(own.apiSecret)).status, (await asks(second)).status]).toEqual([200, 200]);
    const third = await rotate('no longer: it may have leaked');
    await expect.poll(async () => (await asks(second)).status).toBe(401);
    expect((await asks(third)).status).toBe(200);
  });

  test('the key of another user is rotated once a third one agrees, and its own user takes the secret', async () => {
    const kept = await api.makeKey({ name: 'kept by Grace', scopes: [...scopes] });
    const userId = await userOf(kept);
    const { apiKey } = await api.makeKey({ userId, name: 'rotated for Grace', scopes: ['wallets:read'] });
    await page.reload();
    await signIn(page, api.admin);
    await show(page, '/users');
    await page.locator('tr', { hasText: 'rotated for Grace' }).getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Rotate' }).click();
    await page.getByText('It waits for another user. Once it is approved').waitFor();
    expect(await page.locator('.notice').count()).toBe(0);
    const change = (await listed('changes?status=pending')).find(({ kind }) => kind === 'rotate_api_key');
    const key = await api.makeKey({ name: 'of Ada', scopes: [...scopes] });
    const approved = await api.call('POST', `/api/v1/changes/${change.id}/approve`, {}, { key });
    expect(approved.status).toBe(200);

    const atGrace = await (await browser.open(origin)).newPage();
    await signIn(atGrace, kept);
    await show(atGrace, '/users');
    const row = atGrace.locator('tr', { hasText: 'rotated for Grace' });
    await row.getByText('awaiting secret').waitFor();
    await row.getByRole('button', { name: 'Take secret' }).click();
    await atGrace.getByRole('alertdialog').getByRole('button', { name: 'Take secret' }).click();
    const apiSecret = await takeSecret(atGrace, /^\S{32,}$/);
    await row.getByText('active').waitFor();
    expect(await userOf({ apiKey, apiSecret })).toBe(userId);
    await atGrace.context().close();
  });

  test('a session is handed no secret of a key, and says so; webhooks it may make', async () => {
    const userId = uuidv7();
    const { workspaceId } = api;
    await api.db.transaction((tx) =>
      insertUser(tx, testSealing, { id: userId, workspaceId, name: 'with a passkey', createdBy: 'test' }),
    );
    const asked = { workspaceId, userId, roles: ['administrator' as const], consoleOrigin: origin };
    const link = await createEnrolmentLink(api.db, asked, { keyEncryptionKey, action: 'workspace create-link' });
    const own = await browser.open(origin);
    const session = await own.newPage();
    await giveAuthenticator(session);
    await enrolAndSignIn(session, link?.url ?? '');
    await show(session, '/users');
    await session.getByText('A session cannot do this').waitFor();
    expect(await session.getByRole('button', { name: 'Create the key' }).count()).toBe(0);
    await show(session, '/webhooks');
    await session.getByLabel('Address that events').fill('https://receiver.example/session');
    await session.getByRole('button', { name: 'Create the webhook' }).click();
    await session.locator('.notice').waitFor();
    await takeSecret(session, /^whsec_/);
    expect([...own.complaints, ...own.strangers]).toEqual([]);
  });
});
