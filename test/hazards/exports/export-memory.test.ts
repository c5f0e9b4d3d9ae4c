// Goal: an export takes little memory of the thread in which a worker makes signatures, however many rows there are, as
// text and as Parquet. Method: an attempt by itself over 50,000 rows on a real PostgreSQL, slowed down so that much is
// held if anything is. The thread that makes Parquet is limited where it is started (activities/exports/in-parquet.ts),
// and bench/exports.ts measures the whole process.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ExportFolder } from '../../../activities/exports/export-folder.ts';
import { createExportActivities } from '../../../activities/exports/write-export.ts';
import { insertExport } from '../../../drizzle/exports/export-steps.ts';
import { exports } from '../../../drizzle/exports/exports.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { heldBytes } from '../../support/memory.ts';
import { insertManyTransactions, makeAsset } from '../../support/rows/transactions.ts';

const ROWS = 50_000;
const MINUTE_MS = 60_000;
const PIECE_DELAY_MS = 10;
/** Of the file: text has more than half of what is read, and Parquet is compressed. */
const BYTES_MIN = { csv: 25_000_000, parquet: 500_000 };

let api: TestApi;
let directory: string;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-exports-'));
  api = await startApi();
  const asset = await makeAsset(api.db);
  const walletIds = [await api.makeActiveWallet()];
  await insertManyTransactions(api.db, { ...asset, workspaceId: api.workspaceId }, walletIds, { rows: ROWS });
}, 5 * MINUTE_MS);
afterAll(async () => {
  await api?.stop();
  rmSync(directory, { recursive: true, force: true });
});

test.each(['csv', 'parquet'] as const)('50,000 rows as %s', { timeout: 10 * MINUTE_MS }, async (format) => {
  const id = uuidv7();
  const { db, workspaceId } = api;
  const asked = { id, workspaceId, workflowId: `write-export-${id}`, requestedBy: uuidv7(), format };
  await db.transaction((tx) => insertExport(tx, { ...asked, content: 'transactions' }));
  const exportStore = new ExportFolder(directory);
  const activities = createExportActivities({ db, exportStore, exportPieceDelayMs: PIECE_DELAY_MS });
  const idle = heldBytes();
  const held: number[] = [];
  const watch = setInterval(() => held.push(heldBytes() - idle), 500);
  const attempt = new MockActivityEnvironment().run((of: string) => activities.writeExport(of), id);
  expect(await attempt.finally(() => clearInterval(watch))).toMatchObject({ rows: ROWS });
  const [row] = await db.select().from(exports).where(eq(exports.id, id));
  expect(row?.byteCount).toBeGreaterThan(BYTES_MIN[format]);
  expect(held.length).toBeGreaterThan(2);
  // It holds some 3 MB at most.
  expect(Math.max(...held) / 2 ** 20).toBeLessThan(10);
});
