// Webhook endpoints and what is delivered to them: a row for each event and endpoint, a row for each attempt.
import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, smallint, text, unique, uuid } from 'drizzle-orm/pg-core';
import { bytes, moment } from './columns.ts';
import { eventTypes } from './event-types.ts';
import { workspaces } from './workspaces.ts';

export const webhookStatuses = ['active', 'disabled', 'deleted'] as const;
export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;

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
    /** Why it was disabled. */
    statusReason: text('status_reason'),
    encryptedSecret: bytes('encrypted_secret').notNull(),
    /** Signs beside the new one until then. */
    encryptedFormerSecret: bytes('encrypted_former_secret'),
    formerSecretUntil: moment('former_secret_until'),
    /** Since when every attempt has failed. */
    failingSince: moment('failing_since'),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    index('webhooks_workspace_created').on(table.workspaceId, table.createdAt, table.id),
    index('webhooks_workspace_updated').on(table.workspaceId, table.updatedAt, table.id),
  ],
);

export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: uuid('id').primaryKey(),
    webhookId: uuid('webhook_id')
      .notNull()
      .references(() => webhooks.id),
    /** The `webhook-id` of every attempt. */
    eventId: uuid('event_id').notNull(),
    status: text('status', { enum: deliveryStatuses }).notNull().default('pending'),
    attempts: smallint('attempts').notNull().default(0),
    /** True when somebody asked for it again: it stands beside the first. */
    replayed: boolean('replayed').notNull().default(false),
    nextAttemptAt: moment('next_attempt_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    index('webhook_deliveries_due').on(table.webhookId, table.nextAttemptAt).where(sql`${table.status} = 'pending'`),
    index('webhook_deliveries_webhook_created').on(table.webhookId, table.createdAt, table.id),
    index('webhook_deliveries_status_created').on(table.webhookId, table.status, table.createdAt, table.id),
  ],
);

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
