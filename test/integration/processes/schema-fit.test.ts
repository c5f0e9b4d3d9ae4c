// Goal: an API or a worker never runs on tables that are too old or too new for it: it does not start, or ends, and
// says in one sentence what to do. Method: both programs as processes on databases whose version was changed by the
// owner, and on one without tables.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectDatabase, type DatabaseConnection } from '../../../drizzle/database/connection.ts';
import { SCHEMA_VERSION } from '../../../drizzle/database/schema-version.ts';
import type { Part } from '../../../src/local/processes/part.ts';
import { findFreePort } from '../../../src/local/processes/ports.ts';
import { runCommand, type ServiceContext, startApi } from '../../../src/local/processes/service-processes.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../support/processes/postgres.ts';
import { testTemporal } from '../../support/processes/temporal.ts';

const directory = mkdtempSync(join(tmpdir(), 'countersign-schema-'));
const parts: Part[] = [];
let database: TestDatabase;
let empty: TestDatabase;
let owner: DatabaseConnection;
let port: number;

beforeAll(async () => {
  [database, empty, port] = await Promise.all([createTestDatabase(), createEmptyDatabase(), findFreePort()]);
  owner = connectDatabase(database.url, { poolSize: 1, name: 'test-owner' });
});
afterAll(async () => {
  await Promise.all(parts.map((part) => part.stop()));
  await owner.close();
  await Promise.all([database.drop(), empty.drop()]);
  rmSync(directory, { recursive: true, force: true });
});

function contextOn(url: string): ServiceContext {
  const { address, taskQueue } = testTemporal('schema-fit');
  return {
    dist: resolve(import.meta.dirname, '../../../dist'),
    logDirectory: directory,
    environment: {
      PATH: process.env['PATH'],
      DATABASE_URL: url,
      TEMPORAL_ADDRESS: address,
      TEMPORAL_TASK_QUEUE: taskQueue,
      KEY_ENCRYPTION_KEY: randomBytes(32).toString('hex'),
      MPC_SOFTWARE_SEED: randomBytes(32).toString('hex'),
      PORT: String(port),
    },
    onStart: (_name, part) => parts.push(part),
  };
}

const setVersion = (version: number, oldestProgram: number) =>
  owner.db.execute(sql`update schema_version set version = ${version}, oldest_program = ${oldestProgram}`);
const serviceUrl = () => database.serviceUrl ?? database.url;

test('tables that are too old or too new are refused at the start, with what to do', {
  timeout: 120_000,
}, async () => {
  const refusals: [version: number, oldestProgram: number, sentence: RegExp][] = [
    [
      SCHEMA_VERSION - 1,
      30,
      /failed: The tables of the database are of version \d+; this program needs .* `npm run mig/,
    ],
    [99, 98, /failed: This program is of version \d+, .* on which no program before version 98 may run: start the /],
  ];
  for (const [version, oldestProgram, sentence] of refusals) {
    await setVersion(version, oldestProgram);
    for (const program of ['server', 'worker'])
      await expect(runCommand(contextOn(serviceUrl()), program)).rejects.toThrow(sentence);
  }
  for (const program of ['server', 'worker'])
    await expect(runCommand(contextOn(empty.url), program)).rejects.toThrow(/have no version; this program needs/);
});

test('newer tables on which it may run do not keep it, and it ends when they become others', {
  timeout: 120_000,
}, async () => {
  await setVersion(99, SCHEMA_VERSION);
  const api = await startApi(contextOn(serviceUrl()), `http://127.0.0.1:${port}`);
  await setVersion(99, 98);
  await api.exited;
  expect(api.output()).toMatch(/on which no program before version 98 may run/);
});
