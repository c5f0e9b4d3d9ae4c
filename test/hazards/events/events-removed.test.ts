// Goal: of the feed only what is old is removed, from its beginning and in short batches: never an event that a webhook
// waits for, one that has no place yet, or one between others, whoever removes beside whom and whoever is killed; and
// who has the login of the service removes nothing younger. Method: a real database with rows of long ago, by the login
// of the service; workers that are killed; deliveries as the sequencer makes them.
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EVENTS_KEPT_DAYS_MIN } from '../../../domain/time-limits.ts';
import { connectDatabase, type Database, type DatabaseConnection } from '../../../drizzle/database/connection.ts';
import { arrayOf } from '../../../drizzle/database/page.ts';
import { removeOldEvents } from '../../../drizzle/retention/old-events.ts';
import { findDelivery } from '../../../drizzle/webhooks/webhook-replays.ts';
import { startRemovingOldRows } from '../../../src/worker/remove-old-rows.ts';
import { makeWorkspace } from '../../support/api/api.ts';
import { recordAnyEvent, sequenceAll } from '../../support/api/events.ts';
import { createTestDatabase, type TestDatabase } from '../../support/processes/postgres.ts';
import {
  ageDeliveries,
  ageEvents,
  fillFeed,
  range,
  removeAll,
  seqsOf,
  usualDays,
} from '../../support/rows/old-rows.ts';
import { storeWebhook } from '../../support/rows/stored-webhooks.ts';

let database: TestDatabase;
const connections: DatabaseConnection[] = [];
const connect = (url: string, name = 'test-removal') => {
  const connection = connectDatabase(url, { poolSize: 2, name });
  connections.push(connection);
  return connection.db;
};
let owner: Database;
let service: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = connect(database.url);
  service = connect(database.serviceUrl ?? '');
});
afterAll(async () => {
  // The driver waits for seconds for transactions that were cut off.
  await Promise.race([Promise.all(connections.map((connection) => connection.close())), pause(500)]);
  await database.drop();
});

const removed = async (db: Database, days: number) => {
  const batches: number[] = [];
  for await (const rows of removeOldEvents(db, days)) batches.push(rows);
  return batches;
};
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

describe('what is old', () => {
  test('goes in batches, from the beginning of each feed, and the rest is whole', async () => {
    const [large, ...small] = Array.from({ length: 60 }, () => uuidv7());
    await fillFeed(owner, large as string, 4_000, 100);
    await ageEvents(owner, large as string, 3_000, 100);
    await owner.execute(sql`update events set placed_at = now() where workspace_id = ${large} and seq > 3000`);
    for (const workspaceId of small) await fillFeed(owner, workspaceId, 3, 91);
    const young = uuidv7();
    await fillFeed(owner, young, 5, 89);

    const batches = await removed(service, 90);
    expect(sum(batches)).toBe(3_000 + 3 * small.length);
    expect(batches.length).toBeGreaterThan(10);
    expect(Math.max(...batches)).toBeLessThanOrEqual(5_000);
    expect(await seqsOf(owner, large as string)).toEqual(range(3_001, 4_000));
    for (const workspaceId of small) expect(await seqsOf(owner, workspaceId)).toEqual([]);
    expect(await seqsOf(owner, young)).toEqual(range(1, 5));
    expect(await removed(service, 90)).toEqual([]);
  });

  test('stays behind an event that is not: the feed has no hole', async () => {
    const workspaceId = uuidv7();
    await fillFeed(owner, workspaceId, 10, 100);
    await owner.execute(sql`update events set placed_at = now() where workspace_id = ${workspaceId} and seq = 4`);
    await removed(service, 90);
    expect(await seqsOf(owner, workspaceId)).toEqual(range(4, 10));
  });

  test('is counted from its place in the feed on, and never before it has one', async () => {
    const workspaceId = uuidv7();
    await owner.execute(sql`select ${recordAnyEvent(workspaceId, 'wallet.frozen')}`);
    await owner.execute(
      sql`update event_outbox set created_at = now() - interval '200 days' where workspace_id = ${workspaceId}`,
    );
    await removeAll(service);
    const waiting = await owner.execute(sql`select 1 from event_outbox where workspace_id = ${workspaceId}`);
    expect(waiting).toHaveLength(1);
    await sequenceAll(owner);
    await removeAll(service);
    expect(await seqsOf(owner, workspaceId)).toEqual([1]);
  });
});

describe('an event with deliveries', () => {
  const makeFeed = async () => {
    const { workspaceId } = await makeWorkspace(owner, 'with a webhook');
    // What happened before there was a webhook has no delivery.
    await sequenceAll(owner);
    const { webhookId, deliveryId } = await storeWebhook({ db: owner }, workspaceId);
    const [delivery] = await owner.execute<{ seq: number }>(
      sql`select event_seq::int as seq from webhook_deliveries where id = ${deliveryId}`,
    );
    await ageEvents(owner, workspaceId, 1_000_000, 400);
    return { workspaceId, webhookId, deliveryId, seq: delivery?.seq ?? 0 };
  };
  const end = (deliveryId: string, status: string) =>
    owner.execute(
      sql`update webhook_deliveries set status = ${status}, next_attempt_at = null where id = ${deliveryId}`,
    );

  test('that a webhook waits for stays, with all after it, whatever its age; delivered and old it goes', async () => {
    const { workspaceId, deliveryId, seq } = await makeFeed();
    const isDelivery = sql`id = ${deliveryId}`;
    await ageDeliveries(owner, isDelivery, 400);
    await removeAll(service);
    const left = await seqsOf(owner, workspaceId);
    expect(left[0]).toBe(seq);

    await end(deliveryId, 'delivered');
    await ageDeliveries(owner, isDelivery, 29);
    await removeAll(service);
    expect(await seqsOf(owner, workspaceId)).toEqual(left);

    await ageDeliveries(owner, isDelivery, 31);
    const { webhook_deliveries: deliveries } = await removeAll(service);
    expect(sum(deliveries)).toBeGreaterThanOrEqual(1);
    expect(await seqsOf(owner, workspaceId)).toEqual([]);
  });

  test('that somebody asks for again is waited for, and its delivery is made or refused', async () => {
    const { workspaceId, webhookId, deliveryId, seq } = await makeFeed();
    await end(deliveryId, 'failed');
    await ageDeliveries(owner, sql`id = ${deliveryId}`, 31);
    await owner.transaction(async (tx) => {
      expect(await findDelivery(tx, workspaceId, deliveryId)).toMatchObject({ webhook: { id: webhookId } });
      await removeAll(service);
      expect((await seqsOf(owner, workspaceId)).includes(seq)).toBe(true);
    });
    await removeAll(service);
    expect(await seqsOf(owner, workspaceId)).toEqual([]);
    expect(await owner.transaction((tx) => findDelivery(tx, workspaceId, deliveryId))).toBeUndefined();
  });
});

describe('several workers', () => {
  const everyMs = 5;

  test('of which one is killed again and again, and one is stopped in between: nothing but what is old goes, once', async () => {
    const workspaces = Array.from({ length: 6 }, () => uuidv7());
    for (const workspaceId of workspaces) await fillFeed(owner, workspaceId, 3_000, 100);
    await owner.execute(sql`update events set placed_at = now() where seq > 2990`);
    const url = database.serviceUrl ?? '';
    const rows: number[] = [];
    const start = (db: Database) =>
      startRemovingOldRows({
        db,
        kept: usualDays,
        everyMs,
        onRemoved: (table, count) => table === 'events' && rows.push(count),
        log: { info: () => {}, warn: () => {} },
      });
    const [killed, others] = [start(connect(url, 'test-removal-killed')), [start(service), start(connect(url))]];
    await expect.poll(() => rows.length, { timeout: 60_000, interval: 5 }).toBeGreaterThan(0);
    await others[0]?.();
    const old = sql`select 1 from events where seq <= 2990 and workspace_id = any(${arrayOf('uuid', workspaces)}) limit 1`;
    for (let round = 0; round < 1_000 && (await owner.execute(old)).length > 0; round += 1)
      await owner.execute(
        sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'test-removal-killed'`,
      );
    await Promise.all([killed(), others[1]?.()]);
    for (const workspaceId of workspaces) expect(await seqsOf(owner, workspaceId)).toEqual(range(2_991, 3_000));
  }, 120_000);

  test('at once remove each event once', async () => {
    const workspaceId = uuidv7();
    await fillFeed(owner, workspaceId, 3_000, 100);
    const another = connect(database.serviceUrl ?? '');
    const counts = await Promise.all([removed(service, 90), removed(another, 90)]);
    expect(sum(counts.flat())).toBe(3_000);
    expect(await seqsOf(owner, workspaceId)).toEqual([]);
  });
});

describe('who has the login of the service', () => {
  const remove = (workspaceId: string, days: number | null) =>
    service.execute(sql`select remove_events(array[${workspaceId}]::uuid[], ${days}::int, 100)`);

  test.each([0, 1, EVENTS_KEPT_DAYS_MIN - 1, -90, null])('removes no event after %s days', async (days) => {
    const workspaceId = uuidv7();
    await fillFeed(owner, workspaceId, 3, EVENTS_KEPT_DAYS_MIN - 1);
    await expect(remove(workspaceId, days)).rejects.toMatchObject({
      cause: { code: '42501', message: `events are kept for at least ${EVENTS_KEPT_DAYS_MIN} days` },
    });
    expect(await seqsOf(owner, workspaceId)).toEqual([1, 2, 3]);
  });

  test('removes at the shortest time what is older than that, and nothing else', async () => {
    const workspaceId = uuidv7();
    await fillFeed(owner, workspaceId, 3, EVENTS_KEPT_DAYS_MIN - 1);
    await remove(workspaceId, EVENTS_KEPT_DAYS_MIN);
    expect(await seqsOf(owner, workspaceId)).toEqual([1, 2, 3]);
    await ageEvents(owner, workspaceId, 2, EVENTS_KEPT_DAYS_MIN + 1);
    await remove(workspaceId, EVENTS_KEPT_DAYS_MIN);
    expect(await seqsOf(owner, workspaceId)).toEqual([3]);
  });

  test('makes no event older, and deletes none', async () => {
    for (const statement of ["update events set placed_at = now() - interval '99 days'", 'delete from events'])
      await expect(service.execute(sql.raw(statement))).rejects.toMatchObject({ cause: { code: '42501' } });
  });
});
