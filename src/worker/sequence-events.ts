// Gives the events of every workspace their places in the feed, again and again. Safe in many processes: one of them is
// at it at a time.
import type { Logger } from '../../domain/logger.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { hasUnsequencedEvents, sequenceEvents, type ToEventData } from '../../drizzle/webhooks/sequence-events.ts';
import type { WorkflowStarter } from '../writes/start-workflow.ts';
import { repeat } from './repeat.ts';

/** What an event waits at most while little happens, beside its own way. */
const EVERY_MS = 100;

export interface SequencerDependencies {
  db: Database;
  starter: WorkflowStarter;
  toEventData: ToEventData;
  log: Pick<Logger, 'warn'>;
}

/** Runs until the returned function is called, which waits for the round under way. */
export function startSequencer({ db, starter, toEventData, log }: SequencerDependencies): () => Promise<void> {
  let stopped = false;
  const stop = repeat({ name: 'sequencing of events', everyMs: EVERY_MS, log }, async () => {
    let isFull = await hasUnsequencedEvents(db);
    while (isFull && !stopped) {
      const round = await db.transaction((tx) => sequenceEvents(tx, toEventData));
      for (const entry of round.entries) starter.enqueue(entry);
      isFull = round.isFull;
    }
  });
  return () => {
    stopped = true;
    return stop();
  };
}
