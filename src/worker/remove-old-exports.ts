// Removes exports that have ended long enough ago, each with its file, and what attempts that were cut off have left in
// the folder or the bucket. Safe to run in many processes, and without either: then only rows go.
import type { Logger } from '../../domain/logger.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { findKeptExports, listOldExports, removeExports } from '../../drizzle/exports/export-steps.ts';
import { repeat } from './repeat.ts';

const EVERY_MS = 60_000;
const BATCH_MAX = 100;
/** A file that nobody has written to for so long is being written by nobody. */
const LEFT_AFTER_MS = 60 * 60_000;

/** The folder or the bucket, as the worker has it (activities/exports). */
export interface RemovableFiles {
  erase(exportId: string): Promise<void>;
  files(): Promise<{ exportId: string; fileId: string; isPart: boolean; name: string; changedAt: Date }[]>;
  remove(name: string): Promise<void>;
}

export interface ExportRemovalDependencies {
  db: Database;
  store: RemovableFiles;
  keptDays: number;
  log: Pick<Logger, 'info' | 'warn'>;
  /** The pause after each round. */
  everyMs?: number;
  leftAfterMs?: number;
}

/** Runs until the returned function is called, which waits for the round under way. */
export function startRemovingOldExports(dependencies: ExportRemovalDependencies): () => Promise<void> {
  const { log, everyMs = EVERY_MS } = dependencies;
  return repeat({ name: 'the removal of old exports', everyMs, log }, () => removeOldExports(dependencies));
}

export async function removeOldExports(dependencies: ExportRemovalDependencies): Promise<void> {
  const { db, store, keptDays, log } = dependencies;
  const old = await listOldExports(db, keptDays, BATCH_MAX);
  // The files first: a row whose file is left would be found again, a file without a row is only found by its name.
  for (const exportId of old) await store.erase(exportId);
  const removed = await removeExports(db, old);
  if (removed > 0) log.info({ removed }, 'old exports removed');
  await removeLeftFiles(dependencies);
}

async function removeLeftFiles({
  db,
  store,
  log,
  leftAfterMs = LEFT_AFTER_MS,
}: ExportRemovalDependencies): Promise<void> {
  const left = (await store.files()).filter(({ changedAt }) => changedAt.getTime() < Date.now() - leftAfterMs);
  const kept = await findKeptExports(db, [...new Set(left.map(({ exportId }) => exportId))]);
  for (const { exportId, fileId, isPart, name } of left) {
    const row = kept.get(exportId);
    const isItsFile = row?.fileId === fileId;
    // That of an attempt under way is being written; that of a completed export is there under its name.
    if (isItsFile && (row?.status === 'running' || (row?.status === 'completed' && !isPart))) continue;
    await store.remove(name);
    log.info({ exportId }, 'a file that an attempt had left was removed');
  }
}
