// Goal: what the former version began under the bare id of its row stays one workflow for ever, whoever of the new
// version signals it, repeats it or looks for it; and what is new is found by an id that carries its type. Method: the
// API and the worker of this version on real PostgreSQL and Temporal, rows and starts as the former version left them;
// the cluster is in memory.
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createActivities } from '../../../activities/index.ts';
import { rowIdOf, workflowIdOf } from '../../../domain/workflow-ids.ts';
import {
  sealedContentOf as signingContent,
  signingRequests,
} from '../../../drizzle/signing-requests/signing-requests.ts';
import { wallets } from '../../../drizzle/wallets/wallets.ts';
import { wakeOverdueWebhooks } from '../../../drizzle/webhooks/webhook-deliveries.ts';
import { webhookDeliveries, webhooks } from '../../../drizzle/webhooks/webhooks.ts';
import {
  findWithdrawal,
  sealedContentOf as withdrawalContent,
  withdrawals,
} from '../../../drizzle/withdrawals/withdrawals.ts';
import { type OutboxEntry, outbox } from '../../../drizzle/writes/workflow-outbox.ts';
import { OrphanedOperations } from '../../../src/worker/orphaned-operations.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { makeWebhook, recordEvents, startDelivering, startReceiver } from '../../support/api/webhooks.ts';
import { noChains } from '../../support/chains/no-chains.ts';
import { FakeCluster } from '../../support/cluster/fake-cluster.ts';
import { onlyMain } from '../../support/cluster/only-main.ts';
import { testTemporal } from '../../support/processes/temporal.ts';
import { startTestWorker, type TestWorker } from '../../support/processes/worker.ts';
import { ApprovalStage, type KnownKey } from '../../support/rows/approvals.ts';
import { readSigningRequest, readWallet } from '../../support/rows/operation-rows.ts';
import { testSeals } from '../../support/rows/seals.ts';
import { search } from '../../workflow/operator-view.ts';

const waiting = { timeout: 60_000, interval: 50 };
const cluster = new FakeCluster();

let api: TestApi;
let stage: ApprovalStage;
let approver: KnownKey;
let worker: TestWorker;
let client: Client;
/** What the API would start at once: each test starts it itself. */
let held: OutboxEntry[];
beforeAll(async () => {
  api = await startApi({ webhooks: { allowPrivate: true } });
  stage = new ApprovalStage(api);
  await stage.connect();
  await stage.setPolicy({ rules: [], default: { action: 'require_approvals', approvals: 1 } });
  approver = await stage.makeApprover();
  const activities = createActivities({
    db: api.db,
    clusters: onlyMain(cluster),
    chains: noChains,
    seals: testSeals,
    bitcoinNetwork: 'regtest',
  });
  worker = await startTestWorker({ temporal: { ...testTemporal('former'), taskQueue: api.taskQueue }, activities });
  ({ client } = worker);
});
afterAll(async () => {
  await worker?.stop();
  await api?.stop();
});
afterEach(() => vi.restoreAllMocks());

function hold(): void {
  held = [];
  vi.spyOn(api.starter, 'enqueue').mockImplementation((entry) => void held.push(entry));
}

/** As the former version accepted and started it: the row names no workflow, and the bare id is the workflow's. */
async function formerly(kind: 'wallet' | 'signing' | 'withdrawal', id: string): Promise<OutboxEntry> {
  const entry = held.find(({ workflow, workflowId }) => rowIdOf(workflow, workflowId) === id);
  if (entry === undefined) throw new Error('it was not accepted');
  held.splice(held.indexOf(entry), 1);
  const { db } = api;
  const workflowId = null;
  if (kind === 'wallet') await db.update(wallets).set({ workflowId }).where(eq(wallets.id, id));
  if (kind === 'signing') {
    const row = { ...(await readSigningRequest(db, id)), workflowId };
    const seal = testSeals.seal('signing_request', signingContent(row));
    await db.update(signingRequests).set({ workflowId, seal }).where(eq(signingRequests.id, id));
  }
  if (kind === 'withdrawal') {
    const found = await findWithdrawal(db, api.workspaceId, id);
    if (found === undefined) throw new Error('there is no such withdrawal');
    const row = { ...found, workflowId };
    const seal = testSeals.seal('withdrawal', withdrawalContent(row));
    await db.update(withdrawals).set({ workflowId, seal }).where(eq(withdrawals.id, id));
  }
  await db.update(outbox).set({ workflowId: id }).where(eq(outbox.id, entry.id));
  const { workflow, input } = entry;
  await client.workflow.start(workflow, {
    workflowId: id,
    taskQueue: api.taskQueue,
    args: [input],
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    memo: { id },
  });
  return { ...entry, workflowId: id };
}

async function startHeld(): Promise<void> {
  for (const entry of held.splice(0)) await api.starter.start(entry);
}

const runOf = async (workflowId: string) => (await client.workflow.getHandle(workflowId).describe()).runId;
const expectNoWorkflow = (workflowId: string) => expect(runOf(workflowId)).rejects.toThrow(WorkflowNotFoundError);

const sweep = () => {
  const { db, starter } = api;
  const log = { warn: () => {} };
  return new OrphanedOperations({ db, client, seals: testSeals, starter, log, openForMs: 0 }).closeSome();
};

async function makeWallet(): Promise<string> {
  const { status, body } = await stage.call('POST', '/api/v1/wallets', { name: 'former', wallet_type: 'mpc' });
  expect(status).toBe(202);
  return body.data.wallet_id;
}

async function makeActiveWallet(): Promise<string> {
  hold();
  const walletId = await makeWallet();
  await startHeld();
  await client.workflow.getHandle(workflowIdOf('createWallet', walletId)).result();
  return walletId;
}

test('a signature that waits under its bare id is signalled there, repeated without effect, and made once', async () => {
  const walletId = await makeActiveWallet();
  const id = await stage.askId('signing', walletId);
  const entry = await formerly('signing', id);
  const runId = await runOf(id);
  const made = cluster.signaturesMade;
  await sweep();
  expect((await stage.decide('signing', id, { verb: 'approve', key: approver })).status).toBe(200);
  expect(held.map(({ workflowId, signal }) => [workflowId, signal])).toEqual([[id, 'changed']]);
  const signals = [...held];
  await startHeld();
  await client.workflow.getHandle(id).result();
  expect(await readSigningRequest(api.db, id)).toMatchObject({ status: 'success', workflowId: null });
  // Nothing was deleted from the outbox in time, and all of it is found again.
  for (const again of [entry, ...signals]) await api.starter.start(again);
  expect(await runOf(id)).toBe(runId);
  expect(cluster.signaturesMade).toBe(made + 1);
  await expectNoWorkflow(workflowIdOf('sign', id));
});

test.each([
  ['rejected', 'rejected', (id: string) => stage.decide('withdrawal', id, { verb: 'reject', key: approver })],
  ['cancelled', 'cancelled', (id: string) => stage.cancel('withdrawal', id)],
] as const)('a withdrawal that waits under its bare id and is %s ends there', async (_name, status, decide) => {
  hold();
  const id = await stage.askId('withdrawal', await stage.makeFundedWallet());
  await formerly('withdrawal', id);
  expect((await decide(id)).status).toBe(200);
  await startHeld();
  await client.workflow.getHandle(id).result();
  expect((await stage.read('withdrawal', id)).status).toBe(status);
  await expectNoWorkflow(workflowIdOf('withdraw', id));
});

test('operations under bare ids are looked for under these: what runs is left, what was terminated ends', async () => {
  const walletId = await makeActiveWallet();
  const [running, terminated] = [await stage.askId('signing', walletId), await stage.askId('signing', walletId)];
  for (const id of [running, terminated]) await api.starter.start(await formerly('signing', id));
  await api.starter.drain();
  await client.workflow.getHandle(terminated).terminate('by an operator');
  await sweep();
  expect(await readSigningRequest(api.db, running)).toMatchObject({ status: 'pending', errorCode: null });
  expect(await readSigningRequest(api.db, terminated)).toMatchObject({ errorCode: 'workflow_terminated' });
});

test('a wallet that is made under its bare id is made once', async () => {
  hold();
  const made = vi.spyOn(cluster, 'generateKey');
  const id = await makeWallet();
  const entry = await formerly('wallet', id);
  await client.workflow.getHandle(id).result();
  const runId = await runOf(id);
  await api.starter.start(entry);
  expect(await runOf(id)).toBe(runId);
  expect((await readWallet(api.db, id)).wallet).toMatchObject({ status: 'active', workflowId: null });
  expect(made).toHaveBeenCalledTimes(2);
});

test('an endpoint of before has one deliverer, under its bare id, whoever wakes it; a new one has one that is found', async () => {
  const there = await startReceiver(() => 503);
  const delivering = await startDelivering(api);
  try {
    const { id: former } = await makeWebhook(api, there.url, ['wallet.frozen']);
    await api.db.update(webhooks).set({ workflowId: null }).where(eq(webhooks.id, former));
    const { id: present } = await makeWebhook(api, there.url, ['wallet.frozen']);
    await recordEvents(api, 1);
    const workflows = [former, workflowIdOf('deliverWebhooks', present)];
    await expect
      .poll(() => Promise.allSettled(workflows.map(runOf)), waiting)
      .toEqual([
        { status: 'fulfilled', value: expect.any(String) },
        { status: 'fulfilled', value: expect.any(String) },
      ]);
    hold();
    await stage.call('POST', `/api/v1/webhooks/${former}/ping`);
    await stage.call('POST', `/api/v1/webhooks/${present}/ping`);
    const woken = new Set(held.map(({ workflowId }) => workflowId));
    // An attempt that is under way says by itself when the next one is.
    const wake = async () => {
      await api.db.update(webhookDeliveries).set({ nextAttemptAt: new Date(0) });
      for (const { workflowId } of await wakeOverdueWebhooks(api.db, 1_000, 10)) woken.add(workflowId);
      return woken;
    };
    await expect.poll(wake, waiting).toEqual(new Set(workflows));
    await expectNoWorkflow(present);
    await expectNoWorkflow(workflowIdOf('deliverWebhooks', former));
    for (const id of workflows) await client.workflow.getHandle(id).terminate();
  } finally {
    await delivering.stop();
    await there.stop();
  }
});

test('what is new is found in Temporal by an id that carries its type, and by its row in the memo', async () => {
  const walletId = await makeActiveWallet();
  const id = await stage.askId('signing', walletId);
  await startHeld();
  const handle = client.workflow.getHandle(workflowIdOf('sign', id));
  expect((await handle.describe()).memo).toEqual({ id });
  const found = (query: string) => search(client, `${query} AND WalletId = "${walletId}"`, (ids) => ids.length > 0);
  expect(await found(`WorkflowId = "sign-${id}"`)).toEqual([`sign-${id}`]);
  expect(await found('WorkflowId STARTS_WITH "create-wallet-"')).toEqual([`create-wallet-${walletId}`]);
  expect((await stage.decide('signing', id, { verb: 'approve', key: approver })).status).toBe(200);
  await startHeld();
  await handle.result();
  expect(await readSigningRequest(api.db, id)).toMatchObject({ status: 'success', workflowId: `sign-${id}` });
});
