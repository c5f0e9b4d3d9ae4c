// Records the histories that replay.test.ts replays: `npx tsx test/replay/record.ts`, in the repository. It runs the
// product's workflows, activities and starter on servers of its own with a cluster in memory, scrubs what it saw and
// writes histories/<version of package.json>/<name>.json.
//
// Then: `npx biome format --write test/replay/histories`.
//
// A file that is there is never written again: a recorded history stands for workflows that may still run somewhere.
// Record when a workflow is new or took a new way (`patched`), under a new version. Deleting a history is a statement
// that no deployment has such a workflow open any more.

import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { WorkflowFailedError } from '@temporalio/client';
import { v7 as uuidv7 } from 'uuid';
import { connectChains } from '../../activities/chains/connect-chains.ts';
import { ExportFolder } from '../../activities/exports/export-folder.ts';
import { createActivities } from '../../activities/index.ts';
import { createWebhookActivities } from '../../activities/webhooks/deliver-webhooks.ts';
import { networkSeed } from '../../domain/catalog/networks.ts';
import { workflowIdOf } from '../../domain/workflow-ids.ts';
import type { SigningTask, WorkflowStart } from '../../domain/workflow-inputs.ts';
import { connectDatabase, type Database } from '../../drizzle/database/connection.ts';
import { migrateDatabase } from '../../drizzle/migrate.ts';
import { sealGroup } from '../../drizzle/signing-requests/signing-groups.ts';
import { advanceSigningRequest } from '../../drizzle/signing-requests/signing-steps.ts';
import { insertOutboxEntry } from '../../drizzle/writes/workflow-outbox.ts';
import { startPostgres } from '../../src/local/postgres/postgres.ts';
import { startTemporal } from '../../src/local/temporal/temporal.ts';
import { findTemporal } from '../../src/local/temporal/temporal-binary.ts';
import { WorkflowStarter } from '../../src/writes/start-workflow.ts';
import { webhookQueueOf } from '../../workflows/task-queues.ts';
import { startTestEthereum } from '../support/chains/chains.ts';
import { FakeCluster } from '../support/cluster/fake-cluster.ts';
import { onlyMain } from '../support/cluster/only-main.ts';
import { bundleWorkflows, startTestWorker, type TestWorker } from '../support/processes/worker.ts';
import { growChain, rewriteChain, whileChanged } from '../support/rows/audit-chains.ts';
import { makeSigningRequest, makeWallet, makeWorkspace } from '../support/rows/operation-rows.ts';
import { keyEncryptionKey as testKey, testSeals } from '../support/rows/seals.ts';
import { chainScenarios } from './chain-scenarios.ts';
import { exportScenarios } from './export-scenarios.ts';
import { historyToJson } from './history-json.ts';
import { type Json, scrub } from './scrub.ts';
import { webhookScenarios } from './webhook-scenarios.ts';

const root = resolve(import.meta.dirname, '../..');

export interface Stage {
  db: Database;
  cluster: FakeCluster;
  workspaceId: string;
  keyEncryptionKey: Buffer;
  /** Commits the operation's outbox row, starts it as the API does and waits for its end. Returns the workflow's id. */
  run: (workflow: string, id: string, input: object) => Promise<string>;
  /** For a workflow without an end. */
  start: (workflow: string, id: string, input: object) => Promise<string>;
  createWallet: () => Promise<string>;
}

/** Runs one workflow and returns the workflow's id. */
export type Scenario = (stage: Stage) => Promise<string>;

const scenarios: Record<string, Scenario> = {
  'create-wallet-success': (stage) => creationOfWallet(stage),
  'create-wallet-waited': (stage) => {
    stage.cluster.meet('generateKey', 'cluster_not_ready', 'cluster_not_ready');
    return creationOfWallet(stage);
  },
  'create-wallet-failed': (stage) => {
    stage.cluster.meet('generateKey', 'mpc_refused');
    return creationOfWallet(stage);
  },
  'sign-success': (stage) => sign(stage),
  'sign-retried': (stage) => sign(stage, () => stage.cluster.meet('sign', 'cluster_not_ready', 'mpc_error')),
  'sign-failed': (stage) => sign(stage, () => stage.cluster.meet('sign', 'mpc_refused')),
  'sign-at-once': (stage) => sign(stage, () => {}, { atOnce: true }),
  'sign-at-once-retried': (stage) => sign(stage, () => stage.cluster.meet('sign', 'mpc_error'), { atOnce: true }),
  'sign-closed-before': (stage) =>
    sign(stage, (id) =>
      advanceSigningRequest(stage.db, id, { from: 'pending', to: 'failed', fields: { statusReason: 'cancelled' } }),
    ),
  'sign-group-success': (stage) => signTogether(stage),
  'sign-group-handed-on': (stage) => signTogether(stage, () => stage.cluster.meet('sign', 'mpc_error')),
  'checkpoint-audit-kept': (stage) => auditOfGrown(stage),
  'checkpoint-audit-differs': (stage) => auditOfRewritten(stage),
  // With a status of their own.
  'checkpoint-audit-says-agrees': (stage) => auditOfGrown(stage),
  'checkpoint-audit-says-differs': (stage) => auditOfRewritten(stage),
  'refresh-keys': async (stage) => {
    const walletId = await createWallet(stage);
    stage.cluster.meet('refreshKey', 'mpc_refused');
    return operate(stage, 'refreshKeys', { walletId });
  },
  'find-lost-shares': (stage) => operate(stage, 'findLostShares', { cluster: 'main', node: 1 }),
  'repair-keys': (stage) => operate(stage, 'repairKeys', { commands: [{ command: '00', signature: '00' }] }),
  ...chainScenarios,
  ...exportScenarios,
  ...webhookScenarios,
};

async function createWallet({ db, workspaceId, run }: Pick<Stage, 'db' | 'workspaceId' | 'run'>): Promise<string> {
  const walletId = await makeWallet(db, workspaceId);
  await run('createWallet', walletId, { walletId, workspaceId });
  return walletId;
}

const creationOfWallet = async (stage: Stage) => workflowIdOf('createWallet', await createWallet(stage));

const operate = ({ run }: Stage, workflow: string, input: object) => run(workflow, uuidv7(), input);

async function auditOfGrown(stage: Stage): Promise<string> {
  await growChain(stage.db, stage.workspaceId, 3);
  return auditCheckpoints(stage);
}

async function auditOfRewritten(stage: Stage): Promise<string> {
  const { db, cluster, workspaceId } = stage;
  await auditOfGrown(stage);
  return whileChanged(
    db,
    (tx) => rewriteChain(tx, workspaceId, 2),
    () => auditCheckpoints(stage).finally(() => cluster.forgetCheckpoints()),
  );
}

/** Returns its id also when it fails. */
async function auditCheckpoints({ run }: Stage): Promise<string> {
  const id = uuidv7();
  await run('checkpointAudit', id, { wholeHistory: true }).catch((error: unknown) => {
    if (!(error instanceof WorkflowFailedError)) throw error;
  });
  return workflowIdOf('checkpointAudit', id);
}

async function sign(
  stage: Stage,
  before: (id: string) => unknown = () => {},
  how: Pick<SigningTask, 'atOnce'> = {},
): Promise<string> {
  const walletId = await createWallet(stage);
  const task = await makeSigningRequest(stage.db, stage.workspaceId, walletId);
  await before(task.signingId);
  return stage.run('sign', task.signingId, { ...task, ...how });
}

async function signTogether(stage: Stage, before: () => void = () => {}): Promise<string> {
  const { db, workspaceId } = stage;
  const walletId = await createWallet(stage);
  const tasks = [1, 2, 3].map(() => makeSigningRequest(db, workspaceId, walletId));
  const members = (await Promise.all(tasks)).map(({ signingId, kind }) => ({
    signingId,
    workflowId: workflowIdOf('sign', signingId),
    walletId,
    kind,
  }));
  before();
  const groupId = uuidv7();
  const group = sealGroup(testSeals, { groupId, workspaceId, networkCode: 'ETHEREUM_SANDBOX', members });
  return stage.run('signGroup', groupId, group);
}

async function main(): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const folder = join(import.meta.dirname, 'histories', version);
  const missing = Object.entries(scenarios).filter(([name]) => !existsSync(join(folder, `${name}.json`)));
  if (missing.length === 0) return console.log(`Every history of ${version} is recorded already.`);
  mkdirSync(folder, { recursive: true });
  await withServers(async ({ postgresUrl, address, rpcUrl }) => {
    const connection = connectDatabase(postgresUrl, { poolSize: 4, name: 'record-histories' });
    const { db } = connection;
    const cluster = new FakeCluster();
    const rpcUrls = { ETHEREUM_SANDBOX: rpcUrl };
    const chains = connectChains(rpcUrls, networkSeed);
    const keyEncryptionKey = Buffer.from(testKey, 'hex');
    const temporal = { address, namespace: 'default', taskQueue: 'countersign' };
    const exportDirectory = mkdtempSync(join(tmpdir(), 'countersign-record-exports-'));
    const code = await bundleWorkflows(new URL('../../workflows/index.ts', import.meta.url));
    const worker = await startTestWorker({
      temporal,
      activities: createActivities({
        db,
        clusters: onlyMain(cluster),
        chains,
        seals: testSeals,
        bitcoinNetwork: 'regtest',
        sandbox: { rpcUrls },
        exportStore: new ExportFolder(exportDirectory),
      }),
      code,
    });
    const targets = { allowPrivate: true, httpsOnly: false };
    const webhooks = await startTestWorker({
      temporal: { ...temporal, taskQueue: webhookQueueOf(temporal.taskQueue) },
      activities: createWebhookActivities({ db, keyEncryptionKeys: [keyEncryptionKey], targets }) as object,
      code,
    });
    const acting = { workspaceId: await makeWorkspace(db), db, ...runnersOn(worker, db) };
    const stage = { ...acting, cluster, keyEncryptionKey, createWallet: () => createWallet(acting) };
    for (const [name, scenario] of missing) {
      const handle = worker.client.workflow.getHandle(await scenario(stage));
      const history = scrub(historyToJson(await handle.fetchHistory()) as Json);
      writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(history, null, 1)}\n`);
      console.log(`recorded ${version}/${name}`);
    }
    rmSync(exportDirectory, { recursive: true, force: true });
    await webhooks.stop();
    await worker.stop();
    await connection.close();
  });
}

/** Without a row in the outbox. */
const startedByOperators = [
  'watchNetwork',
  'reconcileBalances',
  'checkpointAudit',
  'runExportSchedule',
  'refreshKeys',
  'findLostShares',
  'repairKeys',
];

function runnersOn({ client, taskQueue }: TestWorker, db: Database): Pick<Stage, 'run' | 'start'> {
  const starter = new WorkflowStarter({ client, taskQueue, db, log: console });
  const start: Stage['start'] = async (workflow, id, input) => {
    const workflowId = workflowIdOf(workflow, id);
    if (startedByOperators.includes(workflow)) {
      await client.workflow.start(workflow, { workflowId, taskQueue, args: [input] });
      return workflowId;
    }
    const entry = { workflow, workflowId, input, ...signalOf(workflow) } as WorkflowStart;
    await starter.start(await db.transaction((tx) => insertOutboxEntry(tx, entry)));
    return workflowId;
  };
  return {
    start,
    run: async (workflow, id, input) => {
      const workflowId = await start(workflow, id, input);
      await client.workflow.getHandle(workflowId).result();
      return workflowId;
    },
  };
}

/** Some are always started by a signal. */
const signalOf = (workflow: string) => (workflow === 'deliverWebhooks' ? { signal: 'changed' } : {});

async function withServers(
  use: (servers: { postgresUrl: string; address: string; rpcUrl: string }) => Promise<void>,
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-record-'));
  chmodSync(directory, 0o755); // as root, PostgreSQL runs as another user
  const reporting = { report: console.log, signal: new AbortController().signal };
  const postgres = await startPostgres({ directory: join(directory, 'postgres'), fast: true });
  const binary = await findTemporal(join(root, '.local'), reporting);
  const temporal = await startTemporal({ binary, directory: join(directory, 'temporal') });
  const ethereum = await startTestEthereum(join(directory, 'ethereum'));
  try {
    const postgresUrl = postgres.url('countersign');
    await migrateDatabase(postgresUrl);
    await use({ postgresUrl, address: temporal.address, rpcUrl: ethereum.address });
  } finally {
    await ethereum.stop();
    postgres.kill('SIGQUIT');
    temporal.kill('SIGKILL');
    await Promise.all([postgres.exited, temporal.exited]);
    rmSync(directory, { recursive: true, force: true });
  }
}

await main();
process.exit(); // the SDK's runtime would keep the process
