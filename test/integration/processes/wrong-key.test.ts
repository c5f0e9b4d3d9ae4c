// Goal: an API or a worker with the key-encryption key of another database does not start, and says so in one sentence;
// it would answer every request with an error, and be ready. Method: both programs as processes, on a database whose
// secrets were encrypted under another key, and on one that holds none yet.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Part } from '../../../src/local/processes/part.ts';
import { findFreePort } from '../../../src/local/processes/ports.ts';
import { runCommand, type ServiceContext, startApi } from '../../../src/local/processes/service-processes.ts';
import { createTestDatabase, type TestDatabase } from '../../support/processes/postgres.ts';
import { testTemporal } from '../../support/processes/temporal.ts';

const [key, former, another] = [1, 2, 3].map(() => randomBytes(32).toString('hex')) as [string, string, string];
const directory = mkdtempSync(join(tmpdir(), 'countersign-key-'));
const parts: Part[] = [];
let database: TestDatabase;
let port: number;

beforeAll(async () => {
  database = await createTestDatabase();
  port = await findFreePort();
});
afterAll(async () => {
  await Promise.all(parts.map((part) => part.stop()));
  await database.drop();
  rmSync(directory, { recursive: true, force: true });
});

function contextOf(environment: Record<string, string>): ServiceContext {
  const { address, taskQueue } = testTemporal('wrong-key');
  return {
    dist: resolve(import.meta.dirname, '../../../dist'),
    logDirectory: directory,
    environment: {
      PATH: process.env['PATH'],
      DATABASE_URL: database.serviceUrl ?? database.url,
      TEMPORAL_ADDRESS: address,
      TEMPORAL_TASK_QUEUE: taskQueue,
      MPC_SOFTWARE_SEED: randomBytes(32).toString('hex'),
      PORT: String(port),
      ...environment,
    },
    onStart: (_name, part) => parts.push(part),
  };
}

const startsWith = async (environment: Record<string, string>) => {
  const part = await startApi(contextOf(environment), `http://127.0.0.1:${port}`);
  await part.stop();
};

test('a key of another database ends the process at once; the former one beside it does not', {
  timeout: 120_000,
}, async () => {
  // Nothing is encrypted yet: any key is as good.
  await startsWith({ KEY_ENCRYPTION_KEY: another });
  await runCommand(contextOf({ KEY_ENCRYPTION_KEY: key }), 'workspace', ['create', '--name', 'key', '--json']);
  for (const program of ['server', 'worker']) {
    const failure = runCommand(contextOf({ KEY_ENCRYPTION_KEY: another }), program);
    await expect(failure).rejects.toThrow(/KEY_ENCRYPTION_KEY is not the key of this database: set the one/);
  }
  await expect(
    runCommand(contextOf({ KEY_ENCRYPTION_KEY: another, KEY_ENCRYPTION_KEY_PREVIOUS: former }), 'server'),
  ).rejects.toThrow(/is not the key of this database/);
  await startsWith({ KEY_ENCRYPTION_KEY: key });
  await startsWith({ KEY_ENCRYPTION_KEY: another, KEY_ENCRYPTION_KEY_PREVIOUS: key });
});
