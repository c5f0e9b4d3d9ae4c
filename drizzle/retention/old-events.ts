// Removes the oldest events of each feed. What is removed is always the beginning, so that the feed has no gap from the
// first event on that it has. The login of the service may delete no event itself: the function `remove_events` of the
// database does it, and refuses a shorter time than `EVENTS_KEPT_DAYS_MIN`.
import { sql } from 'drizzle-orm';
import type { Database } from '../database/connection.ts';
import { arrayOf } from '../database/page.ts';
import { eventCounters, events } from '../events/events.ts';
import { tryEventRemoval } from '../webhooks/event-removal-lock.ts';
import { webhookDeliveries } from '../webhooks/webhooks.ts';

/** In one transaction: of so many workspaces, of each so many events. */
const WORKSPACES_MAX = 20;
const EVENTS_EACH_MAX = 250;

/** Yields how many each batch has removed. Removes nothing while another process is at it. */
export async function* removeOldEvents(db: Database, keptDays: number): AsyncGenerator<number> {
  for (let due = await listDue(db, keptDays); due.length > 0; due = await listDue(db, keptDays, due.at(-1))) {
    for (let removed = await removeOf(db, due, keptDays); removed > 0; removed = await removeOf(db, due, keptDays))
      yield removed;
  }
}

/** Workspaces whose oldest event is to be removed, in an order of their own. */
async function listDue(db: Database, keptDays: number, after?: string): Promise<string[]> {
  const rows = await db.execute<{ id: string }>(sql`
    select ${eventCounters.workspaceId} as id from ${eventCounters} cross join lateral (
      select id, placed_at from ${events} where workspace_id = ${eventCounters.workspaceId} order by seq limit 1
    ) as oldest
    where ${after === undefined ? sql`true` : sql`${eventCounters.workspaceId} > ${after}`}
      and oldest.placed_at < now() - ${keptDays} * interval '1 day'
      and not exists (select from ${webhookDeliveries} where event_id = oldest.id)
    order by 1 limit ${WORKSPACES_MAX}`);
  return rows.map(({ id }) => id);
}

async function removeOf(db: Database, workspaceIds: readonly string[], keptDays: number): Promise<number> {
  return db.transaction(async (tx) => {
    if (!(await tryEventRemoval(tx))) return 0;
    const ids = arrayOf('uuid', workspaceIds);
    const [row] = await tx.execute<{ removed: number }>(
      sql`select remove_events(${ids}, ${keptDays}::int, ${EVENTS_EACH_MAX}::int) as removed`,
    );
    return row?.removed ?? 0;
  });
}
