// Starts the processes that are compared: the service's API and worker as production runs them, the bare server and the
// no-op worker in the same way.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connectDatabase } from '../../drizzle/database/connection.ts';
import { CountersignClient } from '../../src/client/client.ts';
import { createWorkspace, type NewWorkspace } from '../../src/commands/create-workspace.ts';
import { type Part, startPart, waitUntilReady } from '../../src/local/processes/part.ts';
import { findFreePort } from '../../src/local/processes/ports.ts';
import { type ServiceContext, startApi, startWorker } from '../../src/local/processes/service-processes.ts';
import type { Context, Servers } from './servers.ts';

const READY_WITHIN_MS = 60_000;
/** Nobody serves it: what (a) starts is never run. */
const UNSERVED_TASK_QUEUE = 'bench-unserved';
export const NOOP_TASK_QUEUE = 'bench-noop';

export interface Contenders extends Servers {
  workspace: NewWorkspace;
  /** Active, with keys on the nodes. */
  walletId: string;
  apiUrl: string;
  bareUrl: string;
  stopWorkers: () => Promise<void>;
}

export async function startContenders(context: Context, servers: Servers): Promise<Contenders> {
  const keyEncryptionKey = randomBytes(32).toString('hex');
  const [apiPort, workspace] = await Promise.all([findFreePort(), makeWorkspace(servers, keyEncryptionKey)]);
  const apiUrl = `http://127.0.0.1:${apiPort}`;
  const { databaseUrl, temporalAddress, mpc } = servers;
  const service: ServiceContext = {
    dist: join(context.root, 'dist'),
    logDirectory: join(context.directory, 'logs'),
    environment: {
      PATH: process.env['PATH'],
      DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: temporalAddress,
      KEY_ENCRYPTION_KEY: keyEncryptionKey,
      // Counted as always, and never reached.
      RATE_LIMIT_PER_MINUTE: '1000000000',
      // (a) stores thousands that no worker ends.
      WORKSPACE_OPEN_OPERATIONS_MAX: '0',
      PORT: String(apiPort),
      MPC_NODES: mpc.addresses,
      MPC_CLUSTER_FILE: mpc.clusterFile,
      MPC_CREDENTIALS_DIR: mpc.credentialsDirectory,
    },
    onStart: (name, part) => context.onStart('service', name.toLowerCase(), part),
  };
  const [bareUrl, noopWorker, worker] = await Promise.all([
    startBareServer(context, servers, workspace),
    startNoopWorker(context, servers),
    startWorker(service),
    startApi(service, apiUrl),
  ]);
  const client = new CountersignClient({ baseUrl: apiUrl, ...workspace });
  const { wallet_id: walletId } = await client.createWallet({ name: 'bench' }).wait();
  const stopWorkers = async () => {
    await Promise.all([noopWorker.stop(), worker.stop()]);
  };
  return { ...servers, workspace, walletId, apiUrl, bareUrl, stopWorkers };
}

/** As `npm run build`. */
export async function buildService(root: string): Promise<void> {
  await promisify(execFile)(process.execPath, [join(root, 'scripts', 'build.mjs')]);
}

export async function makeWorkspace(
  { databaseUrl }: Pick<Servers, 'databaseUrl'>,
  keyEncryptionKey: string,
): Promise<NewWorkspace> {
  const connection = connectDatabase(databaseUrl, { poolSize: 1, name: 'countersign-bench' });
  try {
    return await createWorkspace(connection.db, 'bench', keyEncryptionKey);
  } finally {
    await connection.close();
  }
}

async function startBareServer(context: Context, servers: Servers, workspace: NewWorkspace): Promise<string> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const part = await startScript(context, 'bare-server', {
    DATABASE_URL: servers.databaseUrl,
    TEMPORAL_ADDRESS: servers.temporalAddress,
    TASK_QUEUE: UNSERVED_TASK_QUEUE,
    WORKSPACE_ID: workspace.workspaceId,
    PORT: String(port),
  });
  await waitUntilReady(part, READY_WITHIN_MS, () =>
    fetch(`${url}/health`).then(
      (response) => response.ok || undefined,
      () => undefined,
    ),
  );
  return url;
}

async function startNoopWorker(context: Context, servers: Servers): Promise<Part> {
  const environment = { TEMPORAL_ADDRESS: servers.temporalAddress, TASK_QUEUE: NOOP_TASK_QUEUE };
  const part = await startScript(context, 'noop-worker', environment);
  await waitUntilReady(part, READY_WITHIN_MS, () => part.output().includes('worker running') || undefined);
  return part;
}

async function startScript(context: Context, name: string, environment: NodeJS.ProcessEnv): Promise<Part> {
  const script = join(context.root, 'bench', `${name}.ts`);
  const part = await startPart({
    command: process.execPath,
    args: ['--enable-source-maps', '--import', 'tsx', script],
    environment: { PATH: process.env['PATH'], ...environment },
    logFile: join(context.directory, 'logs', `${name}.log`),
    lifeline: 'ipc',
  });
  context.onStart('service', name, part);
  return part;
}
