// Goal: an export is started once, followed, listed and downloaded by who may, also in parts, and goes with its file
// when its time is over. Method: the API and the product's workflow and activities on real PostgreSQL and Temporal, by
// status code. What is in the files is export-contents.test.ts; who tries to get at them, hazards/exports.
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditLogs } from '../../../drizzle/audit/audit-tables.ts';
import { exports } from '../../../drizzle/exports/exports.ts';
import { removeOldExports } from '../../../src/worker/remove-old-exports.ts';
import type { TestKey } from '../../support/api/api.ts';
import { type ExportsApi, startExports } from '../../support/api/exports.ts';
import { runCommand } from '../../support/processes/scripted-terminal.ts';
import { insertManyTransactions, makeAsset } from '../../support/rows/transactions.ts';

const ROWS = 5_000;
const csv = { content: 'transactions', format: 'csv' };
const silent = { info: () => {}, warn: () => {} };

let setting: ExportsApi;
let walletIds: string[];
beforeAll(async () => {
  setting = await startExports({ quotas: { exportsUnderWayMax: 3 } });
  const { api } = setting;
  walletIds = [await api.makeActiveWallet(), await api.makeActiveWallet()];
  const asset = { ...(await makeAsset(api.db)), workspaceId: api.workspaceId };
  await insertManyTransactions(api.db, asset, walletIds, { rows: ROWS });
  await setting.startWorker();
}, 120_000);
afterAll(() => setting?.stop());

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');

describe('one export', () => {
  // oxlint-disable-next-line typescript/no-explicit-any
  let done: any;
  beforeAll(async () => {
    done = await setting.run(csv);
  }, 120_000);

  test('is completed, with what its file is', () => {
    expect(done).toMatchObject({
      content: 'transactions',
      format: 'csv',
      status: 'completed',
      rows_written: ROWS,
      file: { media_type: 'text/csv; charset=utf-8', rows: ROWS, bytes: done.bytes_written },
    });
    expect(done.file.columns[0]).toEqual({ name: 'id', type: 'id' });
    expect(done).not.toHaveProperty('error_code');
  });

  test('is one file of its owner alone, with a manifest beside it, and nothing else', () => {
    const names = readdirSync(setting.directory).filter((name) => name.startsWith(done.id));
    const manifestName = done.file.file_name.replace(/csv$/, 'manifest.json');
    expect(new Set(names)).toEqual(new Set([done.file.file_name, manifestName]));
    expect(names).toHaveLength(2);
    for (const name of names) expect(statSync(join(setting.directory, name)).mode & 0o777).toBe(0o600);
    const bytes = readFileSync(join(setting.directory, done.file.file_name));
    expect([bytes.length, sha256(bytes)]).toEqual([done.file.bytes, done.file.sha256]);
    const manifest = JSON.parse(readFileSync(join(setting.directory, manifestName), 'utf8'));
    expect(manifest).toMatchObject({ export_id: done.id, content: 'transactions', wallet_ids: null, ...done.file });
  });

  test('is downloaded whole, with its ETag and a name', async () => {
    const { status, body, headers } = await setting.content(done.id);
    expect([status, sha256(body)]).toEqual([200, done.file.sha256]);
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-length': String(done.file.bytes),
      'accept-ranges': 'bytes',
      etag: `"${done.file.sha256}"`,
      'content-disposition': `attachment; filename="transactions-${done.id}.csv"`,
    });
  });

  test.each([
    ['bytes=0-9', 0, 10],
    ['bytes=1000-', 1000, undefined],
    ['bytes=-7', -7, undefined],
    ['bytes=100-99999999999', 100, undefined],
  ])('%s is a part', async (range, from, to) => {
    const whole = readFileSync(join(setting.directory, done.file.file_name), 'latin1');
    const { status, body, headers } = await setting.content(done.id, { headers: { range } });
    expect([status, body]).toEqual([206, whole.slice(from, to)]);
    const start = from < 0 ? whole.length + from : from;
    expect(headers['content-range']).toBe(`bytes ${start}-${start + body.length - 1}/${whole.length}`);
  });

  test.each([
    [{ range: 'bytes=9-3' }],
    [{ range: 'bytes=99999999999-' }],
    [{ range: 'bytes=0-1,5-6' }],
    [{ range: 'lines=1-2' }],
    [{ range: 'bytes=0-9', 'if-range': '"of another file"' }],
  ])('%s is answered whole', async (headers: Record<string, string>) => {
    const { status, body } = await setting.content(done.id, { headers });
    expect([status, sha256(body)]).toEqual([200, done.file.sha256]);
  });

  test('stands in the list, by content and status', async () => {
    const list = async (query: string) =>
      (await setting.api.call('GET', setting.path(query))).body.data.map(({ id }: { id: string }) => id);
    expect(await list('?content=transactions,audit&status=completed')).toContain(done.id);
    expect(await list('?content=audit')).not.toContain(done.id);
    expect(await list('?status=failed')).not.toContain(done.id);
  });

  test('was written down: who started it, and what', async () => {
    const rows = await setting.api.db.select().from(auditLogs).where(sql`${auditLogs.resourceId} = ${done.id}`);
    expect(rows).toMatchObject([{ action: 'POST /workspaces/{workspace_id}/exports', outcome: 'accepted' }]);
  });
});

test('a repeated idempotency key is the same export, also when that is gone', async () => {
  const headers = { 'x-idempotency-key': uuidv7() };
  const ask = async () => setting.api.call('POST', setting.path(), csv, { headers });
  const first = await ask();
  await setting.ended(first.body.data.id);
  await setting.api.db.delete(exports).where(sql`${exports.id} = ${first.body.data.id}`);
  expect((await ask()).body).toEqual(first.body);
});

test('from and to bound it, and wallets', async () => {
  const [from, to] = ['2026-01-01T00:00:11Z', '2026-01-01T00:00:21Z'];
  expect((await setting.run({ ...csv, from, to })).file.rows).toBe(10);
  expect((await setting.run({ ...csv, from, to, wallet_ids: [walletIds[0]] })).file.rows).toBe(5);
  expect((await setting.run({ ...csv, from, to, wallet_ids: [uuidv7()] })).file.rows).toBe(0);
});

test.each([
  [{ content: 'transactions', format: 'xlsx' }],
  [{ content: 'secrets', format: 'csv' }],
  [{ content: 'transactions' }],
  [{ ...csv, from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' }],
  [{ content: 'balances', format: 'csv', from: '2026-01-01T00:00:00Z' }],
  [{ content: 'balances', format: 'csv', to: '2999-01-01T00:00:00Z' }],
  [{ ...csv, wallet_ids: [] }],
  [{ ...csv, file_name: '../../etc/passwd' }],
])('400 for %j', async (body) => {
  expect(await setting.api.call('POST', setting.path(), body)).toMatchObject({
    status: 400,
    body: { code: 'invalid_request' },
  });
});

test('409 for the content of one that is not completed, 503 without a folder', async () => {
  const id = uuidv7();
  const asked = { id, workspaceId: setting.api.workspaceId, workflowId: `write-export-${id}`, requestedBy: uuidv7() };
  await setting.api.db.insert(exports).values({ ...asked, content: 'deposits', format: 'csv', status: 'failed' });
  expect(await setting.content(id)).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
  const bare = await setting.api.startAnother({ exportDirectory: '' });
  try {
    const refused = await setting.api.call('POST', setting.path(), csv, { at: bare.app });
    expect(refused).toMatchObject({ status: 503, body: { code: 'route_disabled' } });
  } finally {
    await bare.stop();
  }
});

test('429 beyond as many under way as a workspace may have; another workspace is not held up', async () => {
  const asked = { workspaceId: setting.api.workspaceId, workflowId: '', requestedBy: uuidv7() } as const;
  const ids = [uuidv7(), uuidv7(), uuidv7()];
  const rows = ids.map((id) => ({ ...asked, id, workflowId: `write-export-${id}` }));
  await setting.api.db
    .insert(exports)
    .values(rows.map((row) => ({ ...row, content: 'audit', format: 'csv' }) as const));
  try {
    // Unlike what was asked for before in this second, which would be a replay.
    const another = { ...csv, from: '2020-01-01T00:00:00Z' };
    expect(await setting.api.call('POST', setting.path(), another)).toMatchObject({
      status: 429,
      body: { code: 'rate_limited' },
    });
    const other = await setting.api.makeWorkspace();
    const started = await setting.api.call('POST', setting.path('', other.workspaceId), csv, { key: other.key });
    expect(started.status).toBe(202);
  } finally {
    await setting.api.db.delete(exports).where(sql`${exports.id} = any(${`{${ids.join()}}`}::uuid[])`);
  }
});

test('what is old goes with its file, and so does what an attempt has left', async () => {
  const { api, store, directory } = setting;
  const [old, kept] = [await setting.run(csv), await setting.run(csv)];
  await api.db
    .update(exports)
    .set({ completedAt: sql`now() - interval '8 days'` })
    .where(sql`${exports.id} = ${old.id}`);
  const [left, young, foreign] = [`${kept.id}.${uuidv7()}.csv.part`, `${kept.id}.${uuidv7()}.csv.part`, 'notes.txt'];
  for (const name of [left, young, foreign]) writeFileSync(join(directory, name), 'x');
  const anHourAgo = new Date(Date.now() - 2 * 60 * 60_000);
  for (const name of [left, foreign, kept.file.file_name]) utimesSync(join(directory, name), anHourAgo, anHourAgo);
  await removeOldExports({ db: api.db, store, keptDays: 7, log: silent });
  const names = readdirSync(directory);
  expect(names.filter((name) => name.startsWith(old.id))).toEqual([]);
  expect(names).toEqual(expect.arrayContaining([kept.file.file_name, young, foreign]));
  expect(names).not.toContain(left);
  expect((await api.call('GET', setting.path(`/${old.id}`))).status).toBe(404);
  expect((await setting.content(kept.id)).status).toBe(200);
}, 120_000);

describe('a key that may not read what is exported', () => {
  let withdrawals: { id: string };
  let ofWallet: { id: string };
  beforeAll(async () => {
    withdrawals = await setting.run({ content: 'withdrawals', format: 'jsonl' });
    ofWallet = await setting.run({ ...csv, wallet_ids: [walletIds[0]] });
  }, 120_000);

  const refusals = async (key: TestKey, id: string, body: object) => {
    const answers = [
      await setting.api.call('POST', setting.path(), body, { key }),
      await setting.api.call('GET', setting.path(`/${id}`), undefined, { key }),
      await setting.content(id, { key }),
    ];
    return answers.map((answer) => `${answer.status} ${answer.body.code ?? 'file'}`);
  };
  const listed = async (key: TestKey) =>
    (await setting.api.call('GET', setting.path(), undefined, { key })).body.data.map(({ id }: { id: string }) => id);

  test('neither starts, reads, downloads nor lists it', async () => {
    const key = await setting.api.makeKey({ scopes: ['transactions:read', 'audit:read', 'balances:read'] });
    const body = { content: 'withdrawals', format: 'csv' };
    const refused = '403 insufficient_scope';
    expect(await refusals(key, withdrawals.id, body)).toEqual([refused, refused, refused]);
    const ids = await listed(key);
    expect([ids.includes(withdrawals.id), ids.includes(ofWallet.id)]).toEqual([false, true]);
  });

  test('a key that is bound to a wallet gets its own wallets and nothing of others', async () => {
    const scopes = ['transactions:read', 'audit:read', 'withdrawals:read'] as const;
    const key = await setting.api.makeKey({ scopes: [...scopes], walletIds: [walletIds[0] as string] });
    const refused = '403 wallet_not_allowed';
    const ofOthers = { ...csv, wallet_ids: [walletIds[1]] };
    expect(await refusals(key, withdrawals.id, ofOthers)).toEqual([refused, refused, refused]);
    expect((await refusals(key, withdrawals.id, { content: 'audit', format: 'csv' }))[0]).toBe(refused);
    const own = await setting.run(csv, key);
    expect(own).toMatchObject({ wallet_ids: [walletIds[0]], file: { rows: ROWS / 2 } });
    const ids = await listed(key);
    expect(ids).toEqual(expect.arrayContaining([own.id, ofWallet.id]));
    expect(ids).not.toContain(withdrawals.id);
    const other = await setting.api.makeKey({ scopes: [...scopes], walletIds: [walletIds[1] as string] });
    expect((await refusals(other, own.id, ofOthers)).slice(1)).toEqual([refused, refused]);
  }, 120_000);
});

test('a file that is not what was written, and comes in one piece, is answered in the envelope', async () => {
  const done = await setting.run({ content: 'audit', format: 'csv' });
  const path = join(setting.directory, done.file.file_name);
  writeFileSync(path, 'x'.repeat(done.file.bytes));
  const answer = await setting.content(done.id);
  expect(answer).toMatchObject({ status: 500, body: { success: false, code: 'internal_error', data: null } });
  for (const name of ['etag', 'content-disposition', 'accept-ranges']) expect(answer.headers).not.toHaveProperty(name);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
});

test('the command line starts one, waits for it and keeps its file, and says what is refused', {
  timeout: 120_000,
}, async () => {
  const { api } = setting;
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  const folder = mkdtempSync(join(tmpdir(), 'countersign-exports-command-'));
  const { port } = api.app.server.address() as AddressInfo;
  const env = {
    COUNTERSIGN_URL: `http://127.0.0.1:${port}`,
    COUNTERSIGN_API_KEY: api.admin.apiKey,
    COUNTERSIGN_API_SECRET: api.admin.apiSecret,
  };
  const countersign = (...args: string[]) => runCommand(args, { env, folder, home: folder });
  try {
    const kept = await countersign('exports', 'start', 'transactions', '--output', 'kept.csv', '--json');
    expect([kept.code, kept.records()]).toMatchObject([0, [{ status: 'completed', file: { rows: ROWS } }]]);
    const [{ id, file }] = kept.records();
    expect(sha256(readFileSync(join(folder, 'kept.csv')))).toBe(file.sha256);
    expect((await countersign('exports', 'list')).output).toContain(id);
    expect(sha256((await countersign('exports', 'download', id)).output)).toBe(file.sha256);
    writeFileSync(join(setting.directory, file.file_name), 'x'.repeat(file.bytes));
    expect((await countersign('exports', 'download', id, '--output', 'altered.csv')).code).not.toBe(0);
    expect((await countersign('exports', 'start', 'secrets')).code).toBe(2);
    expect(readdirSync(folder)).toEqual(['kept.csv']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
