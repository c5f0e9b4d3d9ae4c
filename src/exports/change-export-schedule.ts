// What a caller does with schedules of exports: make one, pause, resume and delete it, and have an export of it made
// now. All of it is a change of rows: a worker makes the schedule in Temporal what its row says.
import type { FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { isOfAMoment } from '../../domain/exports/export-contents.ts';
import { findCronFault, isTimeZone, scheduledRange } from '../../domain/exports/schedule-times.ts';
import { workflowIdOf } from '../../domain/workflow-ids.ts';
import type { Transaction } from '../../drizzle/database/connection.ts';
import {
  changeExportSchedule,
  countExportSchedules,
  type ExportScheduleRow,
  findExportSchedule,
  insertExportSchedule,
  lockExportSchedule,
} from '../../drizzle/exports/export-schedules.ts';
import { insertExport } from '../../drizzle/exports/export-steps.ts';
import { lockQuota } from '../../drizzle/operations/quotas.ts';
import type { UsableKey } from '../authentication/key-ring.ts';
import { ApiError, notFound } from '../http/errors.ts';
import { acceptWrite, type WriteDependencies } from '../writes/accept-write.ts';
import type { WorkspaceQuotas } from '../writes/workspace-quotas.ts';
import { toExportSchedule } from './export-schedules.response.ts';
import type { CreateSchedule } from './export-schedules.schema.ts';
import { toExport } from './exports.response.ts';
import { assertMayReadExport } from './may-read-export.ts';
import { requireFiles, type StoredFiles } from './stored-files.ts';

const SCHEDULES_MAX = 20;

export async function createExportSchedule(
  dependencies: WriteDependencies,
  request: FastifyRequest,
  { content, format, cron, window, ...body }: CreateSchedule,
): Promise<ReturnType<typeof toExportSchedule>> {
  const { key } = request.caller;
  const walletIds =
    body.wallet_ids?.map((id) => id.toLowerCase()) ?? (key.walletIds.length > 0 ? [...key.walletIds] : null);
  assertMayReadExport(key, { content, walletIds });
  const fault = findCronFault(cron);
  if (fault !== undefined) throw new ApiError('invalid_request', fault);
  if (!isTimeZone(body.time_zone))
    throw new ApiError('invalid_request', 'time_zone is no name of a time zone, such as Europe/Zurich.');
  if (isOfAMoment(content) && window !== undefined)
    throw new ApiError('invalid_request', `An export of ${content} is of one moment: send no window.`);
  const { workspaceId } = key;
  const id = uuidv7();
  const { result } = await acceptWrite(dependencies, request, {
    id,
    target: '',
    make: async (tx) => {
      await lockQuota(tx, workspaceId, 'export schedules');
      if ((await countExportSchedules(tx, workspaceId)) >= SCHEDULES_MAX)
        throw new ApiError(
          'invalid_state',
          `This workspace has ${SCHEDULES_MAX} schedules of exports, and may have no more.`,
        );
      const asked = { content, format, walletIds, cron, timeZone: body.time_zone, timeWindow: window ?? null };
      return toExportSchedule(await insertExportSchedule(tx, { id, workspaceId, requestedBy: key.id, ...asked }));
    },
  });
  return result;
}

/** The row that was looked up, once it is there and the key may read what it exports. */
export function requireSchedule(key: UsableKey, row: ExportScheduleRow | undefined): ExportScheduleRow {
  if (row === undefined) throw notFound('export schedule');
  assertMayReadExport(key, row);
  return row;
}

export type ScheduleChange = 'pause' | 'resume' | 'delete';

export async function changeSchedule(
  dependencies: WriteDependencies,
  request: FastifyRequest,
  { id, change }: { id: string; change: ScheduleChange },
): Promise<ReturnType<typeof toExportSchedule>> {
  const { key } = request.caller;
  const { result } = await acceptWrite(dependencies, request, {
    id,
    target: id,
    admit: (tx) => find(tx, key, id),
    make: async (tx, _start, note) => {
      const row = requireSchedule(key, await lockExportSchedule(tx, key.workspaceId, id));
      note({ before: toExportSchedule(row) });
      return toExportSchedule(await changeExportSchedule(tx, id, fieldsOf(change, key)));
    },
  });
  return result;
}

/** Who resumes it answers for it from then on. */
function fieldsOf(change: ScheduleChange, key: UsableKey): Partial<ExportScheduleRow> {
  if (change === 'delete') return { status: 'deleted' };
  if (change === 'pause') return { status: 'paused', pausedReason: 'asked_for' };
  return { status: 'active', pausedReason: null, requestedBy: key.id, activeSince: new Date() };
}

/** As if it were due now, also while it is paused; by the rights of who asks. */
export async function runSchedule(
  dependencies: WriteDependencies & { quotas: WorkspaceQuotas; files: StoredFiles | undefined },
  request: FastifyRequest,
  scheduleId: string,
): Promise<ReturnType<typeof toExport>> {
  const { key } = request.caller;
  const { workspaceId } = key;
  const id = uuidv7();
  const { result } = await acceptWrite(dependencies, request, {
    id,
    target: scheduleId,
    admit: (tx) => find(tx, key, scheduleId),
    make: async (tx, start) => {
      const row = await find(tx, key, scheduleId);
      requireFiles(dependencies.files);
      await dependencies.quotas.admitExport(tx, workspaceId);
      const { content, format, walletIds } = row;
      const workflowId = workflowIdOf('writeExport', id);
      start({ workflow: 'writeExport', workflowId, input: { exportId: id, workspaceId } });
      const asked = { content, format, walletIds, scheduleId, ...scheduledRange(row, new Date()) };
      return toExport(await insertExport(tx, { id, workflowId, workspaceId, requestedBy: key.id, ...asked }));
    },
  });
  return result;
}

const find = async (tx: Transaction, key: UsableKey, id: string): Promise<ExportScheduleRow> =>
  requireSchedule(key, await findExportSchedule(tx, key.workspaceId, id));
