// What Temporal says about our task queue: what waits in it, and who asks for it.
import type { Client } from '@temporalio/client';
import type { TaskQueueReport } from './status.schema.ts';

/** temporal.api.enums.v1.TaskQueueType */
const WORKFLOW = 1;
const ACTIVITY = 2;
/** A poll waits for a minute at most; Temporal remembers pollers for longer. */
const POLLED_WITHIN_MS = 90_000;

interface TaskQueueDescription {
  report: TaskQueueReport;
  /** By process. */
  identities: string[];
}

export async function describeTaskQueue(
  client: Client,
  taskQueue: string,
): Promise<{ workflow: TaskQueueReport; activity: TaskQueueReport; workers: number }> {
  const [workflow, activity] = await Promise.all([
    describe(client, taskQueue, WORKFLOW),
    describe(client, taskQueue, ACTIVITY),
  ]);
  const workers = new Set([...workflow.identities, ...activity.identities]).size;
  return { workflow: workflow.report, activity: activity.report, workers };
}

async function describe(client: Client, name: string, taskQueueType: number): Promise<TaskQueueDescription> {
  const { namespace } = client.options;
  const { pollers, stats } = await client.workflowService.describeTaskQueue({
    namespace,
    taskQueueType,
    taskQueue: { name },
    reportStats: true,
  });
  const since = Date.now() - POLLED_WITHIN_MS;
  const identities = pollers
    .filter(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1000 >= since)
    .map(({ identity }) => identity ?? '');
  return {
    identities,
    report: {
      backlog: Number(stats?.approximateBacklogCount ?? 0),
      oldest_age_seconds: Number(stats?.approximateBacklogAge?.seconds ?? 0),
      pollers: new Set(identities).size,
    },
  };
}
