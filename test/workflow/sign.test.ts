// Goal: whatever fails, repeats or is lost around `sign`, a request ends once, with the right words, and is never
// signed after it ended. Method: the bundle that the worker runs, on the real Temporal server, with activities over a
// model in memory that fails on command before or after its effect.
import { ApplicationFailure } from '@temporalio/common';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SigningTask } from '../../domain/workflow-inputs.ts';
import { testTemporal } from '../support/processes/temporal.ts';
import { startTestWorker, type TestWorker } from '../support/processes/worker.ts';
import { Memory, type MemorySigning, openableGate, type Step, type Trouble } from './memory.ts';
import { viewOf } from './operator-view.ts';

const memory = new Memory();
let worker: TestWorker;

beforeAll(async () => {
  worker = await startTestWorker({ temporal: testTemporal('sign'), activities: memory.activities() });
});
afterAll(() => worker.stop());

function newTask(): SigningTask {
  return {
    signingId: uuidv7(),
    workspaceId: uuidv7(),
    walletId: uuidv7(),
    networkCode: 'ETHEREUM_SANDBOX',
    kind: 'raw_digest',
  };
}

async function run(task: SigningTask, on = worker): Promise<void> {
  await start(task, on).then((handle) => handle.result());
}

function start(task: SigningTask, { client, taskQueue } = worker) {
  return client.workflow.start('sign', { workflowId: task.signingId, taskQueue, args: [task] });
}

function newRequest(...troubles: [Step, ...Trouble[]][]): { task: SigningTask; row: MemorySigning } {
  const task = newTask();
  for (const [step, ...all] of troubles) memory.meet(step, task.signingId, ...all);
  return { task, row: memory.addSigning(task.signingId) };
}

const passing = () => new Error('a connection was lost');
const refusal = (code: string) => ApplicationFailure.nonRetryable(`the cluster says ${code}`, code);
const openToSuccess = ['pending → submitted', 'submitted → success'];
const openToFailed = ['pending → submitted', 'submitted → failed'];

test('nothing fails: one activity, once, and the result of the first attempt is recorded', async () => {
  const { task, row } = newRequest();
  await run(task);
  expect(row).toMatchObject({ status: 'success', moves: openToSuccess, mpcCorrelationId: `${task.signingId}.1` });
  const steps: Step[] = ['fulfilSigningRequest', 'failSigningRequest'];
  expect(steps.map((step) => memory.executions(step, task.signingId))).toEqual([1, 0]);
  const { details, attributes } = await viewOf(worker.client, task.signingId);
  expect(attributes).toMatchObject({ OperationStatus: 'success' });
  expect(details).toBe(`Signed and verified as ${task.signingId}.1.`);
});

describe.concurrent('a step that fails twice and then works', () => {
  test('fulfilSigningRequest, before its result: the third attempt signs, and says so', async () => {
    const { task, row } = newRequest(['fulfilSigningRequest', { before: passing() }, { before: passing() }]);
    await run(task);
    expect(row).toMatchObject({ status: 'success', moves: openToSuccess, mpcCorrelationId: `${task.signingId}.3` });
    expect(memory.executions('fulfilSigningRequest', task.signingId)).toBe(3);
  });

  test('fulfilSigningRequest, after its result: the first one stays', async () => {
    const { task, row } = newRequest(['fulfilSigningRequest', { after: passing() }, { after: passing() }]);
    await run(task);
    expect(row).toMatchObject({ status: 'success', moves: openToSuccess, mpcCorrelationId: `${task.signingId}.1` });
    const { details } = await viewOf(worker.client, task.signingId);
    expect(details).toBe(`Signed and verified as ${task.signingId}.1.`);
  });

  test.each(['before', 'after'] as const)('failSigningRequest, %s its effect', async (when) => {
    const trouble = (when === 'before' ? { before: passing() } : { after: passing() }) satisfies Trouble;
    const { task, row } = newRequest(
      ['fulfilSigningRequest', { before: refusal('mpc_refused') }],
      ['failSigningRequest', trouble, trouble],
    );
    await run(task);
    expect(row).toMatchObject({ status: 'failed', moves: openToFailed, failure: { errorCode: 'mpc_refused' } });
    expect(memory.executions('failSigningRequest', task.signingId)).toBe(3);
  });
});

test('a worker that remembers nothing between two tasks comes to the same end', async () => {
  const forgetful = await startTestWorker({
    temporal: testTemporal('sign-forgetful'),
    activities: memory.activities(),
    forgetful: true,
  });
  try {
    const { task, row } = newRequest(['fulfilSigningRequest', { before: passing() }, { after: passing() }]);
    await run(task, forgetful);
    expect(row).toMatchObject({ status: 'success', moves: openToSuccess });
  } finally {
    await forgetful.stop();
  }
});

describe.concurrent('the first attempt, in the worker itself', () => {
  const atOnce = (...troubles: [Step, ...Trouble[]][]) => {
    const { task, row } = newRequest(...troubles);
    return { task: { ...task, atOnce: true as const }, row };
  };
  const executions = ({ signingId }: SigningTask) =>
    (['signAtOnce', 'fulfilSigningRequest', 'failSigningRequest'] as const).map((step) =>
      memory.executions(step, signingId),
    );

  test('nothing fails: signed, and Temporal was asked for no activity', async () => {
    const { task, row } = atOnce();
    await run(task);
    expect(row).toMatchObject({ status: 'success', moves: openToSuccess });
    expect(executions(task)).toEqual([1, 0, 0]);
    const { events } = await worker.client.workflow.getHandle(task.signingId).fetchHistory();
    expect(events?.filter(({ activityTaskScheduledEventAttributes: asked }) => asked)).toEqual([]);
    const { details, attributes } = await viewOf(worker.client, task.signingId);
    expect(attributes).toMatchObject({ OperationStatus: 'success' });
    expect(details).toBe(`Signed and verified as ${task.signingId}.1.`);
  });

  test.each(['before', 'after'] as const)('that fails %s its effect is followed by the patient one', async (when) => {
    const trouble = (when === 'before' ? { before: passing() } : { after: passing() }) satisfies Trouble;
    const { task, row } = atOnce(['signAtOnce', trouble], ['fulfilSigningRequest', { before: passing() }]);
    await run(task);
    expect(row).toMatchObject({ status: 'success', moves: openToSuccess });
    expect(executions(task)).toEqual([1, 2, 0]);
  });

  test('that is refused for good is not followed by another', async () => {
    const { task, row } = atOnce(['signAtOnce', { before: refusal('policy_refused') }]);
    await run(task);
    expect(row).toMatchObject({ status: 'failed', moves: openToFailed, failure: { errorCode: 'policy_refused' } });
    expect(executions(task)).toEqual([1, 0, 1]);
  });

  test('that never ends is given up, and signed by the patient one', async () => {
    const gate = openableGate();
    const { task, row } = atOnce(['signAtOnce', { held: gate.passed }]);
    await run(task);
    gate.open();
    expect(row).toMatchObject({ status: 'success', moves: openToSuccess });
    expect(executions(task)).toEqual([1, 1, 0]);
  });

  test('that met a limit is followed by none before there is room', async () => {
    const nextRetryDelay = 1_500;
    const busy = ApplicationFailure.create({ message: 'at a limit', type: 'cluster_busy', nextRetryDelay });
    const { task, row } = atOnce(['signAtOnce', { before: busy }]);
    const startedMs = performance.now();
    await run(task);
    expect(performance.now() - startedMs).toBeGreaterThan(nextRetryDelay);
    expect(row).toMatchObject({ status: 'success', moves: openToSuccess });
  });
});

describe.concurrent('a refusal is not retried, and the row says why', () => {
  test.each([
    ['mpc_refused', 'mpc_error'],
    ['counterparty_banned', 'mpc_error'],
    ['policy_refused', 'policy_denied'],
    ['approver_refused', 'policy_denied'],
    ['invalid_request', 'mpc_error'],
    ['signature_invalid', 'signature_invalid'],
    ['frozen', 'frozen'],
  ])('%s gives status_reason %s', async (code, statusReason) => {
    const { task, row } = newRequest(['fulfilSigningRequest', { before: refusal(code) }]);
    await run(task);
    expect(row).toMatchObject({ status: 'failed', moves: openToFailed });
    expect(row.failure).toEqual({ statusReason, errorCode: code, errorReason: `the cluster says ${code}` });
    expect(memory.executions('fulfilSigningRequest', task.signingId)).toBe(1);
    const { details, attributes } = await viewOf(worker.client, task.signingId);
    expect(attributes).toMatchObject({ OperationStatus: 'failed' });
    expect(details).toBe(`Not signed: the cluster says ${code} (${code}).`);
  });
});

test('a request that does not exist is never signed, and the operator reads why', async () => {
  const task = newTask();
  await run(task);
  expect(memory.executions('fulfilSigningRequest', task.signingId)).toBe(1);
  const { details } = await viewOf(worker.client, task.signingId);
  expect(details).toBe('Not signed: there is no such row (not_found).');
});

describe.concurrent('a row that is closed before the cluster was asked', () => {
  test.each([
    ['failed', 'Nothing was signed: the request was closed before, see its row.'],
    ['success', 'Signed and verified as earlier.1.'],
  ] as const)('%s: nothing is written', async (status, words) => {
    const task = newTask();
    const row = memory.addSigning(task.signingId, status);
    row.mpcCorrelationId = 'earlier.1';
    await run(task);
    expect(row).toEqual({ status, moves: [], mpcCorrelationId: 'earlier.1' });
    const { details, attributes } = await viewOf(worker.client, task.signingId);
    expect(attributes).toMatchObject({ OperationStatus: status });
    expect(details).toBe(words);
  });

  test('submitted already, by a worker that died: signed', async () => {
    const task = newTask();
    const row = memory.addSigning(task.signingId, 'submitted');
    await run(task);
    expect(row).toMatchObject({ status: 'success', moves: ['submitted → success'] });
  });
});

test('an operator cancels the workflow while the cluster works: the request does not stay open for ever', async () => {
  const gate = openableGate();
  const { task, row } = newRequest(['fulfilSigningRequest', { held: gate.passed }]);
  const handle = await start(task);
  await expect.poll(() => memory.executions('fulfilSigningRequest', task.signingId)).toBe(1);
  await handle.cancel();
  await handle.result().catch(() => undefined);
  gate.open();
  expect(['success', 'failed']).toContain(row.status);
});

test('cancelled when it had been signed already: the operator reads that it was signed', async () => {
  const { task, row } = newRequest(['fulfilSigningRequest', { after: refusal('cancelled') }]);
  await run(task);
  expect(row).toMatchObject({ status: 'success', moves: openToSuccess });
  const { details, attributes } = await viewOf(worker.client, task.signingId);
  expect(attributes).toMatchObject({ OperationStatus: 'success' });
  expect(details).toBe('Signed before it could be stopped: see its row.');
});
