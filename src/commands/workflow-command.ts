// What the operator's commands that have a worker do something share: where Temporal is, by the environment, and one
// sentence and code 1 when it does not go well.
import type { Client } from '@temporalio/client';
import { checkConnections } from '../process/check-connections.ts';
import { ConfigError, readReconciliationConfig } from '../process/config.ts';
import { temporalClient, temporalSettings } from '../process/temporal.ts';

export interface WorkflowRunner {
  client: Client;
  taskQueue: string;
}

/** `what` begins the sentence of a failure: `The refresh`. */
export function runWorkflowCommand(what: string, command: (runner: WorkflowRunner) => Promise<void>): void {
  connected(command).catch((error: Error) => {
    console.error(error instanceof ConfigError ? error.message : `${what} failed: ${causeOf(error).message}`);
    process.exitCode = 1;
  });
}

/** What an activity said, under what Temporal says of it. */
function causeOf(error: Error): Error {
  return error.cause instanceof Error ? causeOf(error.cause) : error;
}

async function connected(command: (runner: WorkflowRunner) => Promise<void>): Promise<void> {
  const settings = temporalSettings(readReconciliationConfig(process.env));
  await checkConnections(undefined, settings);
  const client = temporalClient(settings);
  try {
    await command({ client, taskQueue: settings.taskQueue });
  } finally {
    await client.connection.close();
  }
}
