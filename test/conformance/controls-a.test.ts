// Goal: the controls on what comes in (A2 to A5 and A7 of the list of controls) hold. A1 is authorisation.test.ts, A6 unit/amount.test.ts. Method: correctly signed requests against the API on a
// real database, altered, repeated, raced, sent to several instances and cut off in the middle.
import { createHmac, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve as resolvePath } from 'node:path';
import { sql } from 'drizzle-orm';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { acceptedSignatures, deleteExpiredGuards, idempotencyKeys } from '../../drizzle/accepted-writes.ts';
import { connectDatabase } from '../../drizzle/database.ts';
import { wallets } from '../../drizzle/wallets.ts';
import type { Part } from '../../src/local/part.ts';
import { findFreePort } from '../../src/local/ports.ts';
import { startApi as startApiProcess } from '../../src/local/service-processes.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { startApi, type TestApi, type TestKey } from '../support/api.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { countSigningRequests, signCall } from '../support/sign.ts';
import { testTemporal } from '../support/temporal.ts';

const WALLETS = '/api/v1/wallets';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const now = () => Math.floor(Date.now() / 1000);
const countWallets = async () => (await api.db.select().from(wallets)).length;
let made = 0;
const body = () => {
  made += 1;
  return { name: `wallet ${made}`, wallet_type: 'mpc' };
};

interface Sent {
  method: string;
  url: string;
  payload: string;
  headers: Record<string, string>;
}

function signed({ method, url, payload }: Omit<Sent, 'headers'>, key: TestKey = api.admin): Sent {
  const timestamp = String(now());
  const hex = createHmac('sha256', key.apiSecret)
    .update(`method=${method}&path=${url}&timestamp=${timestamp}&body=${payload}`)
    .digest('hex');
  const headers = { 'access-api-key': key.apiKey, 'access-timestamp': timestamp, 'access-sign': hex };
  return {
    method,
    url,
    payload,
    headers: { ...headers, ...(payload === '' ? {} : { 'content-type': 'application/json' }) },
  };
}

const write = (): Sent => signed({ method: 'POST', url: WALLETS, payload: JSON.stringify(body()) });
const read = (): Sent =>
  signed({ method: 'GET', url: `/api/v1/workspaces/${api.workspaceId}/wallets?limit=2&sort_order=asc`, payload: '' });

async function send({ method, url, payload, headers }: Sent): Promise<number> {
  const response = await api.app.inject({
    method: method as 'GET',
    url,
    headers,
    ...(payload === '' ? {} : { payload }),
  });
  return response.statusCode;
}

const withHeader = (sent: Sent, name: string, value: string): Sent => ({
  ...sent,
  headers: { ...sent.headers, [name]: value },
});
const withSign = (sent: Sent, alter: (hex: string) => string) =>
  withHeader(sent, 'access-sign', alter(sent.headers['access-sign'] ?? ''));
const base64 = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding).toString('base64');

describe('A2: the signature covers the bytes received', () => {
  test('A2: the requests that are altered below are accepted as they are', async () => {
    expect([await send(write()), await send(read())]).toEqual([202, 200]);
    const upper = withSign(write(), (hex) => hex.toUpperCase());
    expect([await send(upper), await send(withSign(write(), (hex) => base64(hex)))]).toEqual([202, 202]);
  });

  test('A2: each of the 256 bits of the signature, of a read and of a write', async () => {
    const before = await countWallets();
    for (const sent of [read(), write()])
      for (let bit = 0; bit < 256; bit += 1) {
        const altered = withSign(sent, (hex) => {
          const bytes = Buffer.from(hex, 'hex');
          bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
          return bytes.toString('hex');
        });
        expect([bit, await send(altered)]).toEqual([bit, 401]);
      }
    expect(await countWallets()).toBe(before);
  });

  test('A2: each byte of the body altered, taken away or doubled', async () => {
    const before = await countWallets();
    const sent = write();
    for (let at = 0; at < sent.payload.length; at += 1) {
      const [head, byte, tail] = [sent.payload.slice(0, at), sent.payload.charCodeAt(at), sent.payload.slice(at + 1)];
      for (const middle of [String.fromCharCode(byte ^ 1), '', String.fromCharCode(byte, byte)])
        expect([at, middle, await send({ ...sent, payload: head + middle + tail })]).toEqual([at, middle, 401]);
    }
    for (const payload of [
      '',
      `${sent.payload} `,
      `\n${sent.payload}`,
      `\ufeff${sent.payload}`,
      sent.payload.replace(',', ', '),
    ])
      expect(await send({ ...sent, payload })).toBe(401);
    expect(await countWallets()).toBe(before);
  });

  test('A2: every character of the path and its query', async () => {
    const sent = read();
    for (let at = 1; at < sent.url.length; at += 1) {
      const escaped = `%${sent.url.charCodeAt(at).toString(16)}`;
      for (const middle of [escaped, '', 'x']) {
        if (middle === sent.url[at]) continue;
        const status = await send({ ...sent, url: sent.url.slice(0, at) + middle + sent.url.slice(at + 1) });
        expect(status, `${at} ${middle}`).toBeGreaterThanOrEqual(400);
      }
    }
    const [path, query] = sent.url.split('?') as [string, string];
    const order = query.split('&').toReversed().join('&');
    for (const url of [
      path,
      `${path}?${order}`,
      `${sent.url}&`,
      `${path}?&${query}`,
      `${sent.url}&limit=2`,
      `${path}?${query.replaceAll('&', '&&')}`,
    ])
      expect([url, await send({ ...sent, url })]).toEqual([url, 401]);
  });

  test('A2: an empty query, a fragment and a full address, which only a socket sends as they are', async () => {
    const sent = write();
    for (const url of [
      `${WALLETS}?`,
      `${WALLETS}#`,
      `${WALLETS}#a`,
      `http://a${WALLETS}`,
      `//a${WALLETS}`,
      `${WALLETS}/`,
      `/.${WALLETS}`,
    ])
      expect([url, await overSocket({ ...sent, url }, [])]).toEqual([
        url,
        expect.stringMatching(/^HTTP\/1\.1 40[0145] /),
      ]);
  });

  test('A2: another method, time, key, or spelling of them', async () => {
    const other = await api.makeKey({ scopes: ['wallets:read', 'wallets:write'] });
    const before = await countWallets();
    for (const sent of [read(), write()]) {
      const timestamp = sent.headers['access-timestamp'] ?? '';
      const altered: Sent[] = [
        ...['HEAD', 'GET', 'POST', 'PATCH', 'DELETE', 'PUT']
          .filter((method) => method !== sent.method)
          .map((method) => ({ ...sent, method })),
        ...[-1, 1, 60, -60].map((seconds) => withHeader(sent, 'access-timestamp', String(Number(timestamp) + seconds))),
        ...[
          `0${timestamp}`,
          `${timestamp}.0`,
          `+${timestamp}`,
          `${timestamp}, ${timestamp}`,
          `${timestamp}000`,
          '',
          '0x10',
          '1e9',
        ].map((value) => withHeader(sent, 'access-timestamp', value)),
        ...[
          other.apiKey,
          api.admin.apiKey.toUpperCase(),
          `${api.admin.apiKey}, ${api.admin.apiKey}`,
          `${api.admin.apiKey}0`,
          '',
          '%',
        ].map((value) => withHeader(sent, 'access-api-key', value)),
        ...[
          (hex: string) => `0x${hex}`,
          (hex: string) => hex.slice(1),
          (hex: string) => `${hex}00`,
          (hex: string) => `${hex}, ${hex}`,
          (hex: string) => hex.slice(0, 62),
          (hex: string) => base64(hex, 'hex'),
          (hex: string) => base64(hex).replace(/==$/, ''),
          (hex: string) => `${base64(hex).slice(0, 86)}  `,
          (hex: string) => base64(base64(hex)),
          (hex: string) => base64(hex).toLowerCase(),
          (hex: string) => `"${hex}"`,
          () => '0'.repeat(64),
          () => base64('0'.repeat(64)),
          () => '',
        ].map((alter) => withSign(sent, alter)),
      ];
      for (const one of altered) expect(await send(one), JSON.stringify(one)).toBeGreaterThanOrEqual(400);
    }
    expect(await countWallets()).toBe(before);
  });

  test('A2: parts of two signed requests never make a third', async () => {
    const before = await countWallets();
    const other = await api.makeKey({ scopes: ['wallets:write', 'wallets:read'] });
    const [one, two] = [write(), signed({ method: 'POST', url: WALLETS, payload: JSON.stringify(body()) }, other)];
    const fields = ['access-api-key', 'access-timestamp', 'access-sign'] as const;
    for (let mix = 1; mix < 15; mix += 1) {
      const headers = { ...one.headers };
      fields.forEach((field, bit) => {
        if (mix & (1 << bit)) headers[field] = two.headers[field] ?? '';
      });
      const payload = mix & 8 ? two.payload : one.payload;
      // Both are signed in the same second, so the timestamp alone makes no difference.
      const changed = { payload: mix & 8, key: mix & 1, sign: mix & 4 };
      const whole =
        [changed.payload, changed.key, changed.sign].every(Boolean) ||
        !(changed.payload || changed.key || changed.sign);
      if (whole) continue;
      expect(await send({ ...one, payload, headers })).toBe(401);
    }
    expect(await countWallets()).toBe(before);
  });

  test('A2: random alterations', async () => {
    const sent = write();
    const before = await countWallets();
    const text = fc.string({ unit: 'binary-ascii', maxLength: 60 });
    const part = fc.oneof(
      text.map((payload) => ({ ...sent, payload })),
      text.map((tail) => ({ ...sent, url: `${sent.url}?a${encodeURIComponent(tail)}` })),
      fc.nat().map((seconds) => withHeader(sent, 'access-timestamp', String(seconds))),
      fc
        .uint8Array({ minLength: 32, maxLength: 32 })
        .map((bytes) => withSign(sent, () => Buffer.from(bytes).toString('hex'))),
      fc
        .uint8Array({ minLength: 16, maxLength: 16 })
        .map((bytes) => withHeader(sent, 'access-api-key', `ck_${Buffer.from(bytes).toString('hex')}`)),
    );
    await fc.assert(
      fc.asyncProperty(part, async (altered) => {
        fc.pre(JSON.stringify(altered) !== JSON.stringify(sent));
        expect(await send(altered)).toBe(401);
      }),
      { numRuns: 200 },
    );
    expect(await countWallets()).toBe(before);
  });

  test.each(['ACCESS-API-KEY', 'ACCESS-TIMESTAMP', 'ACCESS-SIGN'])(
    'A2: %s twice, also with equal values: 401',
    async (name) => {
      const value = (sent: Sent) => sent.headers[name.toLowerCase()] ?? '';
      for (const second of [value, () => '', () => 'x']) {
        const sent = write();
        expect(await overSocket(sent, [[name, second(sent)]])).toMatch(/^HTTP\/1\.1 401 /);
      }
      expect(await overSocket(write(), [])).toMatch(/^HTTP\/1\.1 202 /);
    },
  );

  test('A2: X-Idempotency-Key twice, also with equal values: 400', async () => {
    const before = await countWallets();
    for (const second of ['one', 'two', ''])
      expect(
        await overSocket(write(), [
          ['X-Idempotency-Key', 'one'],
          ['X-Idempotency-Key', second],
        ]),
      ).toMatch(/^HTTP\/1\.1 400 /);
    expect(await countWallets()).toBe(before);
  });
});

describe('A3: a captured write counts once', () => {
  const repeat = (sent: Sent, at = api.app) =>
    at.inject({ method: 'POST', url: sent.url, payload: sent.payload, headers: sent.headers });

  test('A3: every process knows what another has accepted, and one that starts later does too', async () => {
    const sent = write();
    expect(await send(sent)).toBe(202);
    const before = await countWallets();
    for (let restart = 0; restart < 2; restart += 1) {
      const another = await api.startAnother();
      expect((await repeat(sent, another.app)).statusCode).toBe(401);
      expect((await repeat(withHeader(sent, 'x-idempotency-key', 'other'), another.app)).statusCode).toBe(401);
      await another.stop();
    }
    expect(await countWallets()).toBe(before);
  });

  test('A3: of forty equal requests to two processes at once one is accepted', async () => {
    const another = await api.startAnother();
    const sent = write();
    const before = await countWallets();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => repeat(sent, index % 2 === 0 ? api.app : another.app)),
    );
    const statuses = answers.map(({ statusCode }) => statusCode).sort((a, b) => a - b);
    expect(statuses).toEqual([202, ...Array.from({ length: 39 }, () => 401)]);
    expect(await countWallets()).toBe(before + 1);
    await another.stop();
  });

  test('A3: signatures are kept for longer than twice the five minutes, and not for ever', async () => {
    await send(write());
    const age = (minutes: number) =>
      api.db.update(acceptedSignatures).set({ acceptedAt: sql`now() - ${minutes} * interval '1 minute'` });
    const left = async () => (await api.db.select().from(acceptedSignatures)).length;
    await age(12);
    const before = await left();
    await deleteExpiredGuards(api.db);
    expect([before > 0, await left()]).toEqual([true, before]);
    await age(16);
    await deleteExpiredGuards(api.db);
    expect(await left()).toBe(0);
  });

  test.each([-310, -301.5, 301.5, 310])('A3: a clock that is %d seconds off is refused', async (seconds) => {
    const timestamp = Math.trunc(Date.now() / 1000 + seconds + (seconds > 0 ? 1 : 0));
    expect((await api.call('POST', WALLETS, body(), { timestamp })).status).toBe(401);
  });

  test.each([-295, 295])('A3: a clock that is %d seconds off is taken, once', async (seconds) => {
    const [timestamp, content] = [now() + seconds, body()];
    expect((await api.call('POST', WALLETS, content, { timestamp })).status).toBe(202);
    expect((await api.call('POST', WALLETS, content, { timestamp })).status).toBe(401);
  });
});

describe('A4: an idempotency key and its operation are one commit', () => {
  const withKey = (sent: Sent, key: string) => withHeader(sent, 'x-idempotency-key', key);

  test('A4: twenty racers with one key make one API key, whose secret one of them sees', async () => {
    const another = await api.startAnother();
    const path = `/api/v1/workspaces/${api.workspaceId}/api-keys`;
    const content = { name: 'raced', scopes: ['wallets:read'] };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        api.call('POST', path, content, {
          headers: { 'x-idempotency-key': 'race' },
          timestamp: now() - index,
          ...(index % 2 === 0 ? {} : { at: another.app }),
        }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map((answer) => answer.body.data.id)).size).toBe(1);
    expect(answers.filter((answer) => 'api_secret' in answer.body.data)).toHaveLength(1);
    await another.stop();
  });

  test('A4: another body under the same key: 409, and nothing is made', async () => {
    expect(await send(withKey(write(), 'other-body'))).toBe(202);
    const before = await countWallets();
    expect(await send(withKey(write(), 'other-body'))).toBe(409);
    expect(await countWallets()).toBe(before);
  });

  test('A4: of a process that is killed in the middle of a write nothing is left, and the same request again is accepted', async () => {
    const service = await startService();
    const { db } = service;
    const sent = withKey(
      signed({ method: 'POST', url: WALLETS, payload: JSON.stringify(body()) }, service.key),
      'killed',
    );
    const post = (baseUrl: string) =>
      fetch(baseUrl + WALLETS, { method: 'POST', body: sent.payload, headers: sent.headers });
    const first = await service.start();
    await db.transaction(async (tx) => {
      await tx.execute(sql`lock table wallets in exclusive mode`);
      const cutOff = post(first.baseUrl).then(
        ({ status }) => `answered ${status}`,
        () => 'cut off',
      );
      // Inside its transaction, past both guards, waiting for the table. Asked outside ours, which would see the same picture for ever.
      const waiting = () =>
        db.execute(
          sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like 'insert into "wallets"%'`,
        );
      await expect.poll(waiting, { timeout: 10_000 }).toHaveLength(1);
      first.process.kill('SIGKILL');
      expect(await cutOff).toBe('cut off');
    });
    await expect
      .poll(
        () =>
          db.execute(
            sql`select 1 from pg_stat_activity where application_name = 'countersign-api' and datname = current_database()`,
          ),
        { timeout: 10_000 },
      )
      .toEqual([]);
    for (const table of [idempotencyKeys, acceptedSignatures, wallets])
      expect(await db.select().from(table)).toEqual([]);
    const second = await service.start();
    expect((await post(second.baseUrl)).status).toBe(202);
    expect(await db.select().from(wallets)).toHaveLength(1);
    await service.stop();
  });
});

/** The API as a process of its own, which can be killed, on a database of its own. */
async function startService() {
  const [database, logDirectory] = [await createTestDatabase(), mkdtempSync(join(tmpdir(), 'countersign-controls-'))];
  const connection = connectDatabase(database.url, { poolSize: 2, name: 'test-controls' });
  const keyEncryptionKey = randomBytes(32).toString('hex');
  const { apiKey, apiSecret } = await createWorkspace(connection.db, 'controls', keyEncryptionKey);
  const { address, taskQueue } = testTemporal('controls');
  const processes: Part[] = [];
  const start = async () => {
    const port = await findFreePort();
    const baseUrl = `http://127.0.0.1:${port}`;
    const environment = {
      PATH: process.env['PATH'],
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: address,
      TEMPORAL_TASK_QUEUE: taskQueue,
      KEY_ENCRYPTION_KEY: keyEncryptionKey,
      PORT: String(port),
    };
    const dist = resolvePath(import.meta.dirname, '../../dist');
    const api = await startApiProcess(
      { dist, logDirectory, environment, onStart: (_name, part) => processes.push(part) },
      baseUrl,
    );
    return { baseUrl, process: api };
  };
  const stop = async () => {
    await Promise.all(processes.map((part) => part.stop()));
    await connection.close();
    await database.drop();
    rmSync(logDirectory, { recursive: true, force: true });
  };
  return { db: connection.db, key: { apiKey, apiSecret }, start, stop };
}

describe('A5: an external_id is taken once, for ever', () => {
  const bodyWith = (external_id: string, digit: string) => ({
    network_internal_code: 'ETHEREUM_SANDBOX',
    signing_hash: digit.repeat(64),
    external_id,
  });

  test('A5: a second request with it is a 409 and stores nothing, also when the idempotency key of the first was pruned', async () => {
    const call = signCall(api, 'signRaw', await api.makeActiveWallet());
    const first = await call(bodyWith('invoice-1', 'a'), { 'x-idempotency-key': 'invoice-1' });
    expect(first).toMatchObject({ status: 202, body: { data: { signing_request: { external_id: 'invoice-1' } } } });
    await api.db.delete(idempotencyKeys);
    const before = await countSigningRequests(api);
    const again = await call(bodyWith('invoice-1', 'a'), { 'x-idempotency-key': 'invoice-1' });
    expect(again).toMatchObject({ status: 409, body: { code: 'invalid_state', data: null } });
    expect(await countSigningRequests(api)).toBe(before);
  });

  test('A5: of twenty at once, for several wallets, one is accepted', async () => {
    const calls = await Promise.all(
      [1, 2, 3, 4].map(async () => signCall(api, 'signRaw', await api.makeActiveWallet())),
    );
    const racers = calls.flatMap((call) => Array.from({ length: 5 }, () => call(bodyWith('invoice-2', 'b'))));
    const statuses = (await Promise.all(racers)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 202)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(19);
  });

  test('A5: a batch in which it is taken is refused whole', async () => {
    const walletId = await api.makeActiveWallet();
    await signCall(api, 'signRaw', walletId)(bodyWith('invoice-3', 'c'));
    const before = await countSigningRequests(api);
    const items = [bodyWith('invoice-4', 'd'), bodyWith('invoice-3', 'e')].map((item) => ({ type: 'raw', ...item }));
    const answer = await signCall(api, 'signBatch', walletId)({ items });
    expect(answer).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
    expect(await countSigningRequests(api)).toBe(before);
  });

  test('A5: another workspace has names of its own', async () => {
    const { workspaceId, key } = await api.makeWorkspace();
    const call = signCall(api, 'signRaw', await api.makeActiveWallet(workspaceId));
    expect(await call(bodyWith('invoice-1', 'a'), {}, { key })).toMatchObject({ status: 202 });
  });

  test.each(['', 'with space', 'ü', 'x'.repeat(129)])('A5: 400 for "%s"', async (externalId) => {
    const call = signCall(api, 'signRaw', await api.makeActiveWallet());
    expect(await call(bodyWith(externalId, 'f'))).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });
});

describe('A7: limits on what is taken', () => {
  test('A7: a request must come in time, and a connection may not stay silent for ever', () => {
    const { requestTimeout, headersTimeout, timeout } = api.app.server;
    for (const ms of [requestTimeout, headersTimeout, timeout]) {
      expect(ms).toBeGreaterThan(0);
      expect(ms).toBeLessThanOrEqual(60_000);
    }
  });

  test('A7: unknown fields are refused in every body and query that the document knows', async () => {
    const { paths } = (await api.app.inject({ method: 'GET', url: '/openapi.json' })).json();
    for (const [path, methods] of Object.entries<
      Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>
    >(paths))
      for (const [method, { requestBody }] of Object.entries(methods))
        for (const { schema } of Object.values(requestBody?.content ?? {}))
          for (const one of schema.anyOf ?? [schema])
            if (one.type === 'object') expect([method, path, one.additionalProperties]).toEqual([method, path, false]);
    for (const path of Object.keys(paths).filter((path) => path.startsWith('/api/v1/') && 'get' in paths[path])) {
      const url = `${path.replaceAll(/\{\w+\}/g, api.workspaceId)}?unknown_parameter=1`;
      expect([path, (await api.call('GET', url)).status]).toEqual([path, 400]);
    }
  });

  test('A7: a body of one byte more than 1 MiB: 413, before it is looked at', async () => {
    const answer = await api.call('POST', WALLETS, undefined, { rawBody: ' '.repeat(1024 * 1024 + 1) });
    expect(answer).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
  });
});

interface Schema {
  type?: string;
  additionalProperties?: boolean;
  anyOf?: Schema[];
}

let port: number | undefined;

/** Sends the request with further headers as they are, which `inject` could not. */
async function overSocket(sent: Sent, further: [string, string][]): Promise<string> {
  if (port === undefined) {
    await api.app.listen({ host: '127.0.0.1', port: 0 });
    port = (api.app.addresses()[0] as { port: number }).port;
  }
  const lines = [...Object.entries(sent.headers), ...further].map(([name, value]) => `${name}: ${value}`);
  const head = [
    `${sent.method} ${sent.url} HTTP/1.1`,
    'host: a',
    'connection: close',
    ...lines,
    `content-length: ${sent.payload.length}`,
  ];
  return new Promise((resolve, reject) => {
    const socket = connect(port as number, '127.0.0.1', () =>
      socket.write(`${head.join('\r\n')}\r\n\r\n${sent.payload}`),
    );
    let answer = '';
    socket.on('data', (data) => (answer += data));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}
