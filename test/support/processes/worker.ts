// A Temporal worker over our workflows on a task queue of its own, with whatever activities a test brings. Quiet: a
// test that makes an activity fail would otherwise fill the screen.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client } from '@temporalio/client';
import {
  bundleWorkflowCode,
  DefaultLogger,
  type InjectedSinks,
  makeTelemetryFilterString,
  NativeConnection,
  Runtime,
  Worker,
  type WorkerOptions,
} from '@temporalio/worker';
import type { Activities } from '../../../activities/index.ts';
import { temporalClient } from '../../../src/process/temporal.ts';
import { createQueueWorkers } from '../../../src/worker/activity-queues.ts';
import { RecentSignatures } from '../../../src/worker/recent-signatures.ts';
import type { ObservationSinks } from '../../../workflows/interceptors.ts';
import type { TestTemporal } from './temporal.ts';

export interface TestWorker {
  client: Client;
  taskQueue: string;
  /** Ends the worker and its connections; no workflow is ended by it. */
  stop(): Promise<void>;
}

export interface WorkerSettings {
  temporal: TestTemporal;
  /** Those that the test's workflows call. */
  activities: Partial<Activities>;
  /** What `bundleWorkflows` made; dist/workflow-bundle.js when absent, which the global setup builds. */
  code?: string;
  /** Workflows start again from their history at every task, as they do after a worker was replaced. */
  forgetful?: boolean;
  /** Who watches (src/observability); nobody when absent. */
  observed?: Pick<WorkerOptions, 'sinks' | 'interceptors'>;
}

const repository = new URL('../../../', import.meta.url);
/** Neutral: histories that are kept show no host. */
const identity = 'worker';

/** The bundle calls it at the end of every workflow. */
const unobserved: InjectedSinks<ObservationSinks> = { observation: { ended: { fn: () => {} } } };

export async function startTestWorker({ temporal, activities, ...settings }: WorkerSettings): Promise<TestWorker> {
  quietRuntime();
  const { address, namespace, taskQueue } = temporal;
  const code = settings.code ?? readFileSync(new URL('dist/workflow-bundle.js', repository), 'utf8');
  const native = await NativeConnection.connect({ address });
  const worker = await Worker.create({
    connection: native,
    namespace,
    taskQueue,
    identity,
    activities,
    workflowBundle: { code },
    reuseV8Context: true,
    // Workflows run in this thread: one of their own loads the SDK anew for each worker, a third of all processor time.
    debugMode: true,
    shutdownGraceTime: '100ms',
    sinks: unobserved,
    ...settings.observed,
    ...(settings.forgetful ? { maxCachedWorkflows: 0 } : {}),
  });
  const options = { identity, shutdownGraceTime: '100ms', interceptors: settings.observed?.interceptors ?? {} };
  const hasActivities = Object.keys(activities).length > 0;
  const queues = hasActivities
    ? await createQueueWorkers({
        connection: native,
        namespace,
        taskQueue,
        activities,
        options,
        signatures: new RecentSignatures(),
      })
    : [];
  const workers = [worker, ...queues];
  const running = Promise.all(workers.map((one) => one.run()));
  const { connection } = temporalClient(temporal);
  return {
    client: new Client({ connection, namespace, identity }),
    taskQueue,
    stop: async () => {
      for (const one of workers) one.shutdown();
      await running;
      await connection.close();
      await native.close();
    },
  };
}

/**
 * Bundles a file of workflows as the build does. `replace` puts another module in the place of one that they import, by
 * the end of its path.
 */
export async function bundleWorkflows(workflows: URL, replace?: { module: string; by: URL }): Promise<string> {
  const workflowsPath = fileURLToPath(workflows);
  const interceptors = fileURLToPath(new URL('workflows/interceptors.ts', repository));
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    workflowInterceptorModules: [interceptors],
    preloadModules: [workflowsPath, interceptors],
    logger: new DefaultLogger('ERROR'),
    webpackConfigHook: (config) => {
      if (replace === undefined) return config;
      const alias = { [fileURLToPath(new URL(replace.module, repository))]: fileURLToPath(replace.by) };
      const resolve = { ...config.resolve, alias: Object.assign(alias, config.resolve?.alias) };
      return { ...config, resolve };
    },
  });
  return code;
}

let quiet = false;

function quietRuntime(): void {
  if (quiet) return;
  quiet = true;
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    shutdownSignals: [],
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }), forward: {} } },
  });
}
