// Goal: a request has its effect once, however often it is sent: a captured write, an idempotency key, an external id
// (controls A3 to A5). Method: correctly signed requests against the API on a real database, repeated, raced, sent to
// several instances and cut off in the middle.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve as resolvePath } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectDatabase } from '../../../drizzle/database/connection.ts';
import { wallets } from '../../../drizzle/wallets/wallets.ts';
import { acceptedSignatures, idempotencyKeys, removeOldSignatures } from '../../../drizzle/writes/accepted-writes.ts';
import { createWorkspace } from '../../../src/commands/create-workspace.ts';
import type { Part } from '../../../src/local/processes/part.ts';
import { findFreePort } from '../../../src/local/processes/ports.ts';
import { startApi as startApiProcess } from '../../../src/local/processes/service-processes.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { countSigningRequests, signCall } from '../../support/api/sign.ts';
import {
  countWallets,
  type Sent,
  send,
  unixSeconds,
  WALLETS,
  walletBody,
  withHeader,
  write,
} from '../../support/api/signed-requests.ts';
import { createTestDatabase } from '../../support/processes/postgres.ts';
import { testTemporal } from '../../support/processes/temporal.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

describe('A3: a captured write counts once', () => {
  const repeat = (sent: Sent, at = api.app) =>
    at.inject({ method: 'POST', url: sent.url, payload: sent.payload, headers: sent.headers });

  test('A3: every process knows what another has accepted, and one that starts later does too', async () => {
    const sent = write(api);
    expect(await send(api, sent)).toBe(202);
    const before = await countWallets(api);
    for (let restart = 0; restart < 2; restart += 1) {
      const another = await api.startAnother();
      expect((await repeat(sent, another.app)).statusCode).toBe(409);
      expect((await repeat(withHeader(sent, 'x-idempotency-key', 'other'), another.app)).statusCode).toBe(409);
      await another.stop();
    }
    expect(await countWallets(api)).toBe(before);
  });

  test('A3: of forty equal requests to two processes at once one is accepted', async () => {
    const another = await api.startAnother();
    const sent = write(api);
    const before = await countWallets(api);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => repeat(sent, index % 2 === 0 ? api.app : another.app)),
    );
    const statuses = answers.map(({ statusCode }) => statusCode).sort((a, b) => a - b);
    expect(statuses).toEqual([202, ...Array.from({ length: 39 }, () => 409)]);
    expect(await countWallets(api)).toBe(before + 1);
    await another.stop();
  });

  test('A3: signatures are kept for longer than twice the five minutes, and not for ever', async () => {
    await send(api, write(api));
    const age = (minutes: number) =>
      api.db.update(acceptedSignatures).set({ acceptedAt: sql`now() - ${minutes} * interval '1 minute'` });
    const left = async () => (await api.db.select().from(acceptedSignatures)).length;
    await age(12);
    const before = await left();
    await removeOldSignatures(api.db, 1_000);
    expect([before > 0, await left()]).toEqual([true, before]);
    await age(16);
    await removeOldSignatures(api.db, 1_000);
    expect(await left()).toBe(0);
  });

  test.each([-310, -301.5, 301.5, 310])('A3: a clock that is %d seconds off is refused', async (seconds) => {
    const timestamp = Math.trunc(Date.now() / 1000 + seconds + (seconds > 0 ? 1 : 0));
    expect((await api.call('POST', WALLETS, walletBody(), { timestamp })).status).toBe(401);
  });

  test.each([-295, 295])('A3: a clock that is %d seconds off is taken, once', async (seconds) => {
    const [timestamp, content] = [unixSeconds() + seconds, walletBody()];
    expect((await api.call('POST', WALLETS, content, { timestamp })).status).toBe(202);
    expect((await api.call('POST', WALLETS, content, { timestamp })).body.code).toBe('request_replayed');
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
          timestamp: unixSeconds() - index,
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
    expect(await send(api, withKey(write(api), 'other-body'))).toBe(202);
    const before = await countWallets(api);
    expect(await send(api, withKey(write(api), 'other-body'))).toBe(409);
    expect(await countWallets(api)).toBe(before);
  });

  test('A4: of a process that is killed in the middle of a write nothing is left, and the same request again is accepted', async () => {
    const service = await startService();
    const { db } = service;
    const sent = withKey(write(api, service.key), 'killed');
    const post = (baseUrl: string) =>
      fetch(baseUrl + WALLETS, { method: 'POST', body: sent.payload, headers: sent.headers });
    const first = await service.start();
    await db.transaction(async (tx) => {
      await tx.execute(sql`lock table wallets in exclusive mode`);
      const cutOff = post(first.baseUrl).then(
        ({ status }) => `answered ${status}`,
        () => 'cut off',
      );
      // Inside its transaction, past both guards, waiting for the table. Asked outside ours, which would see the same
      // picture for ever.
      const waiting = () =>
        db.execute(
          sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like 'insert into "wallets"%'`,
        );
      await expect.poll(waiting, { timeout: 60_000 }).toHaveLength(1);
      first.process.kill('SIGKILL');
      expect(await cutOff).toBe('cut off');
    });
    await expect
      .poll(
        () =>
          db.execute(
            sql`select 1 from pg_stat_activity where application_name = 'countersign-api' and datname = current_database()`,
          ),
        { timeout: 60_000 },
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
    const dist = resolvePath(import.meta.dirname, '../../../dist');
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
    expect(again).toMatchObject({ status: 409, body: { code: 'external_id_taken', data: null } });
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
    expect(answer).toMatchObject({ status: 409, body: { code: 'external_id_taken' } });
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
