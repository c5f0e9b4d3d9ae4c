// Goal: exports are kept in a bucket of any store that speaks the protocol of S3 as they are in a folder: there whole
// or not at all, by the last attempt alone, with nothing left of what was cut off; and it is said what keeps them from
// it. Method: the API and the product's workflow and activities on real PostgreSQL and Temporal, and a real server that
// verifies signatures (versitygw), whose files are looked at.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ListMultipartUploadsCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { MockActivityEnvironment } from '@temporalio/testing';
import { sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ExportBucket } from '../../../activities/exports/export-bucket.ts';
import { createExportActivities } from '../../../activities/exports/write-export.ts';
import { collectAfter } from '../../../activities/runtime/collect-garbage.ts';
import type { ExportBucketSettings } from '../../../domain/exports/export-bucket.ts';
import { TEXT_STREAM_NAME } from '../../../drizzle/database/text-stream.ts';
import { exports } from '../../../drizzle/exports/exports.ts';
import { removeOldExports } from '../../../src/worker/remove-old-exports.ts';
import { type ExportsApi, startExports } from '../../support/api/exports.ts';
import { BUILT_WITHIN_MS } from '../../support/processes/go-program.ts';
import { readParquet } from '../../support/rows/read-parquet.ts';
import { insertManyTransactions, makeAsset } from '../../support/rows/transactions.ts';
import { type S3Server, startS3Server } from '../../support/stores/s3-server.ts';

/** Some 14 MB as lines: two parts of an upload. */
const ROWS = 25_000;
const MINUTE_MS = 60_000;
const PREFIX = 'countersign/exports/';
const large = { content: 'transactions', format: 'jsonl' } as const;
const small = { content: 'balances', format: 'csv' } as const;
const silent = { info: () => {}, warn: () => {} };

let s3: S3Server;
let setting: ExportsApi;
beforeAll(async () => {
  s3 = await startS3Server(PREFIX);
  setting = await startExports({ exportBucket: s3.settings });
  const { db, workspaceId } = setting.api;
  const asset = { ...(await makeAsset(db)), workspaceId };
  await insertManyTransactions(db, asset, [await setting.api.makeActiveWallet()], { rows: ROWS });
}, BUILT_WITHIN_MS);
afterAll(async () => {
  await setting?.stop();
  await s3?.stop();
});

const until = (look: () => unknown, timeout = MINUTE_MS) => expect.poll(look, { timeout, interval: 50 });
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');
const rowOf = async (id: string) => (await setting.api.db.select().from(exports).where(sql`${exports.id} = ${id}`))[0];
const written = async (id: string) => (await rowOf(id))?.byteCount ?? 0;
const objectsOf = (id: string) => s3.files().filter((name) => name.startsWith(`${PREFIX}${id}`));
async function uploadsOf(id: string) {
  const { Uploads = [] } = await s3.client.send(new ListMultipartUploadsCommand({ Bucket: s3.settings.bucket }));
  return Uploads.filter(({ Key = '' }) => Key.startsWith(`${PREFIX}${id}`));
}
const leftOf = async (id: string) => [objectsOf(id), await uploadsOf(id)];
const nothing = [[], []];

/** An attempt by itself, as Temporal would have it made. */
function attempt(id: string, { delayMs, changed = {} }: { delayMs?: number; changed?: Partial<ExportBucketSettings> }) {
  const exportStore = new ExportBucket({ ...s3.settings, ...changed });
  const { db } = setting.api;
  const activities = createExportActivities({ db, exportStore, exportPieceDelayMs: delayMs });
  const environment = new MockActivityEnvironment();
  return { environment, activities, result: environment.run((of: string) => activities.writeExport(of), id) };
}

/** Asked for by no workflow. */
async function makeExport(asked: object = large): Promise<string> {
  const { id } = await setting.start(asked);
  return id;
}

test('a large one is an upload in parts, is no object before it is whole, and is downloaded whole and in part', {
  timeout: 2 * MINUTE_MS,
}, async () => {
  const id = await makeExport();
  const { result } = attempt(id, { delayMs: 20 });
  await until(() => written(id)).toBeGreaterThan(8 * 2 ** 20);
  expect([objectsOf(id), await uploadsOf(id)]).toMatchObject([[], [{ UploadId: expect.any(String) }]]);
  expect(await result).toMatchObject({ rows: ROWS });
  const done = await setting.ended(id);
  expect(done).toMatchObject({ status: 'completed', file: { rows: ROWS } });
  const { file_name: name, bytes } = done.file;
  const manifestName = name.replace(/jsonl$/, 'manifest.json');
  expect(await uploadsOf(id)).toEqual([]);
  expect(new Set(objectsOf(id))).toEqual(new Set([`${PREFIX}${name}`, `${PREFIX}${manifestName}`]));
  const kept = readFileSync(join(s3.bucketDirectory, PREFIX, name));
  expect([kept.length, sha256(kept)]).toEqual([bytes, done.file.sha256]);
  const manifest = JSON.parse(readFileSync(join(s3.bucketDirectory, PREFIX, manifestName), 'utf8'));
  expect(manifest).toMatchObject({ export_id: id, rows: ROWS, sha256: done.file.sha256 });

  const whole = await setting.content(id);
  expect([whole.status, sha256(whole.body)]).toEqual([200, done.file.sha256]);
  for (const [range, start, end] of [
    ['bytes=0-9', 0, 10],
    ['bytes=9000000-', 9_000_000, bytes],
    ['bytes=-7', bytes - 7, bytes],
  ] as const) {
    const part = await setting.content(id, { headers: { range } });
    expect([part.status, part.body]).toEqual([206, kept.toString('latin1', start, end)]);
    expect(part.headers['content-range']).toBe(`bytes ${start}-${end - 1}/${bytes}`);
  }
});

test('one of Parquet is an object that another library reads, with the SHA-256 of its record', {
  timeout: MINUTE_MS,
}, async () => {
  const id = await makeExport({ ...large, format: 'parquet' });
  expect(await attempt(id, {}).result).toMatchObject({ rows: ROWS });
  const { file } = await setting.ended(id);
  expect(file).toMatchObject({ rows: ROWS, media_type: 'application/vnd.apache.parquet' });
  const kept = readFileSync(join(s3.bucketDirectory, PREFIX, file.file_name));
  expect([kept.length, sha256(kept)]).toEqual([file.bytes, file.sha256]);
  const { rows, rowGroups } = await readParquet(kept);
  expect(new Set(rows.map((row) => row['id'])).size).toBe(ROWS);
  expect(rowGroups).toBeGreaterThan(1);
  expect(objectsOf(id)).toHaveLength(2);
});

test('a small one, and one of no rows, are objects too', { timeout: MINUTE_MS }, async () => {
  const worker = await setting.startWorker();
  for (const asked of [small, { ...large, wallet_ids: [uuidv7()] }, { ...small, format: 'parquet' }]) {
    const done = await setting.run(asked);
    expect(done).toMatchObject({ status: 'completed', file: { rows: 0 } });
    expect((await setting.content(done.id)).body).toHaveLength(done.file.bytes);
    expect(objectsOf(done.id)).toHaveLength(2);
  }
  await worker.stop();
});

test('what is cancelled, and what fails half-way, leaves no object and no upload', {
  timeout: 2 * MINUTE_MS,
}, async () => {
  const doomed = await makeExport();
  const cancelled = attempt(doomed, { delayMs: 100 });
  await until(async () => (await uploadsOf(doomed)).length).toBe(1);
  expect((await setting.api.call('POST', setting.path(`/${doomed}/cancel`))).status).toBe(200);
  expect(await cancelled.result).toBe('cancelled');
  expect(await leftOf(doomed)).toEqual(nothing);

  const cut = await makeExport();
  const failed = expect(attempt(cut, { delayMs: 100 }).result).rejects.toThrow();
  await until(async () => (await uploadsOf(cut)).length).toBe(1);
  await setting.api.db.execute(
    sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = ${TEXT_STREAM_NAME} and datname = current_database()`,
  );
  await failed;
  expect([await leftOf(cut), (await rowOf(cut))?.status]).toEqual([nothing, 'running']);
});

test('an attempt that is taken for dead publishes nothing; what it had begun goes, and the next one is there alone', {
  timeout: 2 * MINUTE_MS,
}, async () => {
  const id = await makeExport();
  const late = attempt(id, { delayMs: 100 }).result.catch(() => 'failed');
  await until(async () => (await uploadsOf(id)).length).toBe(1);
  expect(await attempt(id, {}).result).toMatchObject({ rows: ROWS });
  const done = await setting.ended(id);
  expect(['failed', null]).toContain(await late);
  expect(await uploadsOf(id)).toEqual([]);
  expect(objectsOf(id)).toHaveLength(2);
  expect(objectsOf(id)).toContain(`${PREFIX}${done.file.file_name}`);
});

test('what the store refuses fails the export, and says so without a secret', async () => {
  const changes = [
    { secretAccessKey: 'another secret' },
    { accessKeyId: 'nobody' },
    { bucket: 'no-such-bucket' },
    { region: 'eu-central-1' },
  ];
  for (const changed of changes) {
    const id = await makeExport(small);
    const { activities, result } = attempt(id, { changed });
    const failure = await result.then(
      () => expect.unreachable(),
      (error: unknown) => error as { type: string; nonRetryable: boolean; message: string },
    );
    expect(failure, JSON.stringify(changed)).toMatchObject({ type: 'export_store_refused', nonRetryable: true });
    expect(failure.message).not.toContain(s3.settings.secretAccessKey);
    await activities.failExport(id, 'export_store_refused', failure.message);
    expect(await rowOf(id)).toMatchObject({ status: 'failed', errorCode: 'export_store_refused' });
  }
});

test('a store that is away for a while is waited for', { timeout: 2 * MINUTE_MS }, async () => {
  await s3.pause();
  const id = await makeExport(small);
  await expect(attempt(id, {}).result).rejects.toMatchObject({ type: 'export_store_unavailable', nonRetryable: false });
  const worker = await setting.startWorker();
  await until(async () => (await rowOf(id))?.status).toBe('running');
  await s3.resume();
  expect(await setting.ended(id)).toMatchObject({ status: 'completed' });
  await worker.stop();
});

test('an object that is not what was written is not served', { timeout: MINUTE_MS }, async () => {
  const id = await makeExport(small);
  await attempt(id, {}).result;
  const { file } = await setting.ended(id);
  const path = join(s3.bucketDirectory, PREFIX, file.file_name);
  writeFileSync(path, 'x'.repeat(file.bytes));
  const altered = await setting.content(id).catch(() => ({ status: 'broken off' }));
  expect(altered.status).not.toBe(200);
  writeFileSync(path, 'x'.repeat(file.bytes + 1));
  expect(await setting.content(id)).toMatchObject({ status: 503, body: { code: 'dependency_unavailable' } });
});

test('removed with its export; what attempts have left too, and nothing else', { timeout: MINUTE_MS }, async () => {
  const { db } = setting.api;
  const id = await makeExport(small);
  await attempt(id, {}).result;
  const { bucket: Bucket } = s3.settings;
  await s3.client.send(new PutObjectCommand({ Bucket, Key: `${PREFIX}of somebody else`, Body: 'x' }));
  const store = new ExportBucket(s3.settings);
  const pieces = async function* () {
    yield Buffer.alloc(9 * 2 ** 20);
  };
  const left = uuidv7();
  await store.writePart(`${left}.${uuidv7()}.csv`, pieces());
  expect(await uploadsOf(left)).toHaveLength(1);
  await db.execute(sql`update exports set completed_at = now() - interval '8 days' where id = ${id}`);
  await removeOldExports({ db, store, keptDays: 7, log: silent, leftAfterMs: -MINUTE_MS });
  expect([await leftOf(id), await leftOf(left), await rowOf(id)]).toEqual([nothing, nothing, undefined]);
  expect(s3.files()).toContain(`${PREFIX}of somebody else`);
});

test('however large a file is, it takes little memory', { timeout: 3 * MINUTE_MS }, async () => {
  const PIECES = 1_000;
  const PIECE_BYTES = 256 * 1024;
  const idle = process.memoryUsage().arrayBuffers;
  let highest = 0;
  // As the attempt does whose text it is.
  const noteGarbage = collectAfter(2 * 2 ** 20, 'minor');
  const pieces = async function* () {
    for (let at = 0; at < PIECES; at += 1) {
      yield Buffer.alloc(PIECE_BYTES, at % 251);
      noteGarbage(PIECE_BYTES);
      highest = Math.max(highest, process.memoryUsage().arrayBuffers - idle);
    }
  };
  const store = new ExportBucket(s3.settings);
  const name = `${uuidv7()}.${uuidv7()}.jsonl`;
  const part = await store.writePart(name, pieces());
  expect(part.byteCount).toBe(PIECES * PIECE_BYTES);
  await part.publish();
  expect(sha256(readFileSync(join(s3.bucketDirectory, PREFIX, name)))).toBe(part.sha256);
  expect(highest / 2 ** 20).toBeLessThan(40);
});
