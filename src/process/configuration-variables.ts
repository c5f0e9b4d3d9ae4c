// Every variable of the environment that the service reads, written once: its form, its default, what a value must be
// (`description`, which an error quotes), what it is for (`meaning`, which docs/configuration.md prints) and whether it
// is a secret. `config.ts` reads by this table; the reference is generated from it. Reads nothing itself.
import Type, { type TSchema } from 'typebox';
import { networkSeed } from '../../domain/catalog/networks.ts';
import {
  DELIVERIES_KEPT_DAYS_MIN,
  EVENTS_KEPT_DAYS_MIN,
  IDEMPOTENCY_KEYS_KEPT_DAYS_MIN,
} from '../../domain/time-limits.ts';
import { temporalTlsVariables } from './temporal-tls.ts';

const boolean = (usual: boolean, meaning: string) =>
  Type.Boolean({ default: usual, description: '"true" or "false"', meaning });

const limit = (usual: number, maximum: number, what: string, meaning: string) =>
  Type.Integer({ minimum: 0, maximum, default: usual, description: `a number from 0 to ${maximum}, ${what}`, meaning });

const environmentVariables = {
  SERVICE_ENV: Type.Enum(['sandbox', 'production'], {
    default: 'sandbox',
    description: '"sandbox" or "production"',
    meaning:
      'In production the service refuses embedded parts, example keys, NODE_TLS_REJECT_UNAUTHORIZED=0 and every peer ' +
      'on another machine whose TLS certificate is not verified. It has no faucet there.',
  }),
  TRUSTED_NETWORK: boolean(
    false,
    'With "true" a production service may reach other machines without TLS, because nobody else can reach the network.',
  ),
};

const serviceVariables = {
  ...environmentVariables,
  LOG_LEVEL: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    description: 'a pino log level',
    meaning: 'How much is logged. "debug" adds a line for each request.',
  }),
  DATABASE_URL: Type.String({
    pattern: '^postgres(ql)?://',
    description: 'a PostgreSQL address, postgres://…',
    secret: true,
    meaning:
      'PostgreSQL 15 or newer. `?sslmode=verify-full` has its certificate checked, by the authority in ' +
      '`sslrootcert=/path` or else by those that Node.js knows; `sslcert` and `sslkey` name a client certificate.',
  }),
  DATABASE_POOL_SIZE: Type.Integer({
    minimum: 1,
    maximum: 200,
    default: 10,
    description: 'a number from 1 to 200',
    meaning: 'How many connections to the database one process opens.',
  }),
};

const temporalVariables = {
  TEMPORAL_ADDRESS: Type.String({
    pattern: '^[^\\s/]+:\\d+$',
    description: 'host:port of a Temporal frontend',
    meaning: 'Where Temporal is.',
  }),
  ...temporalTlsVariables,
  TEMPORAL_NAMESPACE: Type.String({
    minLength: 1,
    default: 'default',
    description: 'a Temporal namespace',
    meaning: 'The namespace of all workflows.',
  }),
  TEMPORAL_TASK_QUEUE: Type.String({
    minLength: 1,
    default: 'countersign',
    description: 'a task queue name',
    meaning: 'The task queue of workflows and signatures. The names of the other task queues begin with it.',
  }),
};

const keyVariables = {
  KEY_ENCRYPTION_KEY_PREVIOUS: Type.String({
    pattern: '^([0-9a-fA-F]{64})?$',
    default: '',
    description: '64 hex digits, or nothing: a key that still decrypts while `rotate-key-encryption-key` replaces it',
    secret: true,
    meaning: 'The former key-encryption key, while it is being replaced ([upgrading](upgrading.md)).',
  }),
  KEY_ENCRYPTION_KEY: Type.String({
    pattern: '^[0-9a-fA-F]{64}$',
    description: '64 hex digits (32 random bytes), for example from `openssl rand -hex 32`',
    secret: true,
    meaning:
      'It encrypts the secrets in the database and makes the seals of the rows that decide. Without it a restored ' +
      'database signs nothing.',
  }),
};

const anyNetworkCode = `(${networkSeed.map(({ internalCode }) => internalCode).join('|')})`;
const networkCodes = (meaning: string) =>
  Type.String({
    pattern: `^(${anyNetworkCode}(,${anyNetworkCode})*)?$`,
    default: '',
    description: 'internal codes of networks in the catalogue, separated by commas',
    isListByNetwork: true,
    meaning,
  });

/** `CODE=address,…`; an address may hold a key, and is shown nowhere. */
const rpcUrls = (meaning: string) =>
  Type.String({
    pattern: `^(${anyNetworkCode}=https?://[^\\s,]+(,${anyNetworkCode}=https?://[^\\s,]+)*)?$`,
    default: '',
    description: 'internal codes with the http(s) addresses of their nodes, CODE=address,…',
    isListByNetwork: true,
    secret: true,
    meaning,
  });

/** `CODE=whole fee` or `CODE=whole fee@price`. */
const anyFeeCap = `${anyNetworkCode}=(0|[1-9]\\d{0,9})(\\.\\d{1,6})?(@[1-9]\\d{0,11})?`;
const feeCapVariables = {
  FEE_CAPS: Type.String({
    isListByNetwork: true,
    pattern: `^(${anyFeeCap}(,${anyFeeCap})*)?$`,
    default: '',
    description:
      'internal codes with the most that a transaction may pay, CODE=<fee in the native currency>@<price in gwei, sat/vB or microlamports>,…',
    meaning:
      'The most that one transaction may pay on a network, for example `ETHEREUM_MAINNET=0.05@300`. Every network has ' +
      'a default (0.1 ETH, 0.01 BTC, 0.1 SOL). Set the same value on every process.',
  }),
};

const anyThreshold = '[A-Za-z0-9.-]{1,20}=(0|[1-9]\\d{0,29})(\\.\\d{1,18})?';

/** A hundred years: for ever, where the law or a receiver wants that. */
const KEPT_DAYS_MAX = 36_500;

const keptDays = (usual: number, minimum: number, reason: string, meaning: string) =>
  Type.Integer({
    minimum,
    maximum: KEPT_DAYS_MAX,
    default: usual,
    description: `a number of days from ${minimum} (${reason}) to ${KEPT_DAYS_MAX}`,
    meaning,
  });

/** A batch job may come back after a weekend. */
const EXPORTS_KEPT_DAYS_MIN = 1;

const retentionVariables = {
  EVENTS_KEPT_DAYS: keptDays(
    90,
    EVENTS_KEPT_DAYS_MIN,
    'a receiver that was away for less misses nothing',
    'How long an event stays in the feed, and can be replayed. One that a webhook still waits for, or of which a ' +
      'delivery is kept, stays longer, and so does all that comes after it ([growth](production.md#growth)).',
  ),
  WEBHOOK_DELIVERIES_KEPT_DAYS: keptDays(
    30,
    DELIVERIES_KEPT_DAYS_MIN,
    'longer than a webhook may fail before it is disabled',
    'How long a delivery of a webhook stays, with its attempts, once it has ended.',
  ),
  IDEMPOTENCY_KEYS_KEPT_DAYS: keptDays(
    30,
    IDEMPOTENCY_KEYS_KEPT_DAYS_MIN,
    'callers may repeat a request for so long',
    'How long a repeated `X-Idempotency-Key` gets the original answer.',
  ),
  EXPORTS_KEPT_DAYS: keptDays(
    7,
    EXPORTS_KEPT_DAYS_MIN,
    'so that a file is there when it is fetched',
    'How long an export stays once it has ended, with its file.',
  ),
};

const exportVariables = {
  EXPORT_DIRECTORY: Type.String({
    pattern: '^(/[^\\0]*)?$',
    default: '',
    description: 'the absolute path of a folder that is there, or nothing',
    meaning:
      'Where the files of exports are ([exports](exports.md)): one folder that every API and every worker reaches, and ' +
      'nobody else. Without it, and without a bucket, no export is started. `npm start` has one in its own data.',
  }),
  EXPORT_S3_BUCKET: Type.String({
    pattern: '^([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])?$',
    default: '',
    description: 'the name of a bucket that is there, or nothing',
    meaning:
      'Where the files of exports are in the place of a folder: any store that speaks the protocol of S3. ' +
      'EXPORT_DIRECTORY is empty then.',
  }),
  EXPORT_S3_ENDPOINT: Type.String({
    pattern: '^(https?://[^\\s/?#@]+/?)?$',
    default: '',
    description: 'an http(s) address without a path, or nothing for AWS',
    meaning: 'The address of the store.',
  }),
  EXPORT_S3_REGION: Type.String({
    pattern: '^[a-z0-9-]{1,40}$',
    default: 'us-east-1',
    description: 'the name of a region',
    meaning: 'The region of the bucket, for which requests are signed.',
  }),
  EXPORT_S3_PREFIX: Type.String({
    pattern: '^([A-Za-z0-9_.-]+/)*$',
    default: '',
    description: 'letters, digits, `_`, `.`, `-` and `/`, with a `/` at its end, or nothing',
    meaning: 'Before the name of each object. Nobody else writes under it.',
  }),
  EXPORT_S3_PATH_STYLE: boolean(
    true,
    'With "true" the bucket stands in the path of an address, as most stores want it, and not in its host.',
  ),
  EXPORT_S3_ACCESS_KEY_ID: Type.String({
    pattern: '^[!-~]{0,128}$',
    default: '',
    description: 'the id of an access key, at most 128 visible ASCII characters',
    secret: true,
    meaning: 'With which key the store is asked.',
  }),
  EXPORT_S3_SECRET_ACCESS_KEY: Type.String({
    pattern: '^[!-~]{0,256}$',
    default: '',
    description: 'the secret of that key, at most 256 visible ASCII characters',
    secret: true,
    meaning: 'Its secret.',
  }),
};

const webhookVariables = {
  WEBHOOK_ALLOW_PRIVATE_TARGETS: boolean(
    false,
    'With "true" webhooks may go to private and loopback addresses. Link-local addresses (the metadata of a cloud), ' +
      'multicast and unspecified ones are refused all the same. `npm start` sets it in the sandbox.',
  ),
};

const consoleVariables = {
  CONSOLE_ORIGIN: Type.String({
    // Passkeys belong to a host by name; without TLS browsers know them on this machine alone.
    pattern: '^(https://[a-z0-9.-]+(:\\d{1,5})?|http://localhost(:\\d{1,5})?)?$',
    default: '',
    description: 'the origin of the console, https://host or, on this machine, http://localhost:port; or nothing',
    meaning:
      'Where browsers find the console, as in their address bar and without a path. With it users sign in and vote with ' +
      'passkeys, which belong to its host: another host takes new passkeys. Without it only API keys sign in; a sandbox ' +
      'that listens on this machine alone has `http://localhost` with its port.',
  }),
};

const temporalUiVariables = {
  TEMPORAL_UI_URL: Type.String({
    pattern: '^(https?://[^\\s?#@]+)?$',
    default: '',
    description: 'the http(s) address of a Temporal web interface, or nothing',
    meaning:
      "Where people look at workflows, without `/namespaces/…`. The status and the console's pages lead there; nothing " +
      'else asks for it.',
  }),
};

const observabilityVariables = {
  METRICS_TOKEN: Type.String({
    pattern: '^([\\x21-\\x7e]{16,200})?$',
    default: '',
    description: '16 to 200 visible ASCII characters, which whoever reads the metrics must send, or nothing',
    secret: true,
    meaning: 'The bearer token that `/metrics` asks for. Without it anybody who reaches the port reads the metrics.',
  }),
  /** The exporter reads it itself, and the other OTEL_ variables: here it only says that there are traces. */
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.String({
    pattern: '^(https?://[^\\s]+)?$',
    default: '',
    description: 'the http(s) address that takes traces by OTLP, or nothing',
    meaning: 'Where traces go, by OTLP over HTTP. The other `OTEL_` variables of OpenTelemetry hold too.',
  }),
};

export const serverVariables = {
  ...serviceVariables,
  ...temporalVariables,
  ...keyVariables,
  ...webhookVariables,
  ...exportVariables,
  ...consoleVariables,
  ...temporalUiVariables,
  ...observabilityVariables,
  ...feeCapVariables,
  HOST: Type.String({
    minLength: 1,
    default: '127.0.0.1',
    description: 'an address to listen on',
    meaning: 'The address on which the API listens.',
  }),
  PORT: Type.Integer({
    minimum: 0,
    maximum: 65_535,
    default: 8150,
    description: 'a port from 0 to 65535',
    meaning: 'The port on which the API listens.',
  }),
  SHUTDOWN_DELAY_MS: limit(
    5_000,
    600_000,
    'milliseconds between the signal to stop and the closing of the port',
    'So long `/ready` answers 503 already, while requests are served: longer than a balancer takes to notice. A second ' +
      'signal ends the process at once.',
  ),
  TRUSTED_PROXIES: limit(
    0,
    10,
    'how many proxies stand before every request',
    'IP allowlists judge the address that so many proxies report. The port must be reachable through them only.',
  ),
  RATE_LIMIT_PER_MINUTE: limit(
    6_000,
    1_000_000_000,
    'requests a minute of one API key in one process (0: no limit)',
    'Beyond it a key is answered 429. Every process counts for itself.',
  ),
  FAILED_AUTHENTICATIONS_PER_MINUTE: limit(
    60,
    1_000_000,
    'failures a minute of one address before they are answered late (0: never)',
    'Beyond it the 401 for that address comes one second late. A correct signature is never slowed down.',
  ),
  CONNECTIONS_MAX: limit(
    20_000,
    1_000_000,
    'connections to one process (0: no limit)',
    'Beyond it the oldest connection that never showed a valid key is closed. The limit of open files of the process ' +
      'must be higher.',
  ),
  UNVERIFIED_BODIES_MAX_MIB: limit(
    64,
    65_536,
    'MiB of bodies whose signature is not verified yet in one process (0: no limit)',
    'Beyond it the oldest large body is answered 503.',
  ),
  REQUESTS_UNDER_WAY_MAX: limit(
    1_000,
    1_000_000,
    'requests under way in one process (0: no limit)',
    'Beyond it the process answers 503.',
  ),
  WORKSPACE_WALLETS_UNDER_WAY_MAX: limit(
    20,
    1_000_000,
    'wallets of one workspace that wait for their keys (0: no limit)',
    'Beyond it creating a wallet is answered 429. Set the same value on every API process.',
  ),
  WORKSPACE_KEY_GENERATIONS_PER_DAY: limit(
    1_000,
    1_000_000_000,
    'keys of one workspace in a UTC day, of two a wallet (0: no limit)',
    'Beyond it creating a wallet is answered 429. A cluster generates 10,000 keys a day for all workspaces together.',
  ),
  WORKSPACE_RESCANS_PER_HOUR: limit(
    100,
    1_000_000,
    'rescans of one workspace in an hour (0: no limit)',
    'Beyond it a rescan is answered 429.',
  ),
  WORKSPACE_EXPORTS_UNDER_WAY_MAX: limit(
    5,
    1_000,
    'exports of one workspace that are not final (0: no limit)',
    'Beyond it a new one is answered 429. Set the same value on every API process.',
  ),
  WORKSPACE_OPEN_OPERATIONS_MAX: limit(
    1_000,
    1_000_000,
    'signing requests and withdrawals of one workspace that are not final (0: no limit)',
    'Beyond it a new one is answered 429.',
  ),
  EVENT_LOOP_DELAY_MAX_MS: limit(
    1_000,
    60_000,
    'milliseconds by which the process may be late (0: no limit)',
    'Beyond it the process answers 503, because it has more to do than one core can.',
  ),
  SIGN_RAW_ENABLED: boolean(
    true,
    'With "false" raw digests, and messages that are nothing but a digest (32 bytes or their hex digits), are answered ' +
      '503 `route_disabled`, also in a batch. Other messages, typed data and transactions stay: the nodes read those.',
  ),
  NETWORKS_ENABLED: networkCodes('Networks of the catalogue to switch on.'),
  NETWORKS_DISABLED: networkCodes('Networks of the catalogue to switch off.'),
  PRICE_SOURCE_URL: Type.String({
    pattern: '^(https?://[^\\s]+)?$',
    default: '',
    description: 'an http(s) address that answers {"ETH": "3123.4", …}, or nothing',
    meaning: 'Where prices in US dollars come from. Without it `price_usd` is null.',
  }),
};

export const clusterVariables = {
  MPC_NODES: Type.String({
    pattern: '^\\d+=[^,=\\s]+:\\d+(,\\d+=[^,=\\s]+:\\d+)*$',
    description: 'the nodes as 1=host:port,2=host:port,3=host:port',
    meaning: 'Where the nodes of the one cluster are.',
  }),
  MPC_CLUSTER_FILE: Type.String({
    minLength: 1,
    description: 'the path of cluster.json (see mpc/README.md)',
    meaning: 'The file that says which keys and certificates the nodes have.',
  }),
  MPC_CREDENTIALS_DIR: Type.String({
    minLength: 1,
    description: 'the folder of the command key and TLS key that `mpc-node init-orchestrator` made',
    meaning: 'The folder of the keys by which the nodes know the worker.',
  }),
  MPC_APPROVER_URL: Type.String({
    pattern: '^(https?://[^\\s]+)?$',
    default: '',
    description: 'an https address, or http on this machine, of who signs each command besides, or nothing',
    meaning: 'The service that signs each command besides the worker, if the policy of the nodes asks for it.',
  }),
};

export const clustersVariables = {
  MPC_CLUSTERS_FILE: Type.String({
    minLength: 1,
    description: 'the path of a file that names several clusters (see mpc/README.md)',
    meaning: 'In the place of the four variables of one cluster: a file that says the same of several clusters.',
  }),
};

export const softwareSignerVariables = {
  MPC_SOFTWARE_SEED: Type.String({
    pattern: '^[0-9a-fA-F]{64}$',
    description: '64 hex digits (32 random bytes) that all keys of the software signer follow from',
    secret: true,
    meaning:
      'In the place of nodes, for tests of your own: the worker itself holds whole keys, which follow from this seed. ' +
      'It is refused in production.',
  }),
};

export const workerVariables = {
  ...serviceVariables,
  ...temporalVariables,
  ...keyVariables,
  ...webhookVariables,
  ...exportVariables,
  ...retentionVariables,
  ...observabilityVariables,
  ...feeCapVariables,
  METRICS_HOST: Type.String({
    minLength: 1,
    default: '127.0.0.1',
    description: 'an address to serve metrics on',
    meaning: 'The address on which a worker serves `/metrics`.',
  }),
  METRICS_PORT: limit(0, 65_535, 'the port of the metrics of a worker (0: none)', 'Where a worker serves `/metrics`.'),
  RPC_URLS: rpcUrls(
    'The node of each network that has withdrawals and deposits. With `npm start` each replaces an embedded chain.',
  ),
  RPC_URLS_SECOND: rpcUrls(
    'Nodes of another operator. Of two quoted prices the lower one is offered, and both nodes must say how a ' +
      'withdrawal ended.',
  ),
  SINGLE_NODE_NETWORKS: networkCodes(
    'Networks without a second node whose only node is believed alone that a withdrawal moved nothing. In production ' +
      'such a withdrawal waits otherwise ([runbook](../RUNBOOK.md#nodes-of-a-network-disagree)).',
  ),
  TRACE_NETWORKS: networkCodes(
    'EVM networks whose nodes answer `debug_traceBlockByHash`: native amounts that contracts pass on are seen there. ' +
      'Tokens are seen with and without it.',
  ),
  FREEZE_ON_UNEXPLAINED_OUTFLOW: boolean(
    true,
    'With "false" what left a wallet by no transaction of this service is recorded and logged, and the wallet is not ' +
      'frozen.',
  ),
  DEPOSIT_SECOND_SOURCE_ABOVE: Type.String({
    pattern: `^(${anyThreshold}(,${anyThreshold})*)?$`,
    default: '',
    description: 'symbols of assets with decimal amounts, ETH=5,USDC=10000.5',
    meaning:
      'From these amounts on a deposit is credited, and what a caller broadcast himself is booked, only when the second node sees it too.',
  }),
};

export const operatorVariables = { ...serviceVariables, ...keyVariables, ...consoleVariables };
export const reconciliationVariables = { ...environmentVariables, ...temporalVariables };
export const migrateVariables = { ...serviceVariables };

/** For the reference: what reads which variables. */
export const variablesByReader: Readonly<Record<string, Readonly<Record<string, TSchema>>>> = {
  API: serverVariables,
  worker: { ...workerVariables, ...clusterVariables, ...clustersVariables, ...softwareSignerVariables },
  'key commands': operatorVariables,
  'workflow commands': reconciliationVariables,
  'database commands': migrateVariables,
};

/** For the reference: the variables by what they are about, in reading order. */
export const variableGroups: Readonly<Record<string, Readonly<Record<string, TSchema>>>> = {
  'The service': serviceVariables,
  Temporal: temporalVariables,
  'Keys of the service': keyVariables,
  Webhooks: webhookVariables,
  Exports: exportVariables,
  'The console': { ...consoleVariables, ...temporalUiVariables },
  'How long rows are kept': retentionVariables,
  'Metrics and traces': {
    ...observabilityVariables,
    METRICS_HOST: workerVariables.METRICS_HOST,
    METRICS_PORT: workerVariables.METRICS_PORT,
  },
  Fees: feeCapVariables,
  'The API': serverVariables,
  'The MPC nodes': { ...clusterVariables, ...clustersVariables, ...softwareSignerVariables },
  'Networks, as the worker sees them': workerVariables,
};
