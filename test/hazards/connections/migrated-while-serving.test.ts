// Goal: whoever writes while the database is migrated is held up for no longer than half a second at a time, whatever
// others hold: a backup or an export that reads for long, a transaction that was left open. A migration that was ended
// halfway is taken up, and two at once end. Method: databases of the version before the index over the deliveries of
// webhooks, with rows, under writers on connections of their own while another transaction holds what the migration
// needs.
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { connectDatabase, type Database, type DatabaseConnection } from '../../../drizzle/database/connection.ts';
import { runMigrations } from '../../../drizzle/database/run-migrations.ts';
import { findTablesVersion, SCHEMA_VERSION } from '../../../drizzle/database/schema-version.ts';
import { migrateDatabase } from '../../../drizzle/migrate.ts';
import { createEmptyDatabase, type TestDatabase } from '../../support/processes/postgres.ts';
import { formerMigrations } from '../../support/rows/former-migrations.ts';

/** While the migration asks for its lock, and what a busy machine adds. */
const HELD_UP_MAX_MS = 2_500;
const INDEX = 'webhook_deliveries_event';

const { folder, remove } = formerMigrations('0033_signing_addresses');
afterAll(remove);

let database: TestDatabase & { serviceUrl: string };
let connections: DatabaseConnection[];
let owner: Database;
let service: Database;
let other: Database;
const [workspaceId, webhookId] = [uuidv7(), uuidv7()];

beforeEach(async () => {
  database = await createEmptyDatabase();
  connections = [database.url, database.serviceUrl, database.serviceUrl].map((url, place) =>
    connectDatabase(url, { poolSize: 1, name: `test-migrated-${place}` }),
  );
  [owner, service, other] = connections.map(({ db }) => db) as [Database, Database, Database];
  await migrate(owner, { migrationsFolder: folder });
  await owner.execute(sql`insert into workspaces (id, name) values (${workspaceId}, 'served')`);
  await owner.execute(sql`insert into webhooks (id, workspace_id, url, events, encrypted_secret)
    values (${webhookId}, ${workspaceId}, '', '{}', '')`);
  await deliver(service);
  return async () => {
    await Promise.all(connections.map((connection) => connection.close()));
    await database.drop();
  };
});

let seq = 0;
/** An event and its delivery, as the sequencer makes them. */
async function deliver(db: Pick<Database, 'execute'>): Promise<void> {
  const id = uuidv7();
  seq += 1;
  await db.execute(sql`with placed as (
      insert into events (id, workspace_id, seq, type, data, created_at)
      values (${id}, ${workspaceId}, ${seq}, 'wallet.frozen', '{}', now()))
    insert into webhook_deliveries (id, webhook_id, event_id, event_type, event_seq, next_attempt_at)
    values (${id}, ${webhookId}, ${id}, 'wallet.frozen', ${seq}, now())`);
}

/** Until somebody says stop: how long the slowest took, and how many there were. */
function deliverAgainAndAgain() {
  const told = { isOver: false, slowestMs: 0, count: 0 };
  const writing = (async () => {
    while (!told.isOver) {
      const startedMs = Date.now();
      await deliver(service);
      told.slowestMs = Math.max(told.slowestMs, Date.now() - startedMs);
      told.count += 1;
      await pause(5);
    }
  })();
  return async () => {
    told.isOver = true;
    await writing;
    return told;
  };
}

/** Holds what `act` has taken until the returned function is called. */
async function holdTransaction(act: (tx: Pick<Database, 'execute'>) => Promise<unknown>): Promise<() => Promise<void>> {
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isHeld: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    isHeld = resolve;
  });
  const running = other.transaction(async (tx) => {
    await act(tx);
    isHeld();
    await released;
  });
  await held;
  return async () => {
    release();
    await running;
  };
}

const isValid = async () => {
  const [row] = await owner.execute<{ valid: boolean }>(
    sql`select indisvalid as valid from pg_index where indexrelid = to_regclass(${INDEX})`,
  );
  return row?.valid;
};

const UNDER_WAY_MS = 4_000;

test('a backup that reads for long holds up the migration, and nobody else', { timeout: 60_000 }, async () => {
  const release = await holdTransaction((tx) => tx.execute(sql`select count(*) from events`));
  const stop = deliverAgainAndAgain();
  let isOver = false;
  const migrating = migrateDatabase(database.url).then(() => {
    isOver = true;
  });
  await pause(UNDER_WAY_MS);
  expect(isOver).toBe(false);
  await release();
  await migrating;
  const { slowestMs, count } = await stop();
  expect(slowestMs).toBeLessThan(HELD_UP_MAX_MS);
  expect(count).toBeGreaterThan(50);
  expect(await findTablesVersion(service)).toMatchObject({ version: SCHEMA_VERSION });
  expect(await isValid()).toBe(true);
});

test('the index over the deliveries is built beside those who write them', { timeout: 60_000 }, async () => {
  const release = await holdTransaction(deliver);
  const stop = deliverAgainAndAgain();
  const migrating = migrateDatabase(database.url);
  // It waits for the transaction that has written, with the index begun.
  await expect.poll(isValid, { timeout: 30_000 }).toBe(false);
  await pause(UNDER_WAY_MS);
  const before = await stop();
  // A statement that waited for its lock on the table would hold them up until the transaction ends.
  expect(before.slowestMs).toBeLessThan(HELD_UP_MAX_MS);
  await release();
  await migrating;
  expect(await isValid()).toBe(true);
});

test('an index that was left unfinished is made anew, also by two migrations at once', {
  timeout: 60_000,
}, async () => {
  const release = await holdTransaction(deliver);
  const killed = migrateDatabase(database.url).catch((error: Error) => error);
  await expect.poll(isValid, { timeout: 30_000 }).toBe(false);
  await owner.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'countersign-migrate' and datname = current_database()`);
  expect(await killed).toBeInstanceOf(Error);
  expect(await isValid()).toBe(false);
  const both = Promise.all([migrateDatabase(database.url), migrateDatabase(database.url)]);
  await pause(1_000);
  await release();
  expect(await both).toEqual([{ version: SCHEMA_VERSION }, { version: SCHEMA_VERSION }]);
  expect(await isValid()).toBe(true);
});

test('a migration that never finds its moment names who is in the way, and leaves nothing', async () => {
  const release = await holdTransaction((tx) => tx.execute(sql`select count(*) from events`));
  const blocked = runMigrations(owner, { folder: 'drizzle/migrations', blockedMaxMs: 0 });
  await expect(blocked).rejects.toThrow(
    /^Migration 34 found no moment .* the oldest is of "test-migrated-2" \(pid \d+, .* Nothing of it was applied/,
  );
  expect(await findTablesVersion(service)).toBeUndefined();
  await release();
  await migrateDatabase(database.url);
});

test('a program of before changes no newer tables, and says where it may not run on them', async () => {
  await migrateDatabase(database.url);
  await owner.execute(sql`update schema_version set version = 99`);
  await owner.execute(sql`delete from assets`);
  expect(await migrateDatabase(database.url)).toEqual({ version: 99 });
  expect(await owner.execute(sql`select from assets`)).toHaveLength(0);
  await owner.execute(sql`update schema_version set oldest_program = 98`);
  await expect(migrateDatabase(database.url)).rejects.toThrow(/on which no program before version 98 may run/);
});

test('whoever has the login of the service does not say which version the tables have', async () => {
  await migrateDatabase(database.url);
  for (const statement of ['update schema_version set oldest_program = 99', 'delete from schema_version'])
    await expect(service.execute(sql.raw(statement))).rejects.toMatchObject({ cause: { code: '42501' } });
});
