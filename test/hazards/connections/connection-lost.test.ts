// Goal: a database connection that is lost within a transaction costs that transaction and nothing else: the process
// lives, nothing half-done is stored, and no statement lands in another's transaction. Method: backends are terminated
// while they work, while they idle in a transaction, and under a load of requests; an uncaught exception would fail the
// run.
import { setTimeout as sleep } from 'node:timers/promises';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectDatabase, type DatabaseConnection } from '../../../drizzle/database/connection.ts';
import { signingRequests } from '../../../drizzle/signing-requests/signing-requests.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/processes/postgres.ts';

let database: TestDatabase;
let connection: DatabaseConnection;
let operator: DatabaseConnection;
beforeAll(async () => {
  database = await createTestDatabase();
  connection = connectDatabase(database.url, { poolSize: 1, name: 'test-victim' });
  operator = connectDatabase(database.url, { poolSize: 1, name: 'test-operator' });
});
afterAll(async () => {
  await connection.close();
  await operator.close();
  await database.drop();
});

const terminate = (name: string) =>
  operator.db.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${name}`);

const victimWorks = async () => {
  const [row] = await connection.db.execute<{ one: number }>(sql`select 1 as one`);
  expect(row).toEqual({ one: 1 });
};

test('while a statement runs: the transaction fails, and the pool goes on', async () => {
  const lost = connection.db.transaction((tx) => tx.execute(sql`select pg_sleep(20)`));
  const outcome = expect(lost).rejects.toThrow();
  await sleep(200);
  await terminate('test-victim');
  await outcome;
  await sleep(50);
  await victimWorks();
});

test('between two statements: what follows is refused, also when another transaction has the connection by then', async () => {
  let go = () => {};
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  let late: unknown;
  const lost = connection.db.transaction(async (tx) => {
    await tx.execute(sql`select 1`);
    await gate;
    await tx.execute(sql`create table written_late (id int)`).catch((error: unknown) => {
      late = error;
    });
  });
  const outcome = expect(lost).rejects.toThrow();
  await sleep(100);
  await terminate('test-victim');
  await outcome;
  await connection.db.transaction(async (tx) => {
    await tx.execute(sql`select 1`);
    go();
    await sleep(50);
    await tx.execute(sql`select 1`);
  });
  expect(late).toBeInstanceOf(Error);
  const [found] = await connection.db.execute(sql`select to_regclass('written_late') as name`);
  expect(found).toEqual({ name: null });
});

test('a function that ends well after its connection was lost does not commit for whoever has it by then', async () => {
  let go = () => {};
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  const lost = connection.db.transaction(async (tx) => {
    await tx.execute(sql`select 1`);
    await gate;
  });
  // It waits for the connection, so the driver gives it the next one that it opens in the place of the lost one.
  const next = connection.db.transaction(async (tx) => {
    await tx.execute(sql`create table half_done (id int)`);
    go();
    await sleep(50);
    throw new Error('refused');
  });
  const outcomes = Promise.all([expect(lost).rejects.toThrow(), expect(next).rejects.toThrow('refused')]);
  await sleep(100);
  await terminate('test-victim');
  await outcomes;
  const [found] = await connection.db.execute(sql`select to_regclass('half_done') as name`);
  expect(found).toEqual({ name: null });
});

test('a pool that loses one connection ends the others, and listens on each of them once', async () => {
  const warnings: string[] = [];
  const onWarning = ({ name, message }: Error) => warnings.push(`${name}: ${message}`);
  process.on('warning', onWarning);
  const many = connectDatabase(database.url, { poolSize: 40, name: 'test-many' });
  await Promise.all(Array.from({ length: 40 }, () => many.db.execute(sql`select pg_sleep(0.3)`)));
  await operator.db.execute(
    sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'test-many' limit 1`,
  );
  const works = () => many.db.execute(sql`select 1 as one`).then(([row]) => row, String);
  await expect.poll(works, { timeout: 60_000 }).toEqual({ one: 1 });
  await many.close();
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
});

test('the loss of another connection within a transaction rolls it back: nothing stays open or locked', async () => {
  const foreign = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  const refused = connection.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(4)`);
    throw foreign;
  });
  await expect(refused).rejects.toBe(foreign);
  const isFree = async () => {
    const [row] = await operator.db.execute<{ free: boolean }>(sql`select pg_try_advisory_xact_lock(4) as free`);
    return row?.free;
  };
  await expect.poll(isFree, { timeout: 60_000 }).toBe(true);
  await victimWorks();
});

describe('a replaced pool', () => {
  const backends = async (name: string) => {
    const rows = await operator.db.execute(sql`select pid from pg_stat_activity where application_name = ${name}`);
    return rows.length;
  };

  test('keeps no connection once what it had taken is done', async () => {
    const lossy = connectDatabase(database.url, { poolSize: 2, name: 'test-leak' });
    // The driver sends queries before earlier ones are answered; only transactions wait for a connection of their own.
    const taken = Array.from({ length: 8 }, () => lossy.db.transaction((tx) => tx.execute(sql`select pg_sleep(0.1)`)));
    const done = Promise.allSettled(taken);
    await sleep(150);
    await terminate('test-leak');
    await done;
    await lossy.db.execute(sql`select 1`);
    // One of the pool that came in its place.
    await expect.poll(() => backends('test-leak'), { timeout: 60_000 }).toBeLessThanOrEqual(1);
    await lossy.close();
    await expect.poll(() => backends('test-leak'), { timeout: 60_000 }).toBe(0);
  });

  test('ends with the database connection, also while it drains', async () => {
    const lossy = connectDatabase(database.url, { poolSize: 2, name: 'test-drain' });
    const never = async () => {
      await new Promise(() => {});
    };
    const [first, second] = Array.from({ length: 4 }, () => lossy.db.transaction(never).catch(() => {}));
    await expect.poll(() => backends('test-drain'), { timeout: 60_000 }).toBe(2);
    await sleep(100);
    await terminate('test-drain');
    await Promise.all([first, second]);
    // Those that waited have a connection of the replaced pool now.
    await expect.poll(() => backends('test-drain'), { timeout: 60_000 }).toBe(2);
    await lossy.close();
    await expect.poll(() => backends('test-drain'), { timeout: 60_000 }).toBe(0);
  });
});

test('a savepoint, which would end the process when its connection is lost, is refused', async () => {
  const nested = connection.db.transaction((tx) => tx.transaction((within) => within.execute(sql`select 1`)));
  await expect(nested).rejects.toThrow('a savepoint does not survive a lost connection');
  await victimWorks();
});

test('a refusal within a transaction still rolls it back', async () => {
  const refused = connection.db.transaction(async (tx) => {
    await tx.execute(sql`create table rolled_back (id int)`);
    throw new Error('refused');
  });
  await expect(refused).rejects.toThrow('refused');
  const [found] = await connection.db.execute(sql`select to_regclass('rolled_back') as name`);
  expect(found).toEqual({ name: null });
});

test('under load: every request is accepted and stored, or refused and not', async () => {
  const api: TestApi = await startApi();
  try {
    const walletId = await api.makeActiveWallet();
    const path = `/api/v1/web3/transaction/${walletId}/signRaw`;
    const bodyOf = (number: number) => ({
      network_internal_code: 'ETHEREUM_SANDBOX',
      signing_hash: number.toString(16).padStart(64, '0'),
    });
    let done = false;
    const killer = (async () => {
      while (!done) {
        await api.db
          .execute(
            sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'test-api' and pid <> pg_backend_pid() and datname = current_database()`,
          )
          .catch(() => {});
        await sleep(20);
      }
    })();
    const statuses: number[] = [];
    const accepted: string[] = [];
    for (let batch = 0; batch < 30; batch += 1) {
      const numbers = Array.from({ length: 10 }, (_, index) => batch * 10 + index);
      const answers = await Promise.all(numbers.map((number) => api.call('POST', path, bodyOf(number))));
      statuses.push(...answers.map(({ status }) => status));
      accepted.push(...answers.filter(({ status }) => status === 202).map(({ body }) => body.data.transaction_id));
    }
    done = true;
    await killer;
    expect(statuses.filter((status) => status !== 202 && status !== 503)).toEqual([]);
    expect(statuses).toContain(202);
    const rows = await api.db
      .select({ id: signingRequests.id })
      .from(signingRequests)
      .where(eq(signingRequests.walletId, walletId));
    expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(accepted));
  } finally {
    await api.stop();
  }
});
