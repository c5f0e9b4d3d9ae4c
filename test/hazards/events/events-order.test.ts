// Goal: the feed has every committed event and no other, without a gap, each resource's in the order of its changes,
// and shows none behind what a reader has read; whatever the order of the commits and whoever gives the places. Method:
// many connections record events in transactions of random length, some of which are rolled back or cut off, while
// several sequencers, one of them killed again and again, give the places and readers follow. Not covered: a clock that
// jumps, since no place depends on one.
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  connectDatabase,
  type Database,
  type DatabaseConnection,
  type Transaction,
} from '../../../drizzle/database/connection.ts';
import { listEvents } from '../../../drizzle/events/event-feed.ts';
import type { EventRow } from '../../../drizzle/events/events.ts';
import { sequenceEvents } from '../../../drizzle/webhooks/sequence-events.ts';
import { startSequencer } from '../../../src/worker/sequence-events.ts';
import type { WorkflowStarter } from '../../../src/writes/start-workflow.ts';
import { recordAnyEvent, sequenceAll, toAnyEventData } from '../../support/api/events.ts';
import { createTestDatabase, type TestDatabase } from '../../support/processes/postgres.ts';

const WRITERS = 12;
const TRANSACTIONS_EACH = 40;
const RESOURCES = 12;
const LONGEST_MS = 50;

let database: TestDatabase;
const connections: DatabaseConnection[] = [];
const connect = (poolSize: number, name = 'test-events') => {
  const connection = connectDatabase(database.url, { poolSize, name });
  connections.push(connection);
  return connection.db;
};
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  db = connect(4);
  await db.execute(
    sql`create table resources (id uuid primary key, workspace_id uuid not null, changes integer not null)`,
  );
});
afterAll(async () => {
  // The driver waits for seconds for transactions that were cut off.
  await Promise.race([Promise.all(connections.map((connection) => connection.close())), pause(500)]);
  await database.drop();
});

/** Nobody has an endpoint: no workflow is ever started. */
const starter = { enqueue: () => expect.unreachable() } as unknown as WorkflowStarter;
const log = { warn: () => {} };

async function makeResources(workspaces: readonly string[], count = RESOURCES): Promise<string[]> {
  const ids = Array.from({ length: count }, () => uuidv7()).toSorted();
  for (const [index, id] of ids.entries())
    await db.execute(sql`insert into resources values (${id}, ${workspaces[index % workspaces.length]}, 0)`);
  return ids;
}

/** Changes a resource, with an event that says how often it was changed. */
const change = (tx: Transaction | Database, id: string) =>
  tx.execute(
    sql`update resources set changes = changes + 1 where id = ${id} returning ${recordAnyEvent(
      sql`workspace_id`,
      'wallet.frozen',
      sql`jsonb_build_object('id', id, 'changes', changes)`,
    )}`,
  );

class Undone extends Error {}

const random = (below: number) => Math.floor(Math.random() * below);

/** Transactions of random length over one to three resources. Answers how many events were committed. */
async function write(writer: Database, ids: readonly string[]): Promise<number> {
  let committed = 0;
  for (let round = 0; round < TRANSACTIONS_EACH; round += 1) {
    // Locked in one order, so that none waits for ever.
    const chosen = [...new Set([1, 2, 3].slice(random(3)).map(() => ids[random(ids.length)] as string))].toSorted();
    const isUndone = random(6) === 0;
    const transaction = writer.transaction(async (tx) => {
      for (const id of chosen) {
        await change(tx, id);
        if (random(3) === 0) await pause(random(LONGEST_MS));
      }
      if (isUndone) throw new Undone();
    });
    await transaction.catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error;
    });
    if (!isUndone) committed += chosen.length;
  }
  return committed;
}

/** Asks for what came after the last that it has, as a receiver does, until it is told to stop. */
async function follow(reader: Database, workspaceId: string, until: () => boolean): Promise<EventRow[]> {
  const read: EventRow[] = [];
  for (;;) {
    const isLast = until();
    const filter = { workspaceId, afterSeq: read.at(-1)?.seq ?? 0, walletIds: undefined, types: undefined };
    const page = await listEvents(reader, filter, 20);
    read.push(...page.slice(0, 20));
    if (isLast && page.length === 0) return read;
    await pause(page.length === 0 ? 2 : 0);
  }
}

function assertWhole(read: readonly EventRow[]): void {
  expect(read.map(({ seq }) => seq)).toEqual(read.map((_, index) => index + 1));
  expect(new Set(read.map(({ id }) => id)).size).toBe(read.length);
  const last = new Map<unknown, number>();
  for (const { data } of read) {
    expect(data['changes']).toBe((last.get(data['id']) ?? 0) + 1);
    last.set(data['id'], data['changes'] as number);
  }
}

test('many writers, several sequencers of which one is killed again and again: every reader reads 1 to n, each resource in order', async () => {
  const workspaces = [uuidv7(), uuidv7()];
  const ids = await makeResources(workspaces);
  const [killed, ...others] = [connect(2, 'test-events-killed'), connect(2), connect(2)];
  const sequencers = [killed, ...others].map((own) =>
    startSequencer({ db: own, starter, toEventData: toAnyEventData, log }),
  );
  let isOver = false;
  const readers = workspaces.flatMap((workspaceId) =>
    [connect(1), connect(1)].map((reader) => follow(reader, workspaceId, () => isOver)),
  );
  const killing = (async () => {
    for (; !isOver; await pause(150))
      await db.execute(
        sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'test-events-killed'`,
      );
  })();
  const counts = await Promise.all(Array.from({ length: WRITERS }, () => write(connect(1), ids)));
  await Promise.all([sequencers.map((stop) => stop())].flat());
  await sequenceAll(db);
  isOver = true;
  const [first = [], again = [], second = [], secondAgain = []] = await Promise.all(readers);
  await killing;
  for (const read of [first, second]) assertWhole(read);
  expect(again).toEqual(first);
  expect(secondAgain).toEqual(second);
  expect(first.length + second.length).toBe(counts.reduce((sum, count) => sum + count, 0));
  // Commits in another order than that of recording: without them this would show nothing.
  const isLate = ({ createdAt }: EventRow, index: number, all: readonly EventRow[]) =>
    index > 0 && createdAt < (all[index - 1] as EventRow).createdAt;
  expect(first.filter(isLate).length).toBeGreaterThan(10);
}, 120_000);

test('an event whose transaction commits after later ones is not lost', async () => {
  const workspaceId = uuidv7();
  const [slow, quick] = (await makeResources([workspaceId], 2)) as [string, string];
  const seqs = async () =>
    (await listEvents(db, { workspaceId, afterSeq: 0, walletIds: undefined, types: undefined }, 10)).map(
      ({ seq, data }) => [seq, data['id']],
    );
  await db.transaction(async (tx) => {
    await change(tx, slow);
    await change(db, quick);
    await sequenceAll(db);
    expect(await seqs()).toEqual([[1, quick]]);
  });
  await change(db, quick);
  await sequenceAll(db);
  expect(await seqs()).toEqual([
    [1, quick],
    [2, slow],
    [3, quick],
  ]);
});

test('H1: a transaction that is cut off before its commit has no event', async () => {
  const workspaceId = uuidv7();
  const [id] = (await makeResources([workspaceId], 1)) as [string];
  const cut = connect(1, 'test-events-cut');
  const transaction = cut.transaction(async (tx) => {
    await change(tx, id);
    await db.execute(
      sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'test-events-cut'`,
    );
    await tx.execute(sql`select 1`);
  });
  await expect(transaction).rejects.toThrow();
  await change(db, id);
  await sequenceAll(db);
  const read = await follow(db, workspaceId, () => true);
  assertWhole(read);
  expect(read).toHaveLength(1);
});

test('a sequencer that hangs within its round holds the others up for seconds, and its round is done by one of them', async () => {
  const workspaceId = uuidv7();
  const [id] = (await makeResources([workspaceId], 1)) as [string];
  await change(db, id);
  const hanging = connect(1);
  let goOn = () => {};
  const hung = hanging.transaction(async (tx) => {
    expect((await sequenceEvents(tx, toAnyEventData)).sequenced).toHaveLength(1);
    await new Promise<void>((resolve) => (goOn = resolve));
    await tx.execute(sql`select 1`);
  });
  const cut = expect(hung).rejects.toThrow();
  // Other databases of the server have such locks, too.
  const locks = sql`select 1 from pg_locks join pg_database on pg_database.oid = database
    where locktype = 'advisory' and datname = current_database()`;
  await expect.poll(async () => (await db.execute(locks)).length, { timeout: 60_000 }).toBe(1);
  await sequenceAll(db);
  expect(await follow(db, workspaceId, () => true)).toEqual([]);
  const stop = startSequencer({ db, starter, toEventData: toAnyEventData, log });
  await expect.poll(() => follow(db, workspaceId, () => true), { timeout: 60_000, interval: 100 }).toHaveLength(1);
  await stop();
  goOn();
  await cut;
}, 120_000);
