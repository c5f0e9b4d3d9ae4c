// Gives events their places in the feed: 1, 2, 3 … in each workspace, after the commit, so that no number is missing
// and none appears behind one that was read.
//
// Why no event of a resource ever overtakes an earlier one: its position is taken while its row is locked (RETURNING is
// computed once the row is written), and the next change of that row waits for the commit; so of two events the later
// has the higher position, and whoever sees it sees the earlier one too. A round looks after it has the lock, which the
// round before let go after its own commit, and takes the lowest positions first.
import { sql } from 'drizzle-orm';
import type { EventData, RecordedResource } from '../../domain/events/event-data.ts';
import type { EventType } from '../../domain/events/event-types.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { notify } from '../database/notifications.ts';
import { preparedQuery } from '../database/prepared-query.ts';
import { eventCounters, eventOutbox, events } from '../events/events.ts';
import type { OutboxEntry } from '../writes/workflow-outbox.ts';
import { insertDeliveries, type SequencedEvent } from './webhook-deliveries.ts';

/** Any number that nobody else locks: one round at a time, whatever the number of workers. */
const SEQUENCE_LOCK = 0x73657175;
const ROUND_MAX = 1_000;
/** A worker that is frozen or cut off within its round holds up the feed for so long. */
const IDLE_MAX_MS = 5_000;

export interface SequencedEvents {
  /** In the order of the feed of each workspace. */
  sequenced: readonly (SequencedEvent & { seq: number })[];
  /** Whether there may be more at once. */
  isFull: boolean;
  /** For the starter, after the commit. */
  entries: readonly OutboxEntry[];
}

/** A recorded resource in its form on the wire. Null members are left out of the event. */
export type ToEventData = (type: EventType, resource: RecordedResource) => EventData;

const nothing: SequencedEvents = { sequenced: [], isFull: false, entries: [] };

const oneUnsequenced = preparedQuery((db) =>
  db.select({ position: eventOutbox.position }).from(eventOutbox).limit(1).prepare('find_unsequenced_event'),
);

/** Whether something waits for its place. Cheap enough to be asked all the time. */
export async function hasUnsequencedEvents(db: Database): Promise<boolean> {
  const [row] = await oneUnsequenced(db).execute();
  return row !== undefined;
}

/**
 * Places what is committed, makes its deliveries and wakes those who wait for the workspace. Does nothing while another
 * process is at it.
 */
export async function sequenceEvents(tx: Transaction, toEventData: ToEventData): Promise<SequencedEvents> {
  if (!(await takeTurn(tx))) return nothing;
  const taken = await takeFromOutbox(tx);
  if (taken.length === 0) return nothing;
  const sequenced = await place(tx, taken, toEventData);
  const entries = await insertDeliveries(tx, sequenced);
  return { sequenced, isFull: sequenced.length === ROUND_MAX, entries };
}

/** A statement of its own: what the next one sees is no older than the lock. */
async function takeTurn(tx: Transaction): Promise<boolean> {
  const [row] = await tx.execute<{ taken: boolean }>(sql`
    select set_config('idle_in_transaction_session_timeout', ${String(IDLE_MAX_MS)}, true),
      pg_try_advisory_xact_lock(${SEQUENCE_LOCK}) as taken`);
  return row?.taken ?? false;
}

interface TakenEvent extends Record<string, unknown> {
  position: string;
  id: string;
  workspace_id: string;
  wallet_id: string | null;
  type: EventType;
  created_at: string;
  resource: RecordedResource | null;
  data: EventData | null;
}

/** In no order. */
async function takeFromOutbox(tx: Transaction): Promise<TakenEvent[]> {
  return [
    ...(await tx.execute<TakenEvent>(sql`
      delete from ${eventOutbox}
      where position in (select next.position from ${eventOutbox} as next order by next.position limit ${ROUND_MAX}) returning *`)),
  ];
}

function dataOf(
  toEventData: ToEventData,
  { id, type }: Pick<TakenEvent, 'id' | 'type'>,
  resource: RecordedResource | null,
): EventData {
  try {
    return toEventData(type, resource ?? {});
  } catch (error) {
    throw new Error(`the event ${id} of the type ${type} cannot be brought into its form`, { cause: error });
  }
}

async function place(
  tx: Transaction,
  taken: readonly TakenEvent[],
  toEventData: ToEventData,
): Promise<SequencedEvents['sequenced']> {
  const placed = taken.map(({ resource, ...event }) => ({
    ...event,
    data: event.data ?? dataOf(toEventData, event, resource),
  }));
  const rows = await tx.execute<{ id: string; workspace_id: string; seq: string; type: SequencedEvent['type'] }>(sql`
    with taken as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(placed)}::jsonb) as event (
        position bigint, id uuid, workspace_id uuid, wallet_id uuid, type text, data jsonb, created_at timestamptz)
    ), counted as (
      select workspace_id, count(*) as events from taken group by workspace_id
    ), counters as (
      insert into ${eventCounters} as counter (workspace_id, seq) select workspace_id, events from counted
      on conflict (workspace_id) do update set seq = counter.seq + excluded.seq returning workspace_id, seq
    )
    insert into ${events} (id, workspace_id, seq, wallet_id, type, data, created_at)
    select taken.id, workspace_id, counters.seq - counted.events + row_number() over (partition by workspace_id order by taken.position),
      wallet_id, type, jsonb_strip_nulls(data), created_at
    from taken join counted using (workspace_id) join counters using (workspace_id)
    returning id, workspace_id, seq, type, ${notify(events.workspaceId)}`);
  return [...rows]
    .map(({ id, workspace_id: workspaceId, seq, type }) => ({ id, workspaceId, seq: Number(seq), type }))
    .sort((one, other) => one.seq - other.seq);
}
