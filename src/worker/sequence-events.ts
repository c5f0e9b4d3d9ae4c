// Gives the events of every workspace their places in the feed, again and again. Safe in many processes: one of them is
// at it at a time.
import type { Logger } from '../../domain/logger.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { hasUnsequencedEvents, sequenceEvents, type ToEventData } from '../../drizzle/webhooks/sequence-events.ts';
import type { WorkflowStarter } from '../writes/start-workflow.ts';
import { repeat } from './repeat.ts';

/** What an event waits at most beside its own way: while others come, and the first one after a quiet time. */
const BUSY_EVERY_MS = 100;
const QUIET_EVERY_MS = 500;
const QUIET_AFTER_MS = 10_000;

export interface SequencerDependencies {
  db: Database;
  starter: WorkflowStarter;
  toEventData: ToEventData;
  log: Pick<Logger, 'warn'>;
}

/** Runs until the returned function is called, which waits for the round under way. */
export function startSequencer({ db, starter, toEventData, log }: SequencerDependencies): () => Promise<void> {
  let stopped = false;
  let latestMs = performance.now();
  const everyMs = () => (performance.now() - latestMs < QUIET_AFTER_MS ? BUSY_EVERY_MS : QUIET_EVERY_MS);
  const stop = repeat({ name: 'sequencing of events', everyMs, log }, async () => {
    let isFull = await hasUnsequencedEvents(db);
    if (isFull) latestMs = performance.now();
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
