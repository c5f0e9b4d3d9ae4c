// The whole service for one test file: API and worker as processes, as `npm start` runs them, on a database and a task
// queue of their own, with three real nodes. Tests speak to it through the client; processes may be killed and started
// again.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { CountersignClient } from '../../../src/client/client.ts';
import type { Part } from '../../../src/local/processes/part.ts';
import { findFreePort } from '../../../src/local/processes/ports.ts';
import {
  runCommand,
  type ServiceContext,
  startApi,
  startWorker,
} from '../../../src/local/processes/service-processes.ts';
import { startTestCluster, type TestCluster, type TestClusterOptions } from '../cluster/cluster.ts';
import { createTestDatabase, type TestDatabase } from './postgres.ts';
import { type TestTemporal, testTemporal } from './temporal.ts';

export type StackOptions = {
  /** Further environment of API and worker. */
  environment?: Record<string, string>;
  /** A migrated database; one of the shared server when absent. */
  database?: TestDatabase;
  /** Further clusters by name, beside `main`. */
  clusters?: Record<string, TestClusterOptions>;
};
export type Stack = {
  /** With a key of every scope. */
  client: CountersignClient;
  workspaceId: string;
  apiKey: string;
  baseUrl: string;
  databaseUrl: string;
  logDirectory: string;
  keyEncryptionKey: string;
  /** Values that must stand in no log, history, row or answer. */
  secrets: string[];
  temporal: TestTemporal;
  cluster: TestCluster;
  /** All of them, by name. */
  clusters: ReadonlyMap<string, TestCluster>;
  api: Part;
  worker: Part;
  /** Further processes beside the first ones; stopped with the stack. The API always takes the same port. */
  startApi(): Promise<Part>;
  startWorker(): Promise<Part>;
  stop(): Promise<void>;
};

const dist = resolve(import.meta.dirname, '../../../dist'); // built by global-setup.ts

export async function startStack({
  environment = {},
  clusters: further = {},
  ...given
}: StackOptions = {}): Promise<Stack> {
  const logDirectory = mkdtempSync(join(tmpdir(), 'countersign-stack-'));
  const parts: Part[] = [];
  const [database, cluster, others, port] = await Promise.all([
    given.database ?? createTestDatabase(),
    startTestCluster(),
    Promise.all(
      Object.entries(further).map(async ([name, options]) => [name, await startTestCluster(options)] as const),
    ),
    findFreePort(),
  ]);
  const clusters = new Map([['main', cluster], ...others]);
  const temporal = testTemporal('stack');
  const { config } = cluster;
  const keyEncryptionKey = randomBytes(32).toString('hex');
  const context: ServiceContext = {
    dist,
    logDirectory,
    environment: {
      PATH: process.env['PATH'],
      DATABASE_URL: database.serviceUrl ?? database.url,
      TEMPORAL_ADDRESS: temporal.address,
      TEMPORAL_TASK_QUEUE: temporal.taskQueue,
      KEY_ENCRYPTION_KEY: keyEncryptionKey,
      PORT: String(port),
      ...(others.length === 0 ? ofOneCluster(cluster) : ofSeveral(clusters, logDirectory)),
      ...environment,
    },
    onStart: (_name, part) => parts.push(part),
  };
  const baseUrl = `http://127.0.0.1:${port}`;
  const [created, api, worker] = await Promise.all([
    runCommand(context, 'workspace', ['create', '--name', 'test', '--json']),
    startApi(context, baseUrl),
    startWorker(context),
  ]);
  const { workspace_id, api_key, api_secret } = JSON.parse(created) as Record<string, string>;
  if (!workspace_id || !api_key || !api_secret) throw new Error('The workspace command printed no credentials.');
  return {
    client: new CountersignClient({ baseUrl, apiKey: api_key, apiSecret: api_secret }),
    workspaceId: workspace_id,
    apiKey: api_key,
    baseUrl,
    databaseUrl: database.url,
    logDirectory,
    keyEncryptionKey,
    secrets: [api_secret, keyEncryptionKey, readFileSync(join(config.credentialsDir, 'command.key'), 'utf8')],
    temporal,
    cluster,
    clusters,
    api,
    worker,
    startApi: () => startApi(context, baseUrl),
    startWorker: () => startWorker(context),
    stop: async () => {
      await Promise.all(parts.map((part) => part.stop()));
      await Promise.all([...[...clusters.values()].map((each) => each.stop()), database.drop()]);
      rmSync(logDirectory, { recursive: true, force: true });
    },
  };
}

const addressesOf = ({ config }: TestCluster) =>
  [...config.nodes].map(([index, node]) => `${index}=${node.host}:${node.port}`).join(',');

function ofOneCluster(cluster: TestCluster): Record<string, string> {
  const { clusterFile, credentialsDir } = cluster.config;
  return { MPC_NODES: addressesOf(cluster), MPC_CLUSTER_FILE: clusterFile, MPC_CREDENTIALS_DIR: credentialsDir };
}

function ofSeveral(clusters: ReadonlyMap<string, TestCluster>, directory: string): Record<string, string> {
  const named = [...clusters].map(([name, cluster]) => {
    const { clusterFile, credentialsDir } = cluster.config;
    return [name, { nodes: addressesOf(cluster), cluster_file: clusterFile, credentials_dir: credentialsDir }];
  });
  const path = join(directory, 'clusters.json');
  writeFileSync(path, JSON.stringify({ clusters: Object.fromEntries(named) }));
  return { MPC_CLUSTERS_FILE: path };
}
