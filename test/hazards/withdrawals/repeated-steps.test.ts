// Goal: the controls W1 to W7 of withdrawals, by id: one run for ever, every step repeatable, commits whose answer is
// lost, money decided on locked rows, and checks that are known to see. Method: the product's workflow, activities and
// queries on real PostgreSQL, Temporal and anvil. W2's steps that fail are in test/workflow, W3's recorded histories in
// test/replay, W4's simulator in test/hazards.

import { readFileSync } from 'node:fs';
import { Worker } from '@temporalio/worker';
import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { type Address, parseEther } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Activities } from '../../../activities/index.ts';
import { ClusterError } from '../../../activities/mpc/port.ts';
import { workflowIdOf } from '../../../domain/workflow-ids.ts';
import { connectDatabase, type Transaction } from '../../../drizzle/database/connection.ts';
import { signingRequests } from '../../../drizzle/signing-requests/signing-requests.ts';
import { wallets } from '../../../drizzle/wallets/wallets.ts';
import { insertWithdrawal } from '../../../drizzle/withdrawals/withdrawal-steps.ts';
import type { WithdrawalRow } from '../../../drizzle/withdrawals/withdrawals.ts';
import { insertOutboxEntry } from '../../../drizzle/writes/workflow-outbox.ts';
import { WorkflowStarter } from '../../../src/writes/start-workflow.ts';
import { type Anvil, startAnvil } from '../../support/chains/anvil.ts';
import { type AnswerLosingProxy, startAnswerLosingProxy } from '../../support/processes/answer-losing-proxy.ts';
import { testSeals } from '../../support/rows/seals.ts';
import { expectSettled } from '../../support/withdrawals/expect-settled.ts';
import { findWithdrawalViolations } from '../../support/withdrawals/withdrawal-invariants.ts';
import { anyEvmAddress, startWithdrawals, type WithdrawalStack } from '../../support/withdrawals/withdrawals.ts';

const networkCode = 'ETHEREUM_SANDBOX';
const FUNDED = parseEther('10');
const waiting = { timeout: 60_000, interval: 100 };

let anvil: Anvil;
let stack: WithdrawalStack;
let walletId: string;
let address: Address;

/** How each activity is called; a test chooses. */
type Call = (act: () => Promise<unknown>) => Promise<unknown>;
const once: Call = (act) => act();
let call: Call = once;
/** Each step is an activity of its own, as of what does not go well at once; a test chooses. */
let isStepByStep = false;
const withSteps = (arg: unknown) => (isStepByStep && typeof arg === 'object' ? { ...arg, goesOnAtOnce: false } : arg);
function around(activities: Activities): Partial<Activities> {
  const entries = Object.entries(activities) as [string, (...args: unknown[]) => Promise<unknown>][];
  return Object.fromEntries(
    entries.map(([name, act]) => [name, (...args: unknown[]) => call(() => act(...args.map(withSteps)))]),
  );
}

/** Which answers of the database are lost; a test chooses. */
let losesAnswers = false;
let answers = 0;
let proxy: AnswerLosingProxy;
/** PostgreSQL's "ready, and in no transaction": what was asked is committed. */
const IDLE = Buffer.from('Z\0\0\0\x05I', 'latin1');
const isLost = (bytes: Buffer) => {
  const isCommit = (bytes.includes('COMMIT\0') || bytes.includes('UPDATE 1\0')) && bytes.includes(IDLE);
  if (!losesAnswers || !isCommit) return false;
  answers += 1;
  return answers % 3 === 0;
};

beforeAll(async () => {
  anvil = await startAnvil();
  const through = async (url: string) => (proxy = await startAnswerLosingProxy(url, isLost)).url;
  stack = await startWithdrawals({ [networkCode]: anvil.url }, { fastRetries: true, around, through });
});
afterAll(async () => {
  await stack.stop();
  proxy.stop();
  await anvil.stop();
});
beforeEach(async () => {
  walletId = await stack.makeWallet();
  address = (await stack.addressOf(walletId, networkCode)) as Address;
  await anvil.client.setBalance({ address, value: FUNDED });
  await stack.credit(walletId, networkCode, FUNDED);
});
afterEach(async () => {
  call = once;
  isStepByStep = false;
  losesAnswers = false;
  expect(await findWithdrawalViolations(stack.db)).toEqual([]);
});

const ask = (amount = parseEther('1'), to = anyEvmAddress()) => stack.withdraw({ walletId, networkCode, amount, to });
async function untilEnded(id: string): Promise<WithdrawalRow> {
  const look = async () => {
    await anvil.client.mine({ blocks: 1 });
    return (await stack.read(id)).completedAt;
  };
  await expect.poll(look, waiting).not.toBeNull();
  await stack.workflowOf(id).result();
  return stack.read(id);
}
const assertSettled = async () =>
  expectSettled(stack, walletId, networkCode, { ETH: await anvil.client.getBalance({ address }) });
const untilBroadcast = (id: string, transactions: number) =>
  expect
    .poll(async () => (await stack.transactionsOf(id)).filter(({ status }) => status === 'broadcast').length, waiting)
    .toBe(transactions);

/**
 * A withdrawal on each of its ways: completed, failed before it is signed, dropped, and failed with others behind its
 * nonce.
 */
const ways: Record<string, () => Promise<void>> = {
  'one that completes': async () => {
    const to = anyEvmAddress();
    const id = await ask(parseEther('1'), to);
    expect(await untilEnded(id)).toMatchObject({ status: 'completed' });
    expect(await anvil.client.getBalance({ address: to })).toBe(parseEther('1'));
    expect(await stack.transactionsOf(id)).toHaveLength(1);
  },
  'one that cannot be signed': async () => {
    const sign = stack.cluster.sign.bind(stack.cluster);
    stack.cluster.sign = () => Promise.reject(new ClusterError('mpc_refused', 'it refuses'));
    const id = await ask();
    expect(await untilEnded(id).finally(() => (stack.cluster.sign = sign))).toMatchObject({ status: 'failed' });
    expect(await stack.balance(walletId, networkCode, 'available')).toBe(FUNDED);
  },
  'one that is dropped': async () => {
    const id = await ask();
    await untilBroadcast(id, 1);
    await stack.replace(id, 'drop');
    await untilBroadcast(id, 2);
    expect(await untilEnded(id)).toMatchObject({ status: 'failed', errorCode: 'dropped' });
    expect(await stack.transactionsOf(id)).toHaveLength(2);
  },
};

describe('W1: an intent is one run, for ever', () => {
  const startAgain = async (id: string, signal?: 'changed') => {
    const { client, taskQueue } = stack.worker;
    const starter = new WorkflowStarter({ client, taskQueue, db: stack.db, log: { warn: () => {} } });
    const input = { withdrawalId: id, workspaceId: stack.workspaceId, walletId, networkCode };
    const workflowId = workflowIdOf('withdraw', id);
    const start = { workflow: 'withdraw' as const, workflowId, input, ...(signal === undefined ? {} : { signal }) };
    const entry = await stack.db.transaction((tx) => insertOutboxEntry(tx, start));
    await starter.start(entry);
    await starter.drain();
  };
  const runOf = async (id: string) => (await stack.workflowOf(id).describe()).runId;

  test('started, and signalled, while it runs and after it has closed: the same run, one transaction', async () => {
    const id = await ask();
    const runId = await runOf(id);
    await startAgain(id);
    await startAgain(id, 'changed');
    expect(await runOf(id)).toBe(runId);
    await untilEnded(id);
    for (const signal of [undefined, 'changed'] as const) await startAgain(id, signal);
    expect(await runOf(id)).toBe(runId);
    expect(await stack.transactionsOf(id)).toHaveLength(1);
    expect(await anvil.client.getTransactionCount({ address })).toBe(1);
  });

  test('a run that is forced over one that has ended does nothing', async () => {
    const id = await ask();
    await untilEnded(id);
    const before = await stack.historyOf(id);
    const { client, taskQueue } = stack.worker;
    const input = { withdrawalId: id, workspaceId: stack.workspaceId, walletId, networkCode };
    for (const args of [[input], [{ ...input, sent: true }]])
      await client.workflow.execute('withdraw', { workflowId: workflowIdOf('withdraw', id), taskQueue, args });
    expect(await stack.historyOf(id)).toEqual(before);
    expect(await anvil.client.getTransactionCount({ address })).toBe(1);
  });

  test('of twenty that race for one external id one is there, and its amount is held once', async () => {
    const externalId = uuidv7();
    const first = await ask(1n);
    const like = await stack.read(first);
    await untilEnded(first); // it holds its fee meanwhile
    const insert = async () => {
      const {
        status: _,
        subStatus: _sub,
        createdAt: _created,
        updatedAt: _updated,
        workflowId: _workflow,
        ...row
      } = like;
      const asked = { ...row, id: uuidv7(), externalId, amountBaseUnits: parseEther('2') };
      return stack.db.transaction((tx) => insertWithdrawal(tx, testSeals, asked));
    };
    const held = await stack.balance(walletId, networkCode, 'held');
    const made = await Promise.all(Array.from({ length: 20 }, insert));
    expect(made.filter((row) => row !== undefined)).toHaveLength(1);
    expect((await stack.balance(walletId, networkCode, 'held')) - held).toBe(parseEther('2'));
  });
});

describe('W2: every activity is run twice', () => {
  const twice: Call = async (act) => {
    await act().catch(() => {});
    return act();
  };
  const atOnce: Call = async (act) => {
    const [first, second] = await Promise.allSettled([act(), act()]);
    if (second?.status === 'fulfilled') return second.value;
    if (first?.status === 'fulfilled') return first.value;
    throw first?.reason;
  };
  /** The effect is there, and the worker dies before it can say so. */
  const withLostCompletions = (): Call => {
    let calls = 0;
    return async (act) => {
      const result = await act();
      calls += 1;
      if (calls % 2 === 1) throw new Error('the completion is lost');
      return result;
    };
  };

  const calls: [string, () => Call][] = [
    ['one after the other', () => twice],
    ['at once', () => atOnce],
    ['because every second completion is lost', withLostCompletions],
  ];
  test.each(calls.flatMap(([how, make]) => Object.entries(ways).map(([way, go]) => [how, way, make, go] as const)))(
    '%s: %s',
    async (_how, _way, make, go) => {
      call = make();
      await go();
      await assertSettled();
    },
    120_000,
  );
});

test('W2: journaled, and frozen before it is signed: the journal is given up, and nothing of it can be signed any more', async () => {
  const sign = stack.cluster.sign.bind(stack.cluster);
  let asked = 0;
  stack.cluster.sign = (...args) => {
    asked += 1;
    return sign(...args);
  };
  isStepByStep = true;
  // The completion of the step that journals is lost, and the wallet is frozen before it is repeated.
  call = async (act) => {
    const result = await act();
    const isJournaled = (result as { outcome?: string } | undefined)?.outcome === 'prepared';
    if (!isJournaled) return result;
    await stack.db.update(wallets).set({ status: 'frozen' }).where(eq(wallets.id, walletId));
    throw new Error('the completion is lost');
  };
  const id = await ask();
  expect(await untilEnded(id)).toMatchObject({ status: 'failed', errorCode: 'frozen' });
  stack.cluster.sign = sign;
  expect(asked).toBe(0);
  expect((await stack.transactionsOf(id)).map(({ status }) => status)).toEqual(['abandoned']);
  const signings = await stack.db.select().from(signingRequests).where(eq(signingRequests.withdrawalId, id));
  expect(signings.map(({ status, errorCode }) => `${status} ${errorCode}`)).toEqual(['failed frozen']);
  expect(await stack.balance(walletId, networkCode, 'available')).toBe(FUNDED);
});

describe('W5: the answer of every third commit is lost', () => {
  test.each(Object.entries(ways))(
    '%s: what was done is found again, and not done twice',
    async (_way, go) => {
      const before = proxy.lost;
      losesAnswers = true;
      await go();
      losesAnswers = false;
      expect(proxy.lost - before).toBeGreaterThanOrEqual(2);
      await assertSettled();
    },
    90_000,
  );
});

describe('W6: money is decided on locked rows of the one database', () => {
  const insertLike = (tx: Transaction, like: WithdrawalRow, amount: bigint) => {
    const {
      status: _,
      subStatus: _sub,
      createdAt: _created,
      updatedAt: _updated,
      workflowId: _workflow,
      ...row
    } = like;
    return insertWithdrawal(tx, testSeals, { ...row, id: uuidv7(), externalId: null, amountBaseUnits: amount });
  };

  test('forty that race for what suffices for nine: nine are accepted', async () => {
    const like = await stack.read(await ask(1n));
    await untilEnded(like.id);
    const insert = () => stack.db.transaction((tx) => insertLike(tx, like, parseEther('1')));
    const outcomes = await Promise.allSettled(Array.from({ length: 40 }, insert));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(9);
    expect(await stack.balance(walletId, networkCode, 'held')).toBe(parseEther('9'));
  });

  test('who decides waits for who has decided and not committed, and then sees it', async () => {
    const like = await stack.read(await ask(1n));
    await untilEnded(like.id);
    const other = connectDatabase(stack.databaseUrl, { poolSize: 1, name: 'test-other' });
    let second: Promise<unknown> | undefined;
    let isDone = false;
    await other.db.transaction(async (tx) => {
      await insertLike(tx, like, parseEther('9'));
      second = stack.db.transaction((inner) => insertLike(inner, like, parseEther('9'))).finally(() => (isDone = true));
      second.catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(isDone).toBe(false);
    });
    await expect(second).rejects.toThrow('the available balance does not suffice');
    await other.close();
  });

  test('every process has one database and knows no replica', () => {
    const config = readFileSync(new URL('../../../src/process/config.ts', import.meta.url), 'utf8');
    expect(config.match(/\b[A-Z_]*DATABASE_URL[A-Z_]*\b/g)).toSatisfy((names: string[]) =>
      names.every((name) => name === 'DATABASE_URL'),
    );
    expect(config).not.toMatch(/replica|read_only|readonly_url/i);
  });
});

test('W3: the histories of all that these tests have run replay against the bundle', async () => {
  const { client } = stack.worker;
  const code = readFileSync(new URL('../../../dist/workflow-bundle.js', import.meta.url), 'utf8');
  const query = `WorkflowType = "withdraw" AND TaskQueue = "${stack.worker.taskQueue}"`;
  let replayed = 0;
  for await (const { workflowId, runId } of client.workflow.list({ query })) {
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    await Worker.runReplayHistory({ workflowBundle: { code } }, history, workflowId);
    replayed += 1;
  }
  expect(replayed).toBeGreaterThan(10);
});
