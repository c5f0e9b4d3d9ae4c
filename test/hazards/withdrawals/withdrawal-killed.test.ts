// Goal: whichever single process dies, and at whichever step of a withdrawal, one transaction lands, its withdrawal
// completes, and the ledger agrees with the chain. Method: API, worker, nodes, chain and PostgreSQL as processes.
// Triggers stop six withdrawals, each at another step; then one process is killed (SIGKILL) and started again.
import { setTimeout as sleep } from 'node:timers/promises';
import postgres, { type Sql } from 'postgres';
import { type Address, formatEther, getAddress, parseEther } from 'viem';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { connectDatabase } from '../../../drizzle/database/connection.ts';
import { findLedgerImbalances } from '../../../drizzle/ledger/ledger.ts';
import { type Anvil, dev, startAnvil } from '../../support/chains/anvil.ts';
import { type KillablePostgres, startKillablePostgres } from '../../support/processes/killable-postgres.ts';
import { type Stack, startStack } from '../../support/processes/stack.ts';
import { sandbox } from '../../support/rows/funded.ts';
import { anyEvmAddress } from '../../support/withdrawals/withdrawals.ts';

/**
 * Where a withdrawal is stopped: just before this is written. Who has its notes say so stops there. What is to settle
 * holds the accounts of its wallet then, so the others are of another wallet; there the first in the row has the lowest
 * nonce.
 */
const steps = {
  'known as broadcast': { wallet: 1, table: 'chain_transactions', on: 'update', when: "new.status = 'broadcast'" },
  stored: { wallet: 1, table: 'chain_transactions', on: 'update', when: "new.status = 'signed'" },
  signed: { wallet: 1, table: 'signing_requests', on: 'update', when: "new.status = 'success'" },
  'given to the cluster': {
    wallet: 1,
    table: 'signing_requests',
    on: 'update',
    when: "old.status = 'pending' and new.status = 'submitted'",
  },
  settled: { wallet: 0, table: 'withdrawals', on: 'update', when: "new.status = 'completed'" },
  accepted: { wallet: 0, table: 'withdrawals', on: 'insert', when: 'true' },
} as const;
type StepName = keyof typeof steps;
const stepNames = Object.keys(steps) as StepName[];

/** Of the advisory locks that stand for the steps. */
const LOCKS = 4_711;
const amount = parseEther('0.5');
const MINUTE_MS = 60_000;

let database: KillablePostgres;
let anvil: Anvil;
let stack: Stack;
/** Holds the locks; made anew when the server was killed. */
let control: Sql;
const wallets: { walletId: string; address: Address }[] = [];

beforeAll(async () => {
  [database, anvil] = await Promise.all([startKillablePostgres(), startAnvil()]);
  stack = await startStack({
    environment: { RPC_URLS: `ETHEREUM_SANDBOX=${anvil.url}` },
    database: { url: database.url, drop: async () => {} },
  });
  control = connectControl();
  for (let made = 0; made < 2; made += 1) wallets.push(await makeFundedWallet());
  await confirmDeposits();
  await installBreakpoints();
}, 4 * MINUTE_MS);
afterAll(async () => {
  await control.end();
  await stack.stop();
  await Promise.all([database.stop(), anvil.stop()]);
}, 2 * MINUTE_MS);

const connectControl = () => postgres(database.url, { max: 1, onnotice: () => {} });

async function makeFundedWallet(): Promise<{ walletId: string; address: Address }> {
  const { wallet_id: walletId } = await stack.client.createWallet({ name: 'killed' }).wait();
  const answer = await stack.client.get('/api/v1/wallets/{wallet_id}/address', { path: { wallet_id: walletId } });
  const address = answer.address as Address;
  await anvil.client.sendTransaction({ account: dev, to: address, value: parseEther('20') });
  return { walletId, address };
}

async function confirmDeposits(): Promise<void> {
  await anvil.client.mine({ blocks: 3 });
  for (const { walletId } of wallets)
    await vi.waitFor(async () => expect(await availableOf(walletId)).toBe('20'), { timeout: 60_000, interval: 200 });
  await anvil.save();
}

async function availableOf(walletId: string): Promise<string | undefined> {
  for await (const { asset_id, available } of stack.client.walletBalances(walletId))
    if (asset_id === sandbox.ETH.assetId) return available;
  return undefined;
}

async function installBreakpoints(): Promise<void> {
  await control.unsafe(`create function stop_here() returns trigger language plpgsql as $$
    declare
      noted text;
    begin
      if tg_table_name = 'withdrawals' then noted := new.notes;
      else select notes into noted from withdrawals where id = new.withdrawal_id; end if;
      if noted = tg_argv[1] then perform pg_advisory_xact_lock_shared(${LOCKS}, tg_argv[0]::int); end if;
      return new;
    end $$`);
  for (const [index, name] of stepNames.entries()) {
    const { table, on, when } = steps[name];
    await control.unsafe(`create trigger stop_${index} before ${on} on ${table} for each row when (${when})
      execute function stop_here('${index}', '${name}')`);
  }
}

const stopAtEveryStep = () =>
  control.unsafe(stepNames.map((_, index) => `select pg_advisory_lock(${LOCKS}, ${index})`).join(';'));
const letGo = () => control.unsafe('select pg_advisory_unlock_all()');

async function stoppedAt(): Promise<StepName[]> {
  const rows = await control<{ step: number }[]>`
    select distinct objid::int as step from pg_locks where locktype = 'advisory' and classid = ${LOCKS} and not granted`;
  return stepNames.filter((_, index) => rows.some(({ step }) => step === index));
}

interface Asked {
  step: StepName;
  to: Address;
  /** Of the withdrawal, once the API has said so, however often it had to be asked. */
  id: Promise<string>;
}

function ask(step: StepName): Asked {
  const { walletId = '' } = wallets[steps[step].wallet] ?? {};
  const to = anyEvmAddress();
  const idempotencyKey = crypto.randomUUID();
  const body = { asset_id: sandbox.ETH.assetId, amount: formatEther(amount), recipient_address: to, notes: step };
  const askUntilAnswered = async (): Promise<string> => {
    for (let tries = 0; ; tries += 1) {
      try {
        return (await stack.client.requestWithdrawal(walletId, body, { idempotencyKey })).withdrawal.id;
      } catch (error) {
        if (tries === 100) throw error;
        await sleep(300);
      }
    }
  };
  return { step, to, id: askUntilAnswered() };
}

/**
 * All six, each where it is stopped. The one that is to settle is in its block before: a block would take in the others
 * too.
 */
async function askAll(): Promise<Asked[]> {
  await stopAtEveryStep();
  const settled = ask('settled');
  const mineUntilStopped = async () => {
    await anvil.client.mine({ blocks: 1 });
    return stoppedAt();
  };
  await expect.poll(mineUntilStopped, { timeout: 60_000, interval: 300 }).toEqual(['settled']);
  await anvil.save();
  const asked = [settled];
  // One after another: the order of their nonces.
  for (const step of stepNames.filter((name) => name !== 'settled')) {
    asked.push(ask(step));
    await expect.poll(stoppedAt, { timeout: 60_000, interval: 50 }).toContain(step);
  }
  expect(await stoppedAt()).toEqual(stepNames);
  return asked;
}

async function untilCompleted(asked: readonly Asked[]): Promise<void> {
  const statusOf = async ({ id }: Asked) => {
    const { status, sub_status, error_reason } = await stack.client.withdrawal(await id);
    return [status, sub_status, error_reason].filter(Boolean).join(' ');
  };
  const look = async () => {
    await anvil.client.mine({ blocks: 1 });
    return Promise.all(asked.map(statusOf));
  };
  await expect.poll(look, { timeout: 60_000, interval: 400 }).toEqual(asked.map(() => 'completed'));
}

async function assertOnce({ step, to, id }: Asked): Promise<void> {
  const { walletId = '' } = wallets[steps[step].wallet] ?? {};
  const withdrawalId = await id;
  expect(await anvil.client.getBalance({ address: to }), step).toBe(amount);
  const [counts] = await control`select
    (select count(*)::int from withdrawals where wallet_id = ${walletId} and recipient_address = ${getAddress(to)}) as withdrawals,
    (select count(*)::int from chain_transactions where withdrawal_id = ${withdrawalId}) as transactions,
    (select count(*)::int from signing_requests where withdrawal_id = ${withdrawalId} and status = 'success') as signatures,
    (select count(*)::int from withdrawal_events where withdrawal_id = ${withdrawalId} and status = 'completed') as ends`;
  expect(counts, step).toEqual({ withdrawals: 1, transactions: 1, signatures: 1, ends: 1 });
}

/** And no transaction left either wallet but those of the withdrawals. */
async function assertChainAgrees(): Promise<void> {
  for (const { walletId, address } of wallets) {
    const [row] = await control`select count(*)::int as sent from withdrawals where wallet_id = ${walletId}`;
    expect(await anvil.client.getTransactionCount({ address })).toBe(row?.['sent']);
    expect(await availableOf(walletId)).toBe(formatEther(await anvil.client.getBalance({ address })));
  }
}

async function assertBalanced(): Promise<void> {
  const looking = connectDatabase(database.url, { poolSize: 1, name: 'test-looking' });
  expect(await findLedgerImbalances(looking.db)).toEqual([]);
  const held = await control`select balance from ledger_accounts where kind = 'held' and balance <> 0`;
  expect([...held]).toEqual([]);
  await looking.close();
}

describe('SIGKILL while six withdrawals stand at six steps', () => {
  const victims: Record<string, { kill: () => Promise<unknown>; restart: () => Promise<unknown> }> = {
    worker: {
      kill: () => (stack.worker.kill('SIGKILL'), stack.worker.exited),
      restart: async () => {
        stack.worker = await stack.startWorker();
      },
    },
    API: {
      kill: () => (stack.api.kill('SIGKILL'), stack.api.exited),
      restart: async () => {
        stack.api = await stack.startApi();
      },
    },
    'a node of the cluster': { kill: () => stack.cluster.kill(1), restart: () => stack.cluster.restart(1) },
    'the chain': { kill: () => anvil.kill(), restart: () => anvil.restart() },
    PostgreSQL: {
      kill: () => database.kill(),
      restart: async () => {
        await database.restart();
        await control.end({ timeout: 0 });
        control = connectControl();
      },
    },
  };

  test.each(Object.entries(victims).map(([name, victim]) => ({ name, victim })))(
    'of $name: one transaction each, all complete, the ledger balances',
    async ({ victim }) => {
      const asked = await askAll();
      await victim.kill();
      const restarted = victim.restart();
      await sleep(500); // what can go on without it does, and what cannot fails
      await restarted;
      await letGo();
      await untilCompleted(asked);
      for (const one of asked) await assertOnce(one);
      await assertChainAgrees();
      await assertBalanced();
    },
    2 * MINUTE_MS,
  );
});
