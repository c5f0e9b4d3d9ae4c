// The environment, read and checked once at the start of a process. Nothing else reads process.env.
// A wrong or missing variable is a ConfigError: one sentence that names the variable and what it should be, never its value.
import Type, { type Static, type TObject } from 'typebox';
import { Value } from 'typebox/value';
import type { FeeCapSettings } from '../drizzle/fee-caps.ts';
import { networkSeed } from '../drizzle/networks.seed.ts';
import { findDatabaseUrlFault, findPlaintextPeer } from './plaintext.ts';
import { temporalTlsVariables } from './temporal-tls.ts';

const environmentVariables = {
  SERVICE_ENV: Type.Enum(['sandbox', 'production'], {
    default: 'sandbox',
    description: '"sandbox" or "production"',
  }),
  TRUSTED_NETWORK: Type.Boolean({ default: false, description: '"true" or "false"' }),
};

const serviceVariables = {
  ...environmentVariables,
  LOG_LEVEL: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    description: 'a pino log level',
  }),
  DATABASE_URL: Type.String({ pattern: '^postgres(ql)?://', description: 'a PostgreSQL address, postgres://…' }),
  DATABASE_POOL_SIZE: Type.Integer({ minimum: 1, maximum: 200, default: 10, description: 'a number from 1 to 200' }),
};

const temporalVariables = {
  TEMPORAL_ADDRESS: Type.String({ pattern: '^[^\\s/]+:\\d+$', description: 'host:port of a Temporal frontend' }),
  ...temporalTlsVariables,
  TEMPORAL_NAMESPACE: Type.String({ minLength: 1, default: 'default', description: 'a Temporal namespace' }),
  TEMPORAL_TASK_QUEUE: Type.String({ minLength: 1, default: 'countersign', description: 'a task queue name' }),
};

const keyVariables = {
  KEY_ENCRYPTION_KEY_PREVIOUS: Type.String({
    pattern: '^([0-9a-fA-F]{64})?$',
    default: '',
    description: '64 hex digits, or nothing: a key that still decrypts while `rotate-key-encryption-key` replaces it',
  }),
  KEY_ENCRYPTION_KEY: Type.String({
    pattern: '^[0-9a-fA-F]{64}$',
    description: '64 hex digits (32 random bytes), for example from `openssl rand -hex 32`',
  }),
};

const anyNetworkCode = `(${networkSeed.map(({ internalCode }) => internalCode).join('|')})`;
const networkCodes = Type.String({
  pattern: `^(${anyNetworkCode}(,${anyNetworkCode})*)?$`,
  default: '',
  description: 'internal codes of networks in the catalogue, separated by commas',
});

/** `CODE=address,…`; an address may hold a key, and is shown nowhere. */
const rpcUrls = Type.String({
  pattern: `^(${anyNetworkCode}=https?://[^\\s,]+(,${anyNetworkCode}=https?://[^\\s,]+)*)?$`,
  default: '',
  description: 'internal codes with the http(s) addresses of their nodes, CODE=address,…',
});

/** `CODE=whole fee` or `CODE=whole fee@price`. */
const anyFeeCap = `${anyNetworkCode}=(0|[1-9]\\d{0,9})(\\.\\d{1,6})?(@[1-9]\\d{0,11})?`;
const feeCapVariables = {
  FEE_CAPS: Type.String({
    pattern: `^(${anyFeeCap}(,${anyFeeCap})*)?$`,
    default: '',
    description:
      'internal codes with the most that a transaction may pay, CODE=<fee in the native currency>@<price in gwei, sat/vB or microlamports>,…',
  }),
};

const anyThreshold = '[A-Za-z0-9.-]{1,20}=(0|[1-9]\\d{0,29})(\\.\\d{1,18})?';

const webhookVariables = {
  WEBHOOK_ALLOW_PRIVATE_TARGETS: Type.Boolean({ default: false, description: '"true" or "false"' }),
};

const limit = (usual: number, maximum: number, what: string) =>
  Type.Integer({ minimum: 0, maximum, default: usual, description: `a number from 0 to ${maximum}, ${what}` });

const observabilityVariables = {
  METRICS_TOKEN: Type.String({
    pattern: '^([\\x21-\\x7e]{16,200})?$',
    default: '',
    description: '16 to 200 visible ASCII characters, which whoever reads the metrics must send, or nothing',
  }),
  /** The exporter reads it itself, and the other OTEL_ variables: here it only says that there are traces. */
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.String({
    pattern: '^(https?://[^\\s]+)?$',
    default: '',
    description: 'the http(s) address that takes traces by OTLP, or nothing',
  }),
};

const ServerEnvironment = Type.Object({
  ...serviceVariables,
  ...temporalVariables,
  ...keyVariables,
  ...webhookVariables,
  ...observabilityVariables,
  ...feeCapVariables,
  HOST: Type.String({ minLength: 1, default: '127.0.0.1', description: 'an address to listen on' }),
  PORT: Type.Integer({ minimum: 0, maximum: 65_535, default: 8150, description: 'a port from 0 to 65535' }),
  TRUSTED_PROXIES: limit(0, 10, 'how many proxies stand before every request'),
  RATE_LIMIT_PER_MINUTE: limit(6_000, 1_000_000_000, 'requests a minute of one API key in one process (0: no limit)'),
  FAILED_AUTHENTICATIONS_PER_MINUTE: limit(
    60,
    1_000_000,
    'failures a minute of one address before they are answered late (0: never)',
  ),
  CONNECTIONS_MAX: limit(20_000, 1_000_000, 'connections to one process (0: no limit)'),
  UNVERIFIED_BODIES_MAX_MIB: limit(
    64,
    65_536,
    'MiB of bodies whose signature is not verified yet in one process (0: no limit)',
  ),
  REQUESTS_UNDER_WAY_MAX: limit(1_000, 1_000_000, 'requests under way in one process (0: no limit)'),
  WORKSPACE_WALLETS_UNDER_WAY_MAX: limit(
    20,
    1_000_000,
    'wallets of one workspace that wait for their keys (0: no limit)',
  ),
  WORKSPACE_KEY_GENERATIONS_PER_DAY: limit(
    1_000,
    1_000_000_000,
    'keys of one workspace in a UTC day, of two a wallet (0: no limit)',
  ),
  WORKSPACE_RESCANS_PER_HOUR: limit(100, 1_000_000, 'rescans of one workspace in an hour (0: no limit)'),
  WORKSPACE_OPEN_OPERATIONS_MAX: limit(
    1_000,
    1_000_000,
    'signing requests and withdrawals of one workspace that are not final (0: no limit)',
  ),
  EVENT_LOOP_DELAY_MAX_MS: limit(1_000, 60_000, 'milliseconds by which the process may be late (0: no limit)'),
  SIGN_RAW_ENABLED: Type.Boolean({ default: true, description: '"true" or "false"' }),
  NETWORKS_ENABLED: networkCodes,
  NETWORKS_DISABLED: networkCodes,
  PRICE_SOURCE_URL: Type.String({
    pattern: '^(https?://[^\\s]+)?$',
    default: '',
    description: 'an http(s) address that answers {"ETH": "3123.4", …}, or nothing',
  }),
});

export const clusterVariables = {
  MPC_NODES: Type.String({
    pattern: '^\\d+=[^,=\\s]+:\\d+(,\\d+=[^,=\\s]+:\\d+)*$',
    description: 'the nodes as 1=host:port,2=host:port,3=host:port',
  }),
  MPC_CLUSTER_FILE: Type.String({ minLength: 1, description: 'the path of cluster.json (see mpc/README.md)' }),
  MPC_CREDENTIALS_DIR: Type.String({
    minLength: 1,
    description: 'the folder of the command key and TLS key that `mpc-node init-orchestrator` made',
  }),
  MPC_APPROVER_URL: Type.String({
    pattern: '^(https?://[^\\s]+)?$',
    default: '',
    description: 'an https address, or http on this machine, of who signs each command besides, or nothing',
  }),
};

const clustersVariables = {
  MPC_CLUSTERS_FILE: Type.String({
    minLength: 1,
    description: 'the path of a file that names several clusters (see mpc/README.md)',
  }),
};

const softwareSignerVariables = {
  MPC_SOFTWARE_SEED: Type.String({
    pattern: '^[0-9a-fA-F]{64}$',
    description: '64 hex digits (32 random bytes) that all keys of the software signer follow from',
  }),
};

const workerVariables = {
  ...serviceVariables,
  ...temporalVariables,
  ...keyVariables,
  ...webhookVariables,
  ...observabilityVariables,
  ...feeCapVariables,
  METRICS_HOST: Type.String({ minLength: 1, default: '127.0.0.1', description: 'an address to serve metrics on' }),
  METRICS_PORT: limit(0, 65_535, 'the port of the metrics of a worker (0: none)'),
  RPC_URLS: rpcUrls,
  RPC_URLS_SECOND: rpcUrls,
  SINGLE_NODE_NETWORKS: networkCodes,
  TRACE_NETWORKS: networkCodes,
  FREEZE_ON_UNEXPLAINED_OUTFLOW: Type.Boolean({ default: true, description: '"true" or "false"' }),
  DEPOSIT_SECOND_SOURCE_ABOVE: Type.String({
    pattern: `^(${anyThreshold}(,${anyThreshold})*)?$`,
    default: '',
    description: 'symbols of assets with decimal amounts, ETH=5,USDC=10000.5',
  }),
};

const WorkerEnvironment = Type.Object({ ...workerVariables, ...clusterVariables });
const ClustersWorkerEnvironment = Type.Object({ ...workerVariables, ...clustersVariables });
const SoftwareWorkerEnvironment = Type.Object({ ...workerVariables, ...softwareSignerVariables });

const OperatorEnvironment = Type.Object({ ...serviceVariables, ...keyVariables });
const ReconciliationEnvironment = Type.Object({ ...environmentVariables, ...temporalVariables });
const MigrateEnvironment = Type.Object({ ...serviceVariables });

export type ServerConfig = Static<typeof ServerEnvironment>;
export type WorkerConfig = NodesConfig | ClustersConfig | Static<typeof SoftwareWorkerEnvironment>;
export type NodesConfig = Static<typeof WorkerEnvironment>;
export type ClustersConfig = Static<typeof ClustersWorkerEnvironment>;

export class ConfigError extends Error {
  override name = 'ConfigError';
}

export const readServerConfig = (environment: NodeJS.ProcessEnv) => read(ServerEnvironment, environment);
export const readOperatorConfig = (environment: NodeJS.ProcessEnv) => read(OperatorEnvironment, environment);
export const readReconciliationConfig = (environment: NodeJS.ProcessEnv) =>
  read(ReconciliationEnvironment, environment);
export const readMigrateConfig = (environment: NodeJS.ProcessEnv) => read(MigrateEnvironment, environment);

/** With the nodes of one cluster, with a file of several, or with the software signer in their place. */
export function readWorkerConfig(environment: NodeJS.ProcessEnv): WorkerConfig {
  assertOneKindOfKeys(environment);
  if (environment['MPC_CLUSTERS_FILE']) return read(ClustersWorkerEnvironment, environment);
  if (!environment['MPC_SOFTWARE_SEED']) return read(WorkerEnvironment, environment);
  const config = read(SoftwareWorkerEnvironment, environment);
  if (config.SERVICE_ENV === 'production')
    throw new ConfigError('MPC_SOFTWARE_SEED is for tests: in production keys are with the nodes, set MPC_NODES.');
  return config;
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
    throw new ConfigError(`${name} ${value === undefined ? 'is not set' : 'is not valid'}: it must be ${wanted}.`);
  }
  const config = converted as Static<Schema>;
  refuseWeakProductionKey(config);
  refuseUncheckedCertificates(config, environment);
  refusePlaintext(config, environment);
  return config;
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

/** By internal code, as drizzle/fee-caps.ts reads them. */
export const parseFeeCaps = (text: string): FeeCapSettings =>
  Object.fromEntries(
    text.split(',').flatMap((entry) => {
      const [code, cap] = entry.split('=', 2);
      const [fee, price] = (cap ?? '').split('@', 2);
      return code === undefined || fee === undefined || fee === '' ? [] : [[code, { fee, price }]];
    }),
  );

export const parseNetworkCodes = (text: string): string[] => text.split(',').filter((code) => code !== '');

/** The one of today, then those that still decrypt. */
export const keyEncryptionKeysOf = (config: { KEY_ENCRYPTION_KEY: string; KEY_ENCRYPTION_KEY_PREVIOUS: string }) =>
  [config.KEY_ENCRYPTION_KEY, config.KEY_ENCRYPTION_KEY_PREVIOUS].filter((key) => key !== '');

/** A key of one repeated digit pair is an example from somebody's documentation, not 32 random bytes. */
function refuseWeakProductionKey(config: { SERVICE_ENV?: unknown; KEY_ENCRYPTION_KEY?: unknown }): void {
  if (config.SERVICE_ENV !== 'production' || typeof config.KEY_ENCRYPTION_KEY !== 'string') return;
  if (new Set(Buffer.from(config.KEY_ENCRYPTION_KEY, 'hex')).size < 8)
    throw new ConfigError('KEY_ENCRYPTION_KEY is an example key: production needs 32 random bytes.');
}

/** `fetch` to RPC nodes, the approver and the price source would take anybody who stands in between for them. */
function refuseUncheckedCertificates(config: { SERVICE_ENV?: unknown }, environment: NodeJS.ProcessEnv): void {
  if (config.SERVICE_ENV === 'production' && environment['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
    throw new ConfigError(
      'NODE_TLS_REJECT_UNAUTHORIZED is 0: production checks certificates, an authority of your own goes into NODE_EXTRA_CA_CERTS.',
    );
}

/** Whoever stands in between would read secrets of callers, and take the part of the database, of Temporal or of a chain. */
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
