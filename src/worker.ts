// The worker process: runs workflows and activities, and starts what a dead API left in the outbox. The only file that imports activities.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { makeTelemetryFilterString, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { type Logger, pino } from 'pino';
import { connectChains } from '../activities/chains/connect-chains.ts';
import { createActivities } from '../activities/index.ts';
import { connectCluster } from '../activities/mpc/connect-cluster.ts';
import { parseNodeAddresses } from '../activities/mpc/node-addresses.ts';
import { connectDatabase } from '../drizzle/database.ts';
import { networkSeed } from '../drizzle/networks.seed.ts';
import { parseNetworkCodes, parseRpcUrls, parseThresholds, readWorkerConfig } from './config.ts';
import { runProcess } from './process.ts';
import { startReconciler } from './reconcile.ts';
import { WorkflowStarter } from './start-workflow.ts';
import { ensureSearchAttributes, temporalClient, temporalSettings } from './temporal.ts';
import { startWatching } from './watch-networks.ts';

runProcess(async () => {
  const config = readWorkerConfig(process.env);
  const log = pino({ level: config.LOG_LEVEL });
  const temporal = temporalSettings(config);
  const connection = connectDatabase(config.DATABASE_URL, {
    poolSize: config.DATABASE_POOL_SIZE,
    name: 'countersign-worker',
  });
  const { db } = connection;
  const cluster = connectCluster({
    nodes: parseNodeAddresses(config.MPC_NODES),
    clusterFile: config.MPC_CLUSTER_FILE,
    credentialsDir: config.MPC_CREDENTIALS_DIR,
  });
  const rpcUrls = parseRpcUrls(config.RPC_URLS);
  const chains = connectChains(rpcUrls, networkSeed, {
    trace: parseNetworkCodes(config.TRACE_NETWORKS),
    secondRpcUrls: parseRpcUrls(config.RPC_URLS_SECOND),
  });
  const client = temporalClient(temporal);
  await ensureSearchAttributes(client, log);

  quietRuntime(log);
  const native = await NativeConnection.connect({ address: temporal.address });
  const isProduction = config.SERVICE_ENV === 'production';
  const bitcoinNetwork = isProduction ? 'mainnet' : 'regtest';
  const sandbox = isProduction ? undefined : { rpcUrls };
  const worker = await Worker.create({
    connection: native,
    namespace: temporal.namespace,
    taskQueue: temporal.taskQueue,
    activities: createActivities({
      ...{ db, cluster, chains, bitcoinNetwork, sandbox },
      secondSourceAbove: parseThresholds(config.DEPOSIT_SECOND_SOURCE_ABOVE),
    }),
    maxCachedWorkflows: 1_000,
    // How long a dead worker's workflows wait before another takes them.
    stickyQueueScheduleToStartTimeout: '3s',
    ...workflowCode(),
  });
  const running = worker.run();
  const starter = new WorkflowStarter({ client, taskQueue: temporal.taskQueue, db, log });
  const stopReconciler = startReconciler({ db, client, starter, log });
  const networkCodes = Object.keys(rpcUrls).filter((code) => chains.find(code) !== undefined);
  const stopWatching = startWatching({ client, taskQueue: temporal.taskQueue, networkCodes, log });
  log.info({ taskQueue: temporal.taskQueue, environment: config.SERVICE_ENV }, 'worker running');
  return async () => {
    await Promise.all([stopReconciler(), stopWatching()]);
    if (worker.getState() === 'RUNNING') worker.shutdown();
    await running;
    await starter.drain();
    await cluster.close();
    await client.connection.close();
    await native.close();
    await connection.close();
  };
});

/** Prebuilt beside the bundled worker; from the sources it is bundled at start. */
function workflowCode() {
  const bundle = fileURLToPath(new URL('./workflow-bundle.js', import.meta.url));
  if (existsSync(bundle)) return { workflowBundle: { codePath: bundle } };
  return { workflowsPath: fileURLToPath(new URL('../workflows/index.ts', import.meta.url)) };
}

/** Signals are ours to handle; the SDK's warnings go to the same log as ours. */
function quietRuntime(log: Logger): void {
  const nothing = () => {};
  const warn = (message: string, details?: object) => log.warn(details ?? {}, message);
  const error = (message: string, details?: object) => log.error(details ?? {}, message);
  const byLevel = new Map<string, typeof warn>([
    ['WARN', warn],
    ['ERROR', error],
  ]);
  Runtime.install({
    logger: {
      log: (level, message, details) => byLevel.get(level)?.(message, details),
      trace: nothing,
      debug: nothing,
      info: nothing,
      warn,
      error,
    },
    shutdownSignals: [],
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'WARN' }), forward: {} } },
  });
}
