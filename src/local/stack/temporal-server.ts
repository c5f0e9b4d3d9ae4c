// The stack's Temporal: the real server on the stack's PostgreSQL. Makes its databases and its schema, brings them up
// to the version of the program, and makes the namespace of the service. Starts no workflow.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { sql } from 'drizzle-orm';
import { connectDatabase } from '../../../drizzle/database/connection.ts';
import { writeAtomically } from '../atomic-file.ts';
import { type Part, startPart } from '../processes/part.ts';
import { findFreePort } from '../processes/ports.ts';
import { type Placement, supervise } from '../processes/supervise.ts';
import { readOrMakeSecret } from '../secret-file.ts';
import type { CertificateFiles, StackAuthority } from './certificates.ts';
import {
  TEMPORAL_DATABASES,
  TEMPORAL_NAME,
  TEMPORAL_SERVICES,
  TEMPORAL_USER,
  type TemporalPorts,
  temporalConfiguration,
} from './temporal-configuration.ts';

export const TEMPORAL_NAMESPACE = 'countersign';
const NAME = 'Temporal';
/** Below the range from which systems take ports for outgoing connections, as of every part. */
const FIRST_PORTS = { grpc: 7243, membership: 6943 };
const RETENTION = '7 days';
const STOP_GRACE_MS = 20_000;
const NOT_FOUND = 5;

export type TemporalServerOptions = Placement & {
  programs: { temporalServer: string; temporalSqlTool: string };
  postgres: { port: number; ownerUrl: string };
  authority: StackAuthority;
  /** Who calls it: the certificate that API and workers show. */
  client: CertificateFiles;
  /** The file of its dynamic configuration. */
  dynamicFile: string;
};

/** Returns the address of its frontend. */
export async function startTemporalServer(options: TemporalServerOptions): Promise<string> {
  const { directory, postgres, authority } = options;
  const password = readOrMakeSecret(join(directory, 'database-password'), 'hex');
  await provideDatabases(postgres.ownerUrl, password);
  for (const [store, database] of Object.entries(TEMPORAL_DATABASES)) {
    const schema = `postgresql/v12/${store === 'visibility' ? 'visibility' : 'temporal'}`;
    await runSqlTool(options, { database, password }, ['setup-schema', '--version', '0.0']);
    await runSqlTool(options, { database, password }, ['update-schema', '--schema-name', schema]);
  }
  const ports = await findPorts();
  const configuration = temporalConfiguration({
    ports,
    postgres: { port: postgres.port, password },
    authorityFile: authority.file,
    server: authority.issue('temporal', `DNS:${TEMPORAL_NAME}`),
    dynamicFile: writeDynamicConfiguration(options),
  });
  mkdirSync(join(directory, 'configuration'), { recursive: true, mode: 0o700 });
  writeAtomically(join(directory, 'configuration', 'stack.yaml'), JSON.stringify(configuration, null, 2), 0o600);

  const address = `127.0.0.1:${ports.frontend.grpcPort}`;
  const { supervision } = options;
  const start = () => startServer(options);
  await supervise({ name: NAME, supervision, start, isReady: () => hasNamespace(options, address) });
  return address;
}

async function startServer({ programs, directory, logFile, onStart }: TemporalServerOptions): Promise<Part> {
  const part = await startPart({
    command: programs.temporalServer,
    args: ['--root', directory, '--config', 'configuration', '--env', 'stack', '--allow-no-auth', 'start'],
    environment: { PATH: process.env['PATH'], HOME: directory },
    logFile,
    stopGraceMs: STOP_GRACE_MS,
  });
  onStart(NAME, part);
  return part;
}

/** A login of its own, and databases in which it owns everything. */
async function provideDatabases(ownerUrl: string, password: string): Promise<void> {
  const connection = connectDatabase(ownerUrl, { poolSize: 1, name: 'countersign-stack' });
  try {
    const [login] = await connection.db.execute(sql`select from pg_roles where rolname = ${TEMPORAL_USER}`);
    const verb = login === undefined ? 'create' : 'alter';
    await connection.db.execute(sql.raw(`${verb} role ${TEMPORAL_USER} login password '${password}'`));
    for (const database of Object.values(TEMPORAL_DATABASES)) {
      const [found] = await connection.db.execute(sql`select from pg_database where datname = ${database}`);
      if (found === undefined)
        await connection.db.execute(sql.raw(`create database ${database} owner ${TEMPORAL_USER}`));
      await connection.db.execute(sql.raw(`revoke connect on database ${database} from public`));
    }
  } finally {
    await connection.close();
  }
}

/** The password is in the environment of this command alone, which reads it from nowhere else. */
async function runSqlTool(
  { programs, postgres, authority }: TemporalServerOptions,
  { database, password }: { database: string; password: string },
  command: readonly string[],
): Promise<void> {
  const place = ['--plugin', 'postgres12', '--ep', '127.0.0.1', '--port', String(postgres.port), '--db', database];
  const tls = ['--tls', '--tls-ca-file', authority.file, '--tls-server-name', '127.0.0.1'];
  const environment = { PATH: process.env['PATH'], SQL_USER: TEMPORAL_USER, SQL_PASSWORD: password };
  try {
    await promisify(execFile)(programs.temporalSqlTool, [...place, ...tls, ...command], { env: environment });
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    const said = (stderr?.trim().split('\n').at(-1) || message).replaceAll(password, '…');
    throw new Error(`The schema of Temporal could not be made in ${database}: ${said}`, { cause: error });
  }
}

async function findPorts(): Promise<TemporalPorts> {
  const ports = TEMPORAL_SERVICES.map(async (service, index) => {
    const grpcPort = await findFreePort(FIRST_PORTS.grpc + index);
    return [service, { grpcPort, membershipPort: await findFreePort(FIRST_PORTS.membership + index) }] as const;
  });
  return Object.fromEntries(await Promise.all(ports)) as TemporalPorts;
}

/** As in deployments, and TLS between its services where they find each other, too. */
function writeDynamicConfiguration({ directory, dynamicFile }: TemporalServerOptions): string {
  const path = join(directory, 'dynamic.yaml');
  writeAtomically(path, `${readFileSync(dynamicFile, 'utf8')}system.enableRingpopTLS: [{ value: true }]\n`, 0o600);
  return path;
}

/** Made when it is not there. A worker does not start in one that forgets closed workflows within a day. */
async function hasNamespace({ authority, client }: TemporalServerOptions, address: string): Promise<true | undefined> {
  try {
    const clientCertPair = { crt: readFileSync(client.certificate), key: readFileSync(client.key) };
    const serverRootCACertificate = readFileSync(authority.file);
    const tls = { serverNameOverride: TEMPORAL_NAME, serverRootCACertificate, clientCertPair };
    const connection = await Connection.connect({ address, connectTimeout: '2s', tls });
    try {
      await provideNamespace(connection);
      return true;
    } finally {
      await connection.close();
    }
  } catch {
    return undefined;
  }
}

async function provideNamespace({ workflowService }: Connection): Promise<void> {
  try {
    await workflowService.describeNamespace({ namespace: TEMPORAL_NAMESPACE });
  } catch (error) {
    if ((error as { code?: unknown }).code !== NOT_FOUND) throw error;
    const workflowExecutionRetentionPeriod = msToTs(RETENTION);
    await workflowService.registerNamespace({ namespace: TEMPORAL_NAMESPACE, workflowExecutionRetentionPeriod });
  }
}
