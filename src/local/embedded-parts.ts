// Gives the service what it needs: at the address that the settings name, else embedded under .local. Knows nothing of
// the API and the worker.
import { join } from 'node:path';
import { provideServiceLogin } from '../../drizzle/database/service-login.ts';
import { findMpcNode } from './mpc/mpc-binary.ts';
import { type MpcNodes, startMpcNodes } from './mpc/mpc-nodes.ts';
import { startPostgres } from './postgres/postgres.ts';
import { keepRunning, type Supervision } from './processes/keep-running.ts';
import type { Part } from './processes/part.ts';
import { findFreePort } from './processes/ports.ts';
import type { Stage } from './processes/running-parts.ts';
import { readOrMakeSecret } from './secret-file.ts';
import type { LocalSettings } from './settings.ts';
import { startTemporal } from './temporal/temporal.ts';
import { findTemporal } from './temporal/temporal-binary.ts';

const TEMPORAL_PORT = 7233;
const TEMPORAL_UI_PORT = 8233;

export type Context = {
  /** The project's folder: data and logs lie in its .local. */
  root: string;
  settings: LocalSettings;
  supervision: Supervision;
  onStart: (stage: Stage, name: string, part: Part) => void;
};

export interface DatabaseUrls {
  /** For the migration and the operator's commands. */
  owner: string;
  /** For the API and the worker, once the database is migrated. */
  service: () => Promise<string>;
}

/**
 * A database that was named has one address for all; of the embedded one, the service gets a login that cannot change
 * what is only added to.
 */
export async function provideDatabase(context: Context): Promise<DatabaseUrls> {
  const { databaseUrl } = context.settings;
  if (databaseUrl !== undefined) return { owner: databaseUrl, service: async () => databaseUrl };
  const start = (port: number) =>
    startPostgres({
      directory: localPath(context, 'postgres'),
      logFile: localPath(context, 'logs', 'postgres.log'),
      port,
      onStart: (part) => context.onStart('postgres', 'PostgreSQL', part),
    });
  const postgres = await start(await findFreePort());
  // It recovers what was committed from its log, and refuses to start while a session of the killed server still works.
  void keepRunning(postgres, { name: 'PostgreSQL', start: () => start(postgres.port) }, context.supervision);
  context.supervision.report(`PostgreSQL runs on port ${postgres.port}`);
  const owner = postgres.url('countersign');
  const service = () =>
    provideServiceLogin(owner, {
      name: 'countersign_service',
      password: readOrMakeSecret(localPath(context, 'postgres', 'service-password'), 'base64url'),
    });
  return { owner, service };
}

export async function provideTemporal(context: Context): Promise<{ address: string; uiUrl?: string }> {
  if (context.settings.temporal !== undefined) return context.settings.temporal;
  const options = {
    binary: await findTemporal(localPath(context), context.supervision),
    directory: localPath(context, 'temporal'),
    logFile: localPath(context, 'logs', 'temporal.log'),
    port: await findFreePort(TEMPORAL_PORT),
    uiPort: await findFreePort(TEMPORAL_UI_PORT),
    onStart: (part: Part) => context.onStart('temporal', 'Temporal', part),
  };
  const temporal = await startTemporal(options);
  void keepRunning(temporal, { name: 'Temporal', start: () => startTemporal(options) }, context.supervision);
  context.supervision.report(`Temporal runs on ${temporal.address}`);
  return temporal;
}

/** As the worker's environment has it. */
export async function provideMpc(context: Context): Promise<NodeJS.ProcessEnv> {
  const { mpc, clustersFile, softwareSeed } = context.settings;
  if (softwareSeed !== undefined) {
    context.supervision.report('no MPC nodes: the worker holds whole keys (MPC_SOFTWARE_SEED)');
    return { MPC_SOFTWARE_SEED: softwareSeed };
  }
  if (clustersFile !== undefined) return { MPC_CLUSTERS_FILE: clustersFile };
  const { addresses, clusterFile, credentialsDirectory } = mpc ?? (await embedMpcNodes(context));
  return { MPC_NODES: addresses, MPC_CLUSTER_FILE: clusterFile, MPC_CREDENTIALS_DIR: credentialsDirectory };
}

async function embedMpcNodes(context: Context): Promise<MpcNodes> {
  const nodes = await startMpcNodes({
    binary: await findMpcNode(
      join(context.root, 'mpc'),
      localPath(context, 'logs', 'build-mpc-node.log'),
      context.supervision,
    ),
    directory: localPath(context, 'mpc'),
    policyFile: join(context.root, 'mpc', 'policies', 'sandbox.json'),
    logDirectory: localPath(context, 'logs'),
    supervision: context.supervision,
    onStart: (name, part) => context.onStart('node', name, part),
  });
  context.supervision.report(`three MPC nodes run (${nodes.addresses})`);
  return nodes;
}

function localPath({ root }: Context, ...names: string[]): string {
  return join(root, '.local', ...names);
}
