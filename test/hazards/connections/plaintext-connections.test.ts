// Goal: in production nothing that decides crosses a network in the clear, or to a peer whose certificate nobody
// checked, unless an operator says that the network is his. Method: what each process and command reads of its
// environment, with one peer after the other on another machine; then the commands themselves.
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCommand } from '../../../src/local/processes/service-processes.ts';
import {
  ConfigError,
  readMigrateConfig,
  readOperatorConfig,
  readReconciliationConfig,
  readServerConfig,
  readWorkerConfig,
} from '../../../src/process/config.ts';
import { temporalSettings } from '../../../src/process/temporal.ts';

const readers = {
  server: readServerConfig,
  worker: readWorkerConfig,
  operator: readOperatorConfig,
  reconciliation: readReconciliationConfig,
  migrate: readMigrateConfig,
};
const remote = {
  SERVICE_ENV: 'production',
  KEY_ENCRYPTION_KEY: 'a1b2c3d4e5f60718293a4b5c6d7e8f901122334455667788990011aabbccddee',
  DATABASE_URL: 'postgres://service:secret@db.example/countersign?sslmode=verify-full',
  TEMPORAL_ADDRESS: 'acme.a1b2c.tmprl.cloud:7233',
  TEMPORAL_API_KEY: 'temporal-key',
  MPC_NODES: '1=a:1,2=b:2,3=c:3',
  MPC_CLUSTER_FILE: 'cluster.json',
  MPC_CREDENTIALS_DIR: 'credentials',
};
type Environment = Record<string, string | undefined>;

function refusalOf(reader: keyof typeof readers, changed: Environment): string | undefined {
  try {
    readers[reader]({ ...remote, ...changed });
    return undefined;
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

const usesDatabase = ['server', 'worker', 'operator', 'migrate'] as const;
const usesTemporal = ['server', 'worker', 'reconciliation'] as const;
const database = (query: string, host = 'db.example') => ({
  DATABASE_URL: `postgres://service:secret@${host}/c${query}`,
});

test.each(Object.keys(readers) as (keyof typeof readers)[])(
  '%s: verified peers on other machines are taken',
  (reader) => {
    expect(refusalOf(reader, {})).toBeUndefined();
  },
);

describe.each(usesDatabase)('PostgreSQL, %s', (reader) => {
  test.each([
    '',
    '?sslmode=disable',
    '?sslmode=allow',
    '?sslmode=prefer',
    '?sslmode=require',
    '?sslmode=verify-ca',
    '?application_name=x',
  ])('refused on another machine with "%s"', (query) => {
    const sentence = refusalOf(reader, database(query));
    expect(sentence).toMatch(
      /^DATABASE_URL leads to another machine without verified TLS: .*sslmode=verify-full.*TRUSTED_NETWORK=true.*\.$/,
    );
    expect(sentence).not.toContain('secret');
    expect(refusalOf(reader, { ...database(query), TRUSTED_NETWORK: 'true' })).toBeUndefined();
    expect(refusalOf(reader, { ...database(query), SERVICE_ENV: 'sandbox' })).toBeUndefined();
  });

  test.each(['127.0.0.1', 'localhost', '[::1]:5432', 'LOCALHOST:5432', '127.9.8.7:1', '%2Fvar%2Frun%2Fpostgresql'])(
    'taken at %s',
    (host) => {
      expect(refusalOf(reader, database('', host))).toBeUndefined();
    },
  );

  test.each([
    '127.0.0.1.example',
    'localhost.example',
    '10.0.0.1',
    '127.0.0.1,db.example',
    '0.0.0.0',
    '128.0.0.1',
    '',
    'notlocalhost',
  ])('refused at "%s"', (host) => {
    expect(refusalOf(reader, database('', host))).toMatch(/^DATABASE_URL /);
  });
});

describe.each(usesTemporal)('Temporal, %s', (reader) => {
  const plain = { TEMPORAL_API_KEY: undefined };

  test('refused on another machine', () => {
    expect(refusalOf(reader, plain)).toMatch(/^TEMPORAL_ADDRESS leads to another machine without verified TLS: /);
    expect(refusalOf(reader, { ...plain, TEMPORAL_TLS: 'false' })).toMatch(/^TEMPORAL_ADDRESS /);
    expect(refusalOf(reader, { ...plain, TRUSTED_NETWORK: 'true' })).toBeUndefined();
    expect(refusalOf(reader, { ...plain, SERVICE_ENV: 'sandbox' })).toBeUndefined();
  });

  test.each([
    { TEMPORAL_TLS: 'true' },
    { TEMPORAL_TLS_SERVER_CA_CERT_PATH: 'ca.pem' },
    { TEMPORAL_TLS_CLIENT_CERT_PATH: 'a.pem', TEMPORAL_TLS_CLIENT_KEY_PATH: 'a.key' },
    { TEMPORAL_API_KEY_PATH: 'key' },
  ])('taken with %o', (tls) => {
    expect(refusalOf(reader, { ...plain, ...tls })).toBeUndefined();
  });

  test.each(['127.0.0.1:7233', 'localhost:7233', '[::1]:7233'])('taken at %s', (TEMPORAL_ADDRESS) => {
    expect(refusalOf(reader, { ...plain, TEMPORAL_ADDRESS })).toBeUndefined();
  });
});

describe('http to others', () => {
  test.each<[keyof typeof readers, string, string]>([
    ['worker', 'RPC_URLS', 'ETHEREUM_MAINNET=https://rpc.example/key,SOL_MAINNET=http://rpc.example/key'],
    ['worker', 'RPC_URLS_SECOND', 'ETHEREUM_MAINNET=http://10.1.2.3:8545'],
    ['server', 'PRICE_SOURCE_URL', 'http://prices.example/usd'],
    ['worker', 'MPC_APPROVER_URL', 'http://approver.example'],
    ['server', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'http://collector.example:4318'],
    ['worker', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'http://collector.example:4318/v1/traces'],
  ])('%s: %s', (reader, name, value) => {
    const sentence = refusalOf(reader, { [name]: value });
    expect(sentence).toMatch(
      new RegExp(`^${name} leads to another machine without verified TLS: production needs https://`),
    );
    expect(sentence).not.toContain('example');
    expect(refusalOf(reader, { [name]: value, TRUSTED_NETWORK: 'true' })).toBeUndefined();
    expect(refusalOf(reader, { [name]: value.replaceAll(/http:\/\/[^/:,]+/g, 'http://127.0.0.1') })).toBeUndefined();
    expect(refusalOf(reader, { [name]: value.replaceAll('http://', 'https://') })).toBeUndefined();
  });
});

test('a Temporal key is never sent in the clear', () => {
  const config = readServerConfig({ ...remote, TEMPORAL_TLS: 'false', TRUSTED_NETWORK: 'true' });
  expect(() => temporalSettings(config)).toThrow(/^TEMPORAL_API_KEY .*in the clear/);
});

test.each([
  ['migrate', []],
  ['workspace', ['create', '--name', 'x']],
  ['outflows', ['list']],
  ['audit-findings', ['list']],
  ['resume-network', ['--network', 'ETHEREUM_SEPOLIA']],
  ['record-backup', []],
  ['reconcile-balances', []],
  ['refresh-keys', []],
  ['repair-keys', ['list', '--node', '1']],
  ['server', []],
  ['worker', []],
])('the program %s ends with the sentence, and connects to nobody', async (program, args) => {
  const environment = {
    PATH: process.env['PATH'],
    ...remote,
    ...database('?sslmode=require'),
    TEMPORAL_API_KEY: '',
  };
  const dist = resolve(import.meta.dirname, '../../../dist');
  const context = { dist, logDirectory: dist, environment, onStart: () => {} };
  await expect(runCommand(context, program, args)).rejects.toThrow(
    /failed: (DATABASE_URL|TEMPORAL_ADDRESS) leads to another machine without verified TLS/,
  );
});
