// Goal: one trace leads from a request through its workflow and activities to each node that signed, also when the
// workflow was started by another process, and no span tells a secret. Method: the API and the worker in this process
// with an exporter in memory, real PostgreSQL and Temporal, and three real nodes.
import { InMemorySpanExporter, type ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { Registry } from 'prom-client';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createActivities } from '../../../activities/index.ts';
import { connectCluster } from '../../../activities/mpc/client/connect-cluster.ts';
import { workflowIdOf } from '../../../domain/workflow-ids.ts';
import { insertOutboxEntry, listOverdueOutboxEntries } from '../../../drizzle/writes/workflow-outbox.ts';
import { watchersOf } from '../../../src/observability/observe-worker.ts';
import { WorkerMetrics } from '../../../src/observability/worker-metrics.ts';
import { connectTracing } from '../../../src/process/tracing.ts';
import { WorkflowStarter } from '../../../src/writes/start-workflow.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { signPath } from '../../support/api/sign.ts';
import { noChains } from '../../support/chains/no-chains.ts';
import { startTestCluster, type TestCluster } from '../../support/cluster/cluster.ts';
import { onlyMain } from '../../support/cluster/only-main.ts';
import { testTemporal } from '../../support/processes/temporal.ts';
import { startTestWorker, type TestWorker } from '../../support/processes/worker.ts';
import { testSeals } from '../../support/rows/seals.ts';
import { Memory } from '../../workflow/memory.ts';
import { MemoryWithdrawals } from '../../workflow/memory-withdrawals.ts';

const MINUTE_MS = 60_000;
const digest = {
  network_internal_code: 'ETHEREUM_SANDBOX',
  key_type: 'secp256k1',
  signing_hash: `0x${'c0'.repeat(32)}`,
};

const exporter = new InMemorySpanExporter();
let api: TestApi;
let nodes: TestCluster;
let worker: TestWorker;
let walletId: string;

beforeAll(async () => {
  const [ofApi, ofWorker] = await Promise.all([connectTracing('api', exporter), connectTracing('worker', exporter)]);
  [nodes, api] = await Promise.all([startTestCluster(), startApi({ tracing: ofApi })]);
  const log = { info: () => {}, error: () => {} };
  const { activities, sinks, clusterObserver } = watchersOf(new WorkerMetrics(new Registry()), ofWorker, log);
  const cluster = connectCluster({ ...nodes.config, observer: clusterObserver('main') });
  worker = await startTestWorker({
    temporal: { ...testTemporal('tracing'), taskQueue: api.taskQueue },
    activities: createActivities({
      db: api.db,
      clusters: onlyMain(cluster),
      chains: noChains,
      seals: testSeals,
      bitcoinNetwork: 'regtest',
    }),
    observed: { sinks, interceptors: { activity: [activities] } },
  });
}, 8 * MINUTE_MS);
afterAll(async () => {
  await worker?.stop();
  await api?.stop();
  await nodes?.stop();
});

const named = (name: string | RegExp, traceId?: string): ReadableSpan[] =>
  exporter
    .getFinishedSpans()
    .filter((span) => (typeof name === 'string' ? span.name === name : name.test(span.name)))
    .filter((span) => traceId === undefined || span.spanContext().traceId === traceId);

/** The only span of this name, once it has ended. */
async function only(name: string, traceId?: string): Promise<ReadableSpan> {
  await expect.poll(() => named(name, traceId).length, { timeout: 60_000 }).toBe(1);
  return named(name, traceId)[0] as ReadableSpan;
}

const idOf = (span: ReadableSpan): string => span.spanContext().spanId;
const parentOf = (span: ReadableSpan): string | undefined => span.parentSpanContext?.spanId;

test('a wallet is one trace: its keys are generated at all nodes', async () => {
  const created = await api.call('POST', '/api/v1/wallets', { name: 'traced', wallet_type: 'mpc' });
  walletId = created.body.data.wallet_id;
  const read = () =>
    api.call('GET', `/api/v1/wallets/creation-status/${walletId}`).then(({ body }) => body.data.status);
  await expect.poll(read, { timeout: 2 * MINUTE_MS }).toBe('success');
  const { traceId } = (await only('POST /api/v1/wallets')).spanContext();
  await only('createWallet', traceId);
  expect(named('generateKey', traceId)).toHaveLength(2);
  expect(named('activateWallet', traceId)).toHaveLength(1);
  const asked = named(/^node \d /, traceId).map(({ attributes }) => attributes['countersign.mpc_node']);
  expect(new Set(asked)).toEqual(new Set([1, 2, 3]));
});

test('one trace from the request to each node that signed', async () => {
  const answer = await api.call('POST', signPath('signRaw', walletId), digest);
  expect(answer.status).toBe(202);
  const signingId: string = answer.body.data.transaction_id;
  const request = await only('POST /api/v1/web3/transaction/:wallet_id/signRaw');
  const { traceId } = request.spanContext();
  const start = await only('start sign', traceId);
  const workflow = await only('sign', traceId);
  const activity = await only('signAtOnce', traceId);
  expect([start, workflow, activity].map(parentOf)).toEqual([request, start, workflow].map(idOf));

  const questions = named(/^node \d /, traceId);
  expect(new Set(questions.map(parentOf))).toEqual(new Set([idOf(activity)]));
  const asked = new Set(questions.map(({ attributes }) => attributes['countersign.mpc_node']));
  expect(asked.size).toBe(2);
  for (const node of asked) expect(named(new RegExp(`^node ${String(node)} Open$`), traceId)).toHaveLength(1);

  expect(request.attributes['http.response.status_code']).toBe(202);
  expect(request.attributes['countersign.request_id']).toBe(answer.headers['x-request-id']);
  expect(workflow.attributes).toMatchObject({
    'temporal.workflow_id': workflowIdOf('sign', signingId),
    'countersign.outcome': 'success',
  });
  expect([request, activity].map(({ resource }) => resource.attributes['service.name'])).toEqual(['api', 'worker']);
});

test("a caller's own trace goes on, and what is no trace is none", async () => {
  const traceId = 'ab'.repeat(16);
  const traceparent = `00-${traceId}-${'cd'.repeat(8)}-01`;
  await api.call('GET', '/api/v1/assets', undefined, { headers: { traceparent } });
  const joined = await only('GET /api/v1/assets', traceId);
  expect(parentOf(joined)).toBe('cd'.repeat(8));
  await api.call('GET', '/api/v1/networks', undefined, { headers: { traceparent: '00-zz-<script>-01' } });
  expect(parentOf(await only('GET /api/v1/networks'))).toBeUndefined();
});

test('probes and metrics leave no trace', async () => {
  const before = exporter.getFinishedSpans().length;
  for (const path of ['/health', '/metrics', '/time']) await api.app.inject(path);
  expect(exporter.getFinishedSpans()).toHaveLength(before);
});

test('who starts a workflow later, from the outbox, goes on with the trace of its request', async () => {
  const traceId = 'ef'.repeat(16);
  const traceContext = `00-${traceId}-${'12'.repeat(8)}-01`;
  const { db } = api;
  const taskQueue = `${api.taskQueue}-unserved`;
  const walletId = uuidv7();
  const workflowId = workflowIdOf('createWallet', walletId);
  const input = { walletId, workspaceId: api.workspaceId };
  await db.transaction((tx) => insertOutboxEntry(tx, { workflow: 'createWallet', workflowId, input, traceContext }));
  const stored = (await listOverdueOutboxEntries(db, { olderThanMs: -1_000, limit: 10 })).find(
    (entry) => entry.workflowId === workflowId,
  );
  if (stored === undefined) throw new Error('the outbox has no such entry');
  const tracing = await connectTracing('reconciler', exporter);
  const { client } = worker;
  await new WorkflowStarter({ client, taskQueue, db, log: { warn: () => {} }, tracing }).start(stored);
  const start = await only('start createWallet', traceId);
  expect(parentOf(start)).toBe('12'.repeat(8));
  const { memo } = await client.workflow.getHandle(workflowId).describe();
  expect(memo).toEqual({ id: walletId, traceparent: `00-${traceId}-${idOf(start)}-01` });
});

test('the signature of a withdrawal belongs to its trace, however the workflows are nested', async () => {
  const traceId = '34'.repeat(16);
  const [memory, withdrawalId] = [new Memory(), uuidv7()];
  const withdrawals = new MemoryWithdrawals(memory);
  withdrawals.add(withdrawalId);
  const { activities, sinks } = watchersOf(new WorkerMetrics(new Registry()), await connectTracing('w', exporter), {
    info: () => {},
    error: () => {},
  });
  const another = await startTestWorker({
    temporal: testTemporal('tracing-withdrawal'),
    activities: { ...memory.activities(), ...withdrawals.activities() },
    observed: { sinks, interceptors: { activity: [activities] } },
  });
  await another.client.workflow.execute('withdraw', {
    workflowId: withdrawalId,
    taskQueue: another.taskQueue,
    args: [{ withdrawalId, workspaceId: uuidv7(), walletId: uuidv7(), networkCode: 'ETHEREUM_SANDBOX' }],
    memo: { traceparent: `00-${traceId}-${'56'.repeat(8)}-01` },
  });
  const [withdraw, sign] = [await only('withdraw', traceId), await only('sign', traceId)];
  await another.stop();
  expect([parentOf(withdraw), parentOf(sign)]).toEqual(['56'.repeat(8), idOf(withdraw)]);
  const activity = await only('fulfilSigningRequest', traceId);
  expect(parentOf(activity)).toBe(idOf(sign));
  for (const step of ['beginWithdrawal', 'prepareTransaction', 'broadcastTransaction'])
    expect(parentOf(await only(step, traceId))).toBe(idOf(withdraw));
});

test('no span tells a secret, what was signed, or its signature', () => {
  const exported = JSON.stringify(
    exporter.getFinishedSpans().map(({ name, attributes, status, events }) => ({ name, attributes, status, events })),
  );
  expect(exported).toContain(walletId);
  for (const secret of [api.admin.apiSecret, api.admin.apiKey, 'c0'.repeat(32)]) expect(exported).not.toContain(secret);
});
