// Goal: an operator reads from a worker how its activities, workflows, signatures and sessions end, and each line of
// its log names its workflow. Method: the product's activities and workflows with those who watch them, on real
// PostgreSQL and Temporal, with a cluster in memory that fails on command.
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createActivities } from '../../../activities/index.ts';
import { observedCluster } from '../../../activities/mpc/client/observed-cluster.ts';
import { workflowIdOf } from '../../../domain/workflow-ids.ts';
import { connectDatabase, type DatabaseConnection } from '../../../drizzle/database/connection.ts';
import { type MetricsServer, startMetricsServer } from '../../../src/observability/metrics-server.ts';
import { watchersOf } from '../../../src/observability/observe-worker.ts';
import { Scrape } from '../../../src/observability/scrape.ts';
import { StateMetrics } from '../../../src/observability/state-metrics.ts';
import { WorkerMetrics } from '../../../src/observability/worker-metrics.ts';
import { type Samples, samplesOf, sumOf } from '../../support/api/metrics.ts';
import { noChains } from '../../support/chains/no-chains.ts';
import { FakeCluster } from '../../support/cluster/fake-cluster.ts';
import { onlyMain } from '../../support/cluster/only-main.ts';
import { createTestDatabase, type TestDatabase } from '../../support/processes/postgres.ts';
import { testTemporal } from '../../support/processes/temporal.ts';
import { startTestWorker, type TestWorker } from '../../support/processes/worker.ts';
import { makeSigningRequest, makeWallet, makeWorkspace, onEvm, onSolana } from '../../support/rows/operation-rows.ts';
import { testSeals } from '../../support/rows/seals.ts';

const TOKEN = 'a-token-of-the-operator';

let database: TestDatabase;
let connection: DatabaseConnection;
let worker: TestWorker;
let server: MetricsServer;
const cluster = new FakeCluster();
const lines: { details: object; message: string }[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  connection = connectDatabase(database.url, { poolSize: 4, name: 'test-metrics-worker' });
  const { db } = connection;
  const registry = new Registry();
  const note = (details: object, message: string) => lines.push({ details, message });
  const log = { info: note, error: note };
  const { activities, sinks, clusterObserver } = watchersOf(new WorkerMetrics(registry), undefined, log);
  const observed = observedCluster(cluster, clusterObserver('main'));
  worker = await startTestWorker({
    temporal: testTemporal('metrics-worker'),
    activities: createActivities({
      db,
      clusters: onlyMain(observed),
      chains: noChains,
      seals: testSeals,
      bitcoinNetwork: 'regtest',
    }),
    observed: { sinks, interceptors: { activity: [activities] } },
  });
  const scrape = new Scrape({ registry, state: new StateMetrics({ db }, registry), token: TOKEN });
  server = await startMetricsServer(scrape, { host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await server.close();
  await worker.stop();
  await connection.close();
  await database.drop();
});

const ask = (path: string, token = TOKEN) =>
  fetch(`http://127.0.0.1:${server.port}${path}`, { headers: { authorization: `Bearer ${token}` } });

async function samples(): Promise<Samples> {
  const answer = await ask('/metrics');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ]);
  return samplesOf(await answer.text());
}

function execute(workflow: string, id: string, input: object): Promise<void> {
  const { client, taskQueue } = worker;
  const workflowId = workflowIdOf(workflow, id);
  return client.workflow.execute(workflow, { workflowId, taskQueue, args: [input] });
}

test('how wallets and signatures end is counted by kind, and nothing by id', async () => {
  const { db } = connection;
  const workspaceId = await makeWorkspace(db);
  const walletId = await makeWallet(db, workspaceId);
  await execute('createWallet', walletId, { walletId, workspaceId });
  const sign = async (chosen: typeof onEvm | typeof onSolana) => {
    const task = await makeSigningRequest(db, workspaceId, walletId, chosen);
    await execute('sign', task.signingId, task);
    return task.signingId;
  };
  const signingId = await sign(onEvm);
  cluster.meet('sign', 'cluster_not_ready');
  await sign(onSolana);
  cluster.meet('sign', 'mpc_refused');
  await sign(onEvm);

  const found = await samples();
  const count = (name: string, labels: Record<string, string>) => sumOf(found, `countersign_${name}`, labels);
  const ofWorkflows = (workflow: string, outcome: string) =>
    count('workflow_duration_seconds_count', { workflow, outcome });
  expect([
    ofWorkflows('createWallet', 'active'),
    ofWorkflows('sign', 'success'),
    ofWorkflows('sign', 'failed'),
  ]).toEqual([1, 2, 1]);
  const signatures = (curve: string, outcome: string) => count('signatures_total', { curve, outcome });
  expect([signatures('secp256k1', 'success'), signatures('secp256k1', 'mpc_refused')]).toEqual([1, 1]);
  expect([signatures('ed25519', 'success'), signatures('ed25519', 'cluster_not_ready')]).toEqual([1, 1]);
  const fulfil = { activity: 'fulfilSigningRequest' };
  expect(count('activity_duration_seconds_count', { ...fulfil, outcome: 'ok' })).toBe(2);
  expect(count('activity_duration_seconds_count', { ...fulfil, outcome: 'mpc_refused' })).toBe(1);
  expect(count('activity_duration_seconds_count', { activity: 'failSigningRequest', outcome: 'ok' })).toBe(1);
  const sessions = (protocol: string, outcome: string) =>
    count('mpc_session_duration_seconds_count', { protocol, outcome });
  expect([sessions('generate_key', 'ok'), sessions('sign', 'ok'), sessions('sign', 'mpc_refused')]).toEqual([2, 2, 1]);
  expect([...found.keys()].filter((sample) => /[0-9a-f]{8}-[0-9a-f]{4}-/.test(sample))).toEqual([]);

  const endedId = workflowIdOf('sign', signingId);
  const ended = lines.find(({ details }) => (details as { workflowId?: string }).workflowId === endedId);
  expect(ended).toMatchObject({ message: 'workflow ended', details: { workflowType: 'sign', outcome: 'success' } });
});

test('a probe without a token learns that the process lives', async () => {
  const answer = await fetch(`http://127.0.0.1:${server.port}/health`);
  expect([answer.status, await answer.json()]).toEqual([200, { status: 'up' }]);
});

test('the port of the metrics answers nothing else, and nobody without the token', async () => {
  expect((await ask('/metrics', 'another-token-of-the-operator')).status).toBe(401);
  expect((await ask('/')).status).toBe(404);
  expect((await ask('/metrics/x')).status).toBe(404);
  const post = await fetch(`http://127.0.0.1:${server.port}/metrics`, { method: 'POST' });
  expect(post.status).toBe(404);
});
