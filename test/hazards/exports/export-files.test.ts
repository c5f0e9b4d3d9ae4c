// Goal: whoever owns the database, or can write into the folder, gets the API to serve no other file than the one that
// was written for the export, and a key that is revoked gets no more of it. Method: each attempt by itself, on a file
// that was written before; a download through a real socket that is read slowly.
import { createHmac } from 'node:crypto';
import { appendFileSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportFileName, readExportFileName } from '../../../domain/exports/export-file-names.ts';
import type { TestKey } from '../../support/api/api.ts';
import { type ExportsApi, startExports } from '../../support/api/exports.ts';
import { insertManyTransactions, makeAsset } from '../../support/rows/transactions.ts';

/** Some 40 MB: more than sockets take up. */
const ROWS = 12_000;
const BLOCK_HASH_LENGTH = 3_000;
const MINUTE_MS = 60_000;

let setting: ExportsApi;
// oxlint-disable-next-line typescript/no-explicit-any
let ours: any;
// oxlint-disable-next-line typescript/no-explicit-any
let theirs: any;
let other: { workspaceId: string; key: TestKey };

beforeAll(async () => {
  setting = await startExports();
  const { api } = setting;
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  await setting.startWorker();
  const walletId = await api.makeActiveWallet();
  const asset = { ...(await makeAsset(api.db)), workspaceId: api.workspaceId };
  await insertManyTransactions(api.db, asset, [walletId], { rows: ROWS, blockHashLength: BLOCK_HASH_LENGTH });
  ours = await setting.run({ content: 'transactions', format: 'csv' });
  other = await api.makeWorkspace();
  const started = await api.call('POST', setting.path('', other.workspaceId), balances, { key: other.key });
  const path = setting.path(`/${started.body.data.id}`, other.workspaceId);
  do theirs = (await api.call('GET', path, undefined, { key: other.key, headers: { prefer: 'wait=5' } })).body.data;
  while (theirs.status !== 'completed' && theirs.status !== 'failed');
}, 2 * MINUTE_MS);
afterAll(() => setting?.stop());

const balances = { content: 'balances', format: 'csv' };
const change = (set: ReturnType<typeof sql>) =>
  setting.api.db.execute(sql`update exports set ${set} where id = ${ours.id}`);
const refused = { status: 503, body: { code: 'dependency_unavailable', data: null } };

test("another workspace's key finds nothing under either workspace's path", async () => {
  for (const path of [setting.path(`/${ours.id}`), setting.path(`/${ours.id}`, other.workspaceId)])
    for (const rest of ['', '/content'])
      expect(await setting.api.call('GET', path + rest, undefined, { key: other.key })).toMatchObject({
        status: 404,
        body: { code: 'not_found', data: null },
      });
});

test('a row that names the file of another export gets none', async () => {
  const fileId = readExportFileName(theirs.file.file_name)?.fileId ?? '';
  const own = readExportFileName(ours.file.file_name)?.fileId ?? '';
  await change(sql`file_id = ${fileId}, byte_count = ${theirs.file.bytes}, sha256 = ${theirs.file.sha256}`);
  expect(await setting.content(ours.id)).toMatchObject(refused);
  await change(sql`file_id = ${uuidv7()}`);
  expect(await setting.content(ours.id)).toMatchObject(refused);
  await change(sql`file_id = ${own}, byte_count = ${ours.file.bytes}, sha256 = ${ours.file.sha256}`);
  expect((await setting.content(ours.id)).status).toBe(200);
});

test('no column takes a path, and no name is made of what is no id', async () => {
  await expect(change(sql`file_id = '../../../etc/passwd'`)).rejects.toThrow();
  await expect(change(sql`id = '../x'`)).rejects.toThrow();
  await change(sql`format = '../../../../etc/passwd'`);
  expect((await setting.content(ours.id)).status).toBe(500);
  await change(sql`format = 'csv'`);
  const fileId = uuidv7();
  for (const exportId of ['../../etc/passwd', '', `${uuidv7()}/..`, `${uuidv7()}\n`])
    expect(() => exportFileName({ exportId, fileId }, 'csv')).toThrow(/named by ids alone/);
  expect(() => exportFileName({ exportId: uuidv7(), fileId }, 'constructor' as 'csv')).toThrow(/no such format/);
  for (const name of [`../${ours.file.file_name}`, 'notes.txt', `${ours.file.file_name}/x`, ''])
    expect(readExportFileName(name)).toBeUndefined();
});

test('a link, a folder and a file of another length in its place are not served', async () => {
  const path = join(setting.directory, ours.file.file_name);
  const kept = `${path}.kept`;
  const secret = join(tmpdir(), `countersign-secret-${uuidv7()}`);
  renameSync(path, kept);
  writeFileSync(secret, 's'.repeat(ours.file.bytes));
  symlinkSync(secret, path);
  expect(await setting.content(ours.id)).toMatchObject(refused);
  rmSync(path);
  symlinkSync(setting.directory, path);
  expect(await setting.content(ours.id)).toMatchObject(refused);
  rmSync(path);
  writeFileSync(path, 'short');
  expect(await setting.content(ours.id)).toMatchObject(refused);
  rmSync(path);
  rmSync(secret);
  renameSync(kept, path);
  appendFileSync(path, 'x');
  expect(await setting.content(ours.id)).toMatchObject(refused);
  writeFileSync(path, readFileSync(path).subarray(0, ours.file.bytes));
  expect((await setting.content(ours.id)).status).toBe(200);
});

async function open(path: string, key: TestKey): Promise<IncomingMessage> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const canonical = `method=GET&path=${path}&timestamp=${timestamp}&body=`;
  const { port } = setting.api.app.server.address() as AddressInfo;
  const request = httpRequest({
    host: '127.0.0.1',
    port,
    path,
    headers: {
      'access-api-key': key.apiKey,
      'access-timestamp': timestamp,
      'access-sign': createHmac('sha256', key.apiSecret).update(canonical).digest('hex'),
    },
  });
  request.end();
  return new Promise((resolve, reject) => request.once('response', resolve).once('error', reject));
}

async function receive(response: IncomingMessage): Promise<{ bytes: number; isWhole: boolean }> {
  let bytes = 0;
  try {
    for await (const piece of response) bytes += (piece as Buffer).length;
  } catch {}
  return { bytes, isWhole: response.complete };
}

test('a file of the same length that is not what was written is torn off, never ended', {
  timeout: MINUTE_MS,
}, async () => {
  const path = join(setting.directory, ours.file.file_name);
  const whole = readFileSync(path);
  const altered = Buffer.from(whole);
  altered[whole.length - 10] = 0x39;
  altered[10] = 0x39;
  writeFileSync(path, altered);
  const content = setting.path(`/${ours.id}/content`);
  expect(await receive(await open(content, setting.api.admin))).toMatchObject({ isWhole: false });
  writeFileSync(path, whole);
  expect(await receive(await open(content, setting.api.admin))).toEqual({ bytes: whole.length, isWhole: true });
});

test.each(['revoked', 'without its scope'])(
  'a key that is %s meanwhile gets no more',
  { timeout: MINUTE_MS },
  async (how) => {
    const key = await setting.api.makeKey({ scopes: ['transactions:read'] });
    const { id } = (await setting.api.call('GET', '/api/v1/api-keys/self', undefined, { key })).body.data;
    const response = await open(setting.path(`/${ours.id}/content`), key);
    expect(response.statusCode).toBe(200);
    const { api } = setting;
    const admin = `/api/v1/api-keys/${id}`;
    const answer =
      how === 'revoked'
        ? await api.call('DELETE', admin)
        : await api.call('PATCH', admin, { scopes: ['catalog:read'] });
    expect(answer.status).toBe(200);
    // A change holds within a second.
    await sleep(1_500);
    const { bytes, isWhole } = await receive(response);
    expect([bytes < ours.file.bytes, isWhole]).toEqual([true, false]);
  },
);

test('nothing was left in the folder but the two files of each export', () => {
  expect(readdirSync(setting.directory)).toHaveLength(4);
});
