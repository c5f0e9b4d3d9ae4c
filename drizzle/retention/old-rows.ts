// Removes what is kept for a time only: the log of deliveries, events of the feed, idempotency keys and accepted
// signatures. Each batch is a short transaction of its own, and several processes may be at it at once. Nothing else
// is ever removed: what moved money, who may do what, and the audit log stay.
import { sql } from 'drizzle-orm';
import type { Database } from '../database/connection.ts';
import { webhookAttempts, webhookDeliveries, webhooks } from '../webhooks/webhooks.ts';
import { removeOldIdempotencyKeys, removeOldSignatures } from '../writes/accepted-writes.ts';
import { removeOldEvents } from './old-events.ts';

/** For how many days each is kept. */
export interface KeptDays {
  events: number;
  deliveries: number;
  idempotencyKeys: number;
}

export const limitedTables = ['webhook_deliveries', 'events', 'idempotency_keys', 'accepted_signatures'] as const;
export type LimitedTable = (typeof limitedTables)[number];

/** How many rows each batch has removed. Whoever takes no further one ends it. */
type Batches = AsyncIterable<number>;

const BATCH_MAX = 1_000;

/** Deliveries before events: an event stays for as long as a delivery of it does. */
export function removeOldRows(db: Database, kept: KeptDays): Record<LimitedTable, Batches> {
  return {
    webhook_deliveries: whileFull(() => removeOldDeliveries(db, kept.deliveries, BATCH_MAX)),
    events: removeOldEvents(db, kept.events),
    idempotency_keys: whileFull(() => removeOldIdempotencyKeys(db, kept.idempotencyKeys, BATCH_MAX)),
    accepted_signatures: whileFull(() => removeOldSignatures(db, BATCH_MAX)),
  };
}

async function* whileFull(remove: () => Promise<number>): AsyncGenerator<number> {
  for (;;) {
    const removed = await remove();
    if (removed > 0) yield removed;
    if (removed < BATCH_MAX) return;
  }
}

/**
 * Those that have an end, with their attempts: what is pending is still to be sent, whatever its age. In the words of
 * an index, by webhook and status.
 */
async function removeOldDeliveries(db: Database, keptDays: number, atMost: number): Promise<number> {
  const removed = await db.execute(sql`
    with old as (
      select delivery.id from ${webhooks} cross join (values ('delivered'), ('failed')) as ended (status)
        cross join lateral (
          select id from ${webhookDeliveries}
          where webhook_id = ${webhooks.id} and status = ended.status
            and updated_at < now() - ${keptDays} * interval '1 day'
          order by updated_at limit ${atMost} for update skip locked
        ) as delivery
      limit ${atMost}
    ), attempts as (
      delete from ${webhookAttempts} using old where delivery_id = old.id
    )
    delete from ${webhookDeliveries} using old where ${webhookDeliveries.id} = old.id returning 1`);
  return removed.length;
}
