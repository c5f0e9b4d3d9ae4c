// What is to be delivered: a row for each event and each endpoint that wants it.
import type { Transaction } from './database.ts';
import type { EventType } from './event-types.ts';
import type { OutboxEntry } from './outbox.ts';

/** An event that has just got its place in the feed. */
export interface SequencedEvent {
  id: string;
  workspaceId: string;
  type: EventType;
}

/** Makes the deliveries of these events, in their order, and wakes those who carry them out: the entries are for the starter, after the commit. */
export async function insertDeliveries(
  _tx: Transaction,
  _sequenced: readonly SequencedEvent[],
): Promise<OutboxEntry[]> {
  return [];
}
