// Webhook endpoints and what is delivered to them: a row for each event and endpoint, a row for each attempt. Queries
// of deliveries are in webhook-deliveries.ts. An endpoint that is deleted keeps its row, without its secrets, for the
// log of what was delivered.
import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  boolean,
  index,
  integer,
  pgTable,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { eventTypes } from '../../domain/events/event-types.ts';
import { bytes, moment } from '../database/columns.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { type Page, selectPage } from '../database/page.ts';
import { events, recordEvent } from '../events/events.ts';
import type { RecordedRow } from '../events/recorded-rows.ts';
import { workspaces } from '../workspaces/workspaces.ts';

export const webhookStatuses = ['active', 'disabled', 'deleted'] as const;
export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;
/** Why an endpoint is disabled: a caller asked for it, it answered 410, or every delivery has failed for days. */
export const webhookStatusReasons = ['requested', 'gone', 'failing'] as const;

export type WebhookStatusReason = (typeof webhookStatusReasons)[number];
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Not deleted. In the words of the indexes, without a parameter: else PostgreSQL cannot tell that they fit. */
const isThere = ({ status }: { status: AnyPgColumn }): SQL => sql`${status} <> 'deleted'`;

export const webhooks = pgTable(
  'webhooks',
  {
    id: uuid('id').primaryKey(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    url: text('url').notNull(),
    description: text('description'),
    /** Which types of events; all of them when empty. */
    events: text('events', { enum: eventTypes }).array().notNull(),
    status: text('status', { enum: webhookStatuses }).notNull().default('active'),
    /** Why it is disabled. */
    statusReason: text('status_reason', { enum: webhookStatusReasons }),
    encryptedSecret: bytes('encrypted_secret').notNull(),
    /** Signs beside the new one until then. */
    encryptedFormerSecret: bytes('encrypted_former_secret'),
    formerSecretUntil: moment('former_secret_until'),
    /** Since when every attempt has failed. */
    failingSince: moment('failing_since'),
    /** Of the workflow that delivers to it (domain/workflow-ids.ts). Null in rows of before ids carried the type. */
    workflowId: text('workflow_id'),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    index('webhooks_there_created').on(table.workspaceId, table.createdAt, table.id).where(isThere(table)),
    index('webhooks_there_updated').on(table.workspaceId, table.updatedAt, table.id).where(isThere(table)),
  ],
);

export type WebhookRow = typeof webhooks.$inferSelect;

/** What its events record. */
export const recordedWebhook = {
  id: webhooks.id,
  workspaceId: webhooks.workspaceId,
  statusReason: webhooks.statusReason,
};
export type RecordedWebhook = RecordedRow<typeof recordedWebhook>;

export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: uuid('id').primaryKey(),
    webhookId: uuid('webhook_id')
      .notNull()
      .references(() => webhooks.id),
    /** The `webhook-id` of every attempt. */
    eventId: uuid('event_id')
      .notNull()
      .references(() => events.id),
    eventType: text('event_type', { enum: eventTypes }).notNull(),
    eventSeq: bigint('event_seq', { mode: 'number' }).notNull(),
    status: text('status', { enum: deliveryStatuses }).notNull().default('pending'),
    attempts: smallint('attempts').notNull().default(0),
    /** True when somebody asked for it again: it stands beside the first. */
    replayed: boolean('replayed').notNull().default(false),
    nextAttemptAt: moment('next_attempt_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    index('webhook_deliveries_due')
      .on(table.webhookId, table.nextAttemptAt, table.eventSeq)
      .where(sql`${table.status} = 'pending'`),
    uniqueIndex('webhook_deliveries_pending')
      .on(table.webhookId, table.eventId)
      .where(sql`${table.status} = 'pending'`),
    // An event is removed only when no delivery is of it.
    index('webhook_deliveries_event').on(table.eventId),
    index('webhook_deliveries_webhook_created').on(table.webhookId, table.createdAt, table.id),
    index('webhook_deliveries_webhook_updated').on(table.webhookId, table.updatedAt, table.id),
    index('webhook_deliveries_status_created').on(table.webhookId, table.status, table.createdAt, table.id),
    index('webhook_deliveries_status_updated').on(table.webhookId, table.status, table.updatedAt, table.id),
    // A filter by type alone is one by all statuses too.
    index('webhook_deliveries_kind_created').on(
      table.webhookId,
      table.eventType,
      table.status,
      table.createdAt,
      table.id,
    ),
    index('webhook_deliveries_kind_updated').on(
      table.webhookId,
      table.eventType,
      table.status,
      table.updatedAt,
      table.id,
    ),
  ],
);

export type DeliveryRow = typeof webhookDeliveries.$inferSelect;

export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    deliveryId: uuid('delivery_id')
      .notNull()
      .references(() => webhookDeliveries.id),
    attempt: smallint('attempt').notNull(),
    startedAt: moment('started_at').notNull(),
    durationMs: integer('duration_ms').notNull(),
    /** Null when there was no answer. */
    statusCode: smallint('status_code'),
    /** Why it failed, in a sentence. */
    error: text('error'),
  },
  (table) => [unique('webhook_attempts_once').on(table.deliveryId, table.attempt)],
);

export type AttemptRow = typeof webhookAttempts.$inferSelect;

export async function insertWebhook(tx: Transaction, webhook: typeof webhooks.$inferInsert): Promise<WebhookRow> {
  const [row] = await tx.insert(webhooks).values(webhook).returning();
  if (row === undefined) throw new Error('an insert returned no row');
  return row;
}

/** Also one that is deleted: who asks looks at its status. */
export async function findWebhook(
  db: Database | Transaction,
  workspaceId: string,
  id: string,
): Promise<WebhookRow | undefined> {
  const [row] = await db
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.id, id), eq(webhooks.workspaceId, workspaceId)));
  return row;
}

/** Whose it is does not matter to who delivers. */
export async function readWebhook(db: Database, id: string): Promise<WebhookRow | undefined> {
  const [row] = await db.select().from(webhooks).where(eq(webhooks.id, id));
  return row;
}

/** Held against other changes until the transaction ends. */
export async function lockWebhook(tx: Transaction, workspaceId: string, id: string): Promise<WebhookRow | undefined> {
  const [row] = await tx
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.id, id), eq(webhooks.workspaceId, workspaceId)))
    .for('no key update');
  return row;
}

/** One row more than the page asks for, when there is one. */
export async function listWebhooks(db: Database, workspaceId: string, page: Page): Promise<WebhookRow[]> {
  return selectPage(db, webhooks, { where: [eq(webhooks.workspaceId, workspaceId), isThere(webhooks)], page });
}

/** Those that are not deleted. */
export async function countWebhooks(tx: Transaction, workspaceId: string): Promise<number> {
  return tx.$count(webhooks, and(eq(webhooks.workspaceId, workspaceId), isThere(webhooks)));
}

export type WebhookChange = Partial<Omit<WebhookRow, 'id' | 'workspaceId' | 'createdAt' | 'updatedAt'>>;

/** Of one that the caller has locked. */
export async function changeWebhook(tx: Transaction, id: string, change: WebhookChange): Promise<WebhookRow> {
  const [row] = await tx
    .update(webhooks)
    .set({ ...change, updatedAt: sql`now()` })
    .where(eq(webhooks.id, id))
    .returning();
  if (row === undefined) throw new Error('a webhook that was locked is not there');
  return row;
}

/** active → disabled, with an event. False when it is not active. */
export async function disableWebhook(tx: Transaction, id: string, reason: 'gone' | 'failing'): Promise<boolean> {
  const moved = await tx
    .update(webhooks)
    .set({ status: 'disabled', statusReason: reason, updatedAt: sql`now()` })
    .where(and(eq(webhooks.id, id), eq(webhooks.status, 'active')))
    .returning({
      eventId: recordEvent('webhook.disabled', recordedWebhook),
    });
  return moved.length === 1;
}

/** Something was taken. */
export async function noteDelivered(db: Database, id: string): Promise<void> {
  await db
    .update(webhooks)
    .set({ failingSince: null })
    .where(and(eq(webhooks.id, id), isNotNull(webhooks.failingSince)));
}

/** Nothing was taken. Answers for how long that has been so. */
export async function noteFailing(db: Database, id: string): Promise<number> {
  const failingSince = sql`coalesce(${webhooks.failingSince}, now())`;
  const [row] = await db
    .update(webhooks)
    .set({ failingSince })
    .where(eq(webhooks.id, id))
    .returning({ ms: sql<number>`(extract(epoch from now() - ${webhooks.failingSince}) * 1000)::float8` });
  return row?.ms ?? 0;
}

/** An event for this endpoint alone, whatever types it takes. Returns the event's id. */
export async function recordPing(tx: Transaction, { id }: WebhookRow): Promise<string> {
  const [row] = await tx
    .select({ eventId: recordEvent('webhook.ping', recordedWebhook) })
    .from(webhooks)
    .where(eq(webhooks.id, id));
  if (row === undefined) throw new Error('a webhook that is pinged is not there');
  return row.eventId;
}
