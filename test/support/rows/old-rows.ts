// Rows of long ago, as they would stand there by now, and their removal on command: for tests of what is kept for how
// long.
import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../../drizzle/database/connection.ts';
import { type KeptDays, type LimitedTable, limitedTables, removeOldRows } from '../../../drizzle/retention/old-rows.ts';

export const usualDays: KeptDays = { events: 90, deliveries: 30, idempotencyKeys: 30 };

/**
 * Events 1 … count of a workspace, one a second, the first of which was placed so many days ago. They are of no
 * resource.
 */
export async function fillFeed(db: Database, workspaceId: string, count: number, daysAgo: number): Promise<void> {
  const at = sql`now() - ${daysAgo} * interval '1 day' + seq * interval '1 second'`;
  await db.execute(sql`
    insert into events (id, workspace_id, seq, type, data, created_at, placed_at)
    select new_uuid_v7(), ${workspaceId}, seq, 'wallet.frozen', '{}', ${at}, ${at} from generate_series(1, ${count}::int) as seq`);
  await db.execute(sql`insert into event_counters (workspace_id, seq) values (${workspaceId}, ${count})`);
}

/** As if those up to this place had been placed so many days ago, and had happened then. */
export async function ageEvents(db: Database, workspaceId: string, upToSeq: number, daysAgo: number): Promise<void> {
  const at = sql`now() - ${daysAgo} * interval '1 day'`;
  await db.execute(sql`
    update events set placed_at = ${at}, created_at = ${at} where workspace_id = ${workspaceId} and seq <= ${upToSeq}`);
}

/** As if these deliveries had ended, or been made, so many days ago. */
export async function ageDeliveries(db: Database, which: SQL, daysAgo: number): Promise<void> {
  const at = sql`now() - ${daysAgo} * interval '1 day'`;
  await db.execute(sql`update webhook_deliveries set created_at = ${at}, updated_at = ${at} where ${which}`);
}

/** One round, with how many rows each batch removed. */
export async function removeAll(db: Database, kept: KeptDays = usualDays): Promise<Record<LimitedTable, number[]>> {
  const removed = {} as Record<LimitedTable, number[]>;
  for (const table of limitedTables) {
    removed[table] = [];
    for await (const rows of removeOldRows(db, kept)[table]) removed[table].push(rows);
  }
  return removed;
}

export async function seqsOf(db: Database, workspaceId: string): Promise<number[]> {
  const rows = await db.execute<{ seq: string }>(
    sql`select seq from events where workspace_id = ${workspaceId} order by seq`,
  );
  return rows.map(({ seq }) => Number(seq));
}

export const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);
