// The worker process: runs workflows and activities, and starts what a dead API left in the outbox. The only file that
// imports activities.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from '@temporalio/worker';
import { type Logger, pino } from 'pino';
import { connectChains } from '../activities/chains/connect-chains.ts';
import { ExportBucket } from '../activities/exports/export-bucket.ts';
import { ExportFolder } from '../activities/exports/export-folder.ts';
import { createActivities } from '../activities/index.ts';
import { RoutedClusters, type WalletClusters } from '../activities/mpc/client/clusters.ts';
import { connectClusters } from '../activities/mpc/client/connect-clusters.ts';
import { type ClusterObserver, observedCluster } from '../activities/mpc/client/observed-cluster.ts';
import type { Clusters } from '../activities/mpc/port.ts';
import { SoftwareKeys } from '../activities/mpc/software/software-keys.ts';
import { SoftwareSigner } from '../activities/mpc/software/software-signer.ts';
import { createWebhookActivities } from '../activities/webhooks/deliver-webhooks.ts';
import { networkSeed } from '../domain/catalog/networks.ts';
import { mainCluster } from '../domain/clusters.ts';
import { SILENCE_MAX_MS } from '../domain/time-limits.ts';
import { connectDatabase } from '../drizzle/database/connection.ts';
import { Seals } from '../drizzle/seals/seals.ts';
import { findWalletCluster, findWalletOf } from '../drizzle/wallets/wallet-queries.ts';
import { webhookQueueOf } from '../workflows/task-queues.ts';
import { toEventData } from './events/event-data.ts';
import { observeWorker } from './observability/observe-worker.ts';
import { logProcessWarnings } from './observability/process-warnings.ts';
import { installRuntime } from './observability/runtime-log.ts';
import { checkConnections, checkKeyEncryptionKeys } from './process/check-connections.ts';
import { readClusterSettings } from './process/cluster-settings.ts';
import {
  keptDaysOf,
  keyEncryptionKeysOf,
  parseFeeCaps,
  parseNetworkCodes,
  parseRpcUrls,
  parseThresholds,
  readWorkerConfig,
  type WorkerConfig,
} from './process/config.ts';
import { exportBucketOf } from './process/export-places.ts';
import { runProcess } from './process/run-process.ts';
import { checkSchemaFit, startCheckingSchemaFit } from './process/schema-fit.ts';
import { checkRetention, ensureSearchAttributes, temporalClient, temporalSettings } from './process/temporal.ts';
import { connectWorker } from './process/temporal-worker-connection.ts';
import { createQueueWorkers } from './worker/activity-queues.ts';
import { startApplyingExportSchedules } from './worker/apply-export-schedules.ts';
import { startCheckingVersions } from './worker/check-sealed-versions.ts';
import { startCheckpointAudit } from './worker/checkpoint-audit.ts';
import { startReconciler } from './worker/outbox-relay.ts';
import { RecentSignatures } from './worker/recent-signatures.ts';
import { startRemovingOldExports } from './worker/remove-old-exports.ts';
import { startRemovingOldRows } from './worker/remove-old-rows.ts';
import { startReportingHealth } from './worker/report-node-health.ts';
import { startSealing } from './worker/seal-audit.ts';
import { startSequencer } from './worker/sequence-events.ts';
import { startWatching } from './worker/watch-networks.ts';
import { tuneWorkflowWorker } from './worker/workflow-task-places.ts';
import { WorkflowStarter } from './writes/start-workflow.ts';

/**
 * Endpoints that one worker sends to side by side: each costs a few connections, and waits for others most of its time.
 */
const WEBHOOKS_AT_ONCE_MAX = 500;

runProcess(async () => {
  const config = readWorkerConfig(process.env);
  const log = pino({ level: config.LOG_LEVEL });
  const temporal = temporalSettings(config);
  const connection = connectDatabase(config.DATABASE_URL, {
    poolSize: config.DATABASE_POOL_SIZE,
    name: 'countersign-worker',
  });
  const { db } = connection;
  await checkConnections(db, temporal);
  await checkSchemaFit(db);
  const keyEncryptionKeys = keyEncryptionKeysOf(config).map((hex) => Buffer.from(hex, 'hex'));
  await checkKeyEncryptionKeys(db, keyEncryptionKeys);
  const observed = await observeWorker(config, { db, log });
  const seals = new Seals(keyEncryptionKeys, observed.brokenSeals);
  const places: WalletClusters = {
    clusterOf: (walletId) => findWalletCluster(db, seals, walletId),
    witnessOf: (cluster) => findWalletOf(db, cluster),
  };
  const clusters = clustersOf(config, places, { observerOf: observed.clusterObserver, log });
  const rpcUrls = parseRpcUrls(config.RPC_URLS);
  const isProduction = config.SERVICE_ENV === 'production';
  const chains = connectChains(rpcUrls, networkSeed, {
    trace: parseNetworkCodes(config.TRACE_NETWORKS),
    secondRpcUrls: parseRpcUrls(config.RPC_URLS_SECOND),
    trustedAlone: isProduction ? parseNetworkCodes(config.SINGLE_NODE_NETWORKS) : undefined,
  });
  const client = temporalClient(temporal);
  await ensureSearchAttributes(client, log);
  await checkRetention(client, { isProduction, log });

  installRuntime(log);
  logProcessWarnings(log);
  const workerConnection = await connectWorker(temporal, log);
  const { native } = workerConnection;
  const bitcoinNetwork = isProduction ? 'mainnet' : 'regtest';
  const sandbox = isProduction ? undefined : { rpcUrls };
  const code = workflowCode();
  const signatures = new RecentSignatures();
  const bucket = exportBucketOf(config);
  const exportStore = bucket === undefined ? new ExportFolder(config.EXPORT_DIRECTORY) : new ExportBucket(bucket);
  const activities = createActivities({
    db,
    exportStore,
    clusters,
    chains,
    seals,
    bitcoinNetwork,
    sandbox,
    feeCaps: parseFeeCaps(config.FEE_CAPS),
    secondSourceAbove: parseThresholds(config.DEPOSIT_SECOND_SOURCE_ABOVE),
    freezeOnUnexplainedOutflow: config.FREEZE_ON_UNEXPLAINED_OUTFLOW,
    onSigning: (workspaceId) => signatures.note(workspaceId),
  });
  const worker = await Worker.create({
    connection: native,
    namespace: temporal.namespace,
    taskQueue: temporal.taskQueue,
    activities,
    maxCachedWorkflows: 1_000,
    tuner: tuneWorkflowWorker(),
    // How long a dead worker's workflows wait before another takes them, as its activities do. What a busy one has not
    // taken by then goes to the end of the common queue, behind all that begins.
    stickyQueueScheduleToStartTimeout: SILENCE_MAX_MS,
    sinks: observed.sinks,
    interceptors: { activity: [observed.activities], workflowModules: code.interceptors },
    ...code.workflows,
  });
  const webhookActivities = createWebhookActivities({
    db,
    keyEncryptionKeys,
    targets: { allowPrivate: config.WEBHOOK_ALLOW_PRIVATE_TARGETS, httpsOnly: isProduction },
  });
  observed.expectActivities([...Object.keys(activities), ...Object.keys(webhookActivities)]);
  const webhooks = await Worker.create({
    connection: native,
    namespace: temporal.namespace,
    taskQueue: webhookQueueOf(temporal.taskQueue),
    activities: webhookActivities,
    maxConcurrentActivityTaskExecutions: WEBHOOKS_AT_ONCE_MAX,
    interceptors: { activity: [observed.activities] },
  });
  const queues = await createQueueWorkers({
    connection: native,
    namespace: temporal.namespace,
    taskQueue: temporal.taskQueue,
    activities,
    signatures,
    options: { interceptors: { activity: [observed.activities] } },
  });
  const workers = [worker, ...queues, webhooks];
  const running = Promise.all(workers.map((one) => one.run()));
  const { tracing } = observed;
  const starter = new WorkflowStarter({ client, taskQueue: temporal.taskQueue, db, log, tracing });
  const stopReconciler = startReconciler({ db, client, seals, starter, log });
  const stopSequencer = startSequencer({ db, starter, toEventData, log });
  const stopSealing = startSealing({ db, keyEncryptionKeys, log });
  const stopChecking = startCheckingVersions({ db, seals, log });
  const networkCodes = Object.keys(rpcUrls).filter((code) => chains.find(code) !== undefined);
  const stopWatching = startWatching({ client, taskQueue: temporal.taskQueue, networkCodes, log });
  const stopReporting = startReportingHealth({ db, clusters: clusters.named, log });
  const stopScheduling = startCheckpointAudit({ client, taskQueue: temporal.taskQueue, log });
  const stopRemoving = startRemovingOldRows({ db, kept: keptDaysOf(config), onRemoved: observed.rowsRemoved, log });
  const stopRemovingExports = startRemovingOldExports({
    db,
    store: exportStore,
    keptDays: config.EXPORTS_KEPT_DAYS,
    log,
  });
  const { taskQueue } = temporal;
  const stopApplying = startApplyingExportSchedules({ db, client, taskQueue, log });
  const stopCheckingSchema = startCheckingSchemaFit(db, (sentence) => log.error(sentence));
  log.info({ taskQueue: temporal.taskQueue, environment: config.SERVICE_ENV }, 'worker running');
  const stop = async () => {
    stopCheckingSchema();
    await Promise.all([
      stopReconciler(),
      stopSequencer(),
      stopSealing(),
      stopChecking(),
      stopWatching(),
      stopReporting(),
      stopScheduling(),
      stopRemoving(),
      stopRemovingExports(),
      stopApplying(),
    ]);
    for (const one of workers) if (one.getState() === 'RUNNING') one.shutdown();
    await running;
    await starter.drain();
    await observed.close();
    await clusters.close();
    await client.connection.close();
    await workerConnection.close();
    await connection.close();
  };
  return { stop };
});

interface Watchers {
  observerOf: (cluster: string) => ClusterObserver;
  log: Logger;
}

function clustersOf(config: WorkerConfig, places: WalletClusters, { observerOf, log }: Watchers): Clusters {
  if ('MPC_SOFTWARE_SEED' in config) {
    const keys = new SoftwareKeys(Buffer.from(config.MPC_SOFTWARE_SEED, 'hex'));
    const signer = observedCluster(new SoftwareSigner(keys), observerOf(mainCluster));
    return new RoutedClusters(new Map([[mainCluster, signer]]), places);
  }
  const settings = readClusterSettings(config);
  return connectClusters({ settings, places, observerOf, logOf: (cluster) => log.child({ cluster }) });
}

/** Prebuilt beside the bundled worker; from the sources it is bundled at start. */
function workflowCode() {
  const bundle = fileURLToPath(new URL('./workflow-bundle.js', import.meta.url));
  if (existsSync(bundle)) return { workflows: { workflowBundle: { codePath: bundle } }, interceptors: [] };
  const source = (name: string) => fileURLToPath(new URL(`../workflows/${name}.ts`, import.meta.url));
  const [workflowsPath, interceptors] = [source('index'), source('interceptors')];
  const bundlerOptions = { preloadModules: [workflowsPath, interceptors] };
  return { workflows: { workflowsPath, bundlerOptions }, interceptors: [interceptors] };
}
