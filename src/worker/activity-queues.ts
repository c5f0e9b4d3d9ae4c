// The workers of the task queues that hold what takes long: how many slots each has, and how many of them one workspace
// may use at once. Runs no workflows.
import { type NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { type ActivityQueue, activityQueueOf, activityQueues } from '../../workflows/task-queues.ts';
import type { RecentSignatures } from './recent-signatures.ts';
import { type Turns, takeTurns } from './workspace-turns.ts';

interface QueueSettings {
  /** Activities in one worker, those included that wait for the turn of their workspace. Those cost a timer each. */
  slots: number;
  /** Long polls that stay open while nothing happens. */
  polls: number;
  turns: Turns;
}

const settingsByQueue: Readonly<Record<ActivityQueue, QueueSettings>> = {
  // A cluster makes four keys at once (activities/mpc/client/connect-cluster.ts): half of them for one workspace, so
  // that another one's are made at once. A key costs the nodes a hundred signatures: who wants hundreds of them leaves
  // most of the time to others' signatures.
  keys: {
    slots: 400,
    polls: 2,
    turns: { atOnceMax: 2, waitingMax: 100, besideSignatures: { atOnceMax: 1, rest: { factor: 5, leastMs: 500 } } },
  },
  chains: { slots: 300, polls: 4, turns: { atOnceMax: 100, waitingMax: 50 } },
  // Nobody waits for a rescan as for a signature. Most of them wait in the outbox still (src/writes/paced-starts.ts).
  rescans: {
    slots: 400,
    polls: 1,
    turns: { atOnceMax: 2, waitingMax: 100, besideSignatures: { atOnceMax: 1, rest: { factor: 1, leastMs: 500 } } },
  },
  // Each reads a list whole and writes it: few side by side, so that the database has time for others.
  exports: { slots: 12, polls: 1, turns: { atOnceMax: 2, waitingMax: 4 } },
};

export interface QueueDependencies {
  connection: NativeConnection;
  namespace: string;
  /** Of the workflows. */
  taskQueue: string;
  /** Each queue serves all of them: which one waits where is decided by the workflows. */
  activities: object;
  /** Noted by the activity that signs. */
  signatures: RecentSignatures;
  options?: Pick<WorkerOptions, 'identity' | 'interceptors' | 'shutdownGraceTime'>;
}

export function createQueueWorkers({ taskQueue, options, signatures, ...rest }: QueueDependencies): Promise<Worker[]> {
  return Promise.all(
    activityQueues.map((queue) => {
      const { slots, polls, turns } = settingsByQueue[queue];
      return Worker.create({
        ...rest,
        ...options,
        taskQueue: activityQueueOf(taskQueue, queue),
        maxConcurrentActivityTaskExecutions: slots,
        maxConcurrentActivityTaskPolls: polls,
        // Turns come first: who measures activities measures the work, not the waiting.
        interceptors: {
          activity: [
            takeTurns(turns, (workspaceId) => signatures.ofOthers(workspaceId)),
            ...(options?.interceptors?.activity ?? []),
          ],
        },
      });
    }),
  );
}
