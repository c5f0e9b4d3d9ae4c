// The workflow of somebody who reaches Temporal and runs a worker of his own: it schedules any activity on anybody's
// task queue, with any input.
import { proxyActivities } from '@temporalio/workflow';

export interface Schedule {
  taskQueue: string;
  name: string;
  args: unknown[];
}

type AnyActivities = Record<string, (...args: unknown[]) => Promise<unknown>>;

export async function schedule({ taskQueue, name, args }: Schedule): Promise<unknown> {
  const retry = { maximumAttempts: 2, initialInterval: '10ms' };
  const activities = proxyActivities<AnyActivities>({ taskQueue, startToCloseTimeout: '30s', retry });
  return activities[name]?.(...args);
}
