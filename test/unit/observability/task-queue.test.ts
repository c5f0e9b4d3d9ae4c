// Goal: the status counts the workers that ask for tasks now, and none that has gone. Method: what Temporal answers of
// a task queue, which remembers for five minutes who has asked.
import type { Client } from '@temporalio/client';
import { expect, test } from 'vitest';
import { describeTaskQueue } from '../../../src/observability/task-queue.ts';

/** A server of which these have asked so many seconds ago. */
function clientOf(agesSeconds: Record<string, number>): Client {
  const pollers = Object.entries(agesSeconds).map(([identity, age]) => ({
    identity,
    lastAccessTime: { seconds: Math.floor(Date.now() / 1000) - age },
  }));
  const describe = async () => ({ pollers, stats: {} });
  return { options: { namespace: 'default' }, workflowService: { describeTaskQueue: describe } } as unknown as Client;
}

test('one whose poll may still wait counts', async () => {
  const { workers, activity } = await describeTaskQueue(clientOf({ one: 1, two: 65 }), 'queue');
  expect([workers, activity.pollers]).toEqual([2, 2]);
});

test('one that has not asked for longer than a poll waits does not', async () => {
  const { workers, activity, workflow } = await describeTaskQueue(clientOf({ one: 1, two: 100, three: 290 }), 'queue');
  expect([workers, activity.pollers, workflow.pollers]).toEqual([1, 1, 1]);
});
