// Files of everything of a kind: made at once as an answer that streams, or written by the service and downloaded.
// Nothing here keeps a file.
import type { Body, Data, Query } from './api-types.ts';
import { OperationFailedError } from './errors.ts';
import type { ReasonOptions } from './money-client.ts';
import type { CallOptions, WriteOptions } from './service-client.ts';
import { type Pending, pending, type WaitOptions } from './until-final.ts';
import { UsersClient } from './users-client.ts';

const TRANSACTIONS = '/api/v1/workspaces/{workspace_id}/transactions/export';
const AUDIT_LOGS = '/api/v1/workspaces/{workspace_id}/audit-logs/export';
const EXPORTS = '/api/v1/workspaces/{workspace_id}/exports';
const EXPORT = `${EXPORTS}/{export_id}` as const;
const CONTENT = `${EXPORT}/content` as const;
const CANCEL = `${EXPORT}/cancel` as const;

const SCHEDULES = '/api/v1/workspaces/{workspace_id}/export-schedules';
const SCHEDULE = `${SCHEDULES}/{schedule_id}` as const;

export type NewExportSchedule = Body<'post', typeof SCHEDULES>;
export type ExportSchedule = Data<'get', typeof SCHEDULE>;
export type StartExport = Body<'post', typeof EXPORTS>;
export type Export = Data<'get', typeof EXPORT>;
/** One that is completed, with what its file is. */
export type CompletedExport = Export & { status: 'completed'; file: NonNullable<Export['file']> };

export class ExportsClient extends UsersClient {
  /**
   * The activity as one CSV file, as of one moment, piece by piece as it comes. Throws when it breaks off: then what
   * came is not the whole. `columns: 'all'` adds what it takes to reconcile.
   */
  exportTransactions({
    signal,
    ...query
  }: Query<typeof TRANSACTIONS> & CallOptions = {}): AsyncGenerator<string, void> {
    return this.textFile(TRANSACTIONS, { query, signal });
  }

  /** The audit log as one file of JSON lines, or as CSV, in the same way. */
  exportAuditLogs({ signal, ...query }: Query<typeof AUDIT_LOGS> & CallOptions = {}): AsyncGenerator<string, void> {
    return this.textFile(AUDIT_LOGS, { query, signal });
  }

  /** Has the service write a file, however long it takes. */
  startExport(body: StartExport, options: WriteOptions = {}): Pending<Export, CompletedExport> {
    return pending(this.post(EXPORTS, { body, ...options }), ({ id }, waiting) => this.waitForExport(id, waiting));
  }

  exports(query: Query<typeof EXPORTS> = {}) {
    return this.list(EXPORTS, { query });
  }

  export(exportId: string, options?: CallOptions): Promise<Export> {
    return this.get(EXPORT, { path: { export_id: exportId }, ...options });
  }

  /** Resolves once its file is there; throws OperationFailedError when it has failed or was cancelled. */
  async waitForExport(exportId: string, options?: WaitOptions): Promise<CompletedExport> {
    const path = `${EXPORTS.replace('{workspace_id}', await this.workspaceId())}/${encodeURIComponent(exportId)}`;
    const isFinal = ({ status }: Export) => ['completed', 'failed', 'cancelled'].includes(status);
    const ended = await this.until<Export>({ id: exportId, path, isFinal }, options);
    if (ended.status !== 'completed') throw new OperationFailedError(exportId, ended);
    return ended as CompletedExport;
  }

  /** Has an export made again and again, by the rights of this key. */
  createExportSchedule(body: NewExportSchedule, options: WriteOptions = {}): Promise<ExportSchedule> {
    return this.post(SCHEDULES, { body, ...options });
  }

  exportSchedules(query: Query<typeof SCHEDULES> = {}) {
    return this.list(SCHEDULES, { query });
  }

  exportSchedule(scheduleId: string, options?: CallOptions): Promise<ExportSchedule> {
    return this.get(SCHEDULE, { path: { schedule_id: scheduleId }, ...options });
  }

  pauseExportSchedule(scheduleId: string, options: WriteOptions = {}): Promise<ExportSchedule> {
    return this.post(`${SCHEDULE}/pause`, { path: { schedule_id: scheduleId }, ...options });
  }

  /** It exports by the rights of this key from then on. */
  resumeExportSchedule(scheduleId: string, options: WriteOptions = {}): Promise<ExportSchedule> {
    return this.post(`${SCHEDULE}/resume`, { path: { schedule_id: scheduleId }, ...options });
  }

  deleteExportSchedule(scheduleId: string, options: WriteOptions = {}): Promise<ExportSchedule> {
    return this.delete(SCHEDULE, { path: { schedule_id: scheduleId }, ...options });
  }

  /** As if it were due now. */
  runExportSchedule(scheduleId: string, options: WriteOptions = {}): Pending<Export, CompletedExport> {
    const asked = this.post(`${SCHEDULE}/run`, { path: { schedule_id: scheduleId }, ...options });
    return pending(asked, ({ id }, waiting) => this.waitForExport(id, waiting));
  }

  /** Ends one that is under way; nothing of its file is left. One that was cancelled before stays as it is. */
  cancelExport(exportId: string, { reason, ...options }: ReasonOptions = {}): Promise<Export> {
    const body = reason === undefined ? {} : { reason };
    return this.post(CANCEL, { path: { export_id: exportId }, body, ...options });
  }

  /** The bytes of the file of a completed one, piece by piece. Throws when it breaks off. */
  downloadExport(exportId: string, { signal }: CallOptions = {}): AsyncGenerator<Uint8Array, void> {
    return this.file(CONTENT, { path: { export_id: exportId }, signal });
  }
}
