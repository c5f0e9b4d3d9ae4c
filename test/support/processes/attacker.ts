// Somebody who reaches Temporal's port: he starts workflows of the service with inputs of his own, and has a worker
// whose workflow schedules the service's activities.
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Client } from '@temporalio/client';
import { type ActivityFailure, ApplicationFailure } from '@temporalio/common';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Worker } from '@temporalio/worker';
import { testTemporal } from './temporal.ts';

export interface Attacker {
  /** Runs a workflow of the service to its end, under an id that is free. */
  run(workflow: string, input: object, workflowId?: string): Promise<unknown>;
  /** What the activity answers; the type of its failure as `{ failed }`. */
  schedule(name: string, ...args: unknown[]): Promise<unknown>;
  stop(): Promise<void>;
}

export async function startAttacker(client: Client, taskQueue: string): Promise<Attacker> {
  const own = testTemporal('attacker');
  const workflowsPath = fileURLToPath(new URL('attacker-workflows.ts', import.meta.url));
  const workflowBundle = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });
  const connection = await NativeConnection.connect({ address: own.address });
  const worker = await Worker.create({
    connection,
    namespace: own.namespace,
    taskQueue: own.taskQueue,
    workflowBundle,
  });
  const running = worker.run();
  return {
    run: (workflow, input, workflowId = randomUUID()) =>
      client.workflow.execute(workflow, { workflowId, taskQueue, args: [input] }),
    schedule: async (name, ...args) => {
      const asked = { workflowId: randomUUID(), taskQueue: own.taskQueue, args: [{ taskQueue, name, args }] };
      return client.workflow.execute('schedule', asked).catch((error: Error) => ({ failed: typeOf(error) }));
    },
    stop: async () => {
      worker.shutdown();
      await running;
      await connection.close();
    },
  };
}

function typeOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = (at as ActivityFailure).cause)
    if (at instanceof ApplicationFailure && at.type) return at.type;
  return String(error);
}
