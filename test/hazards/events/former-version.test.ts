// Goal: while processes of the former version run beside new ones, and after an upgrade in the middle of their work,
// every event reaches the feed once, and those of a resource in the order of its changes. The former version knows the
// function `record_event` and `told_events`, and nothing of the rows that new processes record. Method: its statements
// as they were, as the login of the service: both versions write and sequence at once, on the same resources, from a
// database that is migrated while the former version writes.
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { connectDatabase, type Database, type DatabaseConnection } from '../../../drizzle/database/connection.ts';
import { listEvents } from '../../../drizzle/events/event-feed.ts';
import type { EventRow } from '../../../drizzle/events/events.ts';
import { migrateDatabase } from '../../../drizzle/migrate.ts';
import { readGauges } from '../../../drizzle/observability/gauges.ts';
import { recordAnyEvent, sequenceAll, sequenceOnce } from '../../support/api/events.ts';
import { createEmptyDatabase, type TestDatabase } from '../../support/processes/postgres.ts';
import { formerMigrations } from '../../support/rows/former-migrations.ts';

/** The last migration of the former version. */
const FORMER = '0024_fee_bounds_unknowns_disputes';
const RESOURCES = 6;
const CHANGES_EACH = 60;

let database: TestDatabase & { serviceUrl: string };
let owner: DatabaseConnection;
let connections: DatabaseConnection[];
let workspaceId: string;
let ids: string[];

const { folder, remove } = formerMigrations(FORMER);
afterAll(remove);

beforeEach(async () => {
  database = await createEmptyDatabase();
  owner = connectDatabase(database.url, { poolSize: 1, name: 'test-owner' });
  connections = [owner];
  await migrate(owner.db, { migrationsFolder: folder });
  await owner.db.execute(sql`select grant_service_rights()`);
  await owner.db.execute(sql`create table resources (id uuid primary key, changes integer not null)`);
  await owner.db.execute(sql`grant all on resources to countersign_app`);
  workspaceId = uuidv7();
  ids = Array.from({ length: RESOURCES }, () => uuidv7());
  for (const id of ids) await owner.db.execute(sql`insert into resources values (${id}, 0)`);
  return async () => {
    await Promise.all(connections.map((connection) => connection.close()));
    await database.drop();
  };
});

/** As a process of the service. */
function connect(): Database {
  const connection = connectDatabase(database.serviceUrl, { poolSize: 1, name: 'test-service' });
  connections.push(connection);
  return connection.db;
}

const data = sql`jsonb_build_object('id', id, 'changes', changes)`;

const former = {
  change: (db: Database, id: string) =>
    db.execute(sql`update resources set changes = changes + 1 where id = ${id}
      returning record_event(${workspaceId}::uuid, null, 'wallet.frozen', ${data})`),
  sequence: (db: Database) =>
    db.transaction(async (tx) => {
      const [lock] = await tx.execute(sql`select pg_try_advisory_xact_lock(${0x73657175}) as taken`);
      if (lock?.['taken'] !== true) return;
      await tx.execute(sql`
        with taken as (
          delete from told_events
          where position in (select next.position from told_events as next order by next.position limit 1000) returning *
        ), counted as (
          select workspace_id, count(*) as told from taken group by workspace_id
        ), counters as (
          insert into event_counters as counter (workspace_id, seq) select workspace_id, told from counted
          on conflict (workspace_id) do update set seq = counter.seq + excluded.seq returning workspace_id, seq
        )
        insert into events (id, workspace_id, seq, wallet_id, type, data, created_at)
        select taken.id, workspace_id, counters.seq - told + row_number() over (partition by workspace_id order by taken.position),
          wallet_id, type, jsonb_strip_nulls(data), created_at
        from taken join counted using (workspace_id) join counters using (workspace_id)
        returning id, workspace_id, seq, type`);
    }),
};

const present = {
  change: (db: Database, id: string) =>
    db.execute(sql`update resources set changes = changes + 1 where id = ${id}
      returning ${recordAnyEvent(workspaceId, 'wallet.frozen', data)}`),
  sequence: (db: Database) => sequenceOnce(db),
};

/** Changes resources by turns, until each has had its changes. */
async function write({ change }: typeof former | typeof present, db = connect()): Promise<void> {
  for (let round = 0; round < CHANGES_EACH; round += 1)
    for (const id of ids) {
      await change(db, id);
      if (Math.random() < 0.05) await pause(5);
    }
}

async function readAll(): Promise<EventRow[]> {
  const filter = { workspaceId, afterSeq: 0, walletIds: undefined, types: undefined };
  return listEvents(owner.db, filter, 10_000);
}

/** 1, 2, 3 and so on, and of each resource every change once, in order. */
function assertWhole(read: readonly EventRow[], changesOfEach: number): void {
  expect(read.map(({ seq }) => seq)).toEqual(read.map((_, index) => index + 1));
  for (const id of ids) {
    const changes = read.filter((event) => event.data['id'] === id).map((event) => event.data['changes']);
    expect(changes).toEqual(Array.from({ length: changesOfEach }, (_, index) => index + 1));
  }
}

test('both versions write and sequence at once', async () => {
  await migrateDatabase(database.url);
  let isOver = false;
  const sequencing = [former, present, former].map(async ({ sequence }) => {
    const db = connect();
    for (; !isOver; await pause(1)) await sequence(db);
  });
  await Promise.all([write(former), write(present), write(former), write(present)]);
  isOver = true;
  await Promise.all(sequencing);
  await sequenceAll(connect());
  assertWhole(await readAll(), 4 * CHANGES_EACH);
}, 120_000);

test('the former version writes and sequences while the database is migrated, and goes on', async () => {
  let isOver = false;
  const db = connect();
  const sequencing = (async () => {
    for (; !isOver; await pause(20)) await former.sequence(db);
  })();
  const writing = [write(former), write(former)];
  await pause(100);
  await migrateDatabase(database.url);
  await Promise.all([...writing, write(present)]);
  isOver = true;
  await sequencing;
  await sequenceAll(connect());
  assertWhole(await readAll(), 3 * CHANGES_EACH);
}, 120_000);

test('what was recorded before the upgrade and not placed is placed first, in its order, and counted meanwhile', async () => {
  const db = connect();
  await write(former, db);
  await migrateDatabase(database.url);
  await write(present, db);
  expect((await readGauges(owner.db)).unsequencedEvents.count).toBe(2 * RESOURCES * CHANGES_EACH);
  await sequenceAll(db);
  expect((await readGauges(owner.db)).unsequencedEvents.count).toBe(0);
  assertWhole(await readAll(), 2 * CHANGES_EACH);
}, 120_000);

test('a sequencer of the former version leaves what comes after a row that it does not know', async () => {
  await migrateDatabase(database.url);
  const [db, first = ''] = [connect(), ids[0]];
  await former.change(db, first);
  await present.change(db, first);
  await former.change(db, first);
  await former.sequence(db);
  expect((await readAll()).map((event) => event.data['changes'])).toEqual([1]);
  await former.sequence(db);
  expect(await readAll()).toHaveLength(1);
  await present.sequence(db);
  expect((await readAll()).map((event) => event.data['changes'])).toEqual([1, 2, 3]);
});
