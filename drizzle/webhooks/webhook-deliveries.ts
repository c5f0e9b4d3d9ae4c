// What is to be delivered: a row for each event and each endpoint that wants it. Of one event and endpoint at most one
// delivery is pending.

import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import type { EventType } from '../../domain/events/event-types.ts';
import type { DeliverWebhooksInput } from '../../domain/workflow-inputs.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { anyOf, arrayOf, type OneOf, type Page, selectPage } from '../database/page.ts';
import { type EventRow, events } from '../events/events.ts';
import { type OutboxEntry, outbox } from '../writes/workflow-outbox.ts';
import {
  type AttemptRow,
  type DeliveryRow,
  type DeliveryStatus,
  deliveryStatuses,
  webhookAttempts,
  webhookDeliveries,
  webhooks,
} from './webhooks.ts';

/** An event that has just got its place in the feed. */
export interface SequencedEvent {
  id: string;
  workspaceId: string;
  type: EventType;
}

/** An endpoint that was tested hears of it whatever types it takes, and no other endpoint does. */
const wants = sql`case when ${events.type} = 'webhook.ping'
    then ${webhooks.id}::text = ${events.data} ->> 'webhook_id'
    else cardinality(${webhooks.events}) = 0 or ${events.type} = any(${webhooks.events}) end`;

/**
 * Makes the deliveries of these events, in their order, and wakes those who carry them out: the entries are for the
 * starter, after the commit. Called while the workspaces' counters are held, so that what is due first has the lower
 * number.
 */
export async function insertDeliveries(tx: Transaction, sequenced: readonly SequencedEvent[]): Promise<OutboxEntry[]> {
  if (sequenced.length === 0) return [];
  const ids = sequenced.map(({ id }) => id);
  return wakeAfter(
    tx,
    sql`insert into ${webhookDeliveries} (id, webhook_id, event_id, event_type, event_seq, next_attempt_at)
      select new_uuid_v7(), ${webhooks.id}, ${events.id}, ${events.type}, ${events.seq}, (select clock_timestamp())
      from ${events} join ${webhooks}
        on ${webhooks.workspaceId} = ${events.workspaceId} and ${webhooks.status} = 'active' and ${wants}
      where ${events.id} = any(${arrayOf('uuid', ids)})
      order by ${events.seq}
      on conflict do nothing
      returning webhook_id`,
  );
}

/** `making`: a statement that returns the `webhook_id` of each delivery it made. One entry for each endpoint. */
async function wakeAfter(tx: Transaction, making: SQL): Promise<OutboxEntry[]> {
  const rows = await tx.execute<{ id: string; workflow_id: string; input: DeliverWebhooksInput }>(sql`
    with made as (${making}), concerned as (select distinct webhook_id from made)
    insert into ${outbox} (workflow, workflow_id, input, signal)
    select 'deliverWebhooks', coalesce(${webhooks.workflowId}, ${webhooks.id}::text),
      jsonb_build_object('webhookId', ${webhooks.id}, 'workspaceId', ${webhooks.workspaceId}), 'changed'
    from concerned join ${webhooks} on ${webhooks.id} = concerned.webhook_id
    returning id, workflow_id, input`);
  return rows.map(({ id, workflow_id: workflowId, input }) => ({
    id: BigInt(id),
    workflow: 'deliverWebhooks',
    workflowId,
    input,
    signal: 'changed',
  }));
}

/** What should have been sent long ago, because its workflow was ended from outside: an entry for each endpoint. */
export async function wakeOverdueWebhooks(db: Database, overdueMs: number, limit: number): Promise<OutboxEntry[]> {
  const overdue = sql`select 1 from ${webhookDeliveries}
    where ${webhookDeliveries.webhookId} = ${webhooks.id} and ${webhookDeliveries.status} = 'pending'
      and ${webhookDeliveries.nextAttemptAt} < now() - ${overdueMs} * interval '1 millisecond'`;
  return db.transaction((tx) =>
    wakeAfter(tx, sql`select ${webhooks.id} as webhook_id from ${webhooks} where exists (${overdue}) limit ${limit}`),
  );
}

export interface DueDelivery {
  id: string;
  /** How many were made already. */
  attempts: number;
  event: Pick<EventRow, 'id' | 'seq' | 'type' | 'data' | 'createdAt'>;
}

const selectDeliveries = (db: Database) => {
  const { id, seq, type, data, createdAt } = events;
  return db
    .select({
      id: webhookDeliveries.id,
      attempts: webhookDeliveries.attempts,
      event: { id, seq, type, data, createdAt },
    })
    .from(webhookDeliveries)
    .innerJoin(events, eq(events.id, webhookDeliveries.eventId));
};

/** What may be sent now, in the order in which it became due; events that became due at once in their order. */
export async function listDueDeliveries(db: Database, webhookId: string, limit: number): Promise<DueDelivery[]> {
  return selectDeliveries(db)
    .where(and(isPending(webhookId), sql`${webhookDeliveries.nextAttemptAt} <= now()`))
    .orderBy(asc(webhookDeliveries.nextAttemptAt), asc(webhookDeliveries.eventSeq))
    .limit(limit);
}

/** Milliseconds until something is due, at least 0. Undefined when nothing is pending. */
export async function untilNextDelivery(db: Database, webhookId: string): Promise<number | undefined> {
  const [row] = await db
    .select({ ms: sql<number>`(extract(epoch from ${webhookDeliveries.nextAttemptAt} - now()) * 1000)::float8` })
    .from(webhookDeliveries)
    .where(isPending(webhookId))
    .orderBy(asc(webhookDeliveries.nextAttemptAt))
    .limit(1);
  return row && Math.max(0, Math.ceil(row.ms));
}

/** Which deliveries an endpoint is probed with: those that wait for the attempt after this one, at most so long. */
export interface ProbeRules {
  afterAttempt: number;
  waitMaxMs: number;
  /** From the last time that one of them was sent. */
  everyMs: number;
}

/** Those that were not sent for a while, the one that was sent longest ago first. */
export async function listProbes(
  db: Database,
  webhookId: string,
  rules: ProbeRules,
  limit: number,
): Promise<DueDelivery[]> {
  return selectDeliveries(db)
    .where(and(isProbed(webhookId, rules), sql`${webhookDeliveries.updatedAt} <= ${beforeNow(rules.everyMs)}`))
    .orderBy(asc(webhookDeliveries.updatedAt), asc(webhookDeliveries.eventSeq))
    .limit(limit);
}

/** Milliseconds until the endpoint is probed, at least 0. Undefined when no delivery waits for it. */
export async function untilNextProbe(db: Database, webhookId: string, rules: ProbeRules): Promise<number | undefined> {
  const lastSent = sql`max(${webhookDeliveries.updatedAt})`;
  const [row] = await db
    .select({ ms: sql<number | null>`(extract(epoch from ${lastSent} - ${beforeNow(rules.everyMs)}) * 1000)::float8` })
    .from(webhookDeliveries)
    .where(isProbed(webhookId, rules));
  return row === undefined || row.ms === null ? undefined : Math.max(0, Math.ceil(row.ms));
}

/** It was sent without being due, and was not taken. */
export async function noteProbed(db: Database, deliveryId: string): Promise<void> {
  await db.update(webhookDeliveries).set({ updatedAt: sql`now()` }).where(eq(webhookDeliveries.id, deliveryId));
}

const beforeNow = (ms: number) => sql`(now() - ${ms} * interval '1 millisecond')`;

const isProbed = (webhookId: string, { afterAttempt, waitMaxMs }: ProbeRules) =>
  and(
    isPending(webhookId),
    eq(webhookDeliveries.attempts, afterAttempt),
    sql`${webhookDeliveries.nextAttemptAt} > now()`,
    sql`${webhookDeliveries.nextAttemptAt} <= now() + ${waitMaxMs} * interval '1 millisecond'`,
  );

/** In the words of the index of what is due, without a parameter: else PostgreSQL cannot tell that it fits. */
const isPending = (webhookId: string) =>
  and(eq(webhookDeliveries.webhookId, webhookId), sql`${webhookDeliveries.status} = 'pending'`);

export interface Attempt extends AttemptRow {
  /** What the delivery is after it; with the milliseconds until the next attempt while it is pending. */
  status: DeliveryStatus;
  againInMs: number | null;
}

/**
 * Records attempts of one endpoint and moves their deliveries, each by compare-and-set on the number of attempts: what
 * another has recorded already is left as it is.
 */
export async function recordAttempts(db: Database, attempts: readonly Attempt[]): Promise<void> {
  const json = JSON.stringify(attempts.map((attempt) => ({ ...attempt, startedAt: attempt.startedAt.toISOString() })));
  await db.execute(sql`
    with made as (
      select * from jsonb_to_recordset(${json}::text::jsonb) as made("deliveryId" uuid, attempt smallint, "startedAt" timestamptz,
        "durationMs" integer, "statusCode" smallint, error text, status text, "againInMs" float8)
    ), moved as (
      update ${webhookDeliveries} set attempts = made.attempt, status = made.status, updated_at = now(),
        next_attempt_at = now() + made."againInMs" * interval '1 millisecond'
      from made
      where ${webhookDeliveries.id} = made."deliveryId" and ${webhookDeliveries.status} = 'pending'
        and ${webhookDeliveries.attempts} = made.attempt - 1
      returning made.*
    )
    insert into ${webhookAttempts} (delivery_id, attempt, started_at, duration_ms, status_code, error)
    select "deliveryId", attempt, "startedAt", "durationMs", "statusCode", error from moved`);
}

/** All that still waits. It is sent no more unless somebody asks for it again. */
export async function failPendingDeliveries(db: Database | Transaction, webhookId: string): Promise<void> {
  await db
    .update(webhookDeliveries)
    .set({ status: 'failed', nextAttemptAt: null, updatedAt: sql`now()` })
    .where(isPending(webhookId));
}

export interface DeliveryFilter {
  webhookId: string;
  statuses: readonly DeliveryStatus[] | undefined;
  eventTypes: readonly EventType[] | undefined;
}

/** One row more than the page asks for, when there is one. */
export async function listDeliveries(db: Database, filter: DeliveryFilter, page: Page): Promise<DeliveryRow[]> {
  const { webhookId, statuses, eventTypes } = filter;
  const parts: OneOf[] = [];
  if (eventTypes !== undefined) parts.push([webhookDeliveries.eventType, eventTypes]);
  if (statuses !== undefined || eventTypes !== undefined)
    parts.push([webhookDeliveries.status, statuses ?? deliveryStatuses]);
  return selectPage(db, webhookDeliveries, { where: [eq(webhookDeliveries.webhookId, webhookId)], parts, page });
}

/** By delivery, in their order. */
export async function listAttempts(
  db: Database | Transaction,
  deliveryIds: readonly string[],
): Promise<Map<string, AttemptRow[]>> {
  if (deliveryIds.length === 0) return new Map();
  const rows = await db
    .select()
    .from(webhookAttempts)
    .where(anyOf(webhookAttempts.deliveryId, deliveryIds))
    .orderBy(asc(webhookAttempts.attempt));
  const byDelivery = new Map<string, AttemptRow[]>();
  for (const row of rows) byDelivery.set(row.deliveryId, [...(byDelivery.get(row.deliveryId) ?? []), row]);
  return byDelivery;
}
