// Events: what callers hear of. The statement that changes a row also records the row in the outbox of events
// (`recordEvent`). The sequencer takes it from there, has it brought into its form on the wire and gives it its place
// in the feed (drizzle/webhooks/sequence-events.ts): numbers that are given after the commit have no gap, and none
// appears behind one that was read. This file imports no other table, so that each of them can record events.
import { type SQL, sql } from 'drizzle-orm';
import { bigint, check, index, jsonb, type PgColumn, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { EventData, RecordedResource } from '../../domain/events/event-data.ts';
import { type EventType, eventTypes } from '../../domain/events/event-types.ts';
import { moment } from '../database/columns.ts';
import { type RecordedColumns, rowAsJson } from './recorded-rows.ts';

const eventColumns = () => ({
  workspaceId: uuid('workspace_id').notNull(),
  /** Null for what concerns the whole workspace: a key that is bound to wallets does not see it. */
  walletId: uuid('wallet_id'),
  type: text('type', { enum: eventTypes }).notNull(),
  createdAt: moment('created_at').notNull(),
});

/**
 * What has no place in the feed yet. It has one index, since every signature writes here, and no foreign key, since the
 * row that was changed has one.
 */
export const eventOutbox = pgTable(
  'event_outbox',
  {
    /**
     * Taken while the changed row is locked: higher than every position that was taken before, by whatever connection.
     */
    position: bigint('position', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    id: uuid('id').notNull(),
    ...eventColumns(),
    /** The row as it is after the change. */
    resource: jsonb('resource').$type<RecordedResource>(),
    /** In the place of the row: its form on the wire, from a process of before 0.2 (the view `told_events`). */
    data: jsonb('data').$type<EventData>(),
  },
  ({ resource, data }) => [check('event_outbox_one_form', sql`num_nonnulls(${resource}, ${data}) = 1`)],
);

/**
 * The feed. Rows are only added, and in each workspace the first of them removed once they are old
 * (drizzle/retention/old-events.ts).
 */
export const events = pgTable(
  'events',
  {
    id: uuid('id').primaryKey(),
    /** 1, 2, 3 … in each workspace. */
    seq: bigint('seq', { mode: 'number' }).notNull(),
    ...eventColumns(),
    data: jsonb('data').$type<EventData>().notNull(),
    /** From then on callers could read it. */
    placedAt: moment('placed_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('events_feed').on(table.workspaceId, table.seq),
    index('events_type').on(table.workspaceId, table.type, table.seq),
    index('events_wallet').on(table.walletId, table.seq),
    index('events_created').on(table.workspaceId, table.createdAt),
  ],
);

/** The number that was given last in each workspace. */
export const eventCounters = pgTable('event_counters', {
  workspaceId: uuid('workspace_id').primaryKey(),
  seq: bigint('seq', { mode: 'number' }).notNull(),
});

export type EventRow = typeof events.$inferSelect;

/** Whose the event is stands among what is recorded; without a `walletId` it concerns the whole workspace. */
type Recorded = RecordedColumns & { workspaceId: PgColumn | SQL; walletId?: PgColumn | SQL };

/** Among the columns that a statement returns: the event is written with the change, or not at all. Answers its id. */
export function recordEvent(type: EventType, recorded: Recorded): SQL<string> {
  const { workspaceId, walletId = sql`null` } = recorded;
  return sql<string>`record_resource_event(${workspaceId}, ${walletId}, ${type}, ${rowAsJson(recorded)})`;
}
