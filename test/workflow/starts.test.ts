// Goal: one operation is one run for ever, however often it is started, and an operator finds and reads it. Method: the
// WorkflowStarter of the API and the reconciler, its outbox in a real database, the real Temporal server and activities
// over a model in memory.
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { workflowIdOf } from '../../domain/workflow-ids.ts';
import type { SigningTask, WorkflowInputs, WorkflowName } from '../../domain/workflow-inputs.ts';
import { connectDatabase, type DatabaseConnection } from '../../drizzle/database/connection.ts';
import { insertOutboxEntry, listOverdueOutboxEntries, type OutboxEntry } from '../../drizzle/writes/workflow-outbox.ts';
import { WorkflowStarter } from '../../src/writes/start-workflow.ts';
import { createTestDatabase, type TestDatabase } from '../support/processes/postgres.ts';
import { testTemporal } from '../support/processes/temporal.ts';
import { startTestWorker, type TestWorker } from '../support/processes/worker.ts';
import { Memory, openableGate } from './memory.ts';
import { search, viewOf } from './operator-view.ts';

const memory = new Memory();
const workspaceId = uuidv7();
let worker: TestWorker;
let database: TestDatabase;
let connection: DatabaseConnection;
let starter: WorkflowStarter;

beforeAll(async () => {
  database = await createTestDatabase();
  connection = connectDatabase(database.url, { poolSize: 2, name: 'test-starts' });
  worker = await startTestWorker({ temporal: testTemporal('starts'), activities: memory.activities() });
  const { client, taskQueue } = worker;
  starter = new WorkflowStarter({ client, taskQueue, db: connection.db, log: { warn: () => {} } });
});
afterAll(async () => {
  await worker.stop();
  await connection.close();
  await database.drop();
});

const overdue = () => listOverdueOutboxEntries(connection.db, { olderThanMs: -1_000, limit: 100 });

const idOf = ({ signingId }: SigningTask) => workflowIdOf('sign', signingId);

async function newSigning(): Promise<{ task: SigningTask; entry: OutboxEntry }> {
  const task: SigningTask = {
    signingId: uuidv7(),
    workspaceId,
    walletId: uuidv7(),
    networkCode: 'SOL_SANDBOX',
    kind: 'raw_digest',
  };
  memory.addSigning(task.signingId);
  return { task, entry: await commit('sign', task.signingId, task) };
}

function commit<Name extends WorkflowName>(
  workflow: Name,
  id: string,
  input: WorkflowInputs[Name],
): Promise<OutboxEntry> {
  return connection.db.transaction((tx) =>
    insertOutboxEntry(tx, { workflow, workflowId: workflowIdOf(workflow, id), input }),
  );
}

async function runIdOf(workflowId: string): Promise<string> {
  return (await worker.client.workflow.getHandle(workflowId).describe()).runId;
}

test('started again while it runs: attached to the same run', async () => {
  const { task, entry } = await newSigning();
  const gate = openableGate();
  memory.meet('fulfilSigningRequest', task.signingId, { held: gate.passed });
  await starter.start(entry);
  const runId = await runIdOf(idOf(task));
  await Promise.all([starter.start(entry), starter.start(entry)]);
  expect(await runIdOf(idOf(task))).toBe(runId);
  gate.open();
  await worker.client.workflow.getHandle(idOf(task)).result();
  expect(memory.executions('fulfilSigningRequest', task.signingId)).toBe(1);
});

test('started again after it closed: refused by Temporal, confirmed to the caller, signed once', async () => {
  const { task, entry } = await newSigning();
  await starter.start(entry);
  await worker.client.workflow.getHandle(idOf(task)).result();
  const runId = await runIdOf(idOf(task));
  await starter.start(entry);
  expect(await runIdOf(idOf(task))).toBe(runId);
  expect(memory.executions('fulfilSigningRequest', task.signingId)).toBe(1);
  await expect(
    worker.client.workflow.start('sign', {
      workflowId: idOf(task),
      taskQueue: worker.taskQueue,
      args: [task],
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
    }),
  ).rejects.toThrow(WorkflowExecutionAlreadyStartedError);
});

test('the outbox row goes only after the start', async () => {
  const { task, entry } = await newSigning();
  expect((await overdue()).map(({ workflowId }) => workflowId)).toContain(idOf(task));
  await starter.start(entry);
  await starter.drain();
  expect((await overdue()).map(({ workflowId }) => workflowId)).not.toContain(idOf(task));
});

/** As the outbox relay does. */
async function startLeft(all: { entry: OutboxEntry; task: SigningTask }[]): Promise<void> {
  const left = new Set((await overdue()).map(({ workflowId }) => workflowId));
  for (const { entry, task } of all) if (left.has(idOf(task))) await starter.start(entry);
  await expect.poll(overdue).toEqual([]);
}

test('of fifty starts queued at once none is lost', async () => {
  const all = await Promise.all(Array.from({ length: 50 }, newSigning));
  for (const { entry } of all) starter.enqueue(entry);
  // Each is tried; what a slow Temporal did not confirm is still there, for whoever tries it again.
  await expect.poll(async () => (await overdue()).length).toBeLessThan(18);
  await starter.drain();
  await startLeft(all);
  await Promise.all(all.map(({ task }) => worker.client.workflow.getHandle(idOf(task)).result()));
  expect(all.map(({ task }) => memory.signings.get(task.signingId)?.status)).toEqual(all.map(() => 'success'));
});

test('when the process stops, what waits for its turn is left to the reconciler', async () => {
  const all = await Promise.all(Array.from({ length: 50 }, newSigning));
  for (const { entry } of all) starter.enqueue(entry);
  await starter.drain();
  expect((await overdue()).length).toBeGreaterThanOrEqual(18); // 32 are started at once
  await startLeft(all);
});

test('an operator reads what a signature is, before and after, and finds it by its attributes', async () => {
  const { task, entry } = await newSigning();
  const { signingId, walletId } = task;
  const gate = openableGate();
  memory.meet('fulfilSigningRequest', signingId, { held: gate.passed });
  await starter.start(entry);
  const attributes = { WorkspaceId: workspaceId, WalletId: walletId, NetworkCode: 'SOL_SANDBOX' };
  expect(await viewOf(worker.client, idOf(task))).toMatchObject({
    status: 'RUNNING',
    memo: { id: signingId },
    summary: `Sign with wallet ${walletId} on SOL_SANDBOX`,
    attributes: { ...attributes, OperationStatus: 'pending' },
  });
  gate.open();
  await worker.client.workflow.getHandle(idOf(task)).result();
  expect(await viewOf(worker.client, idOf(task))).toMatchObject({
    status: 'COMPLETED',
    attributes: { ...attributes, OperationStatus: 'success' },
    details: `Signed and verified as ${signingId}.1.`,
  });
  const query = `WalletId = "${walletId}" AND NetworkCode = "SOL_SANDBOX" AND OperationStatus = "success"`;
  expect(await search(worker.client, query, (ids) => ids.length > 0)).toEqual([idOf(task)]);
});

test('an operator reads what a wallet is and finds it by its attributes', async () => {
  const walletId = uuidv7();
  const workflowId = workflowIdOf('createWallet', walletId);
  memory.addWallet(walletId);
  await starter.start(await commit('createWallet', walletId, { walletId, workspaceId }));
  await worker.client.workflow.getHandle(workflowId).result();
  expect(await viewOf(worker.client, workflowId)).toEqual({
    status: 'COMPLETED',
    memo: { id: walletId },
    summary: `Create wallet ${walletId}`,
    attributes: { WorkspaceId: workspaceId, WalletId: walletId, NetworkCode: undefined, OperationStatus: 'active' },
    details: 'The wallet is active: its keys are on all three nodes and every quorum has signed a test.',
  });
  const query = `WorkspaceId = "${workspaceId}" AND WorkflowType = "createWallet" AND OperationStatus = "active"`;
  expect(await search(worker.client, query, (ids) => ids.length > 0)).toEqual([workflowId]);
});
