// The life of an export: each statement that makes, moves or removes one, with the event that it records.
import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import type { FailureCode } from '../../domain/failures.ts';
import { assertArrow, type ExportStatus, exportArrows } from '../../domain/statuses.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { notify } from '../database/notifications.ts';
import { arrayOf } from '../database/page.ts';
import { recordEvent } from '../events/events.ts';
import type { RecordedRow } from '../events/recorded-rows.ts';
import { type ExportRow, exports, isExportOpen } from './exports.ts';

export async function insertExport(tx: Transaction, row: typeof exports.$inferInsert): Promise<ExportRow> {
  const [inserted] = await tx.insert(exports).values(row).returning();
  if (inserted === undefined) throw new Error('an insert returned no row');
  return inserted;
}

const { id, workspaceId, content, format, status, errorCode, errorReason, reason, createdAt, updatedAt, completedAt } =
  getTableColumns(exports);

/** What its events record. How much is in it is for who may read it. */
export const recordedExport = {
  id,
  workspaceId,
  content,
  format,
  status,
  errorCode,
  errorReason,
  reason,
  createdAt,
  updatedAt,
  completedAt,
};
export type RecordedExport = RecordedRow<typeof recordedExport>;

/**
 * Begins an attempt, whose file has this id: `pending → running`, and one that was begun before stays `running`. From
 * then on an attempt of before completes nothing. Undefined when it has ended.
 */
export async function beginExport(db: Database, exportId: string, fileId: string): Promise<ExportRow | undefined> {
  const [row] = await db
    .update(exports)
    .set({ status: 'running', fileId, rowCount: 0, byteCount: 0, snapshotAt: null, updatedAt: sql`now()` })
    .where(and(eq(exports.id, exportId), isExportOpen))
    .returning();
  return row;
}

/** How far the attempt is. False, and nothing is noted, once it is no longer the last one, or the export has ended. */
export async function noteExportProgress(
  db: Database,
  exportId: string,
  { fileId, ...progress }: Pick<ExportRow, 'rowCount' | 'byteCount' | 'snapshotAt'> & { fileId: string },
): Promise<boolean> {
  const noted = await db
    .update(exports)
    .set({ ...progress, updatedAt: sql`now()` })
    .where(and(eq(exports.id, exportId), eq(exports.status, 'running'), eq(exports.fileId, fileId)))
    .returning({ id: exports.id });
  return noted.length === 1;
}

export type WrittenExport = Pick<ExportRow, 'rowCount' | 'byteCount' | 'snapshotAt' | 'sha256'> & { fileId: string };

/**
 * `running → completed`, by compare-and-set and by the last attempt alone. `publish` gives the file its name while the
 * row is locked and before the commit: of two attempts one publishes at a time, and none once the row has ended. False
 * when it had.
 */
export async function completeExport(
  db: Database,
  exportId: string,
  { fileId, ...fields }: WrittenExport,
  publish: () => Promise<void>,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await endExport(tx, exportId, { from: 'running', to: 'completed', fields, fileId }))) return false;
    await publish();
    return true;
  });
}

/** Ends one that is open. False when it had ended already. */
export async function failExport(
  db: Database,
  exportId: string,
  fields: { errorCode: FailureCode; errorReason: string },
): Promise<boolean> {
  for (const from of ['pending', 'running'] as const)
    if (await endExport(db, exportId, { from, to: 'failed', fields })) return true;
  return false;
}

const cancelled = { errorCode: 'cancelled', errorReason: 'A caller cancelled it before its file was there.' } as const;

/**
 * Ends one that is open because a caller says so. The attempt under way learns of it by its next word about how far it
 * is. The row is locked by the transaction, so that it has the status `from` still.
 */
export async function cancelExport(
  tx: Transaction,
  { id: exportId, status: from }: Pick<ExportRow, 'id' | 'status'>,
  because: string | null,
): Promise<void> {
  if (!(await endExport(tx, exportId, { from, to: 'cancelled', fields: { ...cancelled, reason: because } })))
    throw new Error('an export that was locked has moved');
}

interface End {
  from: ExportStatus;
  to: 'completed' | 'failed' | 'cancelled';
  fields: Partial<ExportRow>;
  /** Only by the attempt whose file has it. */
  fileId?: string;
}

async function endExport(db: Database | Transaction, exportId: string, end: End): Promise<boolean> {
  const { from, to, fields, fileId } = end;
  assertArrow(exportArrows, from, to);
  const moved = await db
    .update(exports)
    .set({ ...fields, status: to, updatedAt: sql`now()`, completedAt: sql`now()` })
    .where(
      and(
        eq(exports.id, exportId),
        eq(exports.status, from),
        fileId === undefined ? undefined : eq(exports.fileId, fileId),
      ),
    )
    .returning({
      id: exports.id,
      announced: notify(exports.id),
      eventId: recordEvent(`export.${to}`, recordedExport),
    });
  return moved.length === 1;
}

/** Undefined when there is no such export. */
export async function readExportStatus(db: Database, exportId: string): Promise<ExportStatus | undefined> {
  const [row] = await db.select({ status: exports.status }).from(exports).where(eq(exports.id, exportId));
  return row?.status;
}

/** Those that have ended so long ago that they are removed, with their files. */
export async function listOldExports(db: Database, keptDays: number, atMost: number): Promise<string[]> {
  const rows = await db.execute<{ id: string }>(sql`
    select ${exports.id} as id from ${exports}
    where ${exports.completedAt} < now() - ${keptDays} * interval '1 day'
    order by ${exports.completedAt} limit ${atMost}`);
  return rows.map((row) => row.id);
}

/** Called once their files are gone. */
export async function removeExports(db: Database, ids: readonly string[]): Promise<number> {
  const removed = await db.execute(
    sql`delete from ${exports} where ${exports.id} = any(${arrayOf('uuid', ids)}) returning 1`,
  );
  return removed.length;
}

/** Of these: those whose files may still be written or read, each with the one attempt whose file counts. */
export async function findKeptExports(
  db: Database,
  ids: readonly string[],
): Promise<Map<string, Pick<ExportRow, 'status' | 'fileId'>>> {
  const rows = await db
    .select({ id: exports.id, status: exports.status, fileId: exports.fileId })
    .from(exports)
    .where(sql`${exports.id} = any(${arrayOf('uuid', ids)})`);
  return new Map(rows.map(({ id: exportId, ...row }) => [exportId, row]));
}
