// Deliveries that somebody asks for again: of one event, or of all events of a time. An event whose delivery is still
// pending gets no second one, and one that is no longer kept gets none.
import { and, asc, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { EventType } from '../../domain/events/event-types.ts';
import type { Transaction } from '../database/connection.ts';
import { anyOf } from '../database/page.ts';
import { events } from '../events/events.ts';
import { holdEvents } from './event-removal-lock.ts';
import { type DeliveryRow, type WebhookRow, webhookDeliveries, webhooks } from './webhooks.ts';

/** With the endpoint that it goes to. Until the transaction ends its event is kept, whatever becomes of itself. */
export async function findDelivery(
  tx: Transaction,
  workspaceId: string,
  id: string,
): Promise<{ delivery: DeliveryRow; webhook: WebhookRow } | undefined> {
  await holdEvents(tx);
  const [row] = await tx
    .select({ delivery: webhookDeliveries, webhook: webhooks })
    .from(webhookDeliveries)
    .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
    .where(and(eq(webhookDeliveries.id, id), eq(webhooks.workspaceId, workspaceId)));
  return row;
}

/** A delivery of the same event; while one is pending, this one, due at once. */
export async function redeliver(
  tx: Transaction,
  { webhookId, eventId, eventType, eventSeq }: DeliveryRow,
): Promise<DeliveryRow> {
  const now = sql`clock_timestamp()`;
  const [row] = await tx
    .insert(webhookDeliveries)
    .values({ id: uuidv7(), webhookId, eventId, eventType, eventSeq, replayed: true, nextAttemptAt: now })
    .onConflictDoUpdate({
      target: [webhookDeliveries.webhookId, webhookDeliveries.eventId],
      targetWhere: sql`${webhookDeliveries.status} = 'pending'`,
      set: { nextAttemptAt: now, updatedAt: sql`now()` },
    })
    .returning();
  if (row === undefined) throw new Error('an insert returned no row');
  return row;
}

export interface ReplayFilter {
  from: Date;
  to: Date;
  types: readonly EventType[];
}

/**
 * Delivers again every event of the workspace that is kept and that the filter matches. Undefined, and nothing is done,
 * when more than `max` match.
 */
export async function replay(
  tx: Transaction,
  { id: webhookId, workspaceId }: WebhookRow,
  { from, to, types }: ReplayFilter,
  max: number,
): Promise<number | undefined> {
  await holdEvents(tx);
  const matching: SQL[] = [
    eq(events.workspaceId, workspaceId),
    gte(events.createdAt, from),
    lt(events.createdAt, to),
    // One that tests an endpoint is for that one only.
    sql`(${events.type} <> 'webhook.ping' or ${events.data} ->> 'webhook_id' = ${webhookId})`,
    ...(types.length === 0 ? [] : [anyOf(events.type, types)]),
  ];
  const { id, type, seq } = events;
  const found = tx
    .select({ id, type, seq })
    .from(events)
    .where(and(...matching))
    .orderBy(asc(seq))
    .limit(max + 1);
  const [counts] = await tx.execute<{ found: number; made: number }>(sql`
    with found as materialized (${found}), made as (
      insert into ${webhookDeliveries} (id, webhook_id, event_id, event_type, event_seq, replayed, next_attempt_at)
      select new_uuid_v7(), ${webhookId}, id, type, seq, true, (select clock_timestamp()) from found
      where (select count(*) from found) <= ${max}
      on conflict do nothing
      returning 1
    )
    select (select count(*)::int from found) as found, (select count(*)::int from made) as made`);
  if (counts === undefined) throw new Error('a count returned no row');
  return counts.found > max ? undefined : counts.made;
}
