// Goal: every key of every wallet gets new shares once, whatever fails on the way, and what the nodes refuse is named.
// Method: the operator's command as it is run, a worker, rows of wallets over several pages, and a cluster that fails
// by a script. What the nodes do: mpc/tests, test/e2e.
import { execFile } from 'node:child_process';
import { v4 } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createRefreshActivities } from '../../../activities/keys/refresh-keys.ts';
import { curves } from '../../../domain/statuses.ts';
import { connectDatabase, type DatabaseConnection } from '../../../drizzle/database/connection.ts';
import { maintenance } from '../../../drizzle/observability/maintenance.ts';
import { walletKeys } from '../../../drizzle/wallets/wallets.ts';
import { FakeCluster } from '../../support/cluster/fake-cluster.ts';
import { onlyMain } from '../../support/cluster/only-main.ts';
import { createTestDatabase, type TestDatabase } from '../../support/processes/postgres.ts';
import { testTemporal } from '../../support/processes/temporal.ts';
import { startTestWorker, type TestWorker } from '../../support/processes/worker.ts';
import { makeWallet, makeWorkspace } from '../../support/rows/operation-rows.ts';

/** Two keys each: three pages. */
const WALLETS = 25;

let database: TestDatabase;
let connection: DatabaseConnection;
let worker: TestWorker;
let cluster: FakeCluster;
const walletIds: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  connection = connectDatabase(database.url, { poolSize: 4, name: 'test-refresh' });
  const { db } = connection;
  const workspaceId = await makeWorkspace(db);
  for (let count = 0; count < WALLETS; count += 1) walletIds.push(await makeWallet(db, workspaceId));
  await db.insert(walletKeys).values(
    walletIds.flatMap((walletId, at) =>
      curves.map((curve) => ({
        walletId,
        curve,
        publicKey: Buffer.alloc(curve === 'ed25519' ? 32 : 33, at + 1),
        chainCode: Buffer.alloc(32, at + 1),
      })),
    ),
  );
  worker = await startTestWorker({
    temporal: testTemporal('refresh'),
    activities: createRefreshActivities({
      db,
      clusters: onlyMain(
        new Proxy({} as FakeCluster, { get: (_target, name) => Reflect.get(cluster, name)?.bind(cluster) }),
      ),
    }),
  });
}, 120_000);

beforeEach(() => {
  cluster = new FakeCluster();
});

afterAll(async () => {
  await worker?.stop();
  await connection?.close();
  await database?.drop();
});

function run(...args: string[]): Promise<{ code: number; output: string }> {
  const { address, namespace } = testTemporal('refresh');
  const env = {
    PATH: process.env['PATH'],
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    TEMPORAL_TASK_QUEUE: worker.taskQueue,
  };
  return new Promise((resolve) => {
    execFile(process.execPath, ['dist/refresh-keys.js', ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    );
  });
}

const asked = () => cluster.refreshCalls.map(({ walletId, curve }) => `${walletId} ${curve}`);
const everyKey = () => walletIds.flatMap((walletId) => curves.map((curve) => `${walletId} ${curve}`));

const recordedRefreshes = async () => {
  const { db } = connection;
  return (await db.select().from(maintenance)).map(({ kind, subject, doneAt }) => [kind, subject, doneAt.getTime()]);
};

test('every key once, with the root that is stored', async () => {
  const { code, output } = await run();
  expect(output).toBe('50 keys have new shares on every node, 0 were refused.\n');
  expect(code).toBe(0);
  expect(await recordedRefreshes()).toEqual([['refresh', 'main', expect.any(Number)]]);
  expect(asked().toSorted()).toEqual(everyKey().toSorted());
  for (const { walletId, root } of cluster.refreshCalls) {
    const at = walletIds.indexOf(walletId) + 1;
    expect([root.publicKey[0], root.chainCode[0]]).toEqual([at, at]);
  }
}, 120_000);

test('a node that is away is waited for, and what was done before is not done again', async () => {
  const well = Array.from({ length: 27 }, () => ({ delayMs: 0 }));
  cluster.meet('refreshKey', ...well, 'cluster_not_ready', 'cluster_busy', { lost: 'mpc_error' });
  const { code, output } = await run('--json');
  expect(JSON.parse(output)).toEqual({ refreshed: 50, failed: [], failedCount: 0 });
  expect(code).toBe(0);
  expect(asked()).toHaveLength(53);
  expect(new Set(asked())).toEqual(new Set(everyKey()));
}, 120_000);

test('what the nodes refuse is named, and keeps nothing else from being refreshed', async () => {
  const before = await recordedRefreshes();
  cluster.meet('refreshKey', 'mpc_refused', { delayMs: 0 }, 'counterparty_banned');
  const { code, output } = await run();
  const lines = output.trimEnd().split('\n');
  expect(lines).toHaveLength(3);
  const [first, , third] = asked();
  for (const [line, key] of [
    [lines[0], first],
    [lines[1], third],
  ] as const) {
    const [walletId, curve] = key?.split(' ') ?? [];
    expect(line).toMatch(new RegExp(`^REFUSED {2}${curve} key of wallet ${walletId}: the fake cluster answers `));
  }
  expect(lines[2]).toBe('48 keys have new shares on every node, 2 were refused.');
  expect(await recordedRefreshes()).toEqual(before);
  expect(code).toBe(1);
}, 120_000);

test('a key that the nodes do not come to an end with is named, and holds up none behind it', async () => {
  cluster.meet('refreshKey', { delayMs: 0 }, 'mpc_error', 'mpc_error', 'mpc_error');
  const { code, output } = await run();
  const lines = output.trimEnd().split('\n');
  const [walletId, curve] = asked()[1]?.split(' ') ?? [];
  expect(lines[0]).toMatch(new RegExp(`^REFUSED {2}${curve} key of wallet ${walletId}: the fake cluster answers `));
  expect(lines.slice(1)).toEqual(['49 keys have new shares on every node, 1 were refused.']);
  expect(new Set(asked())).toEqual(new Set(everyKey()));
  expect(code).toBe(1);
}, 120_000);

test('one wallet alone, or one cluster', async () => {
  const walletId = walletIds[7] ?? '';
  const before = await recordedRefreshes();
  expect(await run('--wallet', walletId)).toEqual({
    code: 0,
    output: '2 keys have new shares on every node, 0 were refused.\n',
  });
  expect(asked().toSorted()).toEqual(curves.map((curve) => `${walletId} ${curve}`).toSorted());
  expect(await recordedRefreshes()).toEqual(before);
  const unknown = v4();
  expect(await run('--wallet', unknown)).toEqual({ code: 1, output: `There is no wallet ${unknown} with keys.\n` });
  expect(await run('--cluster', 'main')).toMatchObject({ output: expect.stringMatching(/^50 keys /) });
  expect(await recordedRefreshes()).not.toEqual(before);
  const alone = '--cluster must be the name of a cluster, and stands alone: a wallet has its own.\n';
  for (const args of [['A'], ['main', '--wallet', walletId]])
    expect(await run('--cluster', ...args)).toEqual({ code: 1, output: alone });
  expect(await run('--wallet', 'x')).toEqual({ code: 1, output: '--wallet must be the id of a wallet.\n' });
}, 120_000);
