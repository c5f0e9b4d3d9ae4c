// Starts what both sides of every comparison share: PostgreSQL, Temporal and three nodes, with fresh data in a
// temporary folder, as `npm start` embeds them. Knows nothing of what is measured.
import { join } from 'node:path';
import { migrateDatabase } from '../../drizzle/migrate.ts';
import { findMpcNode } from '../../src/local/mpc/mpc-binary.ts';
import { type MpcNodes, startMpcNodes } from '../../src/local/mpc/mpc-nodes.ts';
import { startPostgres } from '../../src/local/postgres/postgres.ts';
import type { Supervision } from '../../src/local/processes/keep-running.ts';
import type { Part } from '../../src/local/processes/part.ts';
import type { Stage } from '../../src/local/processes/running-parts.ts';
import { startTemporal } from '../../src/local/temporal/temporal.ts';
import { findTemporal } from '../../src/local/temporal/temporal-binary.ts';

export interface Context {
  root: string;
  /** Of this run; removed at its end. */
  directory: string;
  supervision: Supervision;
  onStart: (stage: Stage, name: string, part: Part) => void;
}

export interface Servers {
  databaseUrl: string;
  temporalAddress: string;
  mpc: MpcNodes;
}

export async function startServers(context: Context): Promise<Servers> {
  const [databaseUrl, temporalAddress, mpc] = await Promise.all([
    serveDatabase(context),
    serveTemporal(context),
    serveMpc(context),
  ]);
  return { databaseUrl, temporalAddress, mpc };
}

export async function serveDatabase({ directory, onStart }: Context): Promise<string> {
  const postgres = await startPostgres({
    directory: join(directory, 'postgres'),
    onStart: (part) => onStart('postgres', 'postgres', part),
  });
  const url = postgres.url('countersign');
  await migrateDatabase(url);
  return url;
}

export async function serveTemporal({ root, directory, supervision, onStart }: Context): Promise<string> {
  const temporal = await startTemporal({
    binary: await findTemporal(join(root, '.local'), supervision),
    directory: join(directory, 'temporal'),
    onStart: (part) => onStart('temporal', 'temporal', part),
  });
  return temporal.address;
}

/** Of this program, or of the one that is built of the crate. */
export async function serveMpc(
  { root, directory, supervision, onStart }: Context,
  program?: string,
): Promise<MpcNodes> {
  const logDirectory = join(directory, 'logs');
  return startMpcNodes({
    binary: program ?? (await findMpcNode(join(root, 'mpc'), join(logDirectory, 'build-mpc-node.log'), supervision)),
    directory: join(directory, 'mpc'),
    policyFile: join(root, 'mpc', 'policies', 'sandbox.json'),
    logDirectory,
    supervision,
    onStart: (_name, part) => onStart('node', 'nodes', part),
  });
}
