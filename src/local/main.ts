// `npm start`: the whole service on this machine. Embeds what the environment does not name (PostgreSQL, Temporal, the
// MPC nodes, the chains), then runs the API and the worker as in production. Whichever ends is started again. Holds no
// logic of the service.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { provideChains } from './chains.ts';
import { type ConsoleLinks, keepDefaultWorkspace } from './default-workspace.ts';
import { type Context, provideDatabase, provideMpc, provideTemporal } from './embedded-parts.ts';
import { writeOperatorEnvironment } from './operator-environment.ts';
import { keepRunning } from './processes/keep-running.ts';
import type { Part } from './processes/part.ts';
import { isPortFree } from './processes/ports.ts';
import { describeRunning, runParts } from './processes/run-parts.ts';
import { runCommand, type ServiceContext, startApi, startWorker } from './processes/service-processes.ts';
import { readOrMakeSecret } from './secret-file.ts';
import { type RpcUrls, readLocalSettings } from './settings.ts';

const root = resolve(import.meta.dirname, '..'); // this file runs as dist/local.js
const local = join(root, '.local');
const logs = join(local, 'logs');
/** A shell that has read `.local/environment` has the address of a database that runs only while this does. */
const OWN_DATABASE = 'That is set in this shell: `unset DATABASE_URL TEMPORAL_ADDRESS`, and `npm start` runs its own.';

async function main(): Promise<void> {
  const settings = readLocalSettings(process.env);
  await runParts(local, async (running) => finalBlock(await startAll({ root, settings, ...running })));
}

type Started = { baseUrl: string; uiUrl?: string; networks: RpcUrls; consoleUrl: string; links: ConsoleLinks };

async function startAll(context: Context): Promise<Started> {
  const { settings, supervision } = context;
  if (!(await isPortFree(settings.port, settings.host)))
    throw new Error(
      `Port ${settings.port} is taken: set PORT to a free one, for example PORT=${settings.port + 1} npm start.`,
    );
  const keyEncryptionKey = settings.keyEncryptionKey ?? readOrMakeSecret(join(local, 'key-encryption.key'), 'hex');
  const { KEY_ENCRYPTION_KEY: _, MPC_SOFTWARE_SEED: __, ...inherited } = process.env;
  const serviceOf = (environment: NodeJS.ProcessEnv): ServiceContext => ({
    dist: join(root, 'dist'),
    logDirectory: logs,
    // Readiness is read from the log, so its level is not above info.
    environment: { ...inherited, ...environment, LOG_LEVEL: verboseLevel(process.env['LOG_LEVEL']) },
    onStart: (name, part) => context.onStart('service', name, part),
  });

  const temporalStarted = provideTemporal(context);
  const [database, temporal, mpc, networks] = await Promise.all([
    provideDatabase(context).then(async ({ owner, service }) => {
      const migrated = await runCommand(serviceOf({ DATABASE_URL: owner }), 'migrate').catch((error: Error) => {
        throw settings.databaseUrl === undefined ? error : new Error(`${error.message} ${OWN_DATABASE}`);
      });
      supervision.report('the database is migrated');
      // Of an earlier version: once.
      if (migrated.includes('seal-rows')) {
        const environment = { DATABASE_URL: owner, KEY_ENCRYPTION_KEY: keyEncryptionKey };
        supervision.report((await runCommand(serviceOf(environment), 'workspace', ['seal-rows'])).trim());
      }
      return { owner, service: await service() };
    }),
    temporalStarted,
    provideMpc(context),
    provideChains(context, temporalStarted),
  ]);
  supervision.signal.throwIfAborted();

  const shared = {
    EXPORT_DIRECTORY: settings.exportDirectory ?? ownFolder(join(local, 'exports')),
    DATABASE_URL: database.service,
    TEMPORAL_ADDRESS: temporal.address,
    KEY_ENCRYPTION_KEY: keyEncryptionKey,
    // A developer receives webhooks on this machine.
    WEBHOOK_ALLOW_PRIVATE_TARGETS: process.env['WEBHOOK_ALLOW_PRIVATE_TARGETS'] || String(!settings.production),
  };
  const host = settings.host === '0.0.0.0' || settings.host === '::' ? '127.0.0.1' : settings.host;
  const baseUrl = `http://${host.includes(':') ? `[${host}]` : host}:${settings.port}`;
  // Passkeys belong to a name, and this machine's is `localhost`.
  const consoleOrigin = process.env['CONSOLE_ORIGIN'] || (isHere(settings) ? `http://localhost:${settings.port}` : '');
  const forApi = {
    ...shared,
    PORT: String(settings.port),
    CONSOLE_ORIGIN: consoleOrigin,
    TEMPORAL_UI_URL: process.env['TEMPORAL_UI_URL'] || temporal.uiUrl || '',
  };
  const forWorker = {
    ...shared,
    ...mpc,
    RPC_URLS: Object.entries(networks)
      .map(([code, address]) => `${code}=${address}`)
      .join(','),
    TRACE_NETWORKS: process.env['TRACE_NETWORKS'] ?? tracedNetworks(settings.rpcUrls),
  };
  const serve = async (name: string, start: () => Promise<Part>) =>
    void keepRunning(await start(), { name, start }, supervision);
  await Promise.all([
    serve('The API', () => startApi(serviceOf(forApi), baseUrl)),
    serve('The worker', () => startWorker(serviceOf(forWorker))),
  ]);
  supervision.report('the API and the worker run');
  let links: ConsoleLinks = {};
  if (!settings.production) {
    const operator = { ...shared, CONSOLE_ORIGIN: consoleOrigin, DATABASE_URL: database.owner };
    writeOperatorEnvironment(join(local, 'environment'), operator);
    links = await keepDefaultWorkspace(
      {
        file: join(local, 'credentials.json'),
        addresses: {
          base_url: baseUrl,
          networks,
          ...(temporal.uiUrl !== undefined && { temporal_ui_url: temporal.uiUrl }),
        },
        takesPasskeys: consoleOrigin !== '',
      },
      (...args) => runCommand(serviceOf({ ...forApi, DATABASE_URL: database.owner }), 'workspace', args),
    );
  }
  const consoleUrl = `${consoleOrigin || baseUrl}/console`;
  return { baseUrl, networks, consoleUrl, links, ...(temporal.uiUrl !== undefined && { uiUrl: temporal.uiUrl }) };
}

/** Passkeys of the sandbox are for browsers on this machine. */
const isHere = ({ production, host }: { production: boolean; host: string }): boolean =>
  !production && ['127.0.0.1', '::1', 'localhost'].includes(host);

function ownFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}

/** The embedded anvil answers traces; a node of one's own need not. */
const tracedNetworks = (ownNodes: RpcUrls): string =>
  ['ETHEREUM_SANDBOX'].filter((code) => ownNodes[code] === undefined).join(',');

function verboseLevel(level: string | undefined): string {
  return level === 'debug' || level === 'trace' ? level : 'info';
}

function finalBlock({ baseUrl, uiUrl, networks, consoleUrl, links }: Started): string {
  return describeRunning('Countersign runs.', [
    ['API', baseUrl],
    ['Console', consoleUrl],
    ...Object.entries(links).map(([role, url]) => [`Passkey of the ${role}`, url] as const),
    ['Reference', `${baseUrl}/docs`],
    ...(uiUrl === undefined ? [] : [['Temporal UI', uiUrl] as const]),
    ['Chains', Object.keys(networks).join(', ')],
    ['Credentials', '.local/credentials.json'],
    ['Logs', '.local/logs'],
    ['Operate', 'set -a; . .local/environment (in a shell, before the commands of RUNBOOK.md)'],
    ['Next', 'npm run demo (in another terminal)'],
    ['Stop', 'Ctrl-C stops all of it'],
  ]);
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
