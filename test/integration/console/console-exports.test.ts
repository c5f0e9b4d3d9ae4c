// Goal: somebody at the console asks for an export, sees it end, downloads what was written and nothing else, cancels
// one, and has exports made by a schedule, of which nothing is sent that the service would refuse. Who may export
// nothing is shown no way to it. Method: a real Chromium at the API in this process, with the product's worker for
// exports where there has to be one.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Download, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestKey } from '../../support/api/api.ts';
import { sequenceOnce } from '../../support/api/events.ts';
import { type ExportsApi, startExports } from '../../support/api/exports.ts';
import { findChromium, startBrowser, type TestBrowser } from '../../support/browser/chromium.ts';
import { show, signIn } from '../../support/browser/console-pages.ts';

const chromium = await findChromium();
if ('missing' in chromium) console.log(`Exports are not looked at: ${chromium.missing}.`);

describe.skipIf('missing' in chromium)('exports at the console', { timeout: 120_000 }, () => {
  let setting: ExportsApi;
  let browser: TestBrowser;
  let address: string;
  let walletId: string;
  beforeAll(async () => {
    setting = await startExports();
    walletId = await setting.api.makeActiveWallet();
    address = await setting.api.app.listen({ host: '127.0.0.1', port: 0 });
    browser = await startBrowser('program' in chromium ? chromium.program : '');
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await setting?.stop();
  });

  async function open(key: TestKey = setting.api.admin): Promise<Page> {
    const page = await (await browser.open(address)).newPage();
    await signIn(page, key);
    return page;
  }

  const statusOn = (page: Page, status: string) => page.locator('main .status', { hasText: status }).first();
  const idIn = (page: Page) => page.url().split('/').at(-1) ?? '';

  async function press(page: Page, button: string, reason?: string): Promise<void> {
    await page.getByRole('button', { name: button, exact: true }).click();
    const dialog = page.getByRole('alertdialog');
    if (reason !== undefined) await dialog.getByLabel('Reason').fill(reason);
    await dialog.getByRole('button', { name: button, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  }

  test('none yet; one is asked for, of a time and of a wallet, and cancelled', async () => {
    const page = await open();
    await page.getByRole('link', { name: 'Exports', exact: true }).click();
    await page.getByText('There is no export: ask for one below.').waitFor();
    await page.getByLabel('What is exported').selectOption('withdrawals');
    await page.getByLabel('Format').selectOption('jsonl');
    await page.getByText('Only of some wallets').click();
    await page.locator('fieldset').getByRole('checkbox').first().check();
    await page.getByLabel('Created from').fill('2026-01-01');
    await page.getByLabel('Created until').fill('2026-01-31');
    await page.getByRole('button', { name: 'Start the export' }).click();
    await page.getByRole('heading', { level: 1, name: 'Export: Withdrawals as JSONL' }).waitFor();
    await press(page, 'Cancel', 'the wrong month');
    await statusOn(page, 'cancelled').waitFor();
    await page.getByText('the wrong month').waitFor();
    const { body } = await setting.api.call('GET', setting.path(`/${idIn(page)}`));
    expect(body.data).toMatchObject({ status: 'cancelled', wallet_ids: [walletId], reason: 'the wrong month' });
    expect(Date.parse(body.data.to) - Date.parse(body.data.from)).toBe(31 * 86_400_000);
    await page.context().close();
  });

  test('balances are of one moment, and have no beginning', async () => {
    const page = await open();
    await show(page, '/exports');
    await page.getByLabel('What is exported').selectOption('balances');
    await page.getByLabel('As they were at the end of').waitFor();
    expect(await page.getByLabel('Created from').count()).toBe(0);
    await page.context().close();
  });

  test('it ends while somebody looks, and what is downloaded is what was written', async () => {
    const worker = await setting.startWorker();
    const page = await open();
    await show(page, '/exports');
    await page.getByLabel('What is exported').selectOption('audit');
    await page.getByRole('button', { name: 'Start the export' }).click();
    await page.getByRole('heading', { level: 1, name: 'Export: Audit as CSV' }).waitFor();
    const { file } = await setting.ended(idIn(page));
    await sequenceOnce(setting.api.db);
    await page.getByText(file.sha256).waitFor();
    const download = page.getByRole('button', { name: 'Download' });
    const [got] = await Promise.all([page.waitForEvent('download'), download.click()]);
    await page.getByText('Downloaded whole.').waitFor();
    expect(got.suggestedFilename()).toBe(`audit-${idIn(page)}.csv`);
    expect(
      createHash('sha256')
        .update(await bytesOf(got))
        .digest('hex'),
    ).toBe(file.sha256);
    await worker.stop();

    // Whoever changes a byte where files are kept is found out, and nothing is handed over.
    const path = join(setting.directory, file.file_name);
    const bytes = readFileSync(path);
    bytes[10] = (bytes[10] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    let isHandedOver = false;
    page.on('download', () => {
      isHandedOver = true;
    });
    await download.click();
    await page.getByRole('alert').first().waitFor();
    expect(isHandedOver).toBe(false);
    await page.context().close();
  });

  test('a schedule is made when its times make sense, paused, resumed, run by hand and deleted', async () => {
    const page = await open();
    await page.getByRole('link', { name: 'Export schedules' }).click();
    await page.getByText('Nothing is exported again and again').waitFor();
    const when = page.getByLabel('When: minute, hour');
    await when.fill('* * * * *');
    await page.getByText('cron names one minute').waitFor();
    expect(await when.getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('Time zone').getAttribute('aria-invalid')).toBe('false');
    await page.getByRole('button', { name: 'Create the schedule' }).click();
    await page.getByRole('alert').getByText('cron names one minute').waitFor();
    await page.getByLabel('Time zone').fill('Mars/Olympus');
    await when.fill('30 6 1 * *');
    await page.getByText('no name of a time zone').waitFor();
    await page.getByLabel('Time zone').fill('Asia/Tokyo');
    expect(await page.getByRole('list', { name: 'Next times' }).getByRole('listitem').count()).toBe(3);
    await page.getByLabel('Of which time').selectOption('previous_month');
    await page.getByRole('button', { name: 'Create the schedule' }).click();
    const row = page.getByRole('table', { name: 'Export schedules' }).locator('tbody tr');
    await row.getByText('Asia/Tokyo').waitFor();
    await row.getByText('the month before').waitFor();

    await press(page, 'Pause');
    await statusOn(page, 'paused').waitFor();
    await press(page, 'Resume');
    await statusOn(page, 'active').waitFor();
    await press(page, 'Run now');
    await page.getByRole('heading', { level: 1, name: 'Export: Transactions as CSV' }).waitFor();
    await page.getByRole('link', { name: 'run by hand' }).click();
    await page.getByRole('heading', { level: 1, name: 'Exports' }).waitFor();
    const filter = page.getByLabel('Schedule', { exact: true });
    await expect.poll(() => filter.locator('option:checked').textContent()).toContain('30 6 1 * * Asia/Tokyo');
    const exported = page.getByRole('table', { name: 'Exports' }).locator('tbody tr');
    await expect.poll(() => exported.count()).toBe(1);
    await filter.selectOption('');
    await expect.poll(() => exported.count()).toBeGreaterThan(1);
    await page.getByRole('link', { name: 'Export schedules' }).click();
    await press(page, 'Delete');
    await page.getByText('Nothing is exported again and again').waitFor();
    await page.context().close();
  });

  test('who may export nothing has no way there, and who is bound to wallets exports no audit log', async () => {
    const none = await open(await setting.api.makeKey({ scopes: ['wallets:read'] }));
    await none.getByRole('link', { name: 'Wallets', exact: true }).waitFor();
    expect(await none.getByRole('link', { name: 'Exports' }).count()).toBe(0);
    for (const path of ['/exports', '/export-schedules']) {
      await show(none, path);
      await none.getByText('This key may export nothing').waitFor();
    }
    await none.context().close();
    const bound = { scopes: ['transactions:read', 'audit:read', 'wallets:read'], walletIds: [walletId] };
    const page = await open(await setting.api.makeKey(bound));
    await show(page, '/exports');
    const contents = await page.getByLabel('What is exported').locator('option').allTextContents();
    expect(contents).toEqual(['Transactions', 'Deposits']);
    await page.context().close();
  });
});

async function bytesOf(download: Download): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of await download.createReadStream()) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}
