// Goal: the service runs over connections that nobody in between can read or answer, and says in one sentence what is
// wrong with a certificate. Method: API, worker and commands as processes, a PostgreSQL that lets nobody in without
// TLS, and a TLS server with client certificates in front of Temporal; certificates of the test's own authorities.

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql as query } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { connectDatabase } from '../../../drizzle/database/connection.ts';
import { CountersignClient } from '../../../src/client/client.ts';
import { signRequest } from '../../../src/client/sign-request.ts';
import type { Part } from '../../../src/local/processes/part.ts';
import { findFreePort } from '../../../src/local/processes/ports.ts';
import {
  runCommand,
  type ServiceContext,
  startApi,
  startWorker,
} from '../../../src/local/processes/service-processes.ts';
import { Authority } from '../../support/processes/certificates.ts';
import { testTemporal } from '../../support/processes/temporal.ts';
import { startTlsPostgres, type TlsPostgres } from '../../support/processes/tls-postgres.ts';
import { startTemporalTlsProxy, type TemporalTlsProxy } from '../../support/processes/tls-temporal-proxy.ts';

const dist = resolve(import.meta.dirname, '../../../dist');
const MINUTE_MS = 60_000;

let directory: string;
let taskQueue: string;
let authority: Authority;
let stranger: Authority;
let database: TlsPostgres;
let temporal: TemporalTlsProxy;
let temporalByKey: TemporalTlsProxy;
const parts: Part[] = [];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-tls-'));
  for (const name of ['own', 'strange']) mkdirSync(join(directory, name));
  authority = new Authority(join(directory, 'own'));
  stranger = new Authority(join(directory, 'strange'));
  const client = authority.issue('DNS:countersign');
  write('client.pem', client.cert);
  write('client.key', client.key);
  database = await startTlsPostgres(authority.issue('IP:127.0.0.1'), authority.file);
  const { address, ...own } = testTemporal('tls');
  taskQueue = own.taskQueue;
  const server = authority.issue('DNS:temporal.test');
  temporal = await startTemporalTlsProxy(address, server, authority.pem);
  temporalByKey = await startTemporalTlsProxy(address, server);
}, 2 * MINUTE_MS);
afterAll(async () => {
  await Promise.all(parts.map((part) => part.stop()));
  await Promise.all([temporal.close(), temporalByKey.close(), database.stop()]);
  rmSync(directory, { recursive: true, force: true });
}, 2 * MINUTE_MS);

const fileOf = (name: string) => join(directory, name);
const write = (name: string, content: string) => writeFileSync(fileOf(name), content);

const databaseUrl = (parameters: Record<string, string>) =>
  `${database.url}?${new URLSearchParams(parameters).toString()}`;
const verified = () => ({
  sslmode: 'verify-full',
  sslrootcert: authority.file,
  sslcert: fileOf('client.pem'),
  sslkey: fileOf('client.key'),
});
const byCertificate = () => ({
  TEMPORAL_ADDRESS: temporal.address,
  TEMPORAL_TLS_SERVER_NAME: 'temporal.test',
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: authority.file,
  TEMPORAL_TLS_CLIENT_CERT_PATH: fileOf('client.pem'),
  TEMPORAL_TLS_CLIENT_KEY_PATH: fileOf('client.key'),
});

function contextOf(environment: Record<string, string>): ServiceContext {
  return {
    dist,
    logDirectory: directory,
    environment: {
      PATH: process.env['PATH'],
      DATABASE_URL: databaseUrl(verified()),
      KEY_ENCRYPTION_KEY: 'a1b2c3d4e5f60718'.repeat(4),
      MPC_SOFTWARE_SEED: randomBytes(32).toString('hex'),
      TEMPORAL_TASK_QUEUE: taskQueue,
      ...byCertificate(),
      ...environment,
    },
    onStart: (_name, part) => parts.push(part),
  };
}

async function startService(environment: Record<string, string>) {
  const port = await findFreePort();
  const context = contextOf({ ...environment, PORT: String(port) });
  const baseUrl = `http://127.0.0.1:${port}`;
  const created = JSON.parse(await runCommand(context, 'workspace', ['create', '--name', 'tls', '--json']));
  const processes = await Promise.all([startApi(context, baseUrl), startWorker(context)]);
  const credentials = { apiKey: created.api_key, apiSecret: created.api_secret };
  const client = new CountersignClient({ baseUrl, ...credentials });
  const stop = () => Promise.all(processes.map((part) => part.stop()));
  return { client, workspaceId: created.workspace_id as string, baseUrl, credentials, stop };
}

const failureOf = (program: string, args: string[], environment: Record<string, string>) =>
  runCommand(contextOf(environment), program, args).then(
    () => 'it went well',
    (error: Error) => error.message.replace(`${program} failed: `, ''),
  );

describe('PostgreSQL and Temporal with client certificates', () => {
  test(
    'the whole service: commands, API, worker, those who listen and those who stream; every session of it is encrypted',
    async () => {
      await database.admit('hostssl all all 127.0.0.1/32 scram-sha-256 clientcert=verify-ca');
      expect(await runCommand(contextOf({}), 'migrate')).toContain('up to date');
      const { client, workspaceId, baseUrl, credentials, stop } = await startService({});
      const { wallet_id: walletId } = await client.createWallet({ name: 'over TLS' }).wait();
      expect(await client.get('/api/v1/wallets/{wallet_id}', { path: { wallet_id: walletId } })).toMatchObject({
        status: 'active',
      });
      const sessions = await database.sql`
      select a.application_name as name, s.ssl, s.client_dn as dn from pg_stat_ssl s join pg_stat_activity a using (pid)
      where a.application_name like 'countersign%'`;
      expect(sessions.length).toBeGreaterThan(4);
      expect(sessions.filter(({ ssl, dn }) => !ssl || !dn)).toEqual([]);
      // What streams has a connection of its own.
      const path = `/api/v1/workspaces/${workspaceId}/transactions/export`;
      const signed = signRequest(credentials, { method: 'GET', path, body: '' }, Math.floor(Date.now() / 1000));
      expect((await fetch(`${baseUrl}${path}`, { headers: { ...signed } })).status).toBe(200);
      // An operator's command that has a worker do something.
      expect(await runCommand(contextOf({}), 'reconcile-balances')).toContain('0');
      await stop();
      await database.admit('hostssl all all 127.0.0.1/32 scram-sha-256');
    },
    2 * MINUTE_MS,
  );
});

test(
  'an API key goes with every call, and another one in its file counts without a restart',
  async () => {
    write('api-key', 'first-key\n');
    const { client, stop } = await startService({
      TEMPORAL_ADDRESS: temporalByKey.address,
      TEMPORAL_TLS_CLIENT_CERT_PATH: '',
      TEMPORAL_TLS_CLIENT_KEY_PATH: '',
      TEMPORAL_API_KEY_PATH: fileOf('api-key'),
    });
    const { authorizations } = temporalByKey;
    await client.createWallet({ name: 'by a key' }).wait();
    expect(new Set(authorizations)).toEqual(new Set(['Bearer first-key']));
    write('api-key', 'second-key\n');
    await sleep(16_000);
    authorizations.length = 0;
    await client.createWallet({ name: 'by another key' }).wait();
    expect(authorizations.length).toBeGreaterThan(5);
    expect(new Set(authorizations)).toEqual(new Set(['Bearer second-key']));
    await stop();
  },
  2 * MINUTE_MS,
);

describe('what is wrong is said in one sentence that names the variable', () => {
  const untrusted = 'was not issued by the authority that is trusted';
  const commands: [string, string[]][] = [
    ['migrate', []],
    ['workspace', ['create', '--name', 'x']],
    ['outflows', ['list']],
    ['audit-findings', ['list']],
    ['resume-network', ['--network', 'ETHEREUM_SEPOLIA']],
    ['record-backup', []],
    ['server', []],
    ['worker', []],
  ];

  test.each(commands)(
    '%s: the database has a certificate of another authority',
    async (program, args) => {
      const DATABASE_URL = databaseUrl({ sslmode: 'verify-full', sslrootcert: stranger.file });
      expect(await failureOf(program, args, { DATABASE_URL, PORT: '0' })).toBe(
        `DATABASE_URL: the certificate of the database ${untrusted}: check its host, and the authority in sslrootcert.`,
      );
    },
    2 * MINUTE_MS,
  );

  test.each<[string, () => Record<string, string>, RegExp]>([
    ['another host', () => ({ sslmode: 'verify-full', sslrootcert: authority.file }), /is for another host/],
    [
      'no file',
      () => ({ sslrootcert: '/nowhere/ca.pem' }),
      /^DATABASE_URL names a file as sslrootcert that cannot be read\.$/,
    ],
    ['no certificate', () => ({ sslrootcert: '/etc/hostname' }), /no certificates in PEM/],
    [
      'a key without a certificate',
      () => ({ sslmode: 'require', sslkey: fileOf('client.key') }),
      /sslcert and sslkey together/,
    ],
    ['an unknown mode', () => ({ sslmode: 'yes' }), /must have an sslmode of disable, allow/],
    ['no TLS where it is asked for', () => ({ sslmode: 'disable' }), /asks for TLS: give sslmode=verify-full/],
  ])(
    'the database: %s',
    async (what, parameters, sentence) => {
      const url = databaseUrl(parameters());
      const DATABASE_URL = what === 'another host' ? url.replace('127.0.0.1', 'localhost') : url;
      expect(await failureOf('migrate', [], { DATABASE_URL })).toMatch(sentence);
    },
    2 * MINUTE_MS,
  );

  test(
    'a database that offers no TLS',
    async () => {
      const plain = inject('postgresUrl').replace('{database}', 'postgres');
      expect(await failureOf('migrate', [], { DATABASE_URL: `${plain}?sslmode=verify-full` })).toBe(
        'DATABASE_URL: the database offers no TLS, which its sslmode asks for.',
      );
    },
    2 * MINUTE_MS,
  );

  test.each<[string, () => Record<string, string>, RegExp]>([
    [
      'another authority',
      () => ({ TEMPORAL_TLS_SERVER_CA_CERT_PATH: stranger.file }),
      /^TEMPORAL_TLS_SERVER_CA_CERT_PATH: the certificate of Temporal was not issued/,
    ],
    ['another name', () => ({ TEMPORAL_TLS_SERVER_NAME: 'other.test' }), /^TEMPORAL_TLS_SERVER_NAME: /],
    [
      'no client certificate',
      () => ({ TEMPORAL_TLS_CLIENT_CERT_PATH: '', TEMPORAL_TLS_CLIENT_KEY_PATH: '' }),
      /^TEMPORAL_TLS_CLIENT_CERT_PATH: Temporal does not take our client certificate, or asks for one\.$/,
    ],
    ['half a client certificate', () => ({ TEMPORAL_TLS_CLIENT_KEY_PATH: '' }), /belong together: give both\.$/],
    [
      'the key of another certificate',
      () => ({ TEMPORAL_TLS_CLIENT_KEY_PATH: fileOf('own/authority.key') }),
      /is not the key of/,
    ],
    [
      'no file',
      () => ({ TEMPORAL_TLS_CLIENT_CERT_PATH: '/nowhere' }),
      /^TEMPORAL_TLS_CLIENT_CERT_PATH names a file that cannot be read\.$/,
    ],
    [
      'a certificate and TEMPORAL_TLS=false',
      () => ({ TEMPORAL_TLS: 'false' }),
      /with TEMPORAL_TLS=false: leave one of them out\.$/,
    ],
    [
      'a server without TLS',
      () => ({ TEMPORAL_ADDRESS: testTemporal('x').address }),
      /^TEMPORAL_TLS: Temporal at TEMPORAL_ADDRESS speaks no TLS\.$/,
    ],
  ])(
    'Temporal: %s',
    async (_what, environment, sentence) => {
      expect(await failureOf('refresh-keys', [], environment())).toMatch(sentence);
    },
    2 * MINUTE_MS,
  );

  test.each(['server', 'worker'])(
    '%s: Temporal has a certificate of another authority',
    async (program) => {
      const environment = { TEMPORAL_TLS_SERVER_CA_CERT_PATH: stranger.file, PORT: '0' };
      expect(await failureOf(program, [], environment)).toMatch(/^TEMPORAL_TLS_SERVER_CA_CERT_PATH: .* was not issued/);
    },
    2 * MINUTE_MS,
  );

  test(
    'a balancer that ends connections, since Temporal is being started, is no server without TLS: the API starts',
    async () => {
      const balancer = createServer((caller) => caller.on('error', () => {}).end()).listen(0, '127.0.0.1');
      await once(balancer, 'listening');
      const port = await findFreePort();
      const TEMPORAL_ADDRESS = `127.0.0.1:${(balancer.address() as AddressInfo).port}`;
      const started = startApi(contextOf({ TEMPORAL_ADDRESS, PORT: String(port) }), `http://127.0.0.1:${port}`);
      const api = await started.finally(() => balancer.close());
      await api.stop();
    },
    2 * MINUTE_MS,
  );
});

test.each([
  ['require', {}],
  ['prefer', {}],
  ['verify-ca', { sslrootcert: 'own' }],
  ['verify-full', { sslrootcert: 'own' }],
  // As libpq has it: an authority that is named is asked.
  ['require', { sslrootcert: 'strange' }],
])('sslmode=%s, %o: encrypted, or not at all', async (sslmode, { sslrootcert }: { sslrootcert?: string }) => {
  const file = sslrootcert === 'own' ? authority.file : stranger.file;
  const url = databaseUrl({ sslmode, ...(sslrootcert === undefined ? {} : { sslrootcert: file }) });
  const connection = connectDatabase(url, { poolSize: 1, name: 'test-sslmode' });
  const asked = connection.db.execute(query`select ssl from pg_stat_ssl where pid = pg_backend_pid()`);
  if (sslrootcert === 'strange') await expect(asked).rejects.toThrow();
  else expect([...(await asked)]).toEqual([{ ssl: true }]);
  await connection.close();
});

test('a certificate that the database replaces counts from the next connection on, without a restart', async () => {
  write('trusted.pem', authority.pem);
  const url = databaseUrl({ sslmode: 'verify-full', sslrootcert: fileOf('trusted.pem') });
  const connect = () => connectDatabase(url, { poolSize: 1, name: 'test-rotation' });
  const use = async (connection: ReturnType<typeof connect>) => {
    try {
      await connection.db.execute(query`select 1`);
    } finally {
      await connection.close();
    }
  };
  const early = connect();
  await use(connect());
  await database.present(stranger.issue('IP:127.0.0.1'));
  await expect(use(connect())).rejects.toThrow();
  write('trusted.pem', 'half a file');
  write('trusted.pem', `${authority.pem}${stranger.pem}`);
  // Made before, and not connected until now.
  await use(early);
  await database.present(authority.issue('IP:127.0.0.1'));
});
