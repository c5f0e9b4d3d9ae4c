// Goal: a read with `Prefer: wait` is answered the moment its operation ends, costs nothing while it waits, and ends in
// every way a wait can end. Method: the API on a real port and a real database, rows moved as the activities move them;
// queries are counted where the driver sends them.

import Fastify from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { advanceSigningRequest } from '../../../drizzle/signing-requests/signing-steps.ts';
import { activateWallet, advanceWallet, insertWallet } from '../../../drizzle/wallets/wallet-steps.ts';
import { LongPoll } from '../../../src/http/waiting/long-poll.ts';
import type { TestApi } from '../../support/api/api.ts';
import {
  isRead,
  listen,
  pause,
  type ReadOptions,
  startWaitedApi,
  untilReads,
  type WaitedApi,
} from '../../support/api/waiting.ts';
import { testSeals } from '../../support/rows/seals.ts';

/** As many as a busy machine lets in well before the first of them has waited for its thirty seconds. */
const WAITERS = 300;
/** Who waits for thirty seconds was told, and did not come to the end of them. */
const BEFORE_ITS_END_MS = 25_000;

let waited: WaitedApi;
let api: TestApi;
let signingId: string;
beforeAll(async () => {
  waited = await startWaitedApi();
  ({ api } = waited);
});
afterAll(() => waited.stop());
beforeEach(async () => {
  signingId = await waited.makeSubmitted();
});

const succeed = (id = signingId) => waited.succeed(id);
const read = (path: string, options?: ReadOptions) => waited.read(path, options);
const readSigning = (options?: ReadOptions) => read(`/signing-requests/${signingId}`, options);

describe('an answer', () => {
  test('comes at once when the operation is final already', async () => {
    await succeed();
    const heard = await readSigning({ prefer: 'wait=30' });
    expect(heard).toMatchObject({ status: 200, body: { data: { status: 'success', signature: '0x5160' } } });
    expect(heard.headers).toMatchObject({ 'preference-applied': 'wait', vary: 'Prefer' });
    expect(heard.afterMs).toBeLessThan(BEFORE_ITS_END_MS);
  });

  test.each([undefined, 'wait=soon', 'respond-async'])('comes at once when nobody asks to wait: %s', async (prefer) => {
    const heard = await readSigning(prefer === undefined ? {} : { prefer });
    expect(heard).toMatchObject({ status: 200, body: { data: { status: 'submitted' } } });
    expect(heard.headers).not.toHaveProperty('preference-applied');
    expect(heard.headers['vary']).toBe('Prefer');
  });

  test('comes when the time is up, from the row as it is then', async () => {
    const waiting = readSigning({ prefer: 'wait=1' });
    await pause(300);
    await api.db.$client`update signing_requests set status_reason = 'cluster_not_ready' where id = ${signingId}`;
    const heard = await waiting;
    expect(heard).toMatchObject({ status: 200, body: { data: { status: 'submitted' } } });
    expect(heard.body.data.status_reason).toBe('cluster_not_ready');
    expect(heard.headers['preference-applied']).toBe('wait');
    expect(heard.afterMs).toBeGreaterThanOrEqual(990);
  });

  test.each(['success', 'failed'] as const)('comes when a signing operation ends in %s', async (end) => {
    const waiting = [
      readSigning({ prefer: 'wait=30' }),
      read(`/web3/${waited.walletId}/sign/${signingId}`, { prefer: 'wait=30' }),
      // Ids are compared as values: a caller may write them in capitals.
      read(`/signing-requests/${signingId.toUpperCase()}`, { prefer: 'wait=30' }),
    ];
    await pause(200);
    await advanceSigningRequest(api.db, signingId, { from: 'submitted', to: end });
    const [request, alias, capitals] = await Promise.all(waiting);
    expect(request).toMatchObject({ status: 200, body: { data: { status: end } } });
    expect(capitals).toMatchObject({ status: 200, body: { data: { status: end } } });
    expect(alias).toMatchObject({ body: { data: { status: end === 'success' ? 'confirmed' : 'failed' } } });
    expect(alias?.headers).toMatchObject({ 'preference-applied': 'wait', vary: 'Prefer' });
    expect(alias?.afterMs).toBeLessThan(BEFORE_ITS_END_MS);
  });

  test.each([
    ['success', (id: string) => activateWallet(api.db, testSeals, id, { keys: [], addresses: [] })],
    [
      'error',
      (id: string) =>
        advanceWallet(api.db, id, { from: 'creating', to: 'failed', fields: { errorCode: 'mpc_refused' } }),
    ],
  ] as const)('comes when the creation of a wallet ends in %s', async (status, end) => {
    const id = uuidv7();
    const { workspaceId } = api;
    await api.db.transaction((tx) =>
      insertWallet(tx, testSeals, { id, workspaceId, name: 'waited for', walletType: 'mpc' }),
    );
    const waiting = read(`/wallets/creation-status/${id}`, { prefer: 'wait=30' });
    await pause(200);
    if (status === 'success') {
      const keys = [{ curve: 'secp256k1' as const, publicKey: new Uint8Array(33), chainCode: new Uint8Array(32) }];
      const addresses = [{ addressType: 'evm' as const, address: '0x1', derivationPath: 'm' }];
      await activateWallet(api.db, testSeals, id, { keys, addresses });
    } else await end(id);
    const heard = await waiting;
    expect(heard).toMatchObject({ status: 200, body: { data: { wallet_id: id, status } } });
    expect(heard.headers).toMatchObject({ 'preference-applied': 'wait', vary: 'Prefer' });
    expect(heard.afterMs).toBeLessThan(BEFORE_ITS_END_MS);
  });

  test('401, 403 and 404 come before any waiting', async () => {
    const bound = await api.makeKey({ scopes: ['signing:read'], walletIds: [uuidv7()] });
    const { key: foreign } = await api.makeWorkspace();
    const unknown = { apiKey: api.admin.apiKey, apiSecret: 'x' };
    for (const [key, status] of [
      [bound, 403],
      [foreign, 404],
      [unknown, 401],
    ] as const) {
      const heard = await readSigning({ prefer: 'wait=30', key });
      expect(heard.status).toBe(status);
      expect(heard.headers).not.toHaveProperty('preference-applied');
      expect(heard.afterMs).toBeLessThan(BEFORE_ITS_END_MS);
    }
  });
});

test('hundreds of waiters ask the database nothing, and one read answers them all', async () => {
  const recorded = waited.recordQueries();
  const waiting = Array.from({ length: WAITERS }, () => readSigning({ prefer: 'wait=30' }));
  await untilReads(recorded, WAITERS);
  recorded.texts.length = 0;
  await pause(500);
  expect(recorded.texts).toEqual([]);
  const changedMs = performance.now();
  await succeed();
  const answers = await Promise.all(waiting);
  const heardMs = performance.now() - changedMs;
  recorded.stop();
  console.log(
    `${WAITERS} waiters, clients in the same process: all heard ${heardMs.toFixed(0)} ms after the change began`,
  );
  for (const { body } of answers) expect(body.data).toMatchObject({ status: 'success', signature: '0x5160' });
  expect(recorded.texts.filter(isRead)).toHaveLength(1);
  expect(heardMs).toBeLessThan(BEFORE_ITS_END_MS);
});

test('operations that end in one commit are read together, and each waiter hears of its own', async () => {
  const recorded = waited.recordQueries();
  const ids = await Promise.all(Array.from({ length: 50 }, () => waited.makeSubmitted()));
  const waiting = ids.map((id) => read(`/signing-requests/${id}`, { prefer: 'wait=30' }));
  await untilReads(recorded, 50);
  recorded.texts.length = 0;
  await api.db.transaction(async (tx) => {
    for (const id of ids)
      await advanceSigningRequest(tx, id, { from: 'submitted', to: 'success', fields: { signature: `0x${id}` } });
  });
  const answers = await Promise.all(waiting);
  recorded.stop();
  for (const [index, id] of ids.entries())
    expect(answers[index]?.body.data).toMatchObject({ id, status: 'success', signature: `0x${id}` });
  // More than one only when the announcements come in pieces.
  expect(recorded.texts.filter(isRead).length).toBeLessThanOrEqual(3);
});

test('a change between the read and the wait is not missed', async () => {
  const client = api.db.$client;
  const unsafe = client.unsafe.bind(client);
  // The row ends after the read has seen it and before its caller could begin to wait.
  client.unsafe = ((text: string, ...rest: never[]) => {
    const query = (unsafe as (...all: unknown[]) => { values(): Promise<unknown> })(text, ...rest);
    if (!isRead(text)) return query;
    client.unsafe = unsafe;
    return { values: () => query.values().then(async (rows) => (await succeed(), await pause(300), rows)) };
  }) as typeof unsafe;
  const heard = await readSigning({ prefer: 'wait=30' });
  expect(heard.body.data.status).toBe('success');
  expect(heard.afterMs).toBeLessThan(BEFORE_ITS_END_MS);
});

test('a listener whose connection is cut comes back, and whoever waited is told what was not heard', async () => {
  const recorded = waited.recordQueries();
  const later = await waited.makeSubmitted();
  const waiting = [signingId, later].map((id) => read(`/signing-requests/${id}`, { prefer: 'wait=30' }));
  await untilReads(recorded, 2);
  recorded.stop();
  // Ends without a word, as if nobody had listened at that moment.
  await api.db.$client`update signing_requests set status = 'success' where id = ${signingId}`;
  const cut = await cutListener();
  const [unheard] = await Promise.all(waiting.slice(0, 1));
  expect(await findListeners()).not.toEqual(cut);
  await succeed(later);
  for (const heard of [unheard, ...(await Promise.all(waiting))]) {
    expect(heard?.body.data.status).toBe('success');
    expect(heard?.afterMs).toBeLessThan(BEFORE_ITS_END_MS);
  }
});

const findListeners = async () => {
  const rows = await api.db.$client`
    select pid from pg_stat_activity where datname = current_database() and query ilike 'listen %' order by pid`;
  return rows.map(({ pid }) => pid as number);
};

async function cutListener(): Promise<number[]> {
  await expect.poll(findListeners, { timeout: 60_000 }).toHaveLength(1);
  const pids = await findListeners();
  for (const pid of pids) await api.db.$client`select pg_terminate_backend(${pid}, 5000)`;
  return pids;
}

test('every API process on the database hears of it', async () => {
  const another = await api.startAnother();
  try {
    const at = await listen(another.app);
    const waiting = [readSigning({ prefer: 'wait=30' }), readSigning({ prefer: 'wait=30', at })];
    await pause(500);
    await succeed();
    for (const heard of await Promise.all(waiting)) {
      expect(heard.body.data.status).toBe('success');
      expect(heard.afterMs).toBeLessThan(BEFORE_ITS_END_MS);
    }
  } finally {
    await another.stop();
  }
});

test('a caller who has left costs nothing any more', async () => {
  const recorded = waited.recordQueries();
  const leaving = new AbortController();
  const left = readSigning({ prefer: 'wait=30', signal: leaving.signal });
  await untilReads(recorded, 1);
  leaving.abort();
  await expect(left).rejects.toThrow('aborted');
  await pause(200);
  recorded.texts.length = 0;
  await api.db.$client`select pg_notify('operations', ${signingId})`;
  await pause(300);
  recorded.stop();
  expect(recorded.texts).toEqual([]);
});

test('a process that stops answers everyone first', async () => {
  const another = await api.startAnother();
  const at = await listen(another.app);
  const waiting = Array.from({ length: 20 }, () => readSigning({ prefer: 'wait=30', at }));
  await pause(500);
  const startedMs = performance.now();
  await another.stop();
  for (const heard of await Promise.all(waiting)) expect(heard).toMatchObject({ status: 200 });
  expect(performance.now() - startedMs).toBeLessThan(BEFORE_ITS_END_MS);
});

test('beyond its limit a process answers at once, and has room again when a caller is answered', async () => {
  const room = new LongPoll(api.db, 2);
  const reader = room.readerOf({ find: async (_workspaceId, id) => ({ id }), isFinal: () => false });
  const app = Fastify();
  app.decorateRequest('caller', {
    getter: () => ({ key: { workspaceId: 'any' }, assertStillAdmitted: async () => {} }) as never,
  });
  app.get('/:id', async (request, reply) =>
    reader(request, reply, (request.params as { id: string }).id, (row) => row ?? { id: '' }),
  );
  const ask = (id: string) => app.inject({ url: `/${id}`, headers: { prefer: 'wait=1' } });
  const [first, second, third] = await Promise.all([ask('a'), ask('b'), ask('c')]);
  expect([first, second, third].map(({ headers }) => headers['preference-applied'])).toEqual([
    'wait',
    'wait',
    undefined,
  ]);
  expect((await ask('d')).headers['preference-applied']).toBe('wait');
  await app.close();
});
