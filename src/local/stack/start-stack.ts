// Starts what a production has, as processes of one machine: PostgreSQL and Temporal with TLS, three nodes, two APIs
// behind a proxy, two workers, Prometheus. Each secret is in a file that its process is told of. Embeds no chain:
// production has no sandbox networks.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { provideServiceLogin } from '../../../drizzle/database/service-login.ts';
import { writeAtomically } from '../atomic-file.ts';
import { keepDefaultWorkspace } from '../default-workspace.ts';
import { findMpcNode } from '../mpc/mpc-binary.ts';
import { type MpcNodes, startMpcNodes } from '../mpc/mpc-nodes.ts';
import { writeOperatorEnvironment } from '../operator-environment.ts';
import { startPostgres } from '../postgres/postgres.ts';
import { keepRunning } from '../processes/keep-running.ts';
import { MissingProgram } from '../processes/missing-program.ts';
import type { Part } from '../processes/part.ts';
import { findFreePort, isPortFree } from '../processes/ports.ts';
import type { Running } from '../processes/run-parts.ts';
import type { Stage } from '../processes/running-parts.ts';
import { runCommand, type ServiceContext, startApi, startWorker } from '../processes/service-processes.ts';
import type { Placement } from '../processes/supervise.ts';
import { readOrMakeSecret } from '../secret-file.ts';
import { StackAuthority } from './certificates.ts';
import { findStackPrograms, type StackPrograms } from './go-programs.ts';
import { type ScrapeTargets, startPrometheus } from './prometheus.ts';
import { API_SHUTDOWN_DELAY_MS, startProxy } from './proxy.ts';
import { routed, routedNodes, type StackOverrides } from './stack-overrides.ts';
import { TEMPORAL_NAME } from './temporal-configuration.ts';
import { startTemporalServer, TEMPORAL_NAMESPACE } from './temporal-server.ts';

const POSTGRES_PORT = 5442;
const PROXY_PORT = 8180;
const FIRST_API_PORT = 8181;
const FIRST_NODE_PORT = 8191;
const FIRST_METRICS_PORT = 9464;
const NUMBERS = [1, 2] as const;

export type StackOptions = Running & {
  /** The project's folder. */
  root: string;
  /** Where everything of this stack lies. */
  directory: string;
  /** Of the proxy: refused when it is taken. */
  port?: number;
  /** For tests that bring the stack into trouble. */
  overrides?: StackOverrides;
};

export type Stack = { baseUrl: string; temporalAddress: string; databaseUrlFile: string; prometheusUrl?: string };

type Database = { port: number; ownerUrl: string; ownerUrlFile: string; serviceUrlFile: string };
type Environment = Record<string, string>;

export async function startStack(options: StackOptions): Promise<Stack> {
  const { root, directory, supervision } = options;
  const proxyPort = options.port ?? (await findFreePort(PROXY_PORT));
  if (!(await isPortFree(proxyPort))) throw new Error(`Port ${proxyPort} is taken: give --port another one.`);
  const authority = new StackAuthority(join(directory, 'tls'));
  const client = authority.issue('service', 'DNS:countersign');
  const programs = await findStackPrograms(join(root, '.local'), supervision);
  const postgres = await providePostgres(options, authority);
  const [database, temporalAddress, nodes] = await Promise.all([
    migrate(options, postgres),
    startTemporalServer({
      ...placementOf(options, 'temporal', 'temporal'),
      programs,
      postgres,
      authority,
      client,
      dynamicFile: join(root, 'deploy/compose/temporal/dynamic.yaml'),
    }),
    provideNodes(options),
  ]);
  supervision.report(`Temporal runs on ${temporalAddress}`);
  supervision.signal.throwIfAborted();

  const shared = {
    ...baseEnvironment(),
    ...secretFiles(options),
    EXPORT_DIRECTORY: exportFolder(options),
    ...options.overrides?.environment,
    DATABASE_URL_FILE: database.serviceUrlFile,
    TEMPORAL_ADDRESS: await routed(options.overrides, 'Temporal', temporalAddress),
    TEMPORAL_NAMESPACE,
    TEMPORAL_TLS_SERVER_NAME: TEMPORAL_NAME,
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: authority.file,
    TEMPORAL_TLS_CLIENT_CERT_PATH: client.certificate,
    TEMPORAL_TLS_CLIENT_KEY_PATH: client.key,
  };
  const [apiPorts, metricsPorts] = await Promise.all([
    startApis(options, shared),
    startWorkers(options, shared, nodes),
  ]);
  supervision.report('two APIs and two workers run');
  const baseUrl = await startProxyBefore(options, programs, { proxyPort, apiPorts });
  const prometheusUrl = await providePrometheus(options, {
    apis: apiPorts.map((port) => `127.0.0.1:${port}`),
    workers: metricsPorts.map((port) => `127.0.0.1:${port}`),
    nodes: nodes.observedAt,
    metricsTokenFile: secretFiles(options).METRICS_TOKEN_FILE,
  });
  const forOwner = { ...shared, DATABASE_URL_FILE: database.ownerUrlFile, TEMPORAL_ADDRESS: temporalAddress };
  const { PATH: _, LOG_LEVEL: __, ...forOperators } = forOwner;
  writeOperatorEnvironment(join(directory, 'environment'), forOperators);
  const file = join(directory, 'credentials.json');
  const kept = { file, addresses: { base_url: baseUrl, networks: {} }, takesPasskeys: false };
  await keepDefaultWorkspace(kept, (...args) => runCommand(serviceOf(options, forOwner), 'workspace', args));
  const stack = { baseUrl, temporalAddress, databaseUrlFile: database.ownerUrlFile };
  return { ...stack, ...(prometheusUrl !== undefined && { prometheusUrl }) };
}

async function providePostgres(options: StackOptions, authority: StackAuthority): Promise<Database> {
  const { directory, supervision, onStart } = options;
  const files = authority.issue('postgres', 'IP:127.0.0.1');
  const start = (port: number) =>
    startPostgres({
      directory: join(directory, 'postgres'),
      logFile: join(directory, 'logs', 'postgres.log'),
      port,
      certificate: { certificate: readFileSync(files.certificate, 'utf8'), key: readFileSync(files.key, 'utf8') },
      onStart: (part) => onStart('postgres', 'PostgreSQL', part),
    });
  const postgres = await start(await findFreePort(POSTGRES_PORT));
  void keepRunning(postgres, { name: 'PostgreSQL', start: () => start(postgres.port) }, supervision);
  supervision.report(`PostgreSQL runs on port ${postgres.port}`);
  const ownerUrl = `${postgres.url('countersign')}?sslmode=verify-full&sslrootcert=${authority.file}`;
  const place = (name: string) => join(directory, 'secrets', name);
  const ownerUrlFile = place('database-owner-url');
  mkdirSync(join(directory, 'secrets'), { recursive: true, mode: 0o700 });
  writeAtomically(ownerUrlFile, `${ownerUrl}\n`, 0o600);
  return { port: postgres.port, ownerUrl, ownerUrlFile, serviceUrlFile: place('database-url') };
}

/** The service's login can add to the audit log and change nothing in it: the role exists once it is migrated. */
async function migrate(options: StackOptions, database: Database): Promise<Database> {
  await runCommand(serviceOf(options, { ...baseEnvironment(), DATABASE_URL_FILE: database.ownerUrlFile }), 'migrate');
  options.supervision.report('the database is migrated');
  const password = readOrMakeSecret(join(options.directory, 'secrets', 'database-service-password'), 'hex');
  const url = new URL(await provideServiceLogin(database.ownerUrl, { name: 'countersign_service', password }));
  url.host = await routed(options.overrides, 'database', url.host);
  writeAtomically(database.serviceUrlFile, `${url.href}\n`, 0o600);
  return database;
}

async function provideNodes(options: StackOptions): Promise<MpcNodes> {
  const { root, directory, supervision, onStart } = options;
  const logs = join(directory, 'logs');
  const nodes = await startMpcNodes({
    binary: await findMpcNode(join(root, 'mpc'), join(logs, 'build-mpc-node.log'), supervision),
    directory: join(directory, 'mpc'),
    policyFile: options.overrides?.policyFile ?? join(root, 'deploy/compose/policy.json'),
    logDirectory: logs,
    firstPort: FIRST_NODE_PORT,
    observed: true,
    supervision,
    onStart: (name, part) => onStart('node', name, part),
  });
  supervision.report(`three MPC nodes run (${nodes.addresses})`);
  return nodes;
}

/** Returns their ports. */
async function startApis(options: StackOptions, shared: Environment): Promise<number[]> {
  return Promise.all(
    NUMBERS.map(async (number) => {
      const port = await findFreePort(FIRST_API_PORT + number - 1);
      const own = { PORT: String(port), TRUSTED_PROXIES: '1', SHUTDOWN_DELAY_MS: String(API_SHUTDOWN_DELAY_MS) };
      const service = serviceOf(options, { ...shared, ...own });
      await serve(options, `API ${number}`, (name) => startApi(service, `http://127.0.0.1:${port}`, name));
      return port;
    }),
  );
}

/** Returns the ports of their metrics. */
async function startWorkers(options: StackOptions, shared: Environment, nodes: MpcNodes): Promise<number[]> {
  const addresses = await routedNodes(options.overrides, nodes.addresses);
  return Promise.all(
    NUMBERS.map(async (number) => {
      const port = await findFreePort(FIRST_METRICS_PORT + number - 1);
      const cluster = {
        MPC_NODES: addresses,
        MPC_CLUSTER_FILE: nodes.clusterFile,
        MPC_CREDENTIALS_DIR: nodes.credentialsDirectory,
      };
      const service = serviceOf(options, { ...shared, ...cluster, METRICS_PORT: String(port) });
      await serve(options, `worker ${number}`, (name) => startWorker(service, name));
      return port;
    }),
  );
}

async function serve({ supervision }: StackOptions, name: string, run: (name: string) => Promise<Part>): Promise<void> {
  const start = () => run(name);
  void keepRunning(await start(), { name, start }, supervision);
}

async function startProxyBefore(
  options: StackOptions,
  programs: StackPrograms,
  { proxyPort, apiPorts }: { proxyPort: number; apiPorts: number[] },
): Promise<string> {
  const placement = { ...placementOf(options, 'proxy', 'proxy'), port: proxyPort };
  const baseUrl = await startProxy({ ...placement, program: programs.caddy, apiPorts });
  options.supervision.report(`the proxy runs on ${baseUrl}`);
  return baseUrl;
}

async function providePrometheus(options: StackOptions, targets: ScrapeTargets): Promise<string | undefined> {
  const { report } = options.supervision;
  try {
    const alerts = join(options.root, 'deploy/alerts/countersign.yaml');
    const url = await startPrometheus(placementOf(options, 'proxy', 'prometheus'), alerts, targets);
    report(`Prometheus runs on ${url}`);
    return url;
  } catch (error) {
    if (!(error instanceof MissingProgram)) throw error;
    report(`Prometheus is left out: ${error.message}`);
    return undefined;
  }
}

/** Everything that a process of the service sees: nothing of ours is passed on. */
const baseEnvironment = () => ({
  PATH: process.env['PATH'] ?? '',
  SERVICE_ENV: 'production',
  LOG_LEVEL: 'info', // readiness is read from the log
});

/** One for all processes of the service, as it has to be. */
function exportFolder({ directory }: StackOptions): string {
  const path = join(directory, 'exports');
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}

function secretFiles({ directory }: StackOptions) {
  const place = (name: string) => {
    const path = join(directory, 'secrets', name);
    if (!existsSync(path)) readOrMakeSecret(path, 'hex');
    return path;
  };
  return { KEY_ENCRYPTION_KEY_FILE: place('key-encryption-key'), METRICS_TOKEN_FILE: place('metrics-token') };
}

const serviceOf = ({ root, directory, onStart }: StackOptions, environment: Environment): ServiceContext => ({
  dist: join(root, 'dist'),
  logDirectory: join(directory, 'logs'),
  environment,
  onStart: (name, part) => onStart('service', name, part),
});

function placementOf({ directory, supervision, onStart }: StackOptions, stage: Stage, name: string): Placement {
  const own = join(directory, name);
  mkdirSync(own, { recursive: true, mode: 0o700 });
  return {
    directory: own,
    logFile: join(directory, 'logs', `${name}.log`),
    supervision,
    onStart: (part, started) => onStart(stage, part, started),
  };
}
