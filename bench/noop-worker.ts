// Serves the no-op workflow, as a process of its own, with the settings of src/worker.ts: whoever changes them there
// changes them here.
import { NativeConnection, Worker } from '@temporalio/worker';
import { runProcess } from '../src/process/run-process.ts';
import type { NoopActivities } from './noop-workflow.ts';

const activities: NoopActivities = { doNothing: async (input) => input };

runProcess(async () => {
  const { TEMPORAL_ADDRESS = '', TASK_QUEUE = '' } = process.env;
  const connection = await NativeConnection.connect({ address: TEMPORAL_ADDRESS });
  const worker = await Worker.create({
    connection,
    taskQueue: TASK_QUEUE,
    activities,
    maxCachedWorkflows: 1_000,
    stickyQueueScheduleToStartTimeout: '3s',
    workflowsPath: new URL('./noop-workflow.ts', import.meta.url).pathname,
  });
  const running = worker.run();
  console.log('worker running');
  const stop = async () => {
    if (worker.getState() === 'RUNNING') worker.shutdown();
    await running;
    await connection.close();
  };
  return { stop };
});
