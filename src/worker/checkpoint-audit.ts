// The schedule by which the audit chains are held against their checkpoints at the MPC nodes, each minute. One for all
// workers of a task queue; it goes on without them.
import { type Client, ScheduleAlreadyRunning, type ScheduleOptions, ScheduleOverlapPolicy } from '@temporalio/client';
import type { Logger } from '../../domain/logger.ts';
import { workflowIdOf } from '../../domain/workflow-ids.ts';
import type { CheckpointAuditInput } from '../../workflows/checkpoint-audit.ts';
import { repeat } from './repeat.ts';

const AGAIN_MS = 5_000;
const EVERY = '1 minute';

export interface SchedulingDependencies {
  client: Client;
  taskQueue: string;
  log: Pick<Logger, 'info' | 'warn'>;
}

/** Two deployments may share a namespace, never a task queue. */
export const checkpointScheduleIdOf = (taskQueue: string) => workflowIdOf('checkpointAudit', taskQueue);

/**
 * Tries until Temporal has confirmed it, or until the returned function is called. Safe to repeat, also by several
 * workers at once.
 */
export function startCheckpointAudit({ client, taskQueue, log }: SchedulingDependencies): () => Promise<void> {
  return repeat({ name: 'scheduling the audit of checkpoints', everyMs: AGAIN_MS, log }, async () => {
    await schedule(client, taskQueue);
    log.info({ every: EVERY }, 'the audit of checkpoints is scheduled');
    return 'done';
  });
}

/** One that exists gets what this version says; whether an operator has paused it stays. */
async function schedule(client: Client, taskQueue: string): Promise<void> {
  const scheduleId = checkpointScheduleIdOf(taskQueue);
  const input: CheckpointAuditInput = {};
  const said: Omit<ScheduleOptions, 'scheduleId'> = {
    spec: { intervals: [{ every: EVERY }] },
    action: {
      type: 'startWorkflow',
      workflowType: 'checkpointAudit',
      workflowId: scheduleId,
      taskQueue,
      args: [input],
      staticSummary: 'Hold the audit chains against their checkpoints',
    },
    // A run that was missed says nothing that the next one does not.
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: EVERY },
  };
  try {
    await client.schedule.create({ scheduleId, ...said });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    await client.schedule.getHandle(scheduleId).update(({ state }) => ({ ...said, state }));
  }
}
