// Makes the export that a schedule is due for. Believes nothing of what it is given but which row is meant: the row
// says whether it is due, the key of the row must still be allowed to read what is exported, and each moment makes one
// export at most. Whoever reaches Temporal's port gets no export that the schedule would not have made.
import { v7 as uuidv7 } from 'uuid';
import { findExportRefusal } from '../../domain/exports/export-contents.ts';
import { isDue, scheduledRange } from '../../domain/exports/schedule-times.ts';
import type { Scope } from '../../domain/scopes.ts';
import { SCHEDULE_CATCH_UP_MS } from '../../domain/time-limits.ts';
import { workflowIdOf } from '../../domain/workflow-ids.ts';
import { findKeyOfUser } from '../../drizzle/api-keys/api-key-queries.ts';
import { sealedApiKeys } from '../../drizzle/api-keys/api-keys.ts';
import { insertAuditEntry, toKeptText } from '../../drizzle/audit/audit-entries.ts';
import type { Database, Transaction } from '../../drizzle/database/connection.ts';
import {
  changeExportSchedule,
  type ExportScheduleRow,
  lockExportSchedule,
  noteScheduledFor,
} from '../../drizzle/exports/export-schedules.ts';
import { insertExport } from '../../drizzle/exports/export-steps.ts';
import { isScheduleUnderWay } from '../../drizzle/exports/exports.ts';
import { areSetBack } from '../../drizzle/sealed-rows/rolled-back-rows.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import { sealedUsers } from '../../drizzle/users/users.ts';
import { insertOutboxEntry } from '../../drizzle/writes/workflow-outbox.ts';

export interface ScheduledExport {
  scheduleId: string;
  workspaceId: string;
  /** RFC 3339. */
  due: string;
}

export interface Outcome {
  status: 'started' | 'left_out' | 'refused';
  reason: string;
}

/** Clocks of Temporal and of the database differ by no more. */
const AHEAD_MAX_MS = 60_000;

export function createExportScheduleActivities({ db, seals }: { db: Database; seals: Seals }) {
  return {
    /** Idempotent by schedule and moment: a schedule goes forward only. */
    async startScheduledExport({ scheduleId, workspaceId, due: text }: ScheduledExport): Promise<Outcome> {
      const due = new Date(text);
      return db.transaction(async (tx): Promise<Outcome> => {
        const row = await lockExportSchedule(tx, workspaceId, scheduleId);
        const fault = findFault(row, due);
        if (row === undefined || fault !== undefined) return { status: 'refused', reason: fault ?? GONE };
        if (!(await isStillAllowed(tx, seals, row))) {
          await pauseRefused(tx, row);
          return { status: 'refused', reason: 'The key of the schedule may not read this any more: it is paused.' };
        }
        await noteScheduledFor(tx, scheduleId, due);
        if (await isScheduleUnderWay(tx, scheduleId))
          return { status: 'left_out', reason: 'The export before it is under way still.' };
        const exportId = await makeExport(tx, row, due);
        return { status: 'started', reason: `Export ${exportId} was asked for.` };
      });
    },
  };
}

const GONE = 'There is no such schedule.';

/** Why no export is made for this moment. */
function findFault(row: ExportScheduleRow | undefined, due: Date): string | undefined {
  if (row === undefined) return GONE;
  if (row.status !== 'active') return `The schedule is ${row.status}.`;
  if (!Number.isFinite(due.getTime()) || !isDue(row.cron, row.timeZone, due))
    return 'The schedule is not due at this moment.';
  const ageMs = Date.now() - due.getTime();
  if (ageMs < -AHEAD_MAX_MS || ageMs > SCHEDULE_CATCH_UP_MS) return 'It is not the time for this any more, or not yet.';
  if (due < row.activeSince) return 'It was due before the schedule was made or resumed.';
  if (row.lastScheduledFor !== null && due <= row.lastScheduledFor) return 'What was due then is done.';
  return undefined;
}

/** As of a request that the key would sign now. */
async function isStillAllowed(tx: Transaction, seals: Seals, row: ExportScheduleRow): Promise<boolean> {
  const found = await findKeyOfUser(tx, row.workspaceId, row.requestedBy);
  if (found === undefined) return false;
  const { key, user } = found;
  if (!sealedApiKeys.counts(seals, key) || !sealedUsers.counts(seals, user)) return false;
  const rows = [
    { kind: 'api_key', id: key.id },
    { kind: 'user', id: user.id },
  ] as const;
  if (await areSetBack(tx, seals, row.workspaceId, rows)) return false;
  const isUsable = key.revokedAt === null && (key.expiresAt === null || key.expiresAt.getTime() > Date.now());
  if (!isUsable || user.status !== 'active' || user.workspaceId !== row.workspaceId) return false;
  return findExportRefusal({ scopes: key.scopes as Scope[], walletIds: key.walletIds }, row) === undefined;
}

/** Until somebody resumes it whose key may read what it exports. */
async function pauseRefused(tx: Transaction, row: ExportScheduleRow): Promise<void> {
  await changeExportSchedule(tx, row.id, { status: 'paused', pausedReason: 'key_refused' });
  const entry = { action: 'pause export schedule', resourceId: row.id, code: 'key_refused' };
  await insertAuditEntry(tx, { ...entry, ...bySystem(row) });
}

async function makeExport(tx: Transaction, row: ExportScheduleRow, due: Date): Promise<string> {
  const { workspaceId, content, format, walletIds, requestedBy } = row;
  const id = uuidv7();
  const workflowId = workflowIdOf('writeExport', id);
  const asked = { content, format, walletIds, requestedBy, ...scheduledRange(row, due) };
  await insertExport(tx, { id, workflowId, workspaceId, scheduleId: row.id, scheduledFor: due, ...asked });
  await insertOutboxEntry(tx, { workflow: 'writeExport', workflowId, input: { exportId: id, workspaceId } });
  const after = toKeptText({ schedule_id: row.id, scheduled_for: due.toISOString(), content, format });
  await insertAuditEntry(tx, { action: 'start scheduled export', resourceId: id, after, ...bySystem(row) });
  return id;
}

/** By whose rights, beside by whom. */
const bySystem = ({ workspaceId, requestedBy }: ExportScheduleRow) =>
  ({ workspaceId, actor: 'system', actorId: requestedBy, outcome: 'accepted' }) as const;
