// Goal: `npm run stack` is a production on one machine: it signs through its proxy, lets nobody in without TLS, keeps
// its secrets in files, lives through the end of its parts, and goes on where it was. Method: the built program in a
// folder of the test's own, with the real parts, killed by their pids; one story, told in order.
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { connect } from 'node:tls';
import { promisify } from 'node:util';
import { Connection } from '@temporalio/client';
import { sql } from 'drizzle-orm';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectDatabase } from '../../../drizzle/database/connection.ts';
import { CountersignClient } from '../../../src/client/client.ts';
import { isRunning } from '../../../src/local/processes/process-identity.ts';
import { findOnPath } from '../../../src/local/processes/programs.ts';
import { readRecordedParts } from '../../../src/local/processes/running-parts.ts';
import { BUILT_WITHIN_MS } from '../../support/processes/go-program.ts';
import { listeningSockets } from '../../support/processes/listening.ts';
import { type Starter, startProgram, untilReady } from '../../support/processes/local-start.ts';
import { findPrometheusProgram } from '../../support/processes/prometheus-programs.ts';

const root = resolve(import.meta.dirname, '../../..');
const MINUTE_MS = 60_000;

let directory: string;
let starter: Starter;
let walletId: string;

const place = (...names: string[]) => join(directory, ...names);
const read = (...names: string[]) => readFileSync(place(...names), 'utf8').trim();
const parts = () => readRecordedParts(place('run.json'));
/** Only what it builds itself is not on the PATH: that is in .local/bin. */
const start = (PATH: string) => {
  const { HOME } = process.env;
  // What is not for production does not reach it.
  const environment = { PATH, HOME, SERVICE_ENV: 'sandbox', RPC_URLS: 'ETHEREUM_SANDBOX=http://127.0.0.1:1' };
  return startProgram([join(root, 'dist/local-stack.js'), directory], root, environment);
};

beforeAll(async () => {
  await promisify(execFile)(process.execPath, [join(root, 'scripts/build.mjs')]);
  directory = mkdtempSync(join(tmpdir(), 'countersign-stack-'));
  chmodSync(directory, 0o755); // as root, PostgreSQL runs as another user
  const withPrometheus = folderOf('prometheus', await findPrometheusProgram(join(root, '.local'), 'prometheus'));
  starter = start(`${withPrometheus}:${process.env['PATH']}`);
  await untilReady(starter, BUILT_WITHIN_MS);
}, BUILT_WITHIN_MS);

afterAll(async () => {
  starter?.process.kill('SIGTERM');
  await starter?.exit;
  rmSync(directory, { recursive: true, force: true });
}, MINUTE_MS);

describe.sequential('npm run stack', () => {
  test('has every part of a production, on loopback alone', () => {
    const services = ['Prometheus', 'API 1', 'API 2', 'The proxy', 'worker 1', 'worker 2'];
    const names = ['MPC node 1', 'MPC node 2', 'MPC node 3', 'PostgreSQL', 'Temporal', ...services];
    expect(parts().map(({ name }) => name)).toEqual(expect.arrayContaining(names));
    const sockets = listeningSockets(parts().map(({ pid }) => pid));
    expect(new Set(sockets.map(({ pid }) => pid)).size).toBe(parts().length);
    expect(sockets.filter(({ isLoopback }) => !isLoopback)).toEqual([]);
  });

  test('keeps secrets in files for their owner only, and in no environment', () => {
    const secrets = readdirSync(place('secrets')).map((name) => `secrets/${name}`);
    const keys = readdirSync(place('tls')).filter((name) => name.endsWith('.key'));
    const files = [...secrets, ...keys.map((name) => `tls/${name}`), 'temporal/database-password', 'credentials.json'];
    for (const file of [...files, 'environment', 'temporal/configuration/stack.yaml'])
      expect([file, statSync(place(file)).mode & 0o777]).toEqual([file, 0o600]);
    const values = [...secrets, 'temporal/database-password', 'postgres/password'].map((file) => read(file));
    for (const { name, pid } of parts()) {
      const seen = ['environ', 'cmdline'].map((file) => readFileSync(`/proc/${pid}/${file}`, 'utf8')).join();
      expect([name, values.filter((value) => seen.includes(value))]).toEqual([name, []]);
    }
  });

  test('signs through the proxy what a second user approves', { timeout: MINUTE_MS }, async () => {
    walletId = (await admin().createWallet({ name: 'Of the stack' }).wait()).wallet_id;
    expect(await sign('First')).toBe('success');
  });

  test('lets nobody into PostgreSQL without TLS', async () => {
    const url = read('secrets/database-url').split('?')[0] ?? '';
    const plain = postgres(url, { max: 1, ssl: false, connect_timeout: 5 });
    await expect(plain`select 1`).rejects.toThrow(/no encryption/);
    const encrypted = connectDatabase(read('secrets/database-url'), { poolSize: 1, name: 'stack-test' });
    const own = sql`select ssl, version from pg_stat_ssl where pid = pg_backend_pid()`;
    expect([...(await encrypted.db.execute(own))]).toEqual([{ ssl: true, version: 'TLSv1.3' }]);
    await Promise.all([plain.end(), encrypted.close()]);
  });

  test(
    'lets nobody into Temporal without TLS and a certificate of its authority',
    async () => {
      const [temporal] = parts().filter(({ name }) => name === 'Temporal');
      const frontend = temporalAddress();
      const describeIt = async (tls?: object) => {
        const options = { address: frontend, connectTimeout: '3s', ...(tls && { tls }) } as const;
        const connection = await Connection.connect(options);
        await connection.workflowService.describeNamespace({ namespace: 'countersign' });
        await connection.close();
      };
      const named = { serverNameOverride: 'temporal.stack', serverRootCACertificate: readFileSync(authority()) };
      await expect(describeIt()).rejects.toThrow();
      await expect(describeIt(named)).rejects.toThrow();
      const clientCertPair = {
        crt: readFileSync(place('tls/service.pem')),
        key: readFileSync(place('tls/service.key')),
      };
      await describeIt({ ...named, clientCertPair });
      const ports = listeningSockets([temporal?.pid ?? 0]).map(({ port }) => port);
      // Three services that are called, and four that find each other.
      expect(ports).toHaveLength(7);
      for (const port of ports) expect([port, await speaksTls(port)]).toEqual([port, true]);
    },
    MINUTE_MS,
  );

  test('has Prometheus ask every process, by the names that the alerts know', { timeout: 2 * MINUTE_MS }, async () => {
    const url = /Prometheus runs on (\S+)/.exec(starter.output())?.[1] ?? '';
    const ask = async (path: string) => ((await (await fetch(`${url}/api/v1/${path}`)).json()) as Answer).data;
    const targets = async () => {
      const { activeTargets = [] } = await ask('targets');
      return activeTargets.map(({ labels, health }) => `${labels['job']} ${health}`).toSorted();
    };
    const jobs = { api: 2, node: 3, worker: 2 };
    const up = Object.entries(jobs).flatMap(([job, count]) => Array(count).fill(`countersign-${job} up`) as string[]);
    await expect.poll(targets, { timeout: MINUTE_MS, interval: 1_000 }).toEqual(up);
    const { groups = [] } = await ask('rules');
    expect(groups.flatMap(({ rules }) => rules).length).toBeGreaterThan(20);
  });

  test(
    'what is killed comes back, and meanwhile everything ends once',
    async () => {
      for (const name of ['API 1', 'worker 1', 'Temporal', 'PostgreSQL', 'The proxy']) {
        const part = parts().find((each) => each.name === name);
        if (part === undefined) throw new Error(`run.json names no ${name}`);
        process.kill(part.pid, 'SIGKILL');
        expect([name, await sign(`After ${name}`)]).toEqual([name, 'success']);
        await expect.poll(() => starter.output(), { timeout: MINUTE_MS }).toContain(`${name} runs again`);
        expect(starter.output()).toMatch(
          new RegExp(`${name} ended \\(SIGKILL; log: .*\\); it starts again in 0\\.25 s\\n`),
        );
      }
      expect(await sign('After all of them')).toBe('success');
    },
    4 * MINUTE_MS,
  );

  test(
    'ends whole, and goes on where it was',
    async () => {
      const before = parts();
      starter.process.kill('SIGTERM');
      expect(await starter.exit).toBe(0);
      expect(before.filter(isRunning)).toEqual([]);
      starter = start(folderOf('openssl', findOnPath('openssl') ?? ''));
      await untilReady(starter, MINUTE_MS);
      expect(starter.output()).toContain('Prometheus is left out: the program `prometheus` is missing: install');
      expect((await admin().get('/api/v1/wallets/{wallet_id}', { path: { wallet_id: walletId } })).name).toBe(
        'Of the stack',
      );
      expect(await sign('Again')).toBe('success');
    },
    3 * MINUTE_MS,
  );
});

type Answer = {
  data: {
    activeTargets?: { labels: Record<string, string>; health: string }[];
    groups?: { rules: object[] }[];
  };
};
type Key = { api_key: string; api_secret: string };

/** With this program alone. */
function folderOf(name: string, program: string): string {
  const folder = place(`path-with-${name}`);
  mkdirSync(folder);
  symlinkSync(program, join(folder, name));
  return folder;
}

const authority = () => place('tls/authority.pem');
const temporalAddress = () => /TEMPORAL_ADDRESS='([^']+)'/.exec(read('environment'))?.[1] ?? '';

function clientOf(key: (credentials: Key & { approver: Key }) => Key): CountersignClient {
  const credentials = JSON.parse(read('credentials.json')) as Key & { base_url: string; approver: Key };
  const { api_key, api_secret } = key(credentials);
  return new CountersignClient({ baseUrl: credentials.base_url, apiKey: api_key, apiSecret: api_secret });
}
const admin = () => clientOf((credentials) => credentials);
const approver = () => clientOf((credentials) => credentials.approver);

/** A port that does takes nothing else. */
function speaksTls(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ host: '127.0.0.1', port, ca: readFileSync(authority()), servername: 'temporal.stack' });
    socket.once('secureConnect', () => {
      done(socket.authorized);
      socket.destroy();
    });
    socket.once('error', () => done(false));
    socket.once('close', () => done(false));
  });
}

/** In production a signature waits for another user until a policy says otherwise. */
async function sign(message: string): Promise<string> {
  const body = { network_internal_code: 'ETHEREUM_MAINNET', message } as const;
  const asked = admin().signMessage(walletId, body);
  const { signing_id } = (await asked).signing_request;
  const path = { signing_id };
  const approval = async () => (await admin().get('/api/v1/signing-requests/{signing_id}', { path })).approval;
  await expect.poll(approval, { timeout: MINUTE_MS }).toBeTruthy();
  await approver().post('/api/v1/signing-requests/{signing_id}/approve', { path, body: {} });
  return (await asked.wait()).status;
}
