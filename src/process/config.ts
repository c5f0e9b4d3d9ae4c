// The environment, read and checked once at the start of a process, by the table in configuration-variables.ts. Nothing
// else reads process.env. A wrong or missing variable is a ConfigError: one sentence that names the variable and what
// it should be, and shows of its value at most the code of a network.
import { readFileSync } from 'node:fs';
import Type, { type Static, type TObject } from 'typebox';
import { Value } from 'typebox/value';
import { networkSeed } from '../../domain/catalog/networks.ts';
import { isSandboxCode } from '../../domain/catalog/sandbox.ts';
import type { FeeCapSettings } from '../../domain/withdrawals/fee-caps.ts';
import {
  clustersVariables,
  clusterVariables,
  migrateVariables,
  operatorVariables,
  reconciliationVariables,
  serverVariables,
  softwareSignerVariables,
  variablesByReader,
  workerVariables,
} from './configuration-variables.ts';
import { findDatabaseUrlFault, findPlaintextPeer } from './plaintext-connections.ts';

const ServerEnvironment = Type.Object(serverVariables);
const WorkerEnvironment = Type.Object({ ...workerVariables, ...clusterVariables });
const ClustersWorkerEnvironment = Type.Object({ ...workerVariables, ...clustersVariables });
const SoftwareWorkerEnvironment = Type.Object({ ...workerVariables, ...softwareSignerVariables });

const OperatorEnvironment = Type.Object(operatorVariables);
const ReconciliationEnvironment = Type.Object(reconciliationVariables);
const MigrateEnvironment = Type.Object(migrateVariables);

export type ServerConfig = Static<typeof ServerEnvironment>;
export type WorkerConfig = NodesConfig | ClustersConfig | Static<typeof SoftwareWorkerEnvironment>;
export type NodesConfig = Static<typeof WorkerEnvironment>;
export type ClustersConfig = Static<typeof ClustersWorkerEnvironment>;

export class ConfigError extends Error {
  override name = 'ConfigError';
}

export const readServerConfig = (environment: NodeJS.ProcessEnv) =>
  read(ServerEnvironment, withSecretFiles(environment));
export const readOperatorConfig = (environment: NodeJS.ProcessEnv) =>
  read(OperatorEnvironment, withSecretFiles(environment));
export const readReconciliationConfig = (environment: NodeJS.ProcessEnv) =>
  read(ReconciliationEnvironment, withSecretFiles(environment));
export const readMigrateConfig = (environment: NodeJS.ProcessEnv) =>
  read(MigrateEnvironment, withSecretFiles(environment));

/** With the nodes of one cluster, with a file of several, or with the software signer in their place. */
export function readWorkerConfig(given: NodeJS.ProcessEnv): WorkerConfig {
  const environment = withSecretFiles(given);
  assertOneKindOfKeys(environment);
  if (environment['MPC_CLUSTERS_FILE']) return read(ClustersWorkerEnvironment, environment);
  if (!environment['MPC_SOFTWARE_SEED']) return read(WorkerEnvironment, environment);
  const config = read(SoftwareWorkerEnvironment, environment);
  if (config.SERVICE_ENV === 'production')
    throw new ConfigError('MPC_SOFTWARE_SEED is for tests: in production keys are with the nodes, set MPC_NODES.');
  return config;
}

const secrets = [...new Set(Object.values(variablesByReader).flatMap(secretsOf))];

function secretsOf(variables: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(variables).filter((name) => (variables[name] as { secret?: boolean }).secret === true);
}

/**
 * A secret may be in a file that `NAME_FILE` names, where the environment of a process can be read by others. Without
 * the line ends at its end.
 */
export function withSecretFiles(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const read = { ...environment };
  for (const name of secrets) {
    const path = environment[`${name}_FILE`];
    delete read[`${name}_FILE`];
    if (path === undefined || path === '') continue;
    if (environment[name]) throw new ConfigError(`${name} and ${name}_FILE exclude each other: set one of them.`);
    try {
      read[name] = readFileSync(path, 'utf8').replace(/[\r\n]+$/, '');
    } catch (error) {
      const { code = 'unreadable' } = error as NodeJS.ErrnoException;
      throw new ConfigError(`${name}_FILE names a file that cannot be read (${code}).`);
    }
    if (read[name] === '') throw new ConfigError(`${name}_FILE names a file that is empty.`);
  }
  return read;
}

/** Throws one sentence when it is said twice where the keys are. */
function assertOneKindOfKeys(environment: NodeJS.ProcessEnv): void {
  const isSet = (name: string) => environment[name] !== undefined && environment[name] !== '';
  const [one, other] = ['MPC_NODES', 'MPC_CLUSTERS_FILE', 'MPC_SOFTWARE_SEED'].filter(isSet);
  if (other !== undefined)
    throw new ConfigError(`${other} and ${one} exclude each other: each says where the keys are.`);
}

function read<Schema extends TObject>(schema: Schema, environment: NodeJS.ProcessEnv): Static<Schema> {
  const candidate: Record<string, unknown> = {};
  for (const name of Object.keys(schema.properties)) {
    const value = environment[name];
    if (value === undefined || value === '') continue;
    // Convert would take "80.5", "true" and "0x50" for whole numbers.
    const isInteger = (schema.properties[name] as { type?: string }).type === 'integer';
    candidate[name] = isInteger ? (/^\d+$/.test(value) ? Number(value) : Number.NaN) : value;
  }
  const converted = Value.Convert(schema, Value.Default(schema, candidate));
  for (const [name, property] of Object.entries(schema.properties)) {
    const value = (converted as Record<string, unknown>)[name];
    if (Value.Check(property, value)) continue;
    const wanted = (property as { description?: string }).description ?? 'a valid value';
    const fault = value === undefined ? 'is not set' : `is not valid${findListFault(property, value)}`;
    throw new ConfigError(`${name} ${fault}: it must be ${wanted}.`);
  }
  const config = converted as Static<Schema>;
  refuseWeakProductionKey(config);
  refuseSandboxNetworks(config);
  refuseHalfABucket(config);
  refuseUncheckedCertificates(config, environment);
  refusePlaintext(config, environment);
  return config;
}

interface ListByNetwork {
  pattern?: string;
  isListByNetwork?: boolean;
}

/**
 * Of a list by network: which entry is at fault, by its place and, where the code of a network is what it begins with,
 * by that. What has the form of a code and is of no network is named only before a `=`, and nothing else of an entry
 * is, since it may be a secret. Empty for what is no such list.
 */
function findListFault({ pattern = '', isListByNetwork }: ListByNetwork, value: unknown): string {
  if (isListByNetwork !== true || typeof value !== 'string') return '';
  const entries = value.split(',');
  const at = entries.findIndex((entry) => entry === '' || !new RegExp(pattern).test(entry));
  const entry = entries[at];
  if (entry === undefined) return '';
  const [, code = '', equals] = /^([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(=|$)/.exec(entry) ?? [];
  if (networkSeed.some(({ internalCode }) => internalCode === code)) return ` (entry ${at + 1}, ${code})`;
  return equals === '=' ? ` (entry ${at + 1}, ${code}, which is no network of the catalogue)` : ` (entry ${at + 1})`;
}

export const parseRpcUrls = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split(',')
      .filter((entry) => entry !== '')
      .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  );

/** By symbol, as decimal text. */
export const parseThresholds = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split(',').flatMap((entry) => (entry === '' ? [] : [entry.split('=', 2) as [string, string]])),
  );

/** By internal code, as domain/withdrawals/fee-caps.ts reads them. */
export const parseFeeCaps = (text: string): FeeCapSettings =>
  Object.fromEntries(
    text.split(',').flatMap((entry) => {
      const [code, cap] = entry.split('=', 2);
      const [fee, price] = (cap ?? '').split('@', 2);
      return code === undefined || fee === undefined || fee === '' ? [] : [[code, { fee, price }]];
    }),
  );

export const parseNetworkCodes = (text: string): string[] => text.split(',').filter((code) => code !== '');

export const keptDaysOf = (
  config: Pick<WorkerConfig, 'EVENTS_KEPT_DAYS' | 'WEBHOOK_DELIVERIES_KEPT_DAYS' | 'IDEMPOTENCY_KEYS_KEPT_DAYS'>,
) => ({
  events: config.EVENTS_KEPT_DAYS,
  deliveries: config.WEBHOOK_DELIVERIES_KEPT_DAYS,
  idempotencyKeys: config.IDEMPOTENCY_KEYS_KEPT_DAYS,
});

const loopback = new Set(['127.0.0.1', '::1', 'localhost']);

/** Empty where nobody signs in with a passkey: in production it is said, and in a sandbox it is this machine alone. */
export function consoleOriginOf(
  config: Pick<ServerConfig, 'CONSOLE_ORIGIN' | 'SERVICE_ENV' | 'HOST' | 'PORT'>,
): string {
  if (config.CONSOLE_ORIGIN !== '') return config.CONSOLE_ORIGIN;
  const isHere = config.SERVICE_ENV !== 'production' && loopback.has(config.HOST) && config.PORT !== 0;
  return isHere ? `http://localhost:${config.PORT}` : '';
}

/** In Temporal's web interface, where there is one. */
export const workflowsUrlOf = (config: Pick<ServerConfig, 'TEMPORAL_UI_URL' | 'TEMPORAL_NAMESPACE'>) =>
  config.TEMPORAL_UI_URL === ''
    ? undefined
    : `${config.TEMPORAL_UI_URL.replace(/\/+$/, '')}/namespaces/${encodeURIComponent(config.TEMPORAL_NAMESPACE)}/workflows`;

/** The one of today, then those that still decrypt. */
export const keyEncryptionKeysOf = (config: { KEY_ENCRYPTION_KEY: string; KEY_ENCRYPTION_KEY_PREVIOUS: string }) =>
  [config.KEY_ENCRYPTION_KEY, config.KEY_ENCRYPTION_KEY_PREVIOUS].filter((key) => key !== '');

/** A key of one repeated digit pair is an example from somebody's documentation, not 32 random bytes. */
function refuseWeakProductionKey(config: { SERVICE_ENV?: unknown; KEY_ENCRYPTION_KEY?: unknown }): void {
  if (config.SERVICE_ENV !== 'production' || typeof config.KEY_ENCRYPTION_KEY !== 'string') return;
  if (new Set(Buffer.from(config.KEY_ENCRYPTION_KEY, 'hex')).size < 8)
    throw new ConfigError('KEY_ENCRYPTION_KEY is an example key: production needs 32 random bytes.');
}

/** Their keys are published: in production somebody would take a balance there for money. */
function refuseSandboxNetworks(config: Readonly<Record<string, unknown>>): void {
  if (config['SERVICE_ENV'] !== 'production') return;
  for (const name of ['RPC_URLS', 'RPC_URLS_SECOND', 'NETWORKS_ENABLED', 'SINGLE_NODE_NETWORKS', 'TRACE_NETWORKS']) {
    const value = config[name];
    const codes = typeof value === 'string' ? value.split(',').map((entry) => entry.split('=', 1)[0] ?? '') : [];
    const found = codes.find(isSandboxCode);
    if (found !== undefined)
      throw new ConfigError(`${name} names ${found}: production has no sandbox networks, take it out.`);
  }
}

/** Before an export is the first to find out. */
function refuseHalfABucket(config: Readonly<Record<string, unknown>>): void {
  if (!('EXPORT_S3_BUCKET' in config)) return;
  const isSet = (name: string) => config[name] !== '';
  const keys = ['EXPORT_S3_ACCESS_KEY_ID', 'EXPORT_S3_SECRET_ACCESS_KEY'];
  if (!isSet('EXPORT_S3_BUCKET')) {
    const lonely = [...keys, 'EXPORT_S3_ENDPOINT'].find(isSet);
    if (lonely !== undefined) throw new ConfigError(`${lonely} is set, and EXPORT_S3_BUCKET is not: set both or none.`);
    return;
  }
  if (isSet('EXPORT_DIRECTORY'))
    throw new ConfigError(
      'EXPORT_DIRECTORY and EXPORT_S3_BUCKET exclude each other: files of exports are in one place.',
    );
  const missing = keys.find((name) => !isSet(name));
  if (missing !== undefined) throw new ConfigError(`${missing} is not set: EXPORT_S3_BUCKET needs it.`);
}

/** `fetch` to RPC nodes, the approver and the price source would take anybody who stands in between for them. */
function refuseUncheckedCertificates(config: { SERVICE_ENV?: unknown }, environment: NodeJS.ProcessEnv): void {
  if (config.SERVICE_ENV === 'production' && environment['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
    throw new ConfigError(
      'NODE_TLS_REJECT_UNAUTHORIZED is 0: production checks certificates, an authority of your own goes into NODE_EXTRA_CA_CERTS.',
    );
}

/**
 * Whoever stands in between would read secrets of callers, and take the part of the database, of Temporal or of a
 * chain.
 */
function refusePlaintext(config: Readonly<Record<string, unknown>>, environment: NodeJS.ProcessEnv): void {
  const { DATABASE_URL: url } = config;
  const fault = typeof url === 'string' ? findDatabaseUrlFault(url) : undefined;
  if (fault !== undefined) throw new ConfigError(`DATABASE_URL ${fault}.`);
  if (config['SERVICE_ENV'] !== 'production' || config['TRUSTED_NETWORK'] === true) return;
  const found = findPlaintextPeer(config, environment);
  if (found !== undefined)
    throw new ConfigError(
      `${found.name} leads to another machine without verified TLS: production needs ${found.remedy}, or TRUSTED_NETWORK=true where nobody else can reach the network.`,
    );
}
