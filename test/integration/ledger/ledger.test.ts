// Goal: the ledger sums to zero at every commit, whoever writes to it, and what was written stays. Method: the
// product's functions and plain SQL, as an operator might type it, on real PostgreSQL: one rule at a time, fifty at
// once, and random events against a model in memory.
import { sql } from 'drizzle-orm';
import * as fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type LedgerAccountKind, ledgerAccountKinds } from '../../../domain/statuses.ts';
import {
  connectDatabase,
  type Database,
  type DatabaseConnection,
  type Transaction,
} from '../../../drizzle/database/connection.ts';
import {
  findLedgerImbalances,
  InsufficientFunds,
  type LedgerEvent,
  type LedgerEventKind,
  ledgerEventKinds,
  type Movement,
  postLedgerEvent,
  readLedgerBalance,
} from '../../../drizzle/ledger/ledger.ts';
import { assets } from '../../../drizzle/networks/assets.ts';
import { createTestDatabase, type TestDatabase } from '../../support/processes/postgres.ts';
import { makeWallet, makeWorkspace } from '../../support/rows/operation-rows.ts';

let database: TestDatabase;
let connection: DatabaseConnection;
let db: Database;
let workspaceId: string;
let assetIds: string[];
let walletId: string;
let assetId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  connection = connectDatabase(database.url, { poolSize: 10, name: 'test-ledger' });
  db = connection.db;
  workspaceId = await makeWorkspace(db);
  assetIds = (await db.select({ id: assets.id }).from(assets).limit(2)).map(({ id }) => id);
  assetId = assetIds[0] ?? '';
});
afterAll(async () => {
  await connection.close();
  await database.drop();
});
beforeEach(async () => {
  walletId = await makeWallet(db, workspaceId);
});

type Asked = Partial<LedgerEvent> & { from?: LedgerAccountKind; to?: LedgerAccountKind; amount?: bigint };

function eventOf({ from = 'outside', to = 'available', amount = 100n, ...event }: Asked = {}): LedgerEvent {
  const movements = [{ assetId, from, to, amount }];
  return { kind: 'deposit_confirmed', subjectId: uuidv7(), walletId, movements, ...event };
}
const post = (asked: Asked = {}) => db.transaction((tx) => postLedgerEvent(tx, eventOf(asked)));
const balance = (kind: LedgerAccountKind) => readLedgerBalance(db, walletId, assetId, kind);
const balances = async () => Promise.all(ledgerAccountKinds.map(balance));

/** As somebody with a connection to the database could write it. */
async function insertEvent(tx: Transaction, kind: LedgerEventKind = 'deposit_confirmed'): Promise<string> {
  const [row] = await tx.execute<{ id: string }>(
    sql`insert into ledger_events (kind, subject_id) values (${kind}, ${uuidv7()}) returning id`,
  );
  return row?.id ?? '';
}

const insertEntry = (
  tx: Transaction,
  eventId: string,
  { kind, amount, asset = assetId }: { kind: LedgerAccountKind; amount: number; asset?: string },
) =>
  tx.execute(sql`insert into ledger_entries (event_id, wallet_id, asset_id, kind, amount)
    values (${eventId}, ${walletId}, ${asset}, ${kind}, ${amount})`);

/** What PostgreSQL says, which Drizzle wraps. */
async function refusalOf(act: Promise<unknown>): Promise<string> {
  try {
    await act;
  } catch (error) {
    const { cause, message } = error as Error;
    return cause instanceof Error ? cause.message : message;
  }
  return 'it was accepted';
}

describe('W7: each rule of the database, broken on purpose', () => {
  test('an event that does not sum to zero is refused at the commit, and not before', async () => {
    await post();
    let reached = false;
    const act = db.transaction(async (tx) => {
      const id = await insertEvent(tx);
      await insertEntry(tx, id, { kind: 'outside', amount: -100 });
      await insertEntry(tx, id, { kind: 'available', amount: 99 });
      reached = true;
    });
    expect(await refusalOf(act)).toMatch(/^ledger event \d+ does not balance$/);
    expect(reached).toBe(true);
    expect(await balances()).toEqual([100n, 0n, 0n, -100n]);
  });

  test('two assets do not make up for each other within an event', async () => {
    await post();
    const other = assetIds[1] ?? '';
    await post({ movements: [{ assetId: other, from: 'outside', to: 'available', amount: 100n }] });
    const act = db.transaction(async (tx) => {
      const id = await insertEvent(tx);
      await insertEntry(tx, id, { kind: 'outside', amount: -5 });
      await insertEntry(tx, id, { kind: 'available', amount: 5, asset: other });
    });
    expect(await refusalOf(act)).toMatch('does not balance');
  });

  test('an event that balances may be written by hand: the rules are on the numbers, not on the writer', async () => {
    await post();
    await post({ kind: 'withdrawal_held', from: 'available', to: 'held', amount: 10n });
    await db.transaction(async (tx) => {
      const id = await insertEvent(tx);
      await insertEntry(tx, id, { kind: 'available', amount: -40 });
      await insertEntry(tx, id, { kind: 'held', amount: 40 });
    });
    expect(await balances()).toEqual([50n, 50n, 0n, -100n]);
  });

  test.each([
    ['an entry cannot be changed', sql`update ledger_entries set amount = amount + 1`],
    ['an entry cannot be deleted', sql`delete from ledger_entries`],
    ['an event cannot be changed', sql`update ledger_events set occurrence = occurrence + 1`],
    ['an event cannot be deleted', sql`delete from ledger_events`],
  ])('%s', async (_, statement) => {
    await post();
    expect(await refusalOf(db.execute(statement))).toBe('the ledger is only added to');
  });

  test.each([
    ['a balance cannot be changed', sql`update ledger_accounts set balance = balance + 1`],
    ['an account cannot be deleted', sql`delete from ledger_accounts`],
  ])('%s but by entries', async (_, statement) => {
    await post();
    expect(await refusalOf(db.execute(statement))).toBe('a ledger balance changes by entries alone');
  });

  test('an account cannot begin with a balance', async () => {
    const act = db.execute(sql`insert into ledger_accounts (wallet_id, asset_id, kind, balance)
      values (${walletId}, ${assetId}, 'available', 1)`);
    expect(await refusalOf(act)).toBe('a ledger balance changes by entries alone');
  });
});

const mayOverdraw: readonly LedgerEventKind[] = ['deposit_reversed', 'withdrawal_settled', 'departure_booked'];

describe('below zero', () => {
  test.each(ledgerEventKinds.filter((kind) => !mayOverdraw.includes(kind)))(
    '%s may not take the available balance there',
    async (kind) => {
      await post({ amount: 10n });
      await expect(post({ kind, from: 'available', to: 'held', amount: 11n })).rejects.toThrow(InsufficientFunds);
      expect(await balances()).toEqual([10n, 0n, 0n, -10n]);
    },
  );

  test.each(mayOverdraw)('%s may: the chain has done it already', async (kind) => {
    await post({ amount: 10n });
    await post({ kind, from: 'available', to: 'outside', amount: 11n });
    expect(await balances()).toEqual([-1n, 0n, 0n, 1n]);
  });

  test.each(ledgerEventKinds)('%s takes neither what is held nor what is pending there', async (kind) => {
    await post({ amount: 10n });
    for (const from of ['held', 'pending_in'] as const)
      await expect(post({ kind, from, to: 'outside', amount: 1n })).rejects.toThrow(InsufficientFunds);
    expect(await balances()).toEqual([10n, 0n, 0n, -10n]);
  });

  test('an account that is below zero may be paid into, and not be spent from', async () => {
    await post({ kind: 'deposit_reversed', from: 'available', to: 'outside', amount: 10n });
    await post({ amount: 4n });
    await expect(post({ kind: 'fee_held', from: 'available', to: 'held', amount: 1n })).rejects.toThrow(
      InsufficientFunds,
    );
    expect(await balance('available')).toBe(-6n);
  });
});

describe('posting', () => {
  test('the same event twice is posted once, also with other amounts', async () => {
    const event = eventOf();
    expect(await post(event)).toBe(true);
    expect(await post(event)).toBe(false);
    expect(await post({ ...event, movements: [{ assetId, from: 'outside', to: 'available', amount: 1n }] })).toBe(
      false,
    );
    expect(await balance('available')).toBe(100n);
  });

  test('another occurrence, kind or subject is another event', async () => {
    const event = eventOf();
    await post(event);
    expect(await post({ ...event, occurrence: 1 })).toBe(true);
    expect(await post({ ...event, kind: 'deposit_seen' })).toBe(true);
    expect(await post({ ...event, subjectId: uuidv7() })).toBe(true);
    expect(await balance('available')).toBe(400n);
  });

  test('an event of nothing is posted, and moves nothing', async () => {
    const event = eventOf({ amount: 0n });
    expect(await post(event)).toBe(true);
    expect(await post(event)).toBe(false);
    expect(await balances()).toEqual([0n, 0n, 0n, 0n]);
  });

  test('what is rolled back was never posted', async () => {
    const event = eventOf();
    const act = db.transaction(async (tx) => {
      await postLedgerEvent(tx, event);
      throw new Error('something else failed');
    });
    await expect(act).rejects.toThrow('something else failed');
    expect(await post(event)).toBe(true);
    expect(await balance('available')).toBe(100n);
  });

  test('amounts of 78 digits are kept to the last one', async () => {
    const amount = 10n ** 77n + 1n;
    await post({ amount });
    expect(await balances()).toEqual([amount, 0n, 0n, -amount]);
  });

  test('of fifty that race to post one event, one does', async () => {
    const event = eventOf();
    const posted = await Promise.all(Array.from({ length: 50 }, () => post(event)));
    expect(posted.filter((one) => one)).toHaveLength(1);
    expect(await balance('available')).toBe(100n);
  });
});

test('fifty holds, releases and payments at once agree with their sum, and none waits for another both ways', async () => {
  await post({ amount: 1_000n });
  const held = Array.from({ length: 50 }, () => uuidv7());
  // PostgreSQL ends one of two that wait for each other with an error.
  await Promise.all(
    held.map((subjectId) =>
      post({ kind: 'withdrawal_held', subjectId, from: 'available', to: 'held', amount: 10n }).then(() =>
        db.transaction(async (tx) => {
          // As a withdrawal that is settled does it: first what went out, then what is given back.
          const settled = { kind: 'withdrawal_settled', subjectId, from: 'held', to: 'outside', amount: 7n } as const;
          await postLedgerEvent(tx, eventOf(settled));
          const released = {
            kind: 'withdrawal_released',
            subjectId,
            from: 'held',
            to: 'available',
            amount: 3n,
          } as const;
          await postLedgerEvent(tx, eventOf(released));
        }),
      ),
    ),
  );
  expect(await balances()).toEqual([650n, 0n, 0n, -650n]);
  expect(await findLedgerImbalances(db)).toEqual([]);
});

test('fifty that race for what suffices for twenty: twenty have it', async () => {
  await post({ amount: 20n });
  const asked = Array.from({ length: 50 }, () =>
    post({ kind: 'withdrawal_held', from: 'available', to: 'held', amount: 1n }),
  );
  const outcomes = await Promise.allSettled(asked);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(InsufficientFunds);
  expect(await balances()).toEqual([0n, 20n, 0n, -20n]);
});

describe('random events', () => {
  interface Step {
    kind: LedgerEventKind;
    subject: number;
    occurrence: number;
    movements: { asset: number; from: LedgerAccountKind; to: LedgerAccountKind; amount: bigint }[];
    /** Fails on purpose after it. */
    rolledBack: boolean;
  }
  const account = fc.constantFrom(...ledgerAccountKinds);
  const steps: fc.Arbitrary<Step[]> = fc.array(
    fc.record({
      kind: fc.constantFrom(...ledgerEventKinds),
      subject: fc.nat(3),
      occurrence: fc.nat(1),
      movements: fc.array(fc.record({ asset: fc.nat(1), from: account, to: account, amount: fc.bigInt(0n, 50n) }), {
        maxLength: 3,
      }),
      rolledBack: fc.nat(9).map((number) => number === 0),
    }),
    { minLength: 1, maxLength: 25 },
  );

  /** What the ledger should be, worked out without it. */
  class Model {
    readonly #balances = new Map<string, bigint>();
    readonly #posted = new Set<string>();

    balance = (asset: number, kind: LedgerAccountKind) => this.#balances.get(`${asset} ${kind}`) ?? 0n;

    /**
     * `refused`: one of its entries, taken in the order of the accounts, would take an account below zero that may not
     * go there.
     */
    apply({ kind, subject, occurrence, movements, rolledBack }: Step): 'posted' | 'repeated' | 'refused' {
      const name = `${subject} ${kind} ${occurrence}`;
      if (this.#posted.has(name)) return 'repeated';
      const after = new Map(this.#balances);
      const entries = movements
        .filter(({ amount }) => amount > 0n)
        .flatMap(({ asset, from, to, amount }) => [
          { account: from, of: `${asset} ${from}`, amount: -amount },
          { account: to, of: `${asset} ${to}`, amount },
        ]);
      for (const account of ledgerAccountKinds.toSorted())
        for (const entry of entries.filter((one) => one.account === account)) {
          const balance = (after.get(entry.of) ?? 0n) + entry.amount;
          if (balance < 0n && entry.amount < 0n && !mayBeBelowZero(account, kind)) return 'refused';
          after.set(entry.of, balance);
        }
      if (rolledBack) return 'posted';
      this.#posted.add(name);
      for (const [of, balance] of after) this.#balances.set(of, balance);
      return 'posted';
    }
  }

  const mayBeBelowZero = (account: LedgerAccountKind, kind: LedgerEventKind) =>
    account === 'outside' || (account === 'available' && mayOverdraw.includes(kind));

  const toEvent = ({ kind, occurrence, movements }: Step, subjectId: string): LedgerEvent => ({
    kind,
    subjectId,
    occurrence,
    walletId,
    movements: movements.map(({ asset, ...rest }): Movement => ({ assetId: assetIds[asset] ?? '', ...rest })),
  });

  async function outcomeOf(step: Step, subjectId: string): Promise<string> {
    const failed = new Error('rolled back on purpose');
    let posted: boolean | undefined;
    try {
      await db.transaction(async (tx) => {
        posted = await postLedgerEvent(tx, toEvent(step, subjectId));
        if (step.rolledBack) throw failed;
      });
    } catch (error) {
      if (error instanceof InsufficientFunds) return 'refused';
      if (error !== failed) throw error;
    }
    return posted === true ? 'posted' : 'repeated';
  }

  test('one after another they leave what a model says, and sum to zero after each', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        walletId = await makeWallet(db, workspaceId);
        const subjects = [0, 1, 2, 3].map(() => uuidv7());
        const model = new Model();
        for (const step of all) {
          expect(await outcomeOf(step, subjects[step.subject] ?? '')).toBe(model.apply(step));
          for (const asset of [0, 1])
            for (const kind of ledgerAccountKinds)
              expect(await readLedgerBalance(db, walletId, assetIds[asset] ?? '', kind)).toBe(
                model.balance(asset, kind),
              );
        }
        expect(await findLedgerImbalances(db)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  }, 120_000);

  test('all at once they sum to zero whenever another connection looks', async () => {
    const watching = connectDatabase(database.url, { poolSize: 1, name: 'test-ledger-watching' });
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        walletId = await makeWallet(db, workspaceId);
        const subjects = [0, 1, 2, 3].map(() => uuidv7());
        let running = true;
        const watched = (async () => {
          while (running) expect(await findLedgerImbalances(watching.db)).toEqual([]);
        })();
        await Promise.all(all.map((step) => outcomeOf(step, subjects[step.subject] ?? '')));
        running = false;
        await watched;
        expect(await findLedgerImbalances(db)).toEqual([]);
        for (const kind of ['held', 'pending_in'] as const) expect(await balance(kind)).toBeGreaterThanOrEqual(0n);
      }),
      { numRuns: 40 },
    );
    await watching.close();
  }, 120_000);
});
