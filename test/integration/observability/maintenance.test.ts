// Goal: whatever makes backups tells of each with one command, what is not a backup that was made is refused, and
// Prometheus reads how long ago backups and refreshes were. Method: the operator's command as it is run, on a real
// database.
import { execFile } from 'node:child_process';
import { sql } from 'drizzle-orm';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectDatabase, type DatabaseConnection } from '../../../drizzle/database/connection.ts';
import { maintenance, recordBackup, recordRefresh } from '../../../drizzle/observability/maintenance.ts';
import { saveNodeHealth } from '../../../drizzle/observability/node-health.ts';
import { StateMetrics } from '../../../src/observability/state-metrics.ts';
import { type Samples, samplesOf, sumOf } from '../../support/api/metrics.ts';
import { createTestDatabase, type TestDatabase } from '../../support/processes/postgres.ts';

let database: TestDatabase;
let connection: DatabaseConnection;
beforeAll(async () => {
  database = await createTestDatabase();
  connection = connectDatabase(database.url, { poolSize: 1, name: 'test-record-backup' });
});
afterAll(async () => {
  await connection.close();
  await database.drop();
});

function run(...args: string[]): Promise<{ code: number; output: string }> {
  const env = { PATH: process.env['PATH'], DATABASE_URL: database.url };
  return new Promise((resolve) => {
    execFile(process.execPath, ['dist/record-backup.js', ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    );
  });
}

const recorded = async () =>
  (await connection.db.select().from(maintenance).orderBy(maintenance.subject)).map(({ kind, subject, doneAt }) => [
    kind,
    subject,
    doneAt.toISOString(),
  ]);

test('of the database now, or of something else at another time', async () => {
  const now = await run();
  expect(now).toEqual({ code: 0, output: expect.stringMatching(/^A backup of database was made at 20\S+Z\.\n$/) });
  const at = '2026-01-31T04:00:00.000Z';
  expect(await run('--of', 'node-1', '--at', at)).toEqual({
    code: 0,
    output: `A backup of node-1 was made at ${at}.\n`,
  });
  expect(await recorded()).toEqual([
    ['backup', 'database', expect.any(String)],
    ['backup', 'node-1', at],
  ]);
});

test.each([
  ['a name that is no label', ['--of', 'Node 1']],
  ['a time that is none', ['--at', 'yesterday']],
  ['a day without a time', ['--at', '2026-01-31']],
  ['a time in the future', ['--at', '2999-01-01T00:00:00Z']],
])('%s is refused, and changes nothing', async (_what, args) => {
  const before = await recorded();
  expect(await run(...args)).toEqual({ code: 1, output: expect.stringMatching(/^Usage: npm run record-backup/) });
  expect(await recorded()).toEqual(before);
});

const HOUR_SECONDS = 3_600;

/** By metrics of its own, since a process keeps what it has read for some seconds. */
async function state(): Promise<Samples> {
  const registry = new Registry();
  await new StateMetrics({ db: connection.db }, registry).refresh();
  return samplesOf(await registry.metrics());
}

test('how long ago it was is a metric, and an older backup does not count', async () => {
  const { db } = connection;
  for (const hours of [1, 2]) await recordBackup(db, 'of-hours', new Date(Date.now() - hours * HOUR_SECONDS * 1_000));
  const age = sumOf(await state(), 'countersign_backup_age_seconds', { of: 'of-hours' });
  expect([age >= HOUR_SECONDS, age < HOUR_SECONDS + 600]).toEqual([true, true]);
});

test('a cluster has new shares when it is seen first, and after a refresh of all its keys', async () => {
  const { db } = connection;
  const refreshed = async () => sumOf(await state(), 'countersign_mpc_refresh_age_seconds', { cluster: 'main' });
  await saveNodeHealth(db, [{ cluster: 'main', node: 1, status: 'up', threshold: 1 }]);
  expect(await refreshed()).toBeLessThan(600);
  await db.execute(sql`update maintenance set done_at = now() - interval '1 day' where kind = 'refresh'`);
  await saveNodeHealth(db, [{ cluster: 'main', node: 1, status: 'up', threshold: 1 }]);
  expect(await refreshed()).toBeGreaterThanOrEqual(24 * HOUR_SECONDS);
  await recordRefresh(db, ['main', 'of-nobody']);
  expect(await refreshed()).toBeLessThan(600);
  expect([...(await state()).keys()].filter((name) => name.includes('of-nobody'))).toEqual([]);
});
