// Who watches a worker from within: metrics on a port of their own, traces where an operator asks for them. The one
// place where these parts meet.
import type { Logger } from '../../domain/logger.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import type { LimitedTable } from '../../drizzle/retention/old-rows.ts';
import { ConfigError, type WorkerConfig } from '../process/config.ts';
import { connectTracing, type Tracing } from '../process/tracing.ts';
import { reportBrokenSeals } from './broken-seals.ts';
import { startMetricsServer } from './metrics-server.ts';
import { ActivitySpans, observeActivities } from './observe-activities.ts';
import { observeCluster } from './observe-cluster.ts';
import { observeWorkflows } from './observe-workflows.ts';
import { createProcessRegistry } from './registry.ts';
import { Scrape } from './scrape.ts';
import { StateMetrics } from './state-metrics.ts';
import { WorkerMetrics } from './worker-metrics.ts';

export async function observeWorker(
  config: WorkerConfig,
  { db, log }: { db: Database; log: Pick<Logger, 'error' | 'info'> },
) {
  const registry = createProcessRegistry();
  const metrics = new WorkerMetrics(registry);
  const scrape = new Scrape({ registry, state: new StateMetrics({ db }, registry), token: config.METRICS_TOKEN });
  const tracing = config.OTEL_EXPORTER_OTLP_ENDPOINT === '' ? undefined : await connectTracing('countersign-worker');
  const server = config.METRICS_PORT === 0 ? undefined : await listen(scrape, config);
  if (server !== undefined) log.info({ host: config.METRICS_HOST, port: server.port }, 'metrics served');
  return {
    ...watchersOf(metrics, tracing, log),
    tracing,
    brokenSeals: reportBrokenSeals(registry, log),
    rowsRemoved: (table: LimitedTable, rows: number) => metrics.removedRows.inc({ table }, rows),
    expectActivities: (names: readonly string[]) => metrics.expectActivities(names),
    close: async (): Promise<void> => {
      await server?.close();
      await tracing?.close();
    },
  };
}

/** What the SDK and the clients of the clusters call. */
export function watchersOf(metrics: WorkerMetrics, tracing: Tracing | undefined, log: Pick<Logger, 'error' | 'info'>) {
  const spans = new ActivitySpans(tracing);
  return {
    activities: observeActivities(metrics, spans),
    sinks: observeWorkflows({ metrics, tracing, log }),
    clusterObserver: (cluster: string) => observeCluster(cluster, { metrics, tracing, spans, log }),
  };
}

async function listen(scrape: Scrape, { METRICS_HOST: host, METRICS_PORT: port }: WorkerConfig) {
  try {
    return await startMetricsServer(scrape, { host, port });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE')
      throw new ConfigError(`Port ${port} on ${host} is taken: set METRICS_PORT to a free one, or to 0.`);
    throw error;
  }
}
