// Goal: deliveries, idempotency keys and accepted signatures go when their time is over, in batches, by an index, and
// nothing that is still to be sent or younger does; one table that fails holds up no other, and what a worker removes
// is counted and logged. Method: a real database with many rows of long ago, by the login of the service.
import { sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { connectDatabase, type Database, type DatabaseConnection } from '../../../drizzle/database/connection.ts';
import { startRemovingOldRows } from '../../../src/worker/remove-old-rows.ts';
import { createTestDatabase, type TestDatabase } from '../../support/processes/postgres.ts';
import { fillFeed, removeAll, usualDays } from '../../support/rows/old-rows.ts';

let database: TestDatabase;
let connections: DatabaseConnection[];
let owner: Database;
let service: Database;
const workspaceId = uuidv7();
const webhooks = Array.from({ length: 5 }, () => uuidv7());

beforeAll(async () => {
  database = await createTestDatabase();
  connections = [database.url, database.serviceUrl ?? ''].map((url) =>
    connectDatabase(url, { poolSize: 2, name: 'test-old-rows' }),
  );
  [owner, service] = connections.map(({ db }) => db) as [Database, Database];
  await owner.execute(sql`insert into workspaces (id, name) values (${workspaceId}, 'old rows')`);
  for (const id of webhooks)
    await owner.execute(sql`insert into webhooks (id, workspace_id, url, events, encrypted_secret, status)
      values (${id}, ${workspaceId}, '', '{}', '', ${id === webhooks[0] ? 'deleted' : 'active'})`);
  await fillFeed(owner, workspaceId, 1_000, 1);
});
afterAll(async () => {
  await Promise.all(connections.map((connection) => connection.close()));
  await database.drop();
});
beforeEach(async () => {
  await owner.execute(sql`truncate webhook_attempts, webhook_deliveries, idempotency_keys, accepted_signatures`);
});

/** Of each event one, to this webhook, with two attempts. */
async function fillDeliveries(webhookId: string, status: string, daysAgo: number): Promise<void> {
  await owner.execute(sql`
    with made as (
      insert into webhook_deliveries (id, webhook_id, event_id, event_type, event_seq, status, attempts, created_at, updated_at)
      select new_uuid_v7(), ${webhookId}, id, type, seq, ${status}, 2, now() - interval '400 days', now() - ${daysAgo} * interval '1 day'
      from events returning id
    )
    insert into webhook_attempts (delivery_id, attempt, started_at, duration_ms)
    select id, attempt, now(), 1 from made cross join generate_series(1, 2) as attempt`);
}

const count = async (table: string) => {
  const [row] = await owner.execute<{ count: number }>(
    sql`select count(*)::int as count from ${sql.identifier(table)}`,
  );
  return row?.count;
};

test('deliveries that have ended go with their attempts, those that are pending or younger stay', async () => {
  const [deleted = '', old = '', failed = '', pending = '', young = ''] = webhooks;
  await fillDeliveries(deleted, 'failed', 31);
  await fillDeliveries(old, 'delivered', 31);
  await fillDeliveries(failed, 'failed', 400);
  await fillDeliveries(pending, 'pending', 400);
  await fillDeliveries(young, 'delivered', 29);
  const { webhook_deliveries: batches } = await removeAll(service);
  expect(batches).toEqual([1_000, 1_000, 1_000]);
  const left = await owner.execute<{ webhook_id: string; deliveries: number; attempts: number }>(sql`
    select webhook_id, count(distinct id)::int as deliveries, count(*)::int as attempts
    from webhook_deliveries join webhook_attempts on delivery_id = id group by webhook_id`);
  expect(left.toSorted((one, other) => one.webhook_id.localeCompare(other.webhook_id))).toEqual(
    [pending, young].toSorted().map((webhook_id) => ({ webhook_id, deliveries: 1_000, attempts: 2_000 })),
  );
  expect(await count('webhook_attempts')).toBe(4_000);
  expect(await count('events')).toBe(1_000);
});

test('a delivery that somebody holds is left to the next round', async () => {
  const [, webhookId = ''] = webhooks;
  await fillDeliveries(webhookId, 'delivered', 31);
  await owner.transaction(async (tx) => {
    await tx.execute(sql`select 1 from webhook_deliveries where event_seq <= 10 for update`);
    const { webhook_deliveries: batches } = await removeAll(service);
    expect(batches).toEqual([990]);
  });
  expect((await removeAll(service)).webhook_deliveries).toEqual([10]);
});

test('idempotency keys and accepted signatures go in batches, two workers share them', async () => {
  await owner.execute(sql`
    insert into idempotency_keys (workspace_id, route, target, key, request_hash, operation_id, created_at)
    select ${workspaceId}, '', '', n::text, '', new_uuid_v7(), now() - case when n <= 2500 then 31 else 29 end * interval '1 day'
    from generate_series(1, 2600) n`);
  await owner.execute(sql`
    insert into accepted_signatures (api_key_id, signature, accepted_at)
    select ${workspaceId}, int4send(n), now() - case when n <= 2500 then 16 else 14 end * interval '1 minute'
    from generate_series(1, 2600) n`);
  const both = await Promise.all([removeAll(service), removeAll(service)]);
  for (const table of ['idempotency_keys', 'accepted_signatures'] as const) {
    const batches = both.flatMap((removed) => removed[table]);
    expect(batches.reduce((sum, rows) => sum + rows, 0)).toBe(2_500);
    expect(Math.max(...batches)).toBeLessThanOrEqual(1_000);
    expect(await count(table)).toBe(100);
  }
});

test('a worker removes at its start, counts and logs it, and stops between batches; a table that fails holds up no other', async () => {
  await owner.execute(sql`
    insert into idempotency_keys (workspace_id, route, target, key, request_hash, operation_id, created_at)
    select ${workspaceId}, '', '', n::text, '', new_uuid_v7(), now() - interval '31 days' from generate_series(1, 1500) n`);
  await owner.execute(sql`revoke delete on webhook_deliveries from countersign_app`);
  const [counted, logged, warned]: [Record<string, number>, unknown[], unknown[]] = [{}, [], []];
  const stop = startRemovingOldRows({
    db: service,
    kept: usualDays,
    onRemoved: (table, rows) => {
      counted[table] = (counted[table] ?? 0) + rows;
    },
    log: { info: (...said) => logged.push(said), warn: (...said) => warned.push(said) },
  });
  await expect.poll(() => logged, { timeout: 60_000 }).toHaveLength(1);
  await stop();
  await owner.execute(sql`select grant_service_rights()`);
  expect(counted).toEqual({ idempotency_keys: 1_500 });
  expect(logged).toEqual([[{ table: 'idempotency_keys', removed: 1_500 }, 'old rows removed']]);
  expect(warned).toMatchObject([[{ table: 'webhook_deliveries' }, expect.stringContaining('could not be removed')]]);
});
