// Goal: two hundred withdrawals from one wallet at once take consecutive nonces, each lands once, and the ledger
// balances at every moment. Method: the product's workflow and activities on real PostgreSQL, Temporal and an anvil
// that mines while they run; a second connection looks at the ledger all the time.
import { sql } from 'drizzle-orm';
import { type Address, parseEther } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectDatabase } from '../../../drizzle/database/connection.ts';
import { findLedgerImbalances } from '../../../drizzle/ledger/ledger.ts';
import { withdrawals } from '../../../drizzle/withdrawals/withdrawals.ts';
import { type Anvil, startAnvil } from '../../support/chains/anvil.ts';
import type { Fault } from '../../support/cluster/fake-cluster.ts';
import { anyEvmAddress, startWithdrawals, type WithdrawalStack } from '../../support/withdrawals/withdrawals.ts';

const networkCode = 'ETHEREUM_SANDBOX';
const MANY = 200;
const MINE_EVERY_MS = 250;
/** Some 20 s on two idle cores. */
const TEST_TIMEOUT_MS = 600_000;

let anvil: Anvil;
let stack: WithdrawalStack;

beforeAll(async () => {
  anvil = await startAnvil();
  stack = await startWithdrawals({ [networkCode]: anvil.url });
});
afterAll(async () => {
  await stack.stop();
  await anvil.stop();
});

/** Repeats it until it is told to stop; what it throws fails the test. */
function repeatedly(act: () => Promise<unknown>, everyMs: number): { stop: () => Promise<number> } {
  let running = true;
  let times = 0;
  const done = (async () => {
    for (; running; times += 1) {
      await act();
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  })();
  return { stop: () => ((running = false), done.then(() => times)) };
}

/** One question for all of them: two hundred that each ask would be what is measured. */
async function untilAllEnd(): Promise<void> {
  const open = sql<number>`count(*) filter (where ${withdrawals.completedAt} is null)::int`;
  await expect.poll(async () => (await stack.db.select({ open }).from(withdrawals))[0]?.open, waiting).toBe(0);
}

const waiting = { timeout: TEST_TIMEOUT_MS - 10_000, interval: 200 };

test(
  'two hundred at once: consecutive nonces, each lands once, and the ledger balances at every moment',
  async () => {
    const walletId = await stack.makeWallet();
    const address = (await stack.addressOf(walletId, networkCode)) as Address;
    await anvil.client.setBalance({ address, value: parseEther('1000') });
    await stack.credit(walletId, networkCode, parseEther('1000'));
    const watching = connectDatabase(stack.databaseUrl, { poolSize: 1, name: 'test-watching' });
    const looks = repeatedly(async () => expect(await findLedgerImbalances(watching.db)).toEqual([]), 50);
    const mining = repeatedly(() => anvil.client.mine({ blocks: 1 }), MINE_EVERY_MS);

    const startedAt = Date.now();
    const recipients = Array.from({ length: MANY }, anyEvmAddress);
    const ids = await Promise.all(
      recipients.map((to, index) =>
        stack.withdraw({ walletId, networkCode, amount: parseEther('1') + BigInt(index), to }),
      ),
    );
    const acceptedMs = Date.now() - startedAt;
    await untilAllEnd();
    const allMs = Date.now() - startedAt;
    await mining.stop();
    const times = await looks.stop();
    await watching.close();
    console.log(
      `${MANY} withdrawals: accepted in ${acceptedMs} ms, all completed in ${allMs} ms; the ledger was summed ${times} times`,
    );

    const rows = await Promise.all(ids.map((id) => stack.read(id)));
    expect(rows.filter(({ status }) => status !== 'completed')).toEqual([]);
    const transactions = (await Promise.all(ids.map((id) => stack.transactionsOf(id)))).flat();
    expect(transactions).toHaveLength(MANY);
    const nonces = transactions.map(({ nonce }) => Number(nonce)).sort((left, right) => left - right);
    expect(nonces).toEqual(Array.from({ length: MANY }, (_, nonce) => nonce));
    expect(await anvil.client.getTransactionCount({ address })).toBe(MANY);
    expect(new Set(rows.map(({ txHash }) => txHash)).size).toBe(MANY);
    const received = await Promise.all(recipients.map((to) => anvil.client.getBalance({ address: to })));
    expect(received).toEqual(recipients.map((_, index) => parseEther('1') + BigInt(index)));
    const left = await anvil.client.getBalance({ address });
    expect(await stack.balance(walletId, networkCode, 'available')).toBe(left);
    expect(await stack.balance(walletId, networkCode, 'held')).toBe(0n);
    expect(await stack.balance(walletId, networkCode, 'outside')).toBe(-left);
    await stack.assertBalanced();
  },
  TEST_TIMEOUT_MS,
);

test(
  'sixty at once of which every fourth cannot be signed: the others land behind one another, and the money agrees with the chain',
  async () => {
    const walletId = await stack.makeWallet();
    const address = (await stack.addressOf(walletId, networkCode)) as Address;
    await anvil.client.setBalance({ address, value: parseEther('100') });
    await stack.credit(walletId, networkCode, parseEther('100'));
    const faults = Array.from({ length: 60 }, (_, call): Fault => (call % 4 === 0 ? 'mpc_refused' : { delayMs: 0 }));
    stack.cluster.meet('sign', ...faults);
    const mining = repeatedly(() => anvil.client.mine({ blocks: 1 }), MINE_EVERY_MS);
    const recipients = Array.from({ length: 60 }, anyEvmAddress);
    const ids = await Promise.all(
      recipients.map((to) => stack.withdraw({ walletId, networkCode, amount: parseEther('1'), to })),
    );
    await untilAllEnd();
    await mining.stop();

    const rows = await Promise.all(ids.map((id) => stack.read(id)));
    const received = await Promise.all(recipients.map((to) => anvil.client.getBalance({ address: to })));
    expect(rows.map(({ status }) => status)).toEqual(
      received.map((amount) => (amount === 0n ? 'failed' : 'completed')),
    );
    expect(rows.filter(({ status }) => status === 'failed').length).toBeGreaterThanOrEqual(10);
    const left = await anvil.client.getBalance({ address });
    expect(await stack.balance(walletId, networkCode, 'available')).toBe(left);
    expect(await stack.balance(walletId, networkCode, 'held')).toBe(0n);
    await stack.assertBalanced();
  },
  TEST_TIMEOUT_MS,
);
