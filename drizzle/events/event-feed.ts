// The feed of events: those of a workspace after a place, in order, and where it begins. Changes nothing.
import { asc, eq, gt, sql } from 'drizzle-orm';
import type { EventType } from '../../domain/events/event-types.ts';
import type { Database } from '../database/connection.ts';
import { anyOf, type OneOf, selectMerged } from '../database/page.ts';
import { type EventRow, eventCounters, events } from './events.ts';

export interface FeedFilter {
  workspaceId: string;
  /** Only later ones. */
  afterSeq: number;
  /** Absent for all, and then also for what concerns the whole workspace. */
  walletIds: readonly string[] | undefined;
  types: readonly EventType[] | undefined;
}

/** One row more than the page asks for, when there is one. */
export async function listEvents(
  db: Database,
  { workspaceId, afterSeq, walletIds, types }: FeedFilter,
  limit: number,
): Promise<EventRow[]> {
  const matching = [eq(events.workspaceId, workspaceId), gt(events.seq, afterSeq)];
  const ofTypes: OneOf[] = types === undefined ? [] : [[events.type, types]];
  const order = [asc(events.seq)];
  if (walletIds === undefined) return selectMerged(db, events, { matching, parts: ofTypes, order, limit: limit + 1 });
  const withTypes = ofTypes.map(([column, values]) => anyOf(column, values));
  return selectMerged(db, events, {
    matching: [...matching, ...withTypes],
    parts: [[events.walletId, walletIds]],
    order,
    limit: limit + 1,
  });
}

/**
 * The place of the last event that is no longer kept; 0 while all are. It only grows: an event that is missing in what
 * was read before this was asked lies at or before it.
 */
export async function lastRemovedSeq(db: Database, workspaceId: string): Promise<number> {
  const oldest = sql`(select seq from ${events} where workspace_id = ${workspaceId} order by seq limit 1)`;
  const [row] = await db.execute<{ seq: string }>(sql`
    select coalesce(${oldest} - 1, seq) as seq from ${eventCounters} where workspace_id = ${workspaceId}`);
  return Number(row?.seq ?? 0);
}
