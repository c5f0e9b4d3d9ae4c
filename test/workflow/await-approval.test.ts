// Goal: an operation that must be approved waits for that, and for nothing longer: whatever is decided, in whatever
// order with the signals, it is signed after an approval and never without one. Method: the product's sign workflow on
// the real Temporal server; rounds and rows as a model in memory.
import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApprovalStanding } from '../../activities/signing/approvals.ts';
import type { SigningTask } from '../../domain/workflow-inputs.ts';
import { testTemporal } from '../support/processes/temporal.ts';
import { startTestWorker, type TestWorker } from '../support/processes/worker.ts';
import { Memory, type MemorySigning, openableGate } from './memory.ts';
import { viewOf } from './operator-view.ts';

const HOUR_MS = 3_600_000;
const memory = new Memory();

interface Round {
  answers: (() => ApprovalStanding | Promise<ApprovalStanding>)[];
  looks: number;
}
const rounds = new Map<string, Round>();

/** Answers in order; the last one for good. */
async function checkApproval(subjectId: string): Promise<ApprovalStanding> {
  const round = rounds.get(subjectId);
  const answer = round?.answers[Math.min(round.looks, round.answers.length - 1)];
  if (round === undefined || answer === undefined) throw new Error('there is no round');
  round.looks += 1;
  return answer();
}

const pending = (expiresInMs = HOUR_MS) => ({ standing: 'pending', expiresInMs }) as const;
const approved = { standing: 'approved', expiresInMs: 0 } as const;
const ended = { standing: 'ended', expiresInMs: 0 } as const;

const activities = { ...memory.activities(), checkApproval };
let worker: TestWorker;
beforeAll(async () => {
  worker = await startTestWorker({ temporal: testTemporal('approval'), activities });
});
afterAll(() => worker.stop());

interface Waiting {
  task: SigningTask;
  row: MemorySigning;
  round: Round;
}

function newRequest(...answers: Round['answers']): Waiting {
  const task: SigningTask = {
    signingId: uuidv7(),
    workspaceId: uuidv7(),
    walletId: uuidv7(),
    networkCode: 'ETHEREUM_SANDBOX',
    kind: 'raw_digest',
    approvalUntil: new Date(Date.now() + HOUR_MS).toISOString(),
  };
  const round = { answers, looks: 0 };
  rounds.set(task.signingId, round);
  return { task, row: memory.addSigning(task.signingId), round };
}

const start = (task: SigningTask, { client, taskQueue } = worker) =>
  client.workflow.start('sign', { workflowId: task.signingId, taskQueue, args: [task] });
const signings = ({ task }: Waiting) => memory.executions('fulfilSigningRequest', task.signingId);
const looks = (round: Round, atLeast: number) => expect.poll(() => round.looks).toBeGreaterThanOrEqual(atLeast);

test('one that needs no approval asks for none', async () => {
  const { approvalUntil: _, ...task } = newRequest(() => pending()).task;
  await start(task).then((handle) => handle.result());
  expect(memory.signings.get(task.signingId)?.status).toBe('success');
  expect(rounds.get(task.signingId)?.looks).toBe(0);
});

test('approved: signed, after it had waited where an operator sees it', async () => {
  const request = newRequest(() => pending());
  const handle = await start(request.task);
  await looks(request.round, 1);
  const view = () => viewOf(worker.client, request.task.signingId);
  // Seen once the task that looked is completed.
  const waits = { attributes: { OperationStatus: 'pending_approval' } };
  await expect.poll(view, { timeout: 60_000 }).toMatchObject(waits);
  const { details } = await view();
  expect(details).toBe(`Waits for approvals, at most until ${request.task.approvalUntil}.`);
  expect(signings(request)).toBe(0);
  request.round.answers = [() => approved];
  await handle.signal('changed');
  await handle.result();
  expect(request.row.status).toBe('success');
});

test('approved before the workflow was started: not waited for', async () => {
  const request = newRequest(() => approved);
  await start(request.task).then((handle) => handle.result());
  expect(request.row.status).toBe('success');
  expect(request.round.looks).toBe(1);
});

test('rejected or cancelled: nothing is signed, and the row is left as it is', async () => {
  const request = newRequest(
    () => pending(),
    () => ended,
  );
  const handle = await start(request.task);
  await looks(request.round, 1);
  await handle.signal('changed');
  await handle.result();
  expect(signings(request)).toBe(0);
  expect(request.row).toMatchObject({ status: 'pending', moves: [] });
  const { attributes, details } = await viewOf(worker.client, request.task.signingId);
  expect(attributes).toMatchObject({ OperationStatus: 'failed' });
  expect(details).toBe('Nothing was signed: it was not approved, or was cancelled before; see its row.');
});

test('a signal says only that something changed: not approved yet, it waits on', async () => {
  const request = newRequest(() => pending());
  const handle = await start(request.task);
  await looks(request.round, 1);
  for (let signals = 0; signals < 5; signals += 1) await handle.signal('changed');
  await looks(request.round, 2);
  expect(signings(request)).toBe(0);
  request.round.answers = [() => approved];
  await handle.signal('changed');
  await handle.result();
  expect(request.row.status).toBe('success');
});

test('a decision in the midst of a slow look is seen at once, not when the time is over', async () => {
  const gate = openableGate();
  const request = newRequest(
    // Read before the decision, answered after it.
    async () => gate.passed.then(() => pending()),
    () => approved,
  );
  const { client, taskQueue } = worker;
  const handle = await client.workflow.start('sign', {
    workflowId: request.task.signingId,
    taskQueue,
    args: [request.task],
    // A local activity that takes longer than most of it lets the workflow hear signals meanwhile.
    workflowTaskTimeout: '2s',
  });
  await looks(request.round, 1);
  await handle.signal('changed');
  await sleep(3_000);
  gate.open();
  await handle.result();
  expect(request.row.status).toBe('success');
});

describe.concurrent('time', () => {
  test('is over without a signal: looked at once more, and nothing is signed', async () => {
    const request = newRequest(
      () => pending(1_200),
      () => ended,
    );
    const began = Date.now();
    await start(request.task).then((handle) => handle.result());
    expect(Date.now() - began).toBeGreaterThanOrEqual(1_000);
    expect(request.round.looks).toBe(2);
    expect(signings(request)).toBe(0);
  });

  test('is not over by the clock of the database when the timer fires: it waits a little more', async () => {
    const request = newRequest(
      () => pending(0),
      () => pending(0),
      () => ended,
    );
    await start(request.task).then((handle) => handle.result());
    expect(request.round.looks).toBe(3);
    expect(signings(request)).toBe(0);
  });
});

test('the database is away for a moment: the look is taken again', async () => {
  const lost = () => {
    throw new Error('a connection was lost');
  };
  const request = newRequest(lost, lost, () => approved);
  await start(request.task).then((handle) => handle.result());
  expect(request.row.status).toBe('success');
});

test('an operator cancels the workflow while it waits: the request does not stay open for ever', async () => {
  const request = newRequest(() => pending());
  const handle = await start(request.task);
  await looks(request.round, 1);
  await handle.cancel();
  await handle.result();
  expect(request.row).toMatchObject({ status: 'failed', failure: { statusReason: 'cancelled' } });
  expect(signings(request)).toBe(0);
});

test('a worker that remembers nothing between two tasks comes to the same end', async () => {
  const forgetful = await startTestWorker({
    temporal: testTemporal('approval-forgetful'),
    activities,
    forgetful: true,
  });
  try {
    const request = newRequest(
      () => pending(),
      () => pending(),
      () => approved,
    );
    const handle = await start(request.task, forgetful);
    await looks(request.round, 1);
    await handle.signal('changed');
    await looks(request.round, 2);
    await handle.signal('changed');
    await handle.result();
    expect(request.row.status).toBe('success');
  } finally {
    await forgetful.stop();
  }
});
