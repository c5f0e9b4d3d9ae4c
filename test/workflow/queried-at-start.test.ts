// Goal: a workflow that an operator looked at before a worker began it can still be continued by another worker. The
// query comes with the first task, which ends with nothing but its local activity's result; the rest stands in the next
// one. Temporal replays both together, and looks for patches in the first alone. Method: start and query a workflow
// while there is no worker, let one bring it to its end, and replay its history.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { Worker } from '@temporalio/worker';
import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import type { Activities } from '../../activities/index.ts';
import { temporalClient } from '../../src/process/temporal.ts';
import { testTemporal } from '../support/processes/temporal.ts';
import { startTestWorker } from '../support/processes/worker.ts';

/** None takes time: the local ones have ended when the query is answered. */
const activities = {
  beginWithdrawal: async () => ({ standing: 'ready' }),
  prepareTransaction: async () => {
    throw ApplicationFailure.nonRetryable('the cluster refuses', 'mpc_refused');
  },
  abandonWithdrawal: async () => ({ outcome: 'ended' }),
} as unknown as Partial<Activities>;

test('a withdrawal that was looked at before it began goes on elsewhere', async () => {
  const temporal = testTemporal('queried-at-start');
  const client = temporalClient(temporal);
  const workflowId = uuidv7();
  const input = { withdrawalId: uuidv7(), workspaceId: uuidv7(), walletId: uuidv7(), networkCode: 'ETHEREUM_SANDBOX' };
  const handle = await client.workflow.start('withdraw', { workflowId, taskQueue: temporal.taskQueue, args: [input] });
  const answer = handle.query('__temporal_workflow_metadata');
  await sleep(500);
  const worker = await startTestWorker({ temporal, activities });
  try {
    await handle.result();
    await answer;
    const history = await handle.fetchHistory();
    expect(tasksBeforeFirstActivity(history)).toBe(2);
    const code = readFileSync(new URL('../../dist/workflow-bundle.js', import.meta.url), 'utf8');
    await Worker.runReplayHistory({ workflowBundle: { code } }, history, workflowId);
  } finally {
    await worker.stop();
    await client.connection.close();
  }
});

/** Two when the first was cut short, which this is about; one else. */
const tasksBeforeFirstActivity = ({ events }: Awaited<ReturnType<WorkflowHandle['fetchHistory']>>) => {
  const all = events ?? [];
  const first = all.findIndex((event) => event.activityTaskScheduledEventAttributes != null);
  return all.slice(0, first).filter((event) => event.workflowTaskCompletedEventAttributes != null).length;
};
