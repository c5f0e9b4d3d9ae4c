// Goal: a crowd of withdrawals from one address waits without taking from others what they need: connections to the
// database while their nonces are given out, and steps of Temporal while their blocks are waited for. Method: the
// product's workflow and activities on real PostgreSQL, Temporal and an anvil that mines when it is told to.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { type Address, parseEther } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Activities } from '../../../activities/index.ts';
import { failedSigning } from '../../../domain/failures.ts';
import { lockAccount } from '../../../drizzle/withdrawals/nonces.ts';
import { type Anvil, startAnvil } from '../../support/chains/anvil.ts';
import { sandbox } from '../../support/rows/funded.ts';
import { anyEvmAddress, startWithdrawals, type WithdrawalStack } from '../../support/withdrawals/withdrawals.ts';

const networkCode = 'ETHEREUM_SANDBOX';
/** More than the worker has connections. */
const CROWD = 12;
const waiting = { timeout: 60_000, interval: 100 };

let anvil: Anvil;
let stack: WithdrawalStack;
let activities: Activities;
let walletId: string;
let address: Address;
/** How often each activity was begun. */
const begun = new Map<string, number>();

function around(made: Activities): Partial<Activities> {
  activities = made;
  const counted = (Object.entries(made) as [string, (...args: unknown[]) => Promise<unknown>][]).map(
    ([name, act]) =>
      [
        name,
        (...args: unknown[]) => {
          begun.set(name, (begun.get(name) ?? 0) + 1);
          return act(...args);
        },
      ] as const,
  );
  return Object.fromEntries(counted);
}

beforeAll(async () => {
  anvil = await startAnvil();
  stack = await startWithdrawals({ [networkCode]: anvil.url }, { around });
});
afterAll(async () => {
  await stack.stop();
  await anvil.stop();
});
beforeEach(async () => {
  begun.clear();
  walletId = await stack.makeWallet();
  address = (await stack.addressOf(walletId, networkCode)) as Address;
  await anvil.client.setBalance({ address, value: parseEther('100') });
  await stack.credit(walletId, networkCode, parseEther('100'));
});

const ask = () => stack.withdraw({ walletId, networkCode, amount: parseEther('1'), to: anyEvmAddress() });

/** Transactions that wait for a lock of an account. */
async function countWaiting(): Promise<number> {
  const [row] = await stack.db.execute<{ waiting: number }>(sql`
    select count(*)::int as waiting from pg_locks
    where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`);
  return row?.waiting ?? 0;
}

test('a crowd that waits for the nonces of one address keeps one connection, and others go on', async () => {
  let unlock = () => {};
  const unlocked = new Promise<void>((resolve) => (unlock = resolve));
  const locking = stack.db.transaction(async (tx) => {
    await lockAccount(tx, { networkId: sandbox.ETH.networkId, address });
    await unlocked;
  });
  const ids = await Promise.all(Array.from({ length: CROWD }, ask));
  try {
    await expect.poll(() => begun.get('prepareTransaction'), waiting).toBe(CROWD);
    await expect.poll(countWaiting, waiting).toBeGreaterThan(0);
    await sleep(1_000);
    expect(await countWaiting()).toBe(1);
    // Needs a connection of the worker, like all that it does for others.
    const other = activities.failSigningRequest(uuidv7(), failedSigning('cluster_busy', 'of nobody'));
    expect(await Promise.race([other, sleep(10_000).then(() => 'no connection was left')])).toBe('failed');
  } finally {
    unlock();
    await locking;
  }

  const transactions = async () => (await Promise.all(ids.map((id) => stack.transactionsOf(id)))).flat();
  await expect
    .poll(async () => (await transactions()).filter(({ status }) => status === 'broadcast').length, waiting)
    .toBe(CROWD);
  await anvil.client.mine({ blocks: 2 });
  for (const id of ids) await stack.until(id, 'completed');
  const nonces = (await transactions()).map(({ nonce }) => Number(nonce)).sort((left, right) => left - right);
  expect(nonces).toEqual(Array.from({ length: CROWD }, (_, nonce) => nonce));
});

test('a withdrawal of which all goes well is one activity', async () => {
  await anvil.client.setAutomine(true);
  try {
    const id = await ask();
    const mined = setInterval(() => void anvil.client.mine({ blocks: 1 }), 200);
    await stack.until(id, 'completed').finally(() => clearInterval(mined));
    await stack.workflowOf(id).result();
    const steps = [
      'prepareTransaction',
      'broadcastTransaction',
      'followWithdrawal',
      'signAtOnce',
      'fulfilSigningRequest',
    ];
    expect(steps.map((step) => begun.get(step) ?? 0)).toEqual([1, 0, 0, 0, 0]);
  } finally {
    await anvil.client.setAutomine(false);
  }
});

test('blocks that come within seconds are waited for in one activity', async () => {
  const id = await ask();
  await expect.poll(() => begun.get('followWithdrawal'), waiting).toBe(1);
  await sleep(300);
  await anvil.client.mine({ blocks: 1 });
  await sleep(1_000);
  await anvil.client.mine({ blocks: 1 });
  await stack.until(id, 'completed');
  await stack.workflowOf(id).result();
  expect(begun.get('followWithdrawal')).toBe(1);
});

test('a replacement that is asked for meanwhile is not kept waiting', async () => {
  const id = await ask();
  await expect.poll(() => begun.get('followWithdrawal'), waiting).toBe(1);
  await sleep(300);
  await stack.replace(id, 'speed_up');
  await expect.poll(async () => (await stack.transactionsOf(id)).length, { timeout: 4_000, interval: 50 }).toBe(2);
  await expect.poll(async () => (await stack.transactionsOf(id))[1]?.status, waiting).toBe('broadcast');
  await anvil.client.mine({ blocks: 2 });
  expect(await stack.until(id, 'completed')).toMatchObject({ status: 'completed' });
});
