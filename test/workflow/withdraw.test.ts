// Goal: whatever fails, repeats or is lost around `withdraw`, one transaction lands at most, the money is where the
// chain says, and it ends. Method: the bundle that the worker runs, on the real Temporal server, with activities over a
// model in memory that fails on command before or after its effect (controls W2).
import { ApplicationFailure } from '@temporalio/common';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Activities } from '../../activities/index.ts';
import type { WithdrawInput } from '../../domain/workflow-inputs.ts';
import { bundleWithFastRetries } from '../support/processes/fast-retries.ts';
import { testTemporal } from '../support/processes/temporal.ts';
import { bundleWorkflows, startTestWorker, type TestWorker } from '../support/processes/worker.ts';
import { Memory, openableGate, type Trouble } from './memory.ts';
import { type MemoryWithdrawal, MemoryWithdrawals, withdrawalSteps } from './memory-withdrawals.ts';
import { viewOf } from './operator-view.ts';

const memory = new Memory();
const withdrawals = new MemoryWithdrawals(memory);
const activities: Partial<Activities> = { ...memory.activities(), ...withdrawals.activities() };
let worker: TestWorker;

beforeAll(async () => {
  worker = await startTestWorker({ temporal: testTemporal('withdraw'), activities });
});
afterAll(() => worker.stop());

function add(row: Partial<MemoryWithdrawal> = {}): { id: string; input: WithdrawInput; row: MemoryWithdrawal } {
  const id = uuidv7();
  const input = { withdrawalId: id, workspaceId: uuidv7(), walletId: uuidv7(), networkCode: 'ETHEREUM_SANDBOX' };
  return { id, input, row: withdrawals.add(id, row) };
}

function start(input: WithdrawInput, { client, taskQueue } = worker) {
  return client.workflow.start('withdraw', { workflowId: input.withdrawalId, taskQueue, args: [input] });
}
const run = (input: WithdrawInput, on = worker) => start(input, on).then((handle) => handle.result());
const handleOf = (id: string) => worker.client.workflow.getHandle(id);

const passing = () => new Error('a connection was lost');
const refusal = (code: string) => ApplicationFailure.nonRetryable(`it says ${code}`, code);
const troubleOf = (when: 'before' | 'after'): Trouble =>
  when === 'before' ? { before: passing() } : { after: passing() };

const waiting = { timeout: 60_000 };

const toCompleted = ['approved → processing', 'processing → completed'];
const toFailed = ['approved → processing', 'processing → failed'];
const paid = { available: 0, held: 0, outside: 100 };
const givenBack = { available: 100, held: 0, outside: 0 };

test('nothing fails: each step once, one transaction, its money out', async () => {
  const { id, input, row } = add();
  await run(input);
  expect(row).toMatchObject({ status: 'completed', moves: toCompleted, money: paid, broadcasts: [0] });
  const executions = Object.fromEntries(withdrawalSteps.map((step) => [step, withdrawals.executions(step, id)]));
  expect(executions).toEqual({
    beginWithdrawal: 1,
    checkApproval: 0,
    prepareTransaction: 1,
    broadcastTransaction: 1,
    followWithdrawal: 2,
    abandonWithdrawal: 0,
    noteReplacementFailed: 0,
  });
  expect(memory.executions('fulfilSigningRequest', row.transactions[0]?.signingId ?? '')).toBe(1);
  const { details, attributes } = await viewOf(worker.client, id);
  expect(attributes).toMatchObject({ OperationStatus: 'completed' });
  expect(details).toBe('Final.');
});

describe.concurrent('W2: a step that fails twice and then works has one effect', () => {
  const steps = ['beginWithdrawal', 'prepareTransaction', 'broadcastTransaction', 'followWithdrawal'] as const;
  test.each(steps.flatMap((step) => [[step, 'before'] as const, [step, 'after'] as const]))(
    '%s, %s its effect',
    async (step, when) => {
      const { id, input, row } = add();
      withdrawals.meet(step, id, troubleOf(when), troubleOf(when));
      await run(input);
      expect(row).toMatchObject({ status: 'completed', moves: toCompleted, money: paid });
      expect(row.transactions).toHaveLength(1);
      expect(new Set(row.broadcasts)).toEqual(new Set([0]));
      expect(withdrawals.executions('abandonWithdrawal', id)).toBe(0);
    },
  );

  test.each(['before', 'after'] as const)('the signature, %s its effect', async (when) => {
    const { input, row } = add({ signing: [[troubleOf(when), troubleOf(when)]] });
    await run(input);
    expect(row).toMatchObject({ status: 'completed', moves: toCompleted, money: paid, broadcasts: [0] });
    expect(row.transactions).toHaveLength(1);
  });

  test.each(['before', 'after'] as const)(
    'abandonWithdrawal, %s its effect: the money is given back once',
    async (when) => {
      const { id, input, row } = add({ signing: [[{ before: refusal('mpc_refused') }]] });
      withdrawals.meet('abandonWithdrawal', id, troubleOf(when), troubleOf(when));
      await run(input);
      expect(row).toMatchObject({ status: 'failed', moves: toFailed, money: givenBack, broadcasts: [] });
      expect(row.failure?.errorReason).toBe('its signing operation is failed');
    },
  );

  test.each(['before', 'after'] as const)('noteReplacementFailed, %s its effect: what is out goes on', async (when) => {
    const { id, input, row } = add({
      mines: false,
      requestedReplacement: 'speed_up',
      signing: [[], [{ before: refusal('mpc_refused') }]],
    });
    withdrawals.meet('noteReplacementFailed', id, troubleOf(when), troubleOf(when));
    const handle = await start(input);
    await vi.waitFor(() => expect(row.notes).toHaveLength(1), waiting);
    row.mines = true;
    await handle.result();
    expect(row).toMatchObject({ status: 'completed', moves: toCompleted, money: paid, broadcasts: [0] });
    expect(row.transactions.map(({ status }) => status)).toEqual(['broadcast', 'abandoned']);
  });

  test('all of them at once, on a worker that remembers nothing between two tasks', async () => {
    const forgetful = await startTestWorker({
      temporal: testTemporal('withdraw-forgetful'),
      activities,
      code: await bundleWithFastRetries(),
      forgetful: true,
    });
    try {
      const { id, input, row } = add({ signing: [[troubleOf('before'), troubleOf('after')]] });
      for (const step of steps) withdrawals.meet(step, id, troubleOf('before'), troubleOf('after'));
      await run(input, forgetful);
      expect(row).toMatchObject({ status: 'completed', moves: toCompleted, money: paid });
      expect(row.transactions).toHaveLength(1);
    } finally {
      await forgetful.stop();
    }
  });
});

describe.concurrent('what ends it before anything is signed', () => {
  test.each(['frozen', 'fee_above_limit', 'impossible_transfer'])(
    '%s: not retried, the money is there again',
    async (code) => {
      const { id, input, row } = add();
      withdrawals.meet('prepareTransaction', id, { before: refusal(code) });
      await run(input);
      expect(row).toMatchObject({ status: 'failed', moves: toFailed, money: givenBack, transactions: [] });
      expect(row.failure).toEqual({ errorCode: code, errorReason: `it says ${code}` });
      expect(withdrawals.executions('prepareTransaction', id)).toBe(1);
      const { details } = await viewOf(worker.client, id);
      expect(details).toBe(`Not sent: it says ${code} (${code}).`);
    },
  );

  test('a freeze before it has begun', async () => {
    const { id, input, row } = add();
    withdrawals.meet('beginWithdrawal', id, { before: refusal('frozen') });
    await run(input);
    expect(row).toMatchObject({ status: 'failed', moves: ['approved → failed'], money: givenBack });
  });

  test('journaled, and refused before it was signed: what is journaled is given up, and nobody signs it', async () => {
    const { id, input, row } = add();
    withdrawals.meet('prepareTransaction', id, { after: refusal('frozen') });
    await run(input);
    expect(row).toMatchObject({ status: 'failed', money: givenBack, broadcasts: [] });
    const [transaction] = row.transactions;
    expect(transaction?.status).toBe('abandoned');
    expect(memory.signings.get(transaction?.signingId ?? '')?.status).toBe('failed');
  });

  test('closed by a caller while it waited: nothing is built', async () => {
    const { id, input, row } = add();
    const gate = openableGate();
    withdrawals.meet('prepareTransaction', id, { held: gate.passed });
    const handle = await start(input);
    await vi.waitFor(() => expect(withdrawals.executions('prepareTransaction', id)).toBe(1), waiting);
    row.status = 'cancelled';
    gate.open();
    await handle.result();
    expect(row).toMatchObject({ status: 'cancelled', transactions: [], broadcasts: [] });
    expect(withdrawals.executions('abandonWithdrawal', id)).toBe(0);
    const { details, attributes } = await viewOf(worker.client, id);
    expect(attributes).toMatchObject({ OperationStatus: 'cancelled' });
    expect(details).toMatch(/^Nothing was sent: /);
  });

  test('a withdrawal that has ended is left alone, however often its workflow is started', async () => {
    for (const status of ['completed', 'failed', 'rejected', 'cancelled'] as const) {
      const { input, row } = add({ status });
      await run(input);
      expect(row).toMatchObject({ status, moves: [], transactions: [] });
    }
  });
});

describe.concurrent('approval', () => {
  test('it waits, hears of the decision at once and goes on', async () => {
    const { id, input, row } = add({ status: 'pending_approval' });
    const handle = await start(input);
    await vi.waitFor(() => expect(withdrawals.executions('checkApproval', id)).toBe(1), waiting);
    const attributes = async () => (await viewOf(worker.client, id)).attributes;
    const waits = { OperationStatus: 'pending_approval' };
    await vi.waitFor(async () => expect(await attributes()).toMatchObject(waits), waiting);
    await handle.signal('changed');
    await vi.waitFor(() => expect(withdrawals.executions('checkApproval', id)).toBe(2), waiting);
    expect(row.transactions).toEqual([]);
    row.status = 'approved';
    await handle.signal('changed');
    await handle.result();
    expect(row).toMatchObject({ status: 'completed', moves: toCompleted });
  });

  test('rejected: nothing is begun', async () => {
    const { id, input, row } = add({ status: 'pending_approval' });
    const handle = await start(input);
    await vi.waitFor(() => expect(withdrawals.executions('checkApproval', id)).toBe(1), waiting);
    row.status = 'rejected';
    await handle.signal('changed');
    await handle.result();
    expect(row).toMatchObject({ status: 'rejected', moves: [], transactions: [] });
  });

  test('a decision that falls before the first look is not missed', async () => {
    const { id, input, row } = add({ status: 'pending_approval' });
    const gate = openableGate();
    withdrawals.meet('checkApproval', id, { held: gate.passed });
    const handle = await start(input);
    await vi.waitFor(() => expect(withdrawals.executions('checkApproval', id)).toBe(1), waiting);
    await handle.signal('changed');
    row.status = 'approved';
    gate.open();
    await handle.result();
    expect(row.status).toBe('completed');
  });
});

describe.concurrent('an operator cancels', () => {
  test('while it waits for approval: it fails, and its money is there again', async () => {
    const { id, input, row } = add({ status: 'pending_approval' });
    const handle = await start(input);
    await vi.waitFor(() => expect(withdrawals.executions('checkApproval', id)).toBe(1), waiting);
    await handle.cancel();
    await handle.result();
    expect(row).toMatchObject({ status: 'failed', money: givenBack, failure: { errorCode: 'cancelled' } });
  });

  test('while it is being prepared: it fails, and what was journaled meanwhile is signed by nobody', async () => {
    const { id, input, row } = add();
    const gate = openableGate();
    withdrawals.meet('prepareTransaction', id, { held: gate.passed });
    const handle = await start(input);
    await vi.waitFor(() => expect(withdrawals.executions('prepareTransaction', id)).toBe(1), waiting);
    await handle.cancel();
    gate.open();
    await handle.result();
    expect(row).toMatchObject({ status: 'failed', money: givenBack, broadcasts: [] });
    expect(row.transactions.filter(({ status }) => status !== 'abandoned')).toEqual([]);
  });

  test('while it is signed: either nothing is signed and it fails, or it goes out', async () => {
    const gate = openableGate();
    const { input, row } = add({ signing: [[{ held: gate.passed }]] });
    const handle = await start(input);
    await expect
      .poll(() => memory.executions('fulfilSigningRequest', row.transactions[0]?.signingId ?? ''), waiting)
      .toBe(1);
    await handle.cancel();
    gate.open();
    await handle.result();
    const signed = memory.signings.get(row.transactions[0]?.signingId ?? '')?.status === 'success';
    expect(row.status).toBe(signed ? 'completed' : 'failed');
    expect(row.money).toEqual(signed ? paid : givenBack);
  });

  test('while it is broadcast: it is followed to its end', async () => {
    const { id, input, row } = add();
    const gate = openableGate();
    withdrawals.meet('broadcastTransaction', id, { held: gate.passed });
    const handle = await start(input);
    await vi.waitFor(() => expect(withdrawals.executions('broadcastTransaction', id)).toBe(1), waiting);
    await handle.cancel();
    gate.open();
    await handle.result();
    expect(row).toMatchObject({ status: 'completed', moves: toCompleted, money: paid });
  });

  test('when it is out: it is followed to its end', async () => {
    const { id, input, row } = add({ mines: false });
    const handle = await start(input);
    await vi.waitFor(() => expect(withdrawals.executions('followWithdrawal', id)).toBeGreaterThan(1), waiting);
    await handle.cancel();
    row.mines = true;
    await handle.result();
    expect(row).toMatchObject({ status: 'completed', moves: toCompleted, money: paid });
  });
});

describe.concurrent('an operator terminates the child that signs', () => {
  const untilSigning = async (row: MemoryWithdrawal, ordinal: number) => {
    const id = () => row.transactions[ordinal]?.signingId ?? '';
    await vi.waitFor(() => expect(memory.executions('fulfilSigningRequest', id())).toBe(1), waiting);
    return handleOf(id());
  };

  test("of its first transaction: it fails, and the signature that comes too late is nobody's", async () => {
    const gate = openableGate();
    const { input, row } = add({ signing: [[{ held: gate.passed }]] });
    const handle = await start(input);
    await (await untilSigning(row, 0)).terminate('by an operator');
    await handle.result();
    gate.open();
    expect(row).toMatchObject({ status: 'failed', money: givenBack, broadcasts: [] });
    expect(memory.signings.get(row.transactions[0]?.signingId ?? '')?.status).toBe('failed');
  });

  test('of a replacement: what is out is followed to its end', async () => {
    const gate = openableGate();
    const { input, row } = add({ mines: false, requestedReplacement: 'drop', signing: [[], [{ held: gate.passed }]] });
    const handle = await start(input);
    await (await untilSigning(row, 1)).terminate('by an operator');
    await vi.waitFor(() => expect(row.notes).toHaveLength(1), waiting);
    gate.open();
    row.mines = true;
    await handle.result();
    expect(row).toMatchObject({ status: 'completed', moves: toCompleted, money: paid, broadcasts: [0] });
  });
});

describe.concurrent('T4: replacements', () => {
  test.each([
    ['speed_up', toCompleted, paid],
    ['drop', toFailed, givenBack],
  ] as const)('%s: a second transaction under the next ordinal, and one end', async (replacement, moves, money) => {
    const { id, input, row } = add({ mines: false });
    const handle = await start(input);
    await vi.waitFor(() => expect(withdrawals.executions('followWithdrawal', id)).toBeGreaterThan(0), waiting);
    row.requestedReplacement = replacement;
    await handle.signal('changed');
    await vi.waitFor(() => expect(row.broadcasts).toEqual([0, 1]), waiting);
    row.mines = true;
    await handle.result();
    expect(row).toMatchObject({ moves, money });
    expect(row.transactions.map(({ kind }) => kind)).toEqual(['transfer', replacement]);
  });

  test('a request that falls between a look and its answer is heard at once', async () => {
    const { id, input, row } = add({ mines: false, lookAgainMs: 3_600_000 });
    const gate = openableGate();
    withdrawals.meet('followWithdrawal', id, { answerHeld: gate.passed });
    const handle = await start(input);
    await vi.waitFor(() => expect(withdrawals.executions('followWithdrawal', id)).toBe(1), waiting);
    row.requestedReplacement = 'drop';
    await handle.signal('changed');
    gate.open();
    await vi.waitFor(() => expect(row.broadcasts).toEqual([0, 1]), waiting);
    row.mines = true;
    await handle.signal('changed');
    await handle.result();
    expect(row).toMatchObject({ status: 'failed', money: givenBack });
  });

  test('the one that was to be replaced lands after all: it completes', async () => {
    const { id, input, row } = add({ mines: false, requestedReplacement: 'drop' });
    const handle = await start(input);
    await vi.waitFor(() => expect(row.broadcasts).toEqual([0, 1]), waiting);
    row.landed = 0;
    await handle.result();
    expect(row).toMatchObject({ status: 'completed', money: paid });
    expect(withdrawals.executions('abandonWithdrawal', id)).toBe(0);
  });
});

describe.concurrent('others stand behind its nonce', () => {
  test('it fails once a transaction that moves nothing has used the nonce up', async () => {
    const { input, row } = add({ othersBehind: true, signing: [[{ before: refusal('mpc_refused') }]] });
    await run(input);
    expect(row).toMatchObject({ moves: toFailed, money: givenBack, broadcasts: [1] });
    expect(row.transactions.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
      'transfer abandoned',
      'fill broadcast',
    ]);
  });
});

test('a history that grows too long is cut, and nothing is lost by that', async () => {
  // The server suggests it at 4 MB, which a withdrawal that hangs for days reaches in small steps.
  const { id, input, row } = add({ looksToFinal: 6, padding: 'x'.repeat(1_000_000) });
  const handle = await start(input);
  const { runId } = await handle.describe();
  await handle.result();
  expect(row).toMatchObject({ status: 'completed', moves: toCompleted, money: paid, broadcasts: [0] });
  expect((await handleOf(id).describe()).runId).not.toBe(runId);
  expect(withdrawals.executions('beginWithdrawal', id)).toBe(1);
}, 120_000);

describe('with time-outs of seconds', () => {
  let brief: TestWorker;
  beforeAll(async () => {
    const code = await bundleWorkflows(new URL('../../workflows/index.ts', import.meta.url), {
      module: 'workflows/activity-options.ts',
      by: new URL('short-options.ts', import.meta.url),
    });
    brief = await startTestWorker({ temporal: testTemporal('withdraw-brief'), activities, code });
  });
  afterAll(() => brief.stop());
  const hindrances = { signing: [[{ before: refusal('mpc_refused') }], [{ before: refusal('mpc_refused') }]] };

  test('a fill that cannot be signed is made anew until one is: those behind it are not held up for ever', async () => {
    const { input, row } = add({ othersBehind: true, ...hindrances });
    await run(input, brief);
    expect(row).toMatchObject({ status: 'failed', moves: toFailed, money: givenBack, broadcasts: [2] });
    expect(row.transactions.map(({ status }) => status)).toEqual(['abandoned', 'abandoned', 'broadcast']);
    expect(row.failure?.errorReason).toBe('its signing operation is failed');
  });

  test('those behind it are gone meanwhile: it needs no fill any more', async () => {
    const gate = openableGate();
    const { input, row } = add({ othersBehind: true, signing: [...hindrances.signing, [{ held: gate.passed }]] });
    const { client, taskQueue } = brief;
    const handle = await client.workflow.start('withdraw', {
      workflowId: input.withdrawalId,
      taskQueue,
      args: [input],
    });
    await vi.waitFor(() => expect(row.transactions.length).toBe(2), waiting);
    row.othersBehind = false;
    await handle.result();
    expect(row).toMatchObject({ status: 'failed', moves: toFailed, money: givenBack, broadcasts: [] });
  });

  test('a wallet that lacks the fee to the end of its time fails, and says so', async () => {
    const { id, input, row } = add();
    const lacks = { before: ApplicationFailure.retryable('the address lacks the fee', 'insufficient_funds') };
    withdrawals.meet('prepareTransaction', id, ...Array.from({ length: 50 }, () => lacks));
    await run(input, brief);
    expect(row).toMatchObject({ status: 'failed', money: givenBack, transactions: [] });
    expect(row.failure).toEqual({ errorCode: 'insufficient_funds', errorReason: 'the address lacks the fee' });
  });

  test('a node that is away for many attempts: what is signed goes out all the same', async () => {
    const { id, input, row } = add();
    const away = { before: ApplicationFailure.retryable('the node cannot be reached', 'dependency_unavailable') };
    withdrawals.meet('broadcastTransaction', id, ...Array.from({ length: 6 }, () => away));
    withdrawals.meet('followWithdrawal', id, ...Array.from({ length: 6 }, () => away));
    await run(input, brief);
    expect(row).toMatchObject({ status: 'completed', moves: toCompleted, money: paid, broadcasts: [0] });
  });
});
