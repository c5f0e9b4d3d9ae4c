// Events: what callers hear of. A row is written by the very statement that makes the change (`tell`), and gets its place in the feed of its workspace afterwards
// (drizzle/webhooks/sequence-events.ts): numbers that are given after the commit have no gap and no latecomer. Imports no other table, so that each of them can tell.
import { type AnyColumn, type SQL, sql } from 'drizzle-orm';
import { bigint, index, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { type EventType, eventTypes } from '../../domain/events/event-types.ts';
import { moment } from '../database/columns.ts';

const told = {
  workspaceId: uuid('workspace_id').notNull(),
  /** Null for what concerns the whole workspace: a key that is bound to wallets does not see it. */
  walletId: uuid('wallet_id'),
  type: text('type', { enum: eventTypes }).notNull(),
  data: jsonb('data').$type<Readonly<Record<string, unknown>>>().notNull(),
  createdAt: moment('created_at').notNull(),
};

/** What has no place in the feed yet. One index, since every signature writes here; no foreign key, since the row that it tells of has one. */
export const eventOutbox = pgTable('told_events', {
  /** In the order of telling: each is higher than all that were taken before, by whatever connection. */
  position: bigint('position', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  id: uuid('id').notNull(),
  ...told,
});

/** The feed. Rows are only added. */
export const events = pgTable(
  'events',
  {
    id: uuid('id').primaryKey(),
    /** 1, 2, 3 … in each workspace. */
    seq: bigint('seq', { mode: 'number' }).notNull(),
    ...told,
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

export interface Told {
  type: EventType | SQL<EventType>;
  workspaceId: AnyColumn | SQL;
  walletId?: AnyColumn | SQL;
  /** By its name on the wire. What a column holds after the change. Amounts and moments in their form on the wire: `decimalText`, `momentText`. */
  data: Readonly<Record<string, AnyColumn | SQL>>;
}

/** Among the columns that a statement returns: the event is written with the change, or not at all. Answers its id. */
export function recordEvent({ type, workspaceId, walletId, data }: Told): SQL<string> {
  const members = Object.entries(data).map(([name, value]) => sql`${sql.raw(`'${name}'`)}, ${value}`);
  return sql<string>`record_event(${workspaceId}, ${walletId ?? sql`null`}, ${type}, jsonb_build_object(${sql.join(members, sql`, `)}))`;
}

/** As `moment` columns are shown. */
export const momentText = (column: AnyColumn | SQL): SQL =>
  sql`to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Base units as the decimal text of the asset's unit, exactly. */
export const decimalText = (baseUnits: AnyColumn | SQL, decimals: AnyColumn | SQL): SQL =>
  sql`decimal_text(${baseUnits}, ${decimals})`;
