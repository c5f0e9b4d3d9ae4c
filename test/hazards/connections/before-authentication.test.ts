// Goal: who has not shown a key can neither fill the memory of an API process nor keep others out, and hears why he is
// refused. Method: the API as a process of its own; thousands of connections send half a body of 1 MiB, half a head, or
// nothing, while its memory is read from the system and a caller with a key goes on writing.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signRequest } from '../../../src/client/sign-request.ts';
import type { HttpSettings } from '../../../src/http/http-settings.ts';
import type { Part } from '../../../src/local/processes/part.ts';
import { findFreePort } from '../../../src/local/processes/ports.ts';
import { startApi as startProcess } from '../../../src/local/processes/service-processes.ts';
import { startApi, type TestApi, type TestKey } from '../../support/api/api.ts';
import { gather } from '../../support/api/crowd.ts';
import { keyEncryptionKey } from '../../support/rows/seals.ts';

const MIB = 1024 * 1024;
const RSS_MAX_MIB = 512;
/** More by hand (CROWD=19500 where a process may have 20,000 files): the figures are in DECISIONS.md, 72. */
const CROWD = Number(process.env['CROWD'] ?? 1_000);
const WITHIN_MS = 60_000 + CROWD * 10;
const WALLETS = '/api/v1/wallets';
const half = Buffer.alloc(MIB / 2, 0x20);
const dist = resolve(import.meta.dirname, '../../../dist');

let api: TestApi;
let part: Part;
let port: number;
let directory: string;
beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1' });
  directory = mkdtempSync(join(tmpdir(), 'countersign-crowd-'));
  port = await findFreePort();
  const environment = {
    PATH: process.env['PATH'],
    DATABASE_URL: api.serviceUrl,
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    KEY_ENCRYPTION_KEY: keyEncryptionKey,
    PORT: String(port),
    LOG_LEVEL: 'warn',
    // Nobody makes these wallets.
    WORKSPACE_WALLETS_UNDER_WAY_MAX: '0',
    WORKSPACE_KEY_GENERATIONS_PER_DAY: '0',
  };
  part = await startProcess(
    { dist, logDirectory: directory, environment, onStart: () => {} },
    `http://127.0.0.1:${port}`,
  );
});
afterAll(async () => {
  await part.stop();
  await api.stop();
  rmSync(directory, { recursive: true, force: true });
});

const now = () => Math.floor(Date.now() / 1000);
const residentMib = () =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${part.pid}/status`, 'utf8'))?.[1]) / 1024;

interface Claimed {
  apiKey?: string;
  timestamp?: number;
  sign?: string;
  length?: number | 'chunked';
}

/** The head of a POST, by which everything but the body has arrived. */
function headOf({ apiKey = `ck_${randomBytes(16).toString('hex')}`, timestamp = now(), sign, length = MIB }: Claimed) {
  return [
    `POST ${WALLETS} HTTP/1.1`,
    'Host: a',
    'Content-Type: application/json',
    length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`,
    `ACCESS-API-KEY: ${apiKey}`,
    `ACCESS-TIMESTAMP: ${timestamp}`,
    `ACCESS-SIGN: ${sign ?? 'ab'.repeat(32)}`,
    '\r\n',
  ].join('\r\n');
}

let writes = 0;
async function writeAsOwner(at = port): Promise<number> {
  const body = JSON.stringify({ name: `honest ${(writes += 1)}`, wallet_type: 'mpc' });
  const headers = { ...signRequest(api.admin, { method: 'POST', path: WALLETS, body }, now()) };
  const response = await fetch(`http://127.0.0.1:${at}${WALLETS}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
    signal: AbortSignal.timeout(20_000),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Writes on all the while and watches the memory. */
async function observe<Result>(attack: Promise<Result>, forMs: number) {
  let peakMib = 0;
  let isOver = false;
  const statuses: number[] = [];
  const watching = (async () => {
    while (!isOver) {
      peakMib = Math.max(peakMib, residentMib());
      await sleep(20);
    }
  })();
  const writing = (async () => {
    while (!isOver) {
      statuses.push(await writeAsOwner().catch(() => 0));
      await sleep(100);
    }
  })();
  const result = await attack;
  await sleep(forMs);
  isOver = true;
  await Promise.all([watching, writing]);
  return { result, peakMib, statuses };
}

const countEach = (statuses: number[]) =>
  Object.fromEntries(statuses.map((one) => [one, statuses.filter((other) => other === one).length]));

describe('a crowd without a key', () => {
  const crowds: [string, (known: TestKey) => (index: number) => (string | Buffer)[]][] = [
    ['names keys that do not exist, half a body sent', () => () => [headOf({}), half]],
    [
      'names a key that exists, half a body sent',
      ({ apiKey }) =>
        () => [headOf({ apiKey }), half],
    ],
    [
      'names a key that exists, half a body sent in chunks of one byte',
      ({ apiKey }) =>
        () => [headOf({ apiKey, length: 'chunked' }), Buffer.from('1\r\n \r\n'.repeat(1_000))],
    ],
    [
      'names no key at all',
      () => () => [`POST ${WALLETS} HTTP/1.1\r\nHost: a\r\nContent-Length: ${MIB}\r\n\r\n`, half],
    ],
    [
      'sends a body where nobody asks for one',
      () => () => [`GET /health HTTP/1.1\r\nHost: a\r\nContent-Length: ${MIB}\r\n\r\n`, half],
    ],
    [
      'sends a body to a path that is none',
      () => () => [`POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: ${MIB}\r\n\r\n`, half],
    ],
    ['never ends its headers', () => () => [`POST ${WALLETS} HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(7_000)}`]],
    ['says nothing', () => () => []],
  ];
  test.each(crowds)(
    `%s: the process stays under ${RSS_MAX_MIB} MiB and serves who has one`,
    async (what, by) => {
      const attack = gather(port, CROWD, by(await api.makeKey({})));
      const { result: crowd, peakMib, statuses } = await observe(attack, 1_500);
      crowd.leave();
      if (process.env['CROWD']) console.log(what, { peakMib, answers: crowd.answers, statuses: countEach(statuses) });
      expect(peakMib).toBeLessThan(RSS_MAX_MIB);
      expect(statuses.length).toBeGreaterThan(3);
      expect(statuses.filter((status) => status !== 202)).toEqual([]);
    },
    WITHIN_MS,
  );
});

describe('before a body is read', () => {
  /** What is answered to a request whose body never comes, or undefined within a second. */
  async function answerTo(head: string, first: Buffer = half): Promise<number | undefined> {
    const crowd = await gather(port, 1, () => [head, first]);
    const deadline = Date.now() + 2_500;
    while (crowd.answers.size === 0 && Date.now() < deadline) await sleep(20);
    crowd.leave();
    return [...crowd.answers.keys()][0];
  }

  const made = (fields: Parameters<TestApi['makeKey']>[0]) => async () => ({
    apiKey: (await api.makeKey(fields)).apiKey,
  });
  const early: [string, () => Promise<Claimed>][] = [
    ['a key that does not exist', async () => ({})],
    ['a key that is none', async () => ({ apiKey: 'nonsense' })],
    ['a revoked key', made({ revokedAt: new Date(Date.now() - 1_000) })],
    ['an expired key', made({ expiresAt: new Date(Date.now() - 1_000) })],
    ['a key that may not be used from here', made({ ipAllowlist: ['192.0.2.1'] })],
    ['an old timestamp', async () => ({ apiKey: api.admin.apiKey, timestamp: now() - 302 })],
    ['a malformed signature', async () => ({ apiKey: api.admin.apiKey, sign: 'z'.repeat(64) })],
    ['a key that does not exist, in chunks', async () => ({ length: 'chunked' })],
  ];
  test.each(early)('%s is refused while the body is still to come', async (_what, claim) => {
    const claimed = await claim();
    const first = claimed.length === 'chunked' ? Buffer.from('9\r\n') : half;
    expect(await answerTo(headOf(claimed), first)).toBe(401);
  });

  test('the body of a key that may be used is waited for', async () => {
    expect(await answerTo(headOf({ apiKey: api.admin.apiKey }))).toBeUndefined();
  });

  test.each<[string, () => Claimed, number]>([
    ['401', () => ({ length: 8 * MIB }), 401],
    ['413', () => ({ apiKey: api.admin.apiKey, length: 8 * MIB }), 413],
  ])('who sends 8 MiB to its end before reading anything reads the %s, not a reset', async (_what, claim, status) => {
    for (let round = 0; round < 10; round += 1) {
      const socket = connect(port, '127.0.0.1');
      const failure = once(socket, 'error').then(([error]) => error as Error);
      socket.pause();
      socket.write(headOf(claim()));
      const isSent = new Promise((resolve) => socket.write(Buffer.alloc(8 * MIB, 0x20), resolve));
      await Promise.race([isSent, failure.then((error) => Promise.reject(error))]);
      await sleep(50);
      const answered = once(socket, 'data') as Promise<[Buffer]>;
      socket.resume();
      const [answer] = await Promise.race([answered, failure.then((error) => Promise.reject(error))]);
      expect(answer.toString('latin1')).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      socket.destroy();
    }
  });

  test('who does not come to an end after a refusal is closed within seconds', async () => {
    const socket = connect(port, '127.0.0.1');
    const closed = once(
      socket.on('error', () => {}),
      'close',
    );
    socket.resume();
    socket.write(headOf({}));
    const startedMs = Date.now();
    const dripping = setInterval(() => socket.write(' '), 200);
    await closed;
    clearInterval(dripping);
    expect(Date.now() - startedMs).toBeLessThan(12_000);
  });

  test('a connection that was refused and drained carries the next request', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const send = (apiKey: string, body: string) =>
      new Promise<number>((resolve, reject) => {
        const { 'ACCESS-SIGN': sign, ...signed } = signRequest(
          { ...api.admin, apiKey },
          { method: 'POST', path: WALLETS, body },
          now(),
        ) as Record<string, string>;
        const headers = { ...signed, 'ACCESS-SIGN': sign, 'content-type': 'application/json' };
        const options = { port, path: WALLETS, method: 'POST', agent, headers };
        const sent = request(options, (response) => {
          response.resume().on('end', () => resolve(response.statusCode ?? 0));
        });
        sent.on('error', reject).end(body);
      });
    expect(await send(`ck_${'0'.repeat(32)}`, ' '.repeat(MIB))).toBe(401);
    expect(await send(api.admin.apiKey, JSON.stringify({ name: 'after', wallet_type: 'mpc' }))).toBe(202);
    agent.destroy();
  });
});

describe('room is made by the oldest', () => {
  const listening = async (http: Partial<HttpSettings>) => {
    const another = await api.startAnother({ http });
    await another.app.listen({ host: '127.0.0.1', port: 0 });
    return { ...another, at: (another.app.server.address() as AddressInfo).port };
  };

  test('bodies beyond the bound: the oldest of the large ones get 503 with Retry-After, small ones none', async () => {
    const another = await listening({ unverifiedBodiesMaxBytes: 3 * MIB });
    const { apiKey } = await api.makeKey({});
    const small = await gather(another.at, 20, () => [headOf({ apiKey, length: 1_000 }), Buffer.alloc(500)]);
    const large = await gather(another.at, 10, () => [headOf({ apiKey }), half, Buffer.alloc(10)]);
    await expect.poll(() => large.answers.get(503), { timeout: 60_000 }).toBeGreaterThanOrEqual(6);
    expect(small.answers.size).toBe(0);
    expect(await writeAsOwner(another.at)).toBe(202);
    small.leave();
    large.leave();
    await another.stop();
  });

  test('connections beyond the bound: the oldest without a key are closed, one that has shown a key stays', async () => {
    const another = await listening({ connectionsMax: 30 });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const read = () =>
      new Promise<[number, boolean]>((resolve, reject) => {
        const path = '/api/v1/api-keys/self';
        const headers = { ...signRequest(api.admin, { method: 'GET', path, body: '' }, now()) };
        const sent = request({ port: another.at, path, agent, headers }, (response) => {
          response.resume().on('end', () => resolve([response.statusCode ?? 0, sent.reusedSocket]));
        });
        sent.on('error', reject).end();
      });
    expect(await read()).toEqual([200, false]);
    const silent = await gather(another.at, 100, () => []);
    await expect.poll(() => silent.open(), { timeout: 60_000 }).toBeLessThanOrEqual(30);
    expect(await read()).toEqual([200, true]);
    expect(await writeAsOwner(another.at)).toBe(202);
    silent.leave();
    agent.destroy();
    await another.stop();
  });
});
