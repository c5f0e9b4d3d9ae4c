// Removes rows that are kept for a time only, a batch after the other, so that no table grows for ever that need not.
// Safe to run in many processes.
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../../domain/logger.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { type KeptDays, type LimitedTable, limitedTables, removeOldRows } from '../../drizzle/retention/old-rows.ts';
import { repeat } from './repeat.ts';

const EVERY_MS = 60_000;
/** Between batches others have their turn. */
const BATCH_PAUSE_MS = 20;

export interface RemovalDependencies {
  db: Database;
  kept: KeptDays;
  /** Hears of each batch. */
  onRemoved: (table: LimitedTable, rows: number) => void;
  log: Pick<Logger, 'info' | 'warn'>;
  /** The pause after each round. */
  everyMs?: number;
}

/** Runs until the returned function is called, which waits for the batch under way. */
export function startRemovingOldRows(dependencies: RemovalDependencies): () => Promise<void> {
  const stop = new AbortController();
  const { log, everyMs = EVERY_MS } = dependencies;
  const end = repeat({ name: 'the removal of old rows', everyMs, log }, async () => {
    // One table that fails holds up no other.
    for (const table of limitedTables)
      await removeFrom(dependencies, table, stop.signal).catch((error: unknown) =>
        log.warn({ err: error, table }, 'old rows could not be removed, trying again'),
      );
  });
  return () => {
    stop.abort();
    return end();
  };
}

async function removeFrom(
  { db, kept, onRemoved, log }: RemovalDependencies,
  table: LimitedTable,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return;
  let removed = 0;
  try {
    for await (const rows of removeOldRows(db, kept)[table]) {
      removed += rows;
      onRemoved(table, rows);
      if (signal.aborted) return;
      await pause(BATCH_PAUSE_MS);
    }
  } finally {
    if (removed > 0) log.info({ table, removed }, 'old rows removed');
  }
}
