// Goal: a process that is wrongly configured ends with one sentence that names the variable and shows no value, since
// values are secrets. Method: from an environment that works, each variable is taken away or made wrong, one at a time,
// for every process that reads it.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { networkSeed } from '../../../domain/catalog/networks.ts';
import {
  ConfigError,
  readMigrateConfig,
  readOperatorConfig,
  readServerConfig,
  readWorkerConfig,
} from '../../../src/process/config.ts';

const key = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff';
const seed = 'ab'.repeat(32);
const service = { DATABASE_URL: 'postgres://user:password@localhost:5432/countersign' };
const temporal = { TEMPORAL_ADDRESS: 'localhost:7233' };
const nodes = {
  MPC_NODES: '1=localhost:9001,2=localhost:9002,3=localhost:9003',
  MPC_CLUSTER_FILE: '/etc/countersign/cluster.json',
  MPC_CREDENTIALS_DIR: '/etc/countersign/orchestrator',
};

type Environment = Record<string, string>;
type Read = (environment: Environment) => Record<string, unknown>;

const processes: Record<string, { read: Read; required: Environment }> = {
  server: { read: readServerConfig, required: { ...service, ...temporal, KEY_ENCRYPTION_KEY: key } },
  worker: { read: readWorkerConfig, required: { ...service, ...temporal, ...nodes, KEY_ENCRYPTION_KEY: key } },
  'worker of several clusters': {
    read: readWorkerConfig,
    required: { ...service, ...temporal, KEY_ENCRYPTION_KEY: key, MPC_CLUSTERS_FILE: '/etc/countersign/clusters.json' },
  },
  'worker without nodes': {
    read: readWorkerConfig,
    required: { ...service, ...temporal, KEY_ENCRYPTION_KEY: key, MPC_SOFTWARE_SEED: seed },
  },
  operator: { read: readOperatorConfig, required: { ...service, KEY_ENCRYPTION_KEY: key } },
  migrate: { read: readMigrateConfig, required: service },
};

const wrong: Record<string, string[]> = {
  SERVICE_ENV: ['staging', 'Production', 'true'],
  LOG_LEVEL: ['loud', 'INFO'],
  DATABASE_URL: ['mysql://user:hunter2@localhost/db', 'localhost:5432', 'xpostgres://user:hunter2@localhost/db'],
  DATABASE_POOL_SIZE: ['0', '201', '-1', '1.5', 'ten', '1e9', 'true'],
  TEMPORAL_ADDRESS: ['localhost', 'http://localhost:7233', 'localhost:7233/x', 'local host:7233', ':7233'],
  KEY_ENCRYPTION_KEY: ['hunter2', key.slice(1), `${key}0`, `${key.slice(2)}zz`, ` ${key}`],
  KEY_ENCRYPTION_KEY_PREVIOUS: ['hunter2', key.slice(1), `${key}0`, `${key.slice(2)}zz`, ` ${key}`],
  TRUSTED_PROXIES: ['11', '-1', '1.5', 'true', 'loopback', '10.0.0.0/8'],
  RATE_LIMIT_PER_MINUTE: ['-1', '1.5', '1e3', 'off', '1000000001'],
  FAILED_AUTHENTICATIONS_PER_MINUTE: ['-1', '1.5', 'off', '1000001'],
  CONNECTIONS_MAX: ['-1', '1.5', 'off', '1000001'],
  REQUESTS_UNDER_WAY_MAX: ['-1', '1.5', 'off', '1000001'],
  WORKSPACE_WALLETS_UNDER_WAY_MAX: ['-1', '1.5', 'off', '1000001'],
  WORKSPACE_KEY_GENERATIONS_PER_DAY: ['-1', '1.5', 'off', '1000000001'],
  WORKSPACE_RESCANS_PER_HOUR: ['-1', '1.5', 'off', '1000001'],
  WORKSPACE_OPEN_OPERATIONS_MAX: ['-1', '1.5', 'off', '1000001'],
  WORKSPACE_EXPORTS_UNDER_WAY_MAX: ['-1', '1.5', 'off', '1001'],
  EXPORT_DIRECTORY: ['exports', './exports', '~/exports'],
  EXPORT_S3_BUCKET: ['Exports', 'a/b', 'x', '-exports'],
  EXPORT_S3_ENDPOINT: ['s3.example', 'https://s3.example/path', 'https://key:hunter2@s3.example', 'ftp://s3.example'],
  EXPORT_S3_REGION: ['US East', ' '],
  EXPORT_S3_PREFIX: ['/exports/', 'exports', 'a//b/', 'a b/'],
  EXPORT_S3_PATH_STYLE: ['yes', 'on'],
  EXPORT_S3_ACCESS_KEY_ID: ['with a space', 'x'.repeat(129)],
  EXPORT_S3_SECRET_ACCESS_KEY: ['with a\ttab', 'x'.repeat(257)],
  CONSOLE_ORIGIN: [
    'http://console.example.com',
    'https://console.example.com/',
    'https://console.example.com/console',
    'console.example.com',
    'http://127.0.0.1:8150',
    'https://user:hunter2@console.example.com',
  ],
  TEMPORAL_UI_URL: [
    'temporal.example.com',
    'ftp://temporal.example.com',
    'https://user:hunter2@temporal.example.com',
    'https://t/?q',
  ],
  EVENT_LOOP_DELAY_MAX_MS: ['-1', '0.5', '1s', '60001'],
  SHUTDOWN_DELAY_MS: ['-1', '1.5', '5s', '600001'],
  // Shorter than what callers are promised, and no number.
  EVENTS_KEPT_DAYS: ['29', '0', '-90', '30.5', '90d', '36501'],
  WEBHOOK_DELIVERIES_KEPT_DAYS: ['6', '0', '-1', '7.5', 'never', '36501'],
  IDEMPOTENCY_KEYS_KEPT_DAYS: ['29', '0', '-1', '30.5', '1e3', '36501'],
  EXPORTS_KEPT_DAYS: ['0', '-1', '7.5', 'never', '36501'],
  PORT: ['65536', '-1', '80.5', 'http', '8150x', 'true', '0x50'],
  SIGN_RAW_ENABLED: ['maybe', '2', 'off', 'no', 'yes'],
  TRUSTED_NETWORK: ['maybe', '2', 'off', 'no', 'yes'],
  TEMPORAL_TLS: ['maybe', '1', 'TRUE', 'on'],
  TEMPORAL_TLS_SERVER_CA_CERT_DATA: ['hunter2', '/path/ca.pem'],
  TEMPORAL_TLS_CLIENT_CERT_DATA: ['hunter2', '/path/client.pem'],
  TEMPORAL_TLS_CLIENT_KEY_DATA: ['hunter2', '/path/client.key'],
  TEMPORAL_API_KEY: ['hunter2 hunter2', 'hunter2\n'],
  UNVERIFIED_BODIES_MAX_MIB: ['-1', '65537', '1.5', 'all'],
  WEBHOOK_ALLOW_PRIVATE_TARGETS: ['maybe', '2', 'off', 'no', 'yes'],
  NETWORKS_ENABLED: ['DOGE_MAINNET', 'GNOSIS_MAINNET,', 'GNOSIS_MAINNET, CELO_MAINNET', 'gnosis_mainnet', 'GNOSIS'],
  NETWORKS_DISABLED: ['DOGE_MAINNET', 'BASE_MAINNET;BNB_MAINNET', 'BASE_MAINNET,DOGE_MAINNET', ' BASE_MAINNET'],
  RPC_URLS: ['http://127.0.0.1:8545', 'DOGE_MAINNET=http://127.0.0.1:1', 'BASE_MAINNET=ftp://hunter2', 'BASE_MAINNET='],
  RPC_URLS_SECOND: ['BASE_MAINNET=http://node,', 'BASE_MAINNET=http://a b'],
  METRICS_TOKEN: ['hunter2', 'hunter2 hunter2 hunter2', 'hunter2'.repeat(40)],
  METRICS_PORT: ['65536', '-1', '80.5', 'http'],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['collector:4318', 'grpc://hunter2', 'http://a b'],
  SINGLE_NODE_NETWORKS: ['DOGE_MAINNET', 'all'],
  TRACE_NETWORKS: ['DOGE_MAINNET', 'BASE_MAINNET;BNB_MAINNET'],
  FREEZE_ON_UNEXPLAINED_OUTFLOW: ['maybe', '2', 'off'],
  DEPOSIT_SECOND_SOURCE_ABOVE: ['5', 'ETH', 'ETH=', 'ETH=-1', 'ETH=1e3', 'ETH=1,'],
  FEE_CAPS: [
    '0.1',
    'ETHEREUM_MAINNET',
    'ETHEREUM_MAINNET=',
    'ETHEREUM_MAINNET=0.1@',
    'ETHEREUM_MAINNET=0.1@1.5',
    'DOGE=1',
  ],
  PRICE_SOURCE_URL: ['prices.example', 'ftp://prices.example/hunter2', 'https://', 'https://prices.example/ x'],
  MPC_SOFTWARE_SEED: ['hunter2', seed.slice(1), `${seed}0`, `${seed.slice(2)}zz`],
  MPC_APPROVER_URL: ['approver:9000', 'grpc://hunter2', 'https://a b'],
  MPC_NODES: [
    'localhost:9001',
    '1=localhost',
    '1=localhost:9001;2=localhost:9002',
    '1=localhost:9001,',
    'a=b:1',
    '1=:9001',
  ],
};

/** Every process with every variable that it reads. */
const read = Object.entries(processes).flatMap(([name, { read: readConfig, required }]) =>
  Object.keys(readConfig(required)).map((variable) => [name, variable] as const),
);

function failureOf(name: string, changes: Record<string, string | undefined>): Error | undefined {
  const { read: readConfig, required } = processes[name] ?? {};
  try {
    readConfig?.({ ...required, ...changes } as Environment);
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

/** One sentence, with its end and no other. */
const sentenceAbout = (variable: string, what: string) =>
  new RegExp(`^${variable} ${what}(?: \\(entry [^)]+\\))?: it must be [^\\n]+\\.$`);

describe('a variable that is missing', () => {
  const required = Object.entries(processes).flatMap(([name, { required: all }]) =>
    // Without these it is a worker with nodes.
    Object.keys(all).flatMap((variable) =>
      ['MPC_SOFTWARE_SEED', 'MPC_CLUSTERS_FILE'].includes(variable) ? [] : [[name, variable] as const],
    ),
  );
  test.each(required)('%s needs %s', (name, variable) => {
    for (const nothing of [undefined, '']) {
      const failure = failureOf(name, { [variable]: nothing });
      expect(failure).toBeInstanceOf(ConfigError);
      expect(failure?.message).toMatch(sentenceAbout(variable, 'is not set'));
    }
  });
});

describe('the software signer', () => {
  const withoutNodes = { ...service, ...temporal, KEY_ENCRYPTION_KEY: key, MPC_SOFTWARE_SEED: seed };

  test.each<[string, Environment, RegExp]>([
    ['in production', { SERVICE_ENV: 'production' }, /^MPC_SOFTWARE_SEED is for tests: .*\.$/],
    ['beside nodes', nodes, /^MPC_SOFTWARE_SEED and MPC_NODES exclude each other: .*\.$/],
  ])('is refused %s', (_where, environment, sentence) => {
    for (const change of [environment, { ...environment, MPC_SOFTWARE_SEED: seed.toUpperCase() }]) {
      const read = () => readWorkerConfig({ ...withoutNodes, ...change });
      expect(read).toThrow(ConfigError);
      expect(read).toThrow(sentence);
    }
  });
});

describe('a variable that is wrong', () => {
  const cases = read.flatMap(([name, variable]) =>
    (wrong[variable] ?? []).map((value) => [name, variable, value] as const),
  );
  test.each(cases)('%s refuses %s=%s', (name, variable, value) => {
    const failure = failureOf(name, { [variable]: value });
    expect(failure).toBeInstanceOf(ConfigError);
    expect(failure?.message).toMatch(sentenceAbout(variable, 'is not valid'));
    const isNetwork = networkSeed.some(({ internalCode }) => internalCode === value);
    if (value.length > 4 && !isNetwork) expect(failure?.message).not.toContain(value);
    expect(failure?.message).not.toContain('hunter2');
  });

  test('every variable was tried, but for free text', () => {
    const free = [
      'HOST',
      'METRICS_HOST',
      'MPC_CLUSTER_FILE',
      'MPC_CREDENTIALS_DIR',
      'MPC_CLUSTERS_FILE',
      'TEMPORAL_NAMESPACE',
      'TEMPORAL_TASK_QUEUE',
      'TEMPORAL_TLS_SERVER_NAME',
      'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
      'TEMPORAL_TLS_CLIENT_CERT_PATH',
      'TEMPORAL_TLS_CLIENT_KEY_PATH',
      'TEMPORAL_API_KEY_PATH',
    ];
    const variables = [...new Set(read.map(([, variable]) => variable))];
    expect(variables.sort()).toEqual([...Object.keys(wrong), ...free].sort());
  });
});

test.each([
  ['RPC_URLS', 'BASE_MAINNET=http://node,DOGE_MAINNET=http://hunter2', 'entry 2, DOGE_MAINNET, which is no network'],
  ['RPC_URLS', 'BASE_MAINNET=http://node,BNB_MAINNET=ftp://hunter2', 'entry 2, BNB_MAINNET)'],
  ['RPC_URLS', 'http://hunter2', 'entry 1)'],
  ['RPC_URLS', 'BASE_MAINNET=http://node,', 'entry 2)'],
  ['RPC_URLS', 'BASE_MAINNET=http://node,HUNTER_2', 'entry 2)'],
  ['SINGLE_NODE_NETWORKS', 'BASE_MAINNET,DOGE_MAINNET', 'entry 2)'],
  ['FEE_CAPS', 'ETHEREUM_MAINNET=0.1,BASE_MAINNET=much', 'entry 2, BASE_MAINNET)'],
])('%s=%s names what is wrong in the list: %s', (variable, value, named) => {
  const failure = failureOf('worker', { [variable]: value });
  expect(failure?.message).toContain(` is not valid (${named}`);
  expect(failure?.message).not.toMatch(/hunter_?2/i);
});

test('a secret that has the form of a network code is shown by no variable', () => {
  const failure = failureOf('worker', { METRICS_TOKEN: 'HUNTER_2' });
  expect(failure?.message).toMatch(/^METRICS_TOKEN is not valid: it must be/);
  expect(failure?.message).not.toContain('HUNTER_2');
});

test('what is not set takes its default, and text becomes what it says', () => {
  expect(processes['server']?.read(processes['server'].required)).toMatchObject({
    SERVICE_ENV: 'sandbox',
    HOST: '127.0.0.1',
    PORT: 8150,
    DATABASE_POOL_SIZE: 10,
    SIGN_RAW_ENABLED: true,
    TEMPORAL_TASK_QUEUE: 'countersign',
  });
  const changes = { PORT: '0', SIGN_RAW_ENABLED: 'false', DATABASE_POOL_SIZE: '200' };
  expect(readServerConfig({ ...processes['server']?.required, ...changes })).toMatchObject({
    PORT: 0,
    SIGN_RAW_ENABLED: false,
    DATABASE_POOL_SIZE: 200,
  });
});

test('what no process knows is left alone', () => {
  expect(readMigrateConfig({ ...service, HOME: '/root' })).not.toHaveProperty('HOME');
});

describe('a secret in a file', () => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-secrets-'));
  afterAll(() => rmSync(directory, { recursive: true }));
  const fileOf = (content: string) => {
    const path = join(directory, randomUUID());
    writeFileSync(path, content);
    return path;
  };
  const rest = { ...service, ...temporal };

  test('counts as the variable, without the end of its last line', () => {
    const config = readServerConfig({ ...rest, KEY_ENCRYPTION_KEY_FILE: fileOf(`${key}\n`) });
    expect(config.KEY_ENCRYPTION_KEY).toBe(key);
  });

  test.each<[string, () => Environment, RegExp]>([
    ['beside the variable', () => ({ KEY_ENCRYPTION_KEY: key, KEY_ENCRYPTION_KEY_FILE: fileOf(key) }), /exclude each/],
    ['that is not there', () => ({ KEY_ENCRYPTION_KEY_FILE: join(directory, 'hunter2') }), /cannot be read \(ENOENT\)/],
    ['that is empty', () => ({ KEY_ENCRYPTION_KEY_FILE: fileOf('\n') }), /is empty/],
    ['that holds no key', () => ({ KEY_ENCRYPTION_KEY_FILE: fileOf('hunter2') }), /^KEY_ENCRYPTION_KEY is not valid/],
  ])('%s is refused by its name', (_what, environment, sentence) => {
    const read = () => readServerConfig({ ...rest, ...environment() });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(sentence);
    expect(read).not.toThrow(/hunter2/);
  });

  test('is for secrets alone', () => {
    expect(() => readServerConfig({ ...rest, KEY_ENCRYPTION_KEY: key, PORT_FILE: '/nowhere' })).not.toThrow();
  });
});

test('production checks certificates, whatever the environment says of TLS', () => {
  for (const name of ['server', 'worker', 'operator']) {
    const failure = failureOf(name, { NODE_TLS_REJECT_UNAUTHORIZED: '0', SERVICE_ENV: 'production' });
    expect(failure).toBeInstanceOf(ConfigError);
    expect(failure?.message).toMatch(/^NODE_TLS_REJECT_UNAUTHORIZED is 0/);
    expect(failureOf(name, { NODE_TLS_REJECT_UNAUTHORIZED: '0', SERVICE_ENV: 'sandbox' })).toBeUndefined();
    expect(failureOf(name, { NODE_TLS_REJECT_UNAUTHORIZED: '1', SERVICE_ENV: 'production' })).toBeUndefined();
  }
});

test('production has no sandbox networks, whichever variable names one', () => {
  const url = 'ETHEREUM_MAINNET=https://rpc.example,SOL_SANDBOX=https://rpc.example';
  const codes = 'ETHEREUM_MAINNET,SOL_SANDBOX';
  const named = [
    ['worker', 'RPC_URLS', url],
    ['worker', 'RPC_URLS_SECOND', url],
    ['worker', 'SINGLE_NODE_NETWORKS', codes],
    ['worker', 'TRACE_NETWORKS', 'ETHEREUM_SANDBOX'],
    ['server', 'NETWORKS_ENABLED', codes],
  ] as const;
  for (const [name, variable, value] of named) {
    const failure = failureOf(name, { [variable]: value, SERVICE_ENV: 'production' });
    expect(failure).toBeInstanceOf(ConfigError);
    expect(failure?.message).toMatch(new RegExp(`^${variable} names (SOL|ETHEREUM)_SANDBOX: `));
    expect(failureOf(name, { [variable]: value, SERVICE_ENV: 'sandbox' })).toBeUndefined();
  }
});

test('a bucket for exports is named whole, and not beside a folder', () => {
  const bucket = { EXPORT_S3_BUCKET: 'exports', EXPORT_S3_ACCESS_KEY_ID: 'id', EXPORT_S3_SECRET_ACCESS_KEY: 'hunter2' };
  expect(readServerConfig({ ...service, ...temporal, KEY_ENCRYPTION_KEY: key, ...bucket })).toMatchObject({
    ...bucket,
    EXPORT_S3_REGION: 'us-east-1',
  });
  const refusals = [
    [{ ...bucket, EXPORT_DIRECTORY: '/srv/exports' }, /^EXPORT_DIRECTORY and EXPORT_S3_BUCKET exclude each other/],
    [{ ...bucket, EXPORT_S3_SECRET_ACCESS_KEY: '' }, /^EXPORT_S3_SECRET_ACCESS_KEY is not set/],
    [{ ...bucket, EXPORT_S3_BUCKET: '' }, /^EXPORT_S3_ACCESS_KEY_ID is set, and EXPORT_S3_BUCKET is not/],
    [{ EXPORT_S3_ENDPOINT: 'https://s3.example' }, /^EXPORT_S3_ENDPOINT is set, and EXPORT_S3_BUCKET is not/],
  ] as const;
  for (const [changed, sentence] of refusals)
    expect(() => readServerConfig({ ...service, ...temporal, KEY_ENCRYPTION_KEY: key, ...changed })).toThrow(sentence);
});

describe('a key that is an example', () => {
  const examples = ['00'.repeat(32), 'ff'.repeat(32), 'deadbeef'.repeat(8), '0123456789ab'.repeat(6).slice(0, 64)];
  test.each(examples)('%s is refused in production and taken in the sandbox', (example) => {
    for (const name of ['server', 'operator']) {
      const failure = failureOf(name, { KEY_ENCRYPTION_KEY: example, SERVICE_ENV: 'production' });
      expect(failure).toBeInstanceOf(ConfigError);
      expect(failure?.message).toMatch(/^KEY_ENCRYPTION_KEY is an example key/);
      expect(failure?.message).not.toContain(example);
      expect(failureOf(name, { KEY_ENCRYPTION_KEY: example, SERVICE_ENV: 'sandbox' })).toBeUndefined();
    }
  });

  test('a random key is taken in production', () => {
    const random = '9f3c1e7ab05d42688c17e6f02b9d54a37d81c6e52f40b39a6ed7c8051b2f94a3';
    expect(failureOf('server', { KEY_ENCRYPTION_KEY: random, SERVICE_ENV: 'production' })).toBeUndefined();
  });
});
