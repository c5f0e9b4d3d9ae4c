// The feed of events: those of a workspace after a place, in order. Changes nothing.
import { asc, eq, gt } from 'drizzle-orm';
import type { EventType } from '../../domain/events/event-types.ts';
import type { Database } from '../database/connection.ts';
import { anyOf, type OneOf, selectMerged } from '../database/page.ts';
import { type EventRow, events } from './events.ts';

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
