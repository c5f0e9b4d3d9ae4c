// Makes the schedules of exports in Temporal what their rows say: each change within seconds, and all of them again and
// again, so that what was lost between row and Temporal comes, and what somebody changed there goes. Safe to run in
// many processes.
import {
  type Client,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import type { Logger } from '../../domain/logger.ts';
import { SCHEDULE_CATCH_UP_MS } from '../../domain/time-limits.ts';
import { workflowIdOf } from '../../domain/workflow-ids.ts';
import type { RunExportScheduleInput } from '../../domain/workflow-inputs.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import {
  type ExportScheduleRow,
  listSchedulesToApply,
  noteApplied,
  removeDeletedSchedule,
} from '../../drizzle/exports/export-schedules.ts';
import { repeat } from './repeat.ts';

const EVERY_MS = 2_000;
/** How long a change that somebody made in Temporal stays at most. */
const AGAIN_AFTER_MS = 10 * 60_000;
const BATCH_MAX = 50;

export interface ApplyingDependencies {
  db: Database;
  client: Client;
  taskQueue: string;
  log: Pick<Logger, 'warn'>;
  againAfterMs?: number;
}

/** Two deployments may share a namespace, never a task queue. */
export const exportScheduleIdOf = (taskQueue: string, id: string) =>
  workflowIdOf('exportSchedule', `${taskQueue}-${id}`);

export function startApplyingExportSchedules(dependencies: ApplyingDependencies): () => Promise<void> {
  const { log } = dependencies;
  return repeat({ name: 'applying schedules of exports', everyMs: EVERY_MS, log }, () =>
    applyExportSchedules(dependencies),
  );
}

/** One that cannot be applied keeps no other from it: throws at the end why. */
export async function applyExportSchedules(dependencies: ApplyingDependencies): Promise<void> {
  const { db, againAfterMs = AGAIN_AFTER_MS } = dependencies;
  const failures: unknown[] = [];
  for (const row of await listSchedulesToApply(db, againAfterMs, BATCH_MAX))
    await applyOne(dependencies, row).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

async function applyOne({ db, client, taskQueue }: ApplyingDependencies, row: ExportScheduleRow): Promise<void> {
  const scheduleId = exportScheduleIdOf(taskQueue, row.id);
  if (row.status === 'deleted') {
    await client.schedule
      .getHandle(scheduleId)
      .delete()
      .catch((error: unknown) => {
        if (!(error instanceof ScheduleNotFoundError)) throw error;
      });
    return removeDeletedSchedule(db, row.id);
  }
  const said = optionsOf(row, taskQueue);
  const state = { paused: row.status === 'paused' };
  try {
    await client.schedule.create({ scheduleId, ...said, state });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    await client.schedule.getHandle(scheduleId).update(() => ({ ...said, state }));
  }
  await noteApplied(db, row);
}

function optionsOf({ id, workspaceId, cron, timeZone }: ExportScheduleRow, taskQueue: string) {
  const input: RunExportScheduleInput = { scheduleId: id, workspaceId };
  return {
    spec: { cronExpressions: [cron], timezone: timeZone },
    action: {
      type: 'startWorkflow',
      workflowType: 'runExportSchedule',
      workflowId: workflowIdOf('runExportSchedule', id),
      taskQueue,
      args: [input],
      staticSummary: `Ask for what the export schedule ${id} is due for`,
    },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: SCHEDULE_CATCH_UP_MS },
  } satisfies Omit<ScheduleOptions, 'scheduleId'>;
}
