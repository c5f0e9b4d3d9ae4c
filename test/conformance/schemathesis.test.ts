// Goal: the service is what its OpenAPI document says it is, for requests that fit the document and for those that do
// not. Method: Schemathesis makes both from the document that the service serves, signs them by a hook, and applies all
// its checks to the answers. An operation that never answered 2xx would have passed unseen: each must have done so.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { saveNodeHealth } from '../../drizzle/observability/node-health.ts';
import { repeat } from '../../src/worker/repeat.ts';
import { startSealing } from '../../src/worker/seal-audit.ts';
import type { TestApi } from '../support/api/api.ts';
import { type ExportsApi, startExports } from '../support/api/exports.ts';
import { ORIGIN } from '../support/passkeys/console-user.ts';
import { keyEncryptionKey } from '../support/rows/seals.ts';
import { installSchemathesis, runSchemathesis } from './schemathesis/run.ts';
import { seed } from './schemathesis/seed.ts';

/** Four minutes on two quiet cores; beside another whole run of the tests twenty were not enough. */
const TIMEOUT_MS = 2_400_000;

const log = { warn: () => {} };
let exporting: ExportsApi;
let api: TestApi;
/** Of one that is completed. */
let exportId: string;
const stops: (() => Promise<void>)[] = [];
const directory = mkdtempSync(join(tmpdir(), 'countersign-schemathesis-'));
beforeAll(async () => {
  // No name is asked for: not every machine has DNS.
  exporting = await startExports({
    webhooks: { resolve: async () => [] },
    quotas: { exportsUnderWayMax: 10_000 },
    consoleOrigin: ORIGIN,
  });
  api = exporting.api;
  const worker = await exporting.startWorker();
  exportId = (await exporting.run({ content: 'transactions', format: 'csv' })).id;
  // What is asked for from now on stays as it was asked for.
  await worker.stop();
  const { db } = api;
  // What a worker does: it seals the audit log, and says that the nodes are up.
  const nodes = [1, 2, 3].map((node) => ({ cluster: 'main', node, status: 'up' as const, threshold: 2 }));
  stops.push(
    startSealing({ db, keyEncryptionKeys: [Buffer.from(keyEncryptionKey, 'hex')], log }),
    repeat({ name: 'node health', everyMs: 2_000, log }, () => saveNodeHealth(db, nodes)),
  );
});
afterAll(async () => {
  await Promise.all(stops.map((stop) => stop()));
  await exporting?.stop();
  rmSync(directory, { recursive: true, force: true });
});

test('schemathesis finds no failure with all its checks', { timeout: TIMEOUT_MS }, async ({ skip }) => {
  const installed = await installSchemathesis();
  if ('missing' in installed) {
    const reason = `Schemathesis does not run: ${installed.missing}.`;
    if (process.env['CI']) throw new Error(reason);
    console.log(reason);
    return skip(reason);
  }
  const known = await seed(api, { exportId });
  const address = await api.app.listen({ host: '127.0.0.1', port: 0 });
  const { exitCode, said, summary } = await runSchemathesis(installed.program, { address, known, directory });
  expect(exitCode, said).toBe(0);
  expect(summary.operations.tested).toBe(summary.operations.total);
  const rates = Object.entries(summary.valid_rates);
  const neverAccepted = rates.filter(([, phases]) => Object.values(phases).every(({ accepted }) => accepted === 0));
  expect(neverAccepted).toEqual([]);
  const refusedExamples = rates.filter(([, { examples }]) => examples !== undefined && examples.rejected > 0);
  expect(refusedExamples).toEqual([]);
  expect(await api.call('GET', '/api/v1/api-keys/self')).toMatchObject({ status: 200 });
});
