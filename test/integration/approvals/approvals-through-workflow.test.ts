// Goal: what is decided over HTTP reaches the workflow that waits for it: signed after the approval, never without,
// ended by a rejection, a cancellation or its time; also when no worker was there meanwhile, and when the signal comes
// first. Method: the API, the product's workflow and activities on real PostgreSQL and Temporal; the cluster is in
// memory.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createActivities } from '../../../activities/index.ts';
import type { GeneratedKey } from '../../../activities/keys/create-wallet.ts';
import type { Curve } from '../../../domain/statuses.ts';
import { workflowIdOf } from '../../../domain/workflow-ids.ts';
import type { OutboxEntry } from '../../../drizzle/writes/workflow-outbox.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { noChains } from '../../support/chains/no-chains.ts';
import { FakeCluster } from '../../support/cluster/fake-cluster.ts';
import { onlyMain } from '../../support/cluster/only-main.ts';
import { quietEnvironment } from '../../support/processes/activity-environment.ts';
import { testTemporal } from '../../support/processes/temporal.ts';
import { startTestWorker, type TestWorker } from '../../support/processes/worker.ts';
import { ApprovalStage, type KnownKey } from '../../support/rows/approvals.ts';
import { makeWallet, readSigningRequest } from '../../support/rows/operation-rows.ts';
import { testSeals } from '../../support/rows/seals.ts';

const cluster = new FakeCluster();
/**
 * Workspaces, as the activity tells them: keys and rescans of others stand back by it
 * (src/worker/recent-signatures.ts).
 */
const signing: string[] = [];
let api: TestApi;
let stage: ApprovalStage;
let walletId: string;
let approver: KnownKey;
let startWorker: () => Promise<TestWorker>;
beforeAll(async () => {
  api = await startApi({ production: true });
  stage = new ApprovalStage(api);
  approver = await stage.makeApprover();
  const activities = createActivities({
    db: api.db,
    clusters: onlyMain(cluster),
    chains: noChains,
    seals: testSeals,
    bitcoinNetwork: 'regtest',
    onSigning: (workspaceId) => signing.push(workspaceId),
  });
  walletId = await makeWallet(api.db, api.workspaceId);
  const generate = (curve: Curve): Promise<GeneratedKey> =>
    quietEnvironment().run(() => activities.generateKey(walletId, curve));
  const keys = [await generate('secp256k1'), await generate('ed25519')];
  await activities.activateWallet(walletId, keys);
  const temporal = { ...testTemporal('approvals'), taskQueue: api.taskQueue };
  startWorker = () => startTestWorker({ temporal, activities });
});
afterAll(() => api.stop());

const read = (id: string) => readSigningRequest(api.db, id);
const until = (id: string, expected: object) =>
  expect.poll(() => read(id), { timeout: 60_000, interval: 50 }).toMatchObject(expected);
const resultOf = ({ client }: TestWorker, id: string) => client.workflow.getHandle(workflowIdOf('sign', id)).result();

/** With a worker that has been waiting for a while. */
async function waiting(worker: TestWorker): Promise<string> {
  const id = await stage.askId('signing', walletId);
  const isWaiting = async () => {
    const { historyLength } = await worker.client.workflow.getHandle(workflowIdOf('sign', id)).describe();
    return historyLength;
  };
  // A timer has been started.
  await expect.poll(isWaiting, { timeout: 60_000 }).toBeGreaterThanOrEqual(6);
  return id;
}

describe('with a worker', () => {
  let worker: TestWorker;
  beforeAll(async () => {
    worker = await startWorker();
  });
  afterAll(() => worker.stop());

  test('approved: signed', async () => {
    const id = await waiting(worker);
    const made = cluster.signaturesMade;
    expect(signing).toEqual([]);
    expect((await stage.decide('signing', id, { verb: 'approve', key: approver })).status).toBe(200);
    await until(id, { status: 'success' });
    expect(cluster.signaturesMade).toBe(made + 1);
    expect(signing).toEqual([api.workspaceId]);
    await resultOf(worker, id);
  });

  test.each([
    ['rejected', 'approval_rejected', (id: string) => stage.decide('signing', id, { verb: 'reject', key: approver })],
    ['cancelled', 'cancelled', (id: string) => stage.cancel('signing', id)],
  ] as const)('%s: its workflow ends at once, and nothing is signed', async (_name, statusReason, decide) => {
    const id = await waiting(worker);
    const made = cluster.signaturesMade;
    expect((await decide(id)).status).toBe(200);
    await resultOf(worker, id);
    expect(await read(id)).toMatchObject({ status: 'failed', statusReason });
    expect(cluster.signaturesMade).toBe(made);
  });

  test('frozen after its approval was asked for: approved when it is thawed, and signed then', async () => {
    const id = await waiting(worker);
    await stage.call('POST', `/api/v1/wallets/${walletId}/freeze`);
    expect((await stage.decide('signing', id, { verb: 'approve', key: approver })).status).toBe(423);
    await stage.unfreeze(`/api/v1/wallets/${walletId}`, approver);
    expect((await stage.decide('signing', id, { verb: 'approve', key: approver })).status).toBe(200);
    await until(id, { status: 'success' });
  });
});

test('not approved in time: ended by a worker that comes later', async () => {
  const id = await stage.askId('signing', walletId);
  await stage.expireAt(id, new Date(Date.now() + 1_500));
  const worker = await startWorker();
  try {
    await resultOf(worker, id);
    expect(await read(id)).toMatchObject({
      status: 'failed',
      statusReason: 'approval_expired',
      errorCode: 'approval_expired',
    });
    expect((await stage.roundOf(id)).status).toBe('expired');
  } finally {
    await worker.stop();
  }
});

test('approved while no worker was there: signed by the next one', async () => {
  const first = await startWorker();
  const id = await waiting(first);
  await first.stop();
  expect((await stage.decide('signing', id, { verb: 'approve', key: approver })).status).toBe(200);
  await api.starter.drain();
  const second = await startWorker();
  try {
    await until(id, { status: 'success' });
  } finally {
    await second.stop();
  }
});

test('the signal comes before the start: it starts the workflow itself, with the same task', async () => {
  const held: OutboxEntry[] = [];
  const enqueue = vi.spyOn(api.starter, 'enqueue').mockImplementation((entry) => void held.push(entry));
  const id = await stage.askId('signing', walletId);
  await stage.decide('signing', id, { verb: 'approve', key: approver });
  enqueue.mockRestore();
  expect(held.map(({ signal }) => signal ?? 'start')).toEqual(['start', 'changed']);
  const worker = await startWorker();
  try {
    for (const entry of held.toReversed()) await api.starter.start(entry);
    await until(id, { status: 'success' });
  } finally {
    await worker.stop();
  }
});
