// Goal: an export that a caller cancels is over at once for who reads it, stops within seconds where it is written, and
// leaves nothing behind; what has ended stays as it is. Method: the API and the product's workflow and activities on
// real PostgreSQL and Temporal, with a worker that writes slowly, by status code.
import { readdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createExportActivities } from '../../../activities/exports/write-export.ts';
import { auditLogs } from '../../../drizzle/audit/audit-tables.ts';
import { TEXT_STREAM_NAME } from '../../../drizzle/database/text-stream.ts';
import { completeExport } from '../../../drizzle/exports/export-steps.ts';
import { exports } from '../../../drizzle/exports/exports.ts';
import { temporalClient } from '../../../src/process/temporal.ts';
import { operationStatusAttribute } from '../../../workflows/search-attributes.ts';
import { type ExportsApi, startExports } from '../../support/api/exports.ts';
import { runCommand } from '../../support/processes/scripted-terminal.ts';
import { testTemporal } from '../../support/processes/temporal.ts';
import { insertManyTransactions, makeAsset } from '../../support/rows/transactions.ts';

const ROWS = 25_000;
const MINUTE_MS = 60_000;
/** Written in some twenty seconds, so that one that was not stopped would go on for long. */
const PIECE_DELAY_MS = 400;
const STOPS_WITHIN_MS = 5_000;
const jsonl = { content: 'transactions', format: 'jsonl' } as const;
const cancelled = { status: 'cancelled', error_code: 'cancelled', completed_at: expect.any(String) };

let setting: ExportsApi;
let client: Client;
beforeAll(async () => {
  setting = await startExports();
  client = temporalClient(testTemporal('cancelling'));
  const { db, workspaceId } = setting.api;
  const asset = { ...(await makeAsset(db)), workspaceId };
  await insertManyTransactions(db, asset, [await setting.api.makeActiveWallet()], { rows: ROWS });
}, MINUTE_MS);
afterAll(async () => {
  await client?.connection.close();
  await setting?.stop();
});

const cancel = (id: string, body?: object, options = {}) =>
  setting.api.call('POST', setting.path(`/${id}/cancel`), body, options);
const rowOf = async (id: string) => (await setting.api.db.select().from(exports).where(sql`${exports.id} = ${id}`))[0];
const written = async (id: string) => (await rowOf(id))?.rowCount ?? 0;
const filesOf = (id: string) => readdirSync(setting.directory).filter((name) => name.startsWith(id));
const readers = async () =>
  (
    await setting.api.db.execute(
      sql`select from pg_stat_activity where application_name = ${TEXT_STREAM_NAME} and datname = current_database()`,
    )
  ).length;
const until = (look: () => unknown, timeout = MINUTE_MS) => expect.poll(look, { timeout, interval: 50 });

test('one that is being written stops within seconds, and nothing of it is left', {
  timeout: 2 * MINUTE_MS,
}, async () => {
  const worker = await setting.startWorker(PIECE_DELAY_MS);
  const { id } = await setting.start(jsonl);
  await until(() => written(id)).toBeGreaterThan(0);
  expect(filesOf(id)).toHaveLength(1);
  const answer = await cancel(id, { reason: 'The wrong month.' });
  expect(answer).toMatchObject({ status: 200, body: { data: { ...cancelled, reason: 'The wrong month.' } } });
  expect(answer.body.data).not.toHaveProperty('file');
  await until(() => filesOf(id), STOPS_WITHIN_MS).toEqual([]);
  await until(readers, STOPS_WITHIN_MS).toBe(0);
  const { workflowId = '' } = (await rowOf(id)) ?? {};
  await client.workflow.getHandle(workflowId).result();
  const { typedSearchAttributes } = await client.workflow.getHandle(workflowId).describe();
  expect(typedSearchAttributes.get(operationStatusAttribute)).toBe('cancelled');
  expect(await rowOf(id)).toMatchObject({ status: 'cancelled', sha256: null });
  expect((await setting.content(id)).status).toBe(409);
  await worker.stop();
});

test('one that waits for a worker is cancelled at once, and the worker that comes writes nothing', {
  timeout: MINUTE_MS,
}, async () => {
  const { id } = await setting.start(jsonl);
  expect(await cancel(id)).toMatchObject({ status: 200, body: { data: cancelled } });
  expect(await setting.ended(id)).toMatchObject({ ...cancelled, rows_written: 0 });
  const worker = await setting.startWorker();
  await client.workflow.getHandle((await rowOf(id))?.workflowId ?? '').result();
  expect([await rowOf(id), filesOf(id)]).toMatchObject([{ status: 'cancelled', fileId: null }, []]);
  await worker.stop();
});

test('cancelled twice is cancelled once; its entry and its event are one', async () => {
  const { id } = await setting.start(jsonl);
  const headers = { 'x-idempotency-key': uuidv7() };
  const first = await cancel(id, { reason: 'first' }, { headers });
  expect((await cancel(id, { reason: 'first' }, { headers })).body).toEqual(first.body);
  expect((await cancel(id, { reason: 'second' })).body.data).toEqual(first.body.data);
  const { db } = setting.api;
  const entries = await db.select().from(auditLogs).where(sql`${auditLogs.resourceId} = ${id}`).orderBy(auditLogs.id);
  expect(entries.map(({ action, outcome }) => [action.split(' ')[1]?.split('/').at(-1), outcome])).toEqual([
    ['exports', 'accepted'],
    ['cancel', 'accepted'],
    ['cancel', 'accepted'],
  ]);
  expect(JSON.parse(entries[1]?.before ?? '')).toMatchObject({ id, status: 'pending' });
  const told = await db.execute(sql`select type from event_outbox where resource ->> 'id' = ${id}`);
  expect(told).toEqual([{ type: 'export.cancelled' }]);
});

test('one that has ended stays as it is', { timeout: MINUTE_MS }, async () => {
  const worker = await setting.startWorker();
  const done = await setting.run({ content: 'balances', format: 'csv' });
  await worker.stop();
  expect(await cancel(done.id)).toMatchObject({
    status: 409,
    body: { code: 'invalid_state', message: expect.stringContaining('The export is completed') },
  });
  expect(await setting.ended(done.id)).toEqual(done);
  expect(filesOf(done.id)).toHaveLength(2);
  expect((await cancel(uuidv7())).status).toBe(404);
});

test('an export that is published first is completed, and who cancels it meanwhile is told so', async () => {
  const { id } = await setting.start(jsonl);
  const fileId = uuidv7();
  const { db } = setting.api;
  await db.execute(sql`update exports set status = 'running', file_id = ${fileId} where id = ${id}`);
  const facts = { fileId, rowCount: 1, byteCount: 1, sha256: 'ab'.repeat(32), snapshotAt: new Date() };
  let answer: ReturnType<typeof cancel> | undefined;
  const completed = completeExport(db, id, facts, async () => {
    answer = cancel(id);
    await new Promise((resolve) => setTimeout(resolve, 300));
  });
  expect(await completed).toBe(true);
  expect(await answer).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
  expect(await completeExport(db, id, facts, async () => expect.unreachable())).toBe(false);
});

test('what a worker left that died meanwhile is erased by the next attempt', async () => {
  const { id } = await setting.start(jsonl);
  await cancel(id);
  const left = `${id}.${uuidv7()}.jsonl.part`;
  writeFileSync(join(setting.directory, left), 'half of it');
  const activities = createExportActivities({ db: setting.api.db, exportStore: setting.store });
  const environment = new MockActivityEnvironment();
  expect(await environment.run((of: string) => activities.writeExport(of), id)).toBe('cancelled');
  expect(filesOf(id)).toEqual([]);
});

test('an attempt that was taken over stops, and leaves the row and the file of the next alone', {
  timeout: MINUTE_MS,
}, async () => {
  const { id } = await setting.start(jsonl);
  const { db } = setting.api;
  const activities = createExportActivities({ db, exportStore: setting.store, exportPieceDelayMs: PIECE_DELAY_MS });
  const slow = new MockActivityEnvironment().run((of: string) => activities.writeExport(of), id);
  await until(() => written(id)).toBeGreaterThan(0);
  const next = uuidv7();
  await db.execute(sql`update exports set file_id = ${next}, row_count = 0 where id = ${id}`);
  const since = Date.now();
  expect(await slow).toBeNull();
  expect(Date.now() - since).toBeLessThan(STOPS_WITHIN_MS);
  expect(await rowOf(id)).toMatchObject({ status: 'running', fileId: next, rowCount: 0 });
  expect(filesOf(id)).toEqual([]);
});

test('by the command line', async () => {
  const { api } = setting;
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = api.app.server.address() as AddressInfo;
  const env = {
    COUNTERSIGN_URL: `http://127.0.0.1:${port}`,
    COUNTERSIGN_API_KEY: api.admin.apiKey,
    COUNTERSIGN_API_SECRET: api.admin.apiSecret,
  };
  const { id } = await setting.start(jsonl);
  const run = (...args: string[]) => runCommand(args, { env, folder: tmpdir(), home: tmpdir() });
  const { code, records } = await run('exports', 'cancel', id, '--reason', 'by hand', '--json');
  expect([code, records()]).toMatchObject([0, [{ id, ...cancelled, reason: 'by hand' }]]);
  expect(await run('exports', 'wait', id)).toMatchObject({ code: 4, errors: expect.stringContaining('cancelled') });
});
