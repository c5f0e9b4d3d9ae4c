// Goal: APIs and workers are replaced one after the other while callers call, and no caller sees a failure although
// nobody repeats a request. Method: two APIs and two workers as processes behind a balancer that asks `/ready` and
// repeats nothing; twenty requests a second, of which every second one is a signature; each process is stopped by
// SIGTERM and started again in its turn.
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CountersignClient } from '../../../src/client/client.ts';
import { type Credentials, signRequest } from '../../../src/client/sign-request.ts';
import type { Part } from '../../../src/local/processes/part.ts';
import { findFreePort } from '../../../src/local/processes/ports.ts';
import {
  runCommand,
  type ServiceContext,
  startApi,
  startWorker,
} from '../../../src/local/processes/service-processes.ts';
import { type Balancer, startBalancer } from '../../support/processes/balancer.ts';
import { createTestDatabase, type TestDatabase } from '../../support/processes/postgres.ts';
import { testTemporal } from '../../support/processes/temporal.ts';

const MINUTE_MS = 60_000;
/** Each replaces two APIs and two workers. */
const ROLLS = Number(process.env['ROLLS'] ?? 5);
const REQUESTS_PER_SECOND = 20;
/** As in production: a balancer has to notice within it, also on a busy machine. */
const DRAIN_MS = 5_000;

const directory = mkdtempSync(join(tmpdir(), 'countersign-rolling-'));
const parts = new Map<string, Part>();
let database: TestDatabase;
let balancer: Balancer;
let ports: number[];
let contextOf: (name: string, port?: number) => ServiceContext;
let credentials: Credentials;
let walletId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  ports = [await findFreePort(), await findFreePort()];
  const temporal = testTemporal('rolling');
  const environment = {
    PATH: process.env['PATH'],
    DATABASE_URL: database.serviceUrl ?? database.url,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_TASK_QUEUE: temporal.taskQueue,
    KEY_ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    MPC_SOFTWARE_SEED: randomBytes(32).toString('hex'),
    SHUTDOWN_DELAY_MS: String(DRAIN_MS),
    // On a busy machine the only worker signs less than the callers ask for, and an API may be late by a second: the
    // quota and the refusals of overload have tests of their own.
    WORKSPACE_OPEN_OPERATIONS_MAX: '0',
    EVENT_LOOP_DELAY_MAX_MS: '0',
  };
  contextOf = (name, port) => {
    const logDirectory = join(directory, name);
    mkdirSync(logDirectory, { recursive: true });
    return {
      dist: resolve(import.meta.dirname, '../../../dist'),
      logDirectory,
      environment: { ...environment, PORT: String(port ?? 0) },
      onStart: (_name, part) => void parts.set(name, part),
    };
  };
  const created = JSON.parse(
    await runCommand(contextOf('command'), 'workspace', ['create', '--name', 'rolling', '--json']),
  );
  credentials = { apiKey: created.api_key, apiSecret: created.api_secret };
  await Promise.all(Object.values(instances).map((start) => start()));
  balancer = await startBalancer(ports);
  const client = new CountersignClient({ baseUrl: `http://127.0.0.1:${ports[0]}`, ...credentials });
  const wallet = await client.createWallet({ name: 'rolling', wallet_type: 'mpc' });
  walletId = wallet.wallet_id;
  await client.waitForWallet(walletId);
}, 2 * MINUTE_MS);
afterAll(async () => {
  await balancer?.stop();
  await Promise.all([...parts.values()].map((part) => part.stop()));
  await database?.drop();
  rmSync(directory, { recursive: true, force: true });
}, MINUTE_MS);

const startApiAt = (place: number) => async () => {
  const port = ports[place] ?? 0;
  await startApi(contextOf(`api-${place}`, port), `http://127.0.0.1:${port}`);
};
const instances: Readonly<Record<string, () => Promise<unknown>>> = {
  'api-0': startApiAt(0),
  'api-1': startApiAt(1),
  'worker-0': () => startWorker(contextOf('worker-0')),
  'worker-1': () => startWorker(contextOf('worker-1')),
};

interface Answer {
  status: number;
  text: string;
  connection: string | null;
}

interface Call {
  method: string;
  path: string;
  body?: string;
  headers?: Record<string, string>;
}

/** One try. Status 0 when the connection broke. */
async function send(baseUrl: string, { method, path, body, headers }: Call): Promise<Answer> {
  const signed = signRequest(credentials, { method, path, body: body ?? '' }, Math.floor(Date.now() / 1000));
  const content = body === undefined ? {} : { 'content-type': 'application/json' };
  try {
    const answer = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { ...signed, ...content, ...headers },
      body: body ?? null,
    });
    return { status: answer.status, text: await answer.text(), connection: answer.headers.get('connection') };
  } catch (error) {
    return { status: 0, text: String(error), connection: null };
  }
}

const sign = (baseUrl: string) =>
  send(baseUrl, {
    method: 'POST',
    path: `/api/v1/web3/transaction/${walletId}/signMessage`,
    body: JSON.stringify({ message: randomBytes(8).toString('hex'), network_internal_code: 'ETHEREUM_SANDBOX' }),
  });

test(
  'no request fails while each API and each worker is replaced, and every signature that was accepted is made',
  async () => {
    const answers: Promise<Answer>[] = [];
    let isOver = false;
    const load = (async () => {
      for (let count = 0; !isOver; count += 1) {
        const signs = count % 2 === 0;
        answers.push(
          signs ? sign(balancer.url) : send(balancer.url, { method: 'GET', path: `/api/v1/wallets/${walletId}` }),
        );
        await sleep(1_000 / REQUESTS_PER_SECOND);
      }
    })();
    for (let roll = 0; roll < ROLLS; roll += 1)
      for (const [name, start] of Object.entries(instances)) {
        await parts.get(name)?.stop();
        await start();
        // Whoever replaces processes goes on when the balancer knows of the one before.
        await expect.poll(() => ports.every((port) => balancer.sendsTo(port)), { timeout: MINUTE_MS }).toBe(true);
      }
    isOver = true;
    await load;
    const all = await Promise.all(answers);
    const failed = all.filter(({ status }) => status !== 200 && status !== 202);
    // Each reason once: a report cuts long lists off.
    expect([...new Set(failed.map(({ status, text }) => `${status} ${text}`))].join('\n')).toBe('');
    expect(all.length).toBeGreaterThan(ROLLS * REQUESTS_PER_SECOND);
    const client = new CountersignClient({ baseUrl: balancer.url, ...credentials });
    for (const { status, text } of all) {
      if (status !== 202) continue;
      const { id } = JSON.parse(text).data.signing_request;
      expect(await client.waitForSignature(id)).toMatchObject({ status: 'success' });
    }
  },
  Math.max(ROLLS, 5) * 2 * MINUTE_MS,
);

test('a process that is told to stop says so to a balancer, answers who waits, and still serves', {
  timeout: MINUTE_MS,
}, async () => {
  const { 'worker-0': one, 'worker-1': other, 'api-0': api } = Object.fromEntries(parts);
  await Promise.all([one?.stop(), other?.stop()]);
  const baseUrl = `http://127.0.0.1:${ports[0]}`;
  const { text } = await sign(baseUrl);
  const { id } = JSON.parse(text).data.signing_request;
  const waiting = send(baseUrl, {
    method: 'GET',
    path: `/api/v1/signing-requests/${id}`,
    headers: { prefer: 'wait=30' },
  });
  await sleep(500);
  api?.kill('SIGTERM');
  // Long before the thirty seconds that it asked for, which the test's time would not allow.
  expect(await waiting).toMatchObject({ status: 200, connection: 'close' });
  const ready = await fetch(`${baseUrl}/ready`);
  expect(ready.status).toBe(503);
  expect(await ready.json()).toMatchObject({ message: 'Not ready: the process is about to stop.' });
  expect((await fetch(`${baseUrl}/health`)).status).toBe(200);
  expect(await sign(baseUrl)).toMatchObject({ status: 202, connection: 'close' });
  await api?.exited;
  expect(await send(baseUrl, { method: 'GET', path: '/health' })).toMatchObject({ status: 0 });
});
