// Exports: what was asked to be written into a file, how far that is, and what came of it. The file itself is in a
// folder (activities/exports/), under a name that is made of ids alone.
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { type AnyPgColumn, bigint, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { type ExportContent, exportContents, exportFormats } from '../../domain/exports/export-contents.ts';
import type { FailureCode } from '../../domain/failures.ts';
import { type ExportStatus, exportStatuses, openExportStatuses } from '../../domain/statuses.ts';
import { moment } from '../database/columns.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { anyOf, arrayOf, type Page, selectPage } from '../database/page.ts';
import { statusIn } from '../database/status-list.ts';
import { workspaces } from '../workspaces/workspaces.ts';

const isOpen = ({ status }: { status: AnyPgColumn }) => statusIn(status, openExportStatuses);

export const exports = pgTable(
  'exports',
  {
    id: uuid('id').primaryKey(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    content: text('content', { enum: exportContents }).notNull(),
    format: text('format', { enum: exportFormats }).notNull(),
    /** Only of these wallets; null for the whole workspace. */
    walletIds: uuid('wallet_ids').array(),
    /** Created at this moment or later. */
    fromAt: moment('from_at'),
    /** Created before this moment; of balances, how they were right before it. Null for the moment of the snapshot. */
    toAt: moment('to_at'),
    /** The schedule that asked, and the moment at which it was due; null of what a caller asked for. */
    scheduleId: uuid('schedule_id'),
    scheduledFor: moment('scheduled_for'),
    /** The API key that asked, or by whose rights the schedule exports. */
    requestedBy: uuid('requested_by').notNull(),
    status: text('status', { enum: exportStatuses }).notNull().default('pending'),
    /** Of the attempt that writes now, and of the whole file once it is `completed`. */
    rowCount: bigint('row_count', { mode: 'number' }).notNull().default(0),
    byteCount: bigint('byte_count', { mode: 'number' }).notNull().default(0),
    /** Of the whole file, hex. */
    sha256: text('sha256'),
    /** As of when its rows are. An attempt that begins anew has a snapshot of its own. */
    snapshotAt: moment('snapshot_at'),
    /** Of the attempt that wrote the file. It says of which file of this export the row tells, never where one is. */
    fileId: uuid('file_id'),
    errorCode: text('error_code').$type<FailureCode>(),
    errorReason: text('error_reason'),
    /** Why it was cancelled, in the words of who did. */
    reason: text('reason'),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
    completedAt: moment('completed_at'),
    /** The id of its workflow (domain/workflow-ids.ts). */
    workflowId: text('workflow_id').notNull(),
  },
  (table) => [
    index('exports_workspace_created').on(table.workspaceId, table.createdAt, table.id),
    index('exports_workspace_updated').on(table.workspaceId, table.updatedAt, table.id),
    index('exports_ended').on(table.completedAt),
    index('exports_open').on(table.id).where(isOpen(table)),
  ],
);

/** Not final, in the words of its partial index. */
export const isExportOpen = isOpen(exports);

export type ExportRow = typeof exports.$inferSelect;

export async function findExport(
  db: Database | Transaction,
  workspaceId: string,
  id: string,
): Promise<ExportRow | undefined> {
  const [row] = await db
    .select()
    .from(exports)
    .where(and(eq(exports.id, id), eq(exports.workspaceId, workspaceId)));
  return row;
}

/** The same, and nobody moves it until the transaction ends. */
export async function lockExport(tx: Transaction, workspaceId: string, id: string): Promise<ExportRow | undefined> {
  const [row] = await tx
    .select()
    .from(exports)
    .where(and(eq(exports.id, id), eq(exports.workspaceId, workspaceId)))
    .for('update');
  return row;
}

/** Whether one of the schedule is under way: at most a few are open in all. */
export async function isScheduleUnderWay(tx: Transaction, scheduleId: string): Promise<boolean> {
  const [row] = await tx
    .select({ id: exports.id })
    .from(exports)
    .where(and(isExportOpen, eq(exports.scheduleId, scheduleId)))
    .limit(1);
  return row !== undefined;
}

export interface ExportFilter {
  workspaceId: string;
  contents: readonly ExportContent[];
  statuses?: readonly ExportStatus[] | undefined;
  /** Only what these schedules asked for. */
  scheduleIds?: readonly string[] | undefined;
  /** Only those whose wallets are all among these; absent for all. */
  withinWallets?: readonly string[] | undefined;
}

/** One row more than the page asks for, when there is one. */
export async function listExports(
  db: Database,
  { workspaceId, contents, statuses, scheduleIds, withinWallets }: ExportFilter,
  page: Page,
): Promise<ExportRow[]> {
  const where: SQL[] = [
    eq(exports.workspaceId, workspaceId),
    sql`${exports.content} = any(${arrayOf('text', contents)})`,
    ...(statuses === undefined ? [] : [anyOf(exports.status, statuses)]),
    ...(scheduleIds === undefined ? [] : [anyOf(exports.scheduleId, scheduleIds)]),
    ...(withinWallets === undefined ? [] : [sql`${exports.walletIds} <@ ${arrayOf('uuid', withinWallets)}`]),
  ];
  return selectPage(db, exports, { where, page });
}
