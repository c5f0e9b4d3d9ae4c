// From a row to what the wire shows of it.
import { fileOf } from '../../domain/exports/export-manifest.ts';
import type { RecordedExport } from '../../drizzle/exports/export-steps.ts';
import type { ExportRow } from '../../drizzle/exports/exports.ts';
import { present } from '../http/envelope.ts';

/** What its record and events say of it. */
const fieldsOf = (row: RecordedExport) => ({
  id: row.id,
  content: row.content,
  format: row.format,
  status: row.status,
  ...present('error_code', row.errorCode),
  ...present('error_reason', row.errorReason),
  ...present('reason', row.reason),
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
  ...present('completed_at', row.completedAt?.toISOString() ?? null),
});

export const toExportEventData = (row: RecordedExport) => ({ ...fieldsOf(row), workspace_id: row.workspaceId });

export const toExport = (row: ExportRow) => ({
  ...fieldsOf(row),
  ...present('from', row.fromAt?.toISOString() ?? null),
  ...present('to', row.toAt?.toISOString() ?? null),
  ...present('wallet_ids', row.walletIds),
  ...present('schedule_id', row.scheduleId),
  ...present('scheduled_for', row.scheduledFor?.toISOString() ?? null),
  requested_by: row.requestedBy,
  rows_written: row.rowCount,
  bytes_written: row.byteCount,
  ...present('file', toFile(row)),
});

function toFile(row: ExportRow) {
  const { status, fileId, sha256, snapshotAt, rowCount: rows, byteCount: bytes } = row;
  if (status !== 'completed' || fileId === null || sha256 === null || snapshotAt === null) return null;
  return fileOf(row, { fileId, rows, bytes, sha256, snapshotAt });
}
