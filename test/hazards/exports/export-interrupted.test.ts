// Goal: the file of an export is of one moment, whole and written once, or is not there and the row says why: when its
// worker is killed, its connection is cut, an older attempt comes back, the disk is full, or the folder is gone.
// Method: real workers, one of them a process that is killed by SIGKILL; the backend of the query ended by its pid; a
// small tmpfs where one can be mounted.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MockActivityEnvironment } from '@temporalio/testing';
import { sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { ExportFolder } from '../../../activities/exports/export-folder.ts';
import type { ExportStore } from '../../../activities/exports/export-store.ts';
import { createExportActivities } from '../../../activities/exports/write-export.ts';
import type { ExportFormat } from '../../../domain/exports/export-contents.ts';
import { TEXT_STREAM_NAME } from '../../../drizzle/database/text-stream.ts';
import { beginExport, completeExport, insertExport } from '../../../drizzle/exports/export-steps.ts';
import { exports } from '../../../drizzle/exports/exports.ts';
import { mountSmallDisk } from '../../chaos/topology/small-disk.ts';
import { type ExportsApi, startExports } from '../../support/api/exports.ts';
import { readParquet } from '../../support/rows/read-parquet.ts';
import {
  insertManyTransactions,
  insertTransaction,
  makeAsset,
  type TestAsset,
} from '../../support/rows/transactions.ts';

/** Some 14 MB as CSV: 50 pieces and more. */
const ROWS = 25_000;
const MINUTE_MS = 60_000;
const jsonl = { content: 'transactions', format: 'jsonl' } as const;

let setting: ExportsApi;
let asset: TestAsset;
let walletId: string;
let rows = ROWS;
beforeAll(async () => {
  setting = await startExports();
  asset = await makeAsset(setting.api.db);
  walletId = await setting.api.makeActiveWallet();
  const { db, workspaceId } = setting.api;
  await insertManyTransactions(db, { ...asset, workspaceId }, [walletId], { rows: ROWS });
}, MINUTE_MS);
afterAll(() => setting?.stop());

const until = (look: () => unknown) => expect.poll(look, { timeout: MINUTE_MS, interval: 50 });
const rowOf = async (id: string) => (await setting.api.db.select().from(exports).where(sql`${exports.id} = ${id}`))[0];
const written = async (id: string) => (await rowOf(id))?.rowCount ?? 0;
const filesOf = (id: string) => readdirSync(setting.directory).filter((name) => name.startsWith(id));

/** As its record says it, and each row in it once. */
async function assertWhole(done: Done): Promise<void> {
  const bytes = readFileSync(join(setting.directory, done.file.file_name));
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(done.file.sha256);
  const ids = await idsIn[done.format](bytes);
  expect([new Set(ids).size, ids.length]).toEqual([done.file.rows, done.file.rows]);
  expect(filesOf(done.id)).toHaveLength(2);
}

interface Done {
  id: string;
  format: 'jsonl' | 'parquet';
  file: { file_name: string; sha256: string; rows: number };
}

const idsIn = {
  jsonl: (bytes: Buffer) =>
    bytes
      .toString()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line).id),
  parquet: async (bytes: Buffer) => (await readParquet(bytes)).rows.map(({ id }) => id),
};

function startProcess(): ChildProcess {
  const script = fileURLToPath(new URL('../../support/processes/export-worker.ts', import.meta.url));
  return spawn(process.execPath, ['--import', 'tsx', script], {
    env: {
      ...process.env,
      DATABASE_URL: setting.api.databaseUrl,
      EXPORT_DIRECTORY: setting.directory,
      TEMPORAL_ADDRESS: inject('temporalAddress'),
      TASK_QUEUE: setting.api.taskQueue,
    },
    stdio: 'ignore',
  });
}

test.each(['jsonl', 'parquet'])(
  '%s, killed while it writes: another worker begins anew, as of a later moment, and one whole file is there',
  {
    timeout: 4 * MINUTE_MS,
  },
  async (format) => {
    const doomed = startProcess();
    const { id } = await setting.start({ ...jsonl, format });
    await until(() => written(id)).toBeGreaterThan(0);
    const before = await rowOf(id);
    expect(before).toMatchObject({ status: 'running', completedAt: null });
    expect(filesOf(id)).toEqual([`${id}.${before?.fileId}.${format}.part`]);
    doomed.kill('SIGKILL');
    await once(doomed, 'exit');

    // What is written meanwhile is in the second snapshot.
    const { db, workspaceId } = setting.api;
    await insertTransaction(db, { ...asset, workspaceId, walletId });
    rows += 1;
    const worker = await setting.startWorker();
    const done = await setting.ended(id);
    await worker.stop();
    expect(done).toMatchObject({ status: 'completed', file: { rows } });
    expect(Date.parse(done.file.snapshot_at)).toBeGreaterThan(
      before?.snapshotAt?.getTime() ?? Number.POSITIVE_INFINITY,
    );
    await assertWhole(done);
  },
);

/** An attempt by itself, as Temporal would have it made. */
function attempt(id: string, { delayMs, folder = setting.store }: { delayMs?: number; folder?: ExportStore } = {}) {
  const { db } = setting.api;
  const activities = createExportActivities({ db, exportStore: folder, exportPieceDelayMs: delayMs });
  const environment = new MockActivityEnvironment();
  return { environment, activities, result: environment.run((of: string) => activities.writeExport(of), id) };
}

async function makeExport(format: ExportFormat = 'jsonl'): Promise<string> {
  const id = uuidv7();
  const { db, workspaceId } = setting.api;
  const asked = { id, workspaceId, workflowId: `write-export-${id}`, requestedBy: uuidv7(), format };
  await db.transaction((tx) => insertExport(tx, { ...asked, content: 'transactions' }));
  return id;
}

test('what is written while it runs is not in it', { timeout: MINUTE_MS }, async () => {
  const id = await makeExport();
  const { result } = attempt(id, { delayMs: 40 });
  await until(() => written(id)).toBeGreaterThan(0);
  const { db, workspaceId } = setting.api;
  const { id: late } = await insertTransaction(db, {
    ...asset,
    workspaceId,
    walletId,
    createdAt: new Date('2020-01-01'),
  });
  await insertTransaction(db, { ...asset, workspaceId, walletId, createdAt: new Date('2099-01-01') });
  await db.execute(sql`update transactions set notes = 'changed meanwhile' where workspace_id = ${workspaceId}`);
  expect(await result).toMatchObject({ rows });
  const done = await setting.ended(id);
  await assertWhole(done);
  const text = readFileSync(join(setting.directory, done.file.file_name), 'utf8');
  expect([text.includes(late), text.includes('changed meanwhile')]).toEqual([false, false]);
  rows += 2;
});

test.each(['jsonl', 'parquet'] as const)(
  '%s: a connection that is cut ends the attempt and leaves nothing; the next one completes it',
  {
    timeout: MINUTE_MS,
  },
  async (format) => {
    const id = await makeExport(format);
    const { result } = attempt(id, { delayMs: 40 });
    const failed = expect(result).rejects.toThrow();
    await until(() => written(id)).toBeGreaterThan(0);
    await setting.api.db.execute(
      sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = ${TEXT_STREAM_NAME} and datname = current_database()`,
    );
    await failed;
    expect([filesOf(id), (await rowOf(id))?.status]).toEqual([[], 'running']);
    expect(await attempt(id).result).toMatchObject({ rows });
    await assertWhole(await setting.ended(id));
  },
);

test('one that is cancelled gives its connection back and leaves nothing', { timeout: MINUTE_MS }, async () => {
  const id = await makeExport();
  const { environment, result } = attempt(id, { delayMs: 40 });
  const failed = expect(result).rejects.toThrow();
  await until(() => written(id)).toBeGreaterThan(0);
  environment.cancel('CANCELLED');
  await failed;
  expect(filesOf(id)).toEqual([]);
  await until(async () => {
    const found = await setting.api.db.execute(
      sql`select from pg_stat_activity where application_name = ${TEXT_STREAM_NAME} and datname = current_database()`,
    );
    return found.length;
  }).toBe(0);
});

test('an attempt that is taken for dead and comes back neither completes the row nor touches the file of the next', {
  timeout: MINUTE_MS,
}, async () => {
  const id = await makeExport();
  const slow = attempt(id, { delayMs: 40 });
  const late = slow.result.then(
    (facts) => facts,
    () => 'failed',
  );
  await until(() => written(id)).toBeGreaterThan(0);
  const taken = (await rowOf(id))?.fileId ?? '';
  expect(await attempt(id).result).toMatchObject({ rows });
  const done = await setting.ended(id);
  await assertWhole(done);
  expect(['failed', null]).toContain(await late);
  await assertWhole(await setting.ended(id));
  const { db } = setting.api;
  const lie = { fileId: taken, rowCount: 1, byteCount: 1, sha256: 'ab'.repeat(32), snapshotAt: new Date() };
  expect(await completeExport(db, id, lie, async () => expect.unreachable())).toBe(false);
  expect(await beginExport(db, id, uuidv7())).toBeUndefined();
});

test('what has ended is not begun again', async () => {
  const id = await makeExport();
  expect(await attempt(id).result).toMatchObject({ rows });
  const done = await setting.ended(id);
  expect(await attempt(id).result).toBeNull();
  await assertWhole(done);
});

let other: string;
beforeEach(() => {
  other = mkdtempSync(join(tmpdir(), 'countersign-exports-other-'));
});
afterEach(() => rmSync(other, { recursive: true, force: true }));

/** By the workflow's own way of ending it. */
async function failureIn(
  folder: ExportFolder,
): Promise<{ id: string; failure: { type: string; nonRetryable: boolean } }> {
  const id = await makeExport('csv');
  const { activities, result } = attempt(id, { folder });
  const failure = await result.then(
    () => expect.unreachable(),
    (error: unknown) => error as { type: string; nonRetryable: boolean; message: string },
  );
  await activities.failExport(id, failure.type as 'export_store_full', failure.message);
  return { id, failure };
}

test('a folder that is not there, or that is none, is told in the row', async () => {
  const gone = join(other, 'gone');
  for (const folder of [new ExportFolder(gone), new ExportFolder(''), new ExportFolder('/dev/null')]) {
    const { id, failure } = await failureIn(folder);
    expect(failure).toMatchObject({ type: 'export_store_unavailable', nonRetryable: true });
    expect(await rowOf(id)).toMatchObject({ status: 'failed', errorCode: 'export_store_unavailable' });
    expect((await setting.content(id)).status).toBe(409);
  }
});

test('a full disk is told in the row, and nothing half-written stays on it', {
  timeout: MINUTE_MS,
}, async (context) => {
  const disk = join(other, 'disk');
  mkdirSync(disk);
  const small = mountSmallDisk(disk);
  if (small === undefined) return context.skip('no tmpfs can be mounted here');
  const empty = small.fill();
  try {
    const { id, failure } = await failureIn(new ExportFolder(disk));
    expect(failure).toMatchObject({ type: 'export_store_full', nonRetryable: true });
    expect(await rowOf(id)).toMatchObject({ status: 'failed', errorCode: 'export_store_full', sha256: null });
    expect(readdirSync(disk).filter((name) => name !== 'filler')).toEqual([]);
    empty();
    const again = await makeExport('csv');
    expect(await attempt(again, { folder: new ExportFolder(disk) }).result).toMatchObject({ rows });
  } finally {
    small.unmount();
  }
});

test('a published file that is renamed away is not made up for', async () => {
  const id = await makeExport();
  await attempt(id).result;
  const { file } = await setting.ended(id);
  renameSync(join(setting.directory, file.file_name), join(setting.directory, 'elsewhere'));
  expect(await setting.content(id)).toMatchObject({ status: 503, body: { code: 'dependency_unavailable' } });
});
