// Writes the file of an export: as of one snapshot, with little memory, and there whole or not at all. An attempt that
// is cut off leaves parts under names of its own; the next one has a snapshot of its own and begins anew, since no
// snapshot outlives its connection.
import { setInterval as every, setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { v7 as uuidv7 } from 'uuid';
import { type ExportFileIds, exportFileName, manifestFileName } from '../../domain/exports/export-file-names.ts';
import { manifestOf } from '../../domain/exports/export-manifest.ts';
import type { FailureCode } from '../../domain/failures.ts';
import type { ExportStatus } from '../../domain/statuses.ts';
import { EXPORT_ATTEMPT_MAX_MS } from '../../domain/time-limits.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { inSnapshot, type Snapshot } from '../../drizzle/database/text-stream.ts';
import {
  beginExport,
  completeExport,
  failExport,
  noteExportProgress,
  readExportStatus,
} from '../../drizzle/exports/export-steps.ts';
import type { ExportRow } from '../../drizzle/exports/exports.ts';
import { collectAfter } from '../runtime/collect-garbage.ts';
import { withHeartbeat } from '../runtime/with-heartbeat.ts';
import { ExportFolder } from './export-folder.ts';
import { formOf, headOf, textOf } from './export-forms.ts';
import type { ExportStore } from './export-store.ts';

/** How often the row is told how far the file is, and asked whether the attempt is still wanted. */
const PROGRESS_EVERY_MS = 1_000;
/** Of text that was read. */
const COLLECTED_AFTER_BYTES = 2 * 2 ** 20;

export interface ExportDependencies {
  db: Database;
  /** Absent where there is none: then every export fails, and says so. */
  exportStore?: ExportStore | undefined;
  /** Of a test that wants to meet an export half-way. */
  exportPieceDelayMs?: number | undefined;
}

export interface WrittenExportFacts {
  rows: number;
  bytes: number;
}

export function createExportActivities({
  db,
  exportStore = new ExportFolder(''),
  exportPieceDelayMs,
}: ExportDependencies) {
  const eraseWhatIsLeft = async (exportId: string): Promise<ExportStatus | undefined> => {
    const status = await readExportStatus(db, exportId);
    if (status === 'failed' || status === 'cancelled') await exportStore.erase(exportId).catch(() => {});
    return status;
  };
  const endedBefore = async (exportId: string) =>
    (await eraseWhatIsLeft(exportId)) === 'cancelled' ? ('cancelled' as const) : null;
  return {
    /**
     * Idempotent by export: compare-and-set to `completed`, and what has ended is left alone. Not retried: that there
     * is no folder, or no room in it. Answers the status of one that had ended, or was ended meanwhile, and `null`
     * when another attempt has taken it over.
     */
    async writeExport(exportId: string): Promise<WrittenExportFacts | 'cancelled' | null> {
      const fileId = uuidv7();
      const row = await beginExport(db, exportId, fileId);
      if (row === undefined) return endedBefore(exportId);
      await exportStore.assertThere();
      // What attempts before this one have left: from now on none of them completes the row.
      await exportStore.erase(exportId);
      const attempt = { row, fileId, store: exportStore, pieceDelayMs: exportPieceDelayMs };
      return (await writeAndPublish(db, attempt, Context.current().cancellationSignal)) ?? endedBefore(exportId);
    },

    /** Idempotent by export: compare-and-set from what is open. Of one that failed no file is left. */
    async failExport(exportId: string, errorCode: FailureCode, errorReason: string): Promise<void> {
      await failExport(db, exportId, { errorCode, errorReason });
      // What cannot be erased now, the removal of old exports erases later.
      await eraseWhatIsLeft(exportId);
    },
  };
}

interface Attempt {
  row: ExportRow;
  fileId: string;
  store: ExportStore;
  pieceDelayMs: number | undefined;
}

async function writeAndPublish(
  db: Database,
  attempt: Attempt,
  signal: AbortSignal,
): Promise<WrittenExportFacts | null> {
  const { row, fileId, store } = attempt;
  const ids = { exportId: row.id, fileId };
  const [name, manifestName] = [exportFileName(ids, row.format), manifestFileName(ids)];
  const progress: Progress = { rows: 0, bytes: 0, snapshotAt: null };
  const unwanted = new AbortController();
  const watched = watchWanted(db, ids, { progress, unwanted });
  const done = await withHeartbeat(
    async () => {
      const facts = await writeRows(db, attempt, {
        name,
        progress,
        signal: AbortSignal.any([signal, unwanted.signal]),
      });
      const text = oneText(`${JSON.stringify(facts.manifest, null, 2)}\n`);
      return { ...facts, parts: [await store.writePart(manifestName, text), facts.part] };
    },
    () => ({ rows: progress.rows, bytes: progress.bytes }),
  )
    .catch(async (error: unknown) => {
      await store.eraseAttempt(ids).catch(() => {});
      if (unwanted.signal.aborted) return null;
      throw error;
    })
    .finally(watched);
  if (done === null) return null;
  const { manifest, parts } = done;
  const { rows: rowCount, bytes: byteCount, sha256 } = manifest;
  const written = { rowCount, byteCount, sha256, fileId, snapshotAt: new Date(manifest.snapshot_at) };
  // Under the lock of the row: nobody else publishes, and the file has its name before anybody reads `completed`.
  // Where it is not known whether that was committed, the file stays: the next attempt finds out.
  const publish = async () => {
    for (const part of parts) await part.publish();
  };
  if (await completeExport(db, row.id, written, publish)) return { rows: rowCount, bytes: byteCount };
  await store.eraseAttempt(ids);
  return null;
}

interface Progress {
  rows: number;
  bytes: number;
  snapshotAt: Date | null;
}

interface Watching {
  progress: Progress;
  /** Aborted once the attempt is in vain. */
  unwanted: AbortController;
}

/**
 * Tells the row how far the attempt is, until the returned function is called. The row answers whether it still waits
 * for this attempt: a caller may have cancelled the export, and another attempt may have taken it over. The database
 * being away decides nothing.
 */
function watchWanted(db: Database, { exportId, fileId }: ExportFileIds, { progress, unwanted }: Watching): () => void {
  const done = new AbortController();
  const watch = async () => {
    for await (const _ of every(PROGRESS_EVERY_MS, undefined, { signal: done.signal })) {
      const { rows: rowCount, bytes: byteCount, snapshotAt } = progress;
      const noted = noteExportProgress(db, exportId, { fileId, rowCount, byteCount, snapshotAt });
      if (!(await noted.catch(() => true))) return unwanted.abort(new Error('nobody waits for this attempt any more'));
    }
  };
  watch().catch(() => {});
  return () => done.abort();
}

interface Writing {
  name: string;
  progress: Progress;
  signal: AbortSignal;
}

function writeRows(db: Database, { row, fileId, store, pieceDelayMs }: Attempt, { name, progress, signal }: Writing) {
  return inSnapshot(db, { signal, statementTimeoutMs: EXPORT_ATTEMPT_MAX_MS }, async (snapshot) => {
    const form = formOf(row, signal);
    progress.snapshotAt = snapshot.at;
    const noteGarbage = collectAfter(COLLECTED_AFTER_BYTES, 'minor');
    const pieces = async function* () {
      yield Buffer.from(headOf(row));
      for await (const text of textOf(snapshot, row, exportedRange(row, snapshot))) {
        yield* form.take(text);
        progress.rows = form.rows;
        noteGarbage(text.length);
        if (pieceDelayMs !== undefined) await sleep(pieceDelayMs, undefined, { signal });
      }
      yield* form.end();
    };
    const onBytes = (bytes: number) => {
      progress.bytes = bytes;
    };
    try {
      const part = await store.writePart(name, pieces(), { onBytes, signal });
      const { byteCount, sha256 } = part;
      const facts = { fileId, rows: form.rows, bytes: byteCount, sha256, snapshotAt: snapshot.at };
      return { manifest: manifestOf(row, facts), part };
    } finally {
      await form.close();
    }
  });
}

function exportedRange({ workspaceId, walletIds, fromAt: from, toAt: to }: ExportRow, { at: snapshotAt }: Snapshot) {
  return { workspaceId, walletIds, from, to, snapshotAt };
}

async function* oneText(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}
