// Goal: one idempotency key makes one operation, and a captured request counts once. Method: races and repeats against
// the API on a real database.
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signingRequests } from '../../../drizzle/signing-requests/signing-requests.ts';
import { idempotencyKeys } from '../../../drizzle/writes/accepted-writes.ts';
import { outbox } from '../../../drizzle/writes/workflow-outbox.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';

const bodyOf = (byte: string) => ({ network_internal_code: 'ETHEREUM_SANDBOX', signing_hash: byte.repeat(32) });

let api: TestApi;
let path: string;
beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1' });
  path = `/api/v1/web3/${await api.makeActiveWallet()}/sign`;
});
afterAll(() => api.stop());

const count = async () => (await api.db.select().from(signingRequests)).length;
const now = () => Math.floor(Date.now() / 1000);

test('50 concurrent requests with one key create one operation and one outbox row', async () => {
  const body = bodyOf('a0');
  const [rowsBefore, entriesBefore] = [await count(), (await api.db.select().from(outbox)).length];
  const headers = { 'x-idempotency-key': 'race' };
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => api.call('POST', path, body, { headers, timestamp: now() - index })),
  );
  const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
  expect(statuses).toEqual([...Array.from({ length: 49 }, () => 200), 202]);
  expect(new Set(answers.map((answer) => answer.body.data.transaction_id)).size).toBe(1);
  expect(answers.filter((answer) => answer.body.data.created).length).toBe(1);
  expect(await count()).toBe(rowsBefore + 1);
  expect((await api.db.select().from(outbox)).length).toBe(entriesBefore + 1);
});

test('50 concurrent byte-identical requests with one key create one operation', async () => {
  const body = bodyOf('a1');
  const before = await count();
  const options = { headers: { 'x-idempotency-key': 'identical' }, timestamp: now() };
  const answers = await Promise.all(Array.from({ length: 50 }, () => api.call('POST', path, body, options)));
  expect(answers.filter(({ status }) => status === 202).length).toBe(1);
  expect(answers.filter(({ status }) => status === 200).length).toBe(49);
  expect(await count()).toBe(before + 1);
});

test('one key with two bodies at once: one wins, the others get 409', async () => {
  const body = bodyOf('a2');
  const before = await count();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      api.call(
        'POST',
        path,
        { ...body, signing_hash: index.toString(16).padStart(64, '0') },
        {
          headers: { 'x-idempotency-key': 'bodies' },
        },
      ),
    ),
  );
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
    202,
    ...Array.from({ length: 19 }, () => 409),
  ]);
  expect(await count()).toBe(before + 1);
});

test('a captured request, replayed without a key or under another, is refused with what an honest caller does', async () => {
  const body = bodyOf('a3');
  const timestamp = now() - 20;
  expect((await api.call('POST', path, body, { timestamp })).status).toBe(202);
  const before = await count();
  const replayed = await api.call('POST', path, body, { timestamp });
  expect([replayed.status, replayed.body.code]).toEqual([409, 'request_replayed']);
  expect(replayed.body.message).toMatch(/at another second .* external_id .* X-Idempotency-Key\.$/);
  const headers = { 'x-idempotency-key': 'stolen' };
  const underAnother = await api.call('POST', path, body, { timestamp, headers });
  expect([underAnother.status, underAnother.body.code]).toEqual([409, 'request_replayed']);
  expect(await count()).toBe(before);
});

test('a wrong signature of a request that was accepted stays a 401: only who could sign it hears of a replay', async () => {
  const body = bodyOf('a7');
  const timestamp = now() - 25;
  expect((await api.call('POST', path, body, { timestamp })).status).toBe(202);
  const forged = { 'access-sign': 'ab'.repeat(32) };
  expect(await api.call('POST', path, body, { timestamp, headers: forged })).toMatchObject({
    status: 401,
    body: { code: 'unauthorized', message: 'invalid api signature' },
  });
});

test('two equal writes in one second: what the message advises, another second or an external_id, is accepted', async () => {
  const body = bodyOf('a8');
  const timestamp = now() - 60;
  expect((await api.call('POST', path, body, { timestamp })).status).toBe(202);
  expect((await api.call('POST', path, body, { timestamp })).status).toBe(409);
  expect((await api.call('POST', path, body, { timestamp: timestamp + 1 })).status).toBe(202);
  expect((await api.call('POST', path, { ...body, external_id: 'the-second' }, { timestamp })).status).toBe(202);
});

test('a captured request that had a key gets the original answer under that key only', async () => {
  const body = bodyOf('a4');
  const timestamp = now() - 30;
  const headers = { 'x-idempotency-key': 'mine' };
  const first = await api.call('POST', path, body, { timestamp, headers });
  const again = await api.call('POST', path, body, { timestamp, headers });
  expect([first.status, again.status]).toEqual([202, 200]);
  expect(again.body.data.transaction_id).toBe(first.body.data.transaction_id);
  for (const other of [{}, { 'x-idempotency-key': 'theirs' }])
    expect((await api.call('POST', path, body, { timestamp, headers: other })).body.code).toBe('request_replayed');
});

test('a refused request leaves its signature usable', async () => {
  const body = bodyOf('a5');
  const timestamp = now() - 40;
  const missing = `/api/v1/web3/01900000-0000-7000-8000-000000000000/sign`;
  expect((await api.call('POST', missing, body, { timestamp })).status).toBe(404);
  expect((await api.call('POST', missing, body, { timestamp })).status).toBe(404);
});

describe('sign and signRaw are one route', () => {
  const paths = (walletId: string) =>
    [`/api/v1/web3/${walletId}/sign`, `/api/v1/web3/transaction/${walletId}/signRaw`] as const;

  test('a key that was used on one is found on the other, in both directions; with another body it is reused', async () => {
    const walletId = await api.makeActiveWallet();
    const [alias, raw] = paths(walletId);
    for (const [key, one, other, byte] of [
      ['first-alias', alias, raw, 'b0'],
      ['first-raw', raw, alias, 'b6'],
    ] as const) {
      const headers = { 'x-idempotency-key': key };
      const before = await count();
      const first = await api.call('POST', one, bodyOf(byte), { headers });
      const again = await api.call('POST', other, bodyOf(byte), { headers });
      expect([first.status, again.status, again.body.data.created]).toEqual([202, 200, false]);
      expect(again.body.data.transaction_id).toBe(first.body.data.transaction_id);
      expect(await count()).toBe(before + 1);
      const reused = await api.call('POST', other, bodyOf('b1'), { headers });
      expect([reused.status, reused.body.code]).toEqual([409, 'idempotency_key_reused']);
    }
  });

  test('50 at once on both paths with one key create one operation', async () => {
    const both = paths(await api.makeActiveWallet());
    const before = await count();
    const headers = { 'x-idempotency-key': 'both-paths' };
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        api.call('POST', both[index % 2] ?? '', bodyOf('b2'), { headers, timestamp: now() - index }),
      ),
    );
    expect(answers.filter(({ status }) => status === 202).length).toBe(1);
    expect(new Set(answers.map((answer) => answer.body.data.transaction_id)).size).toBe(1);
    expect(await count()).toBe(before + 1);
  });

  test('claims that an older version stored, one under each path, are both found again', async () => {
    const [alias, raw] = paths(await api.makeActiveWallet());
    const headers = { 'x-idempotency-key': 'before-the-update' };
    // As it was stored then: under the name of its own path.
    const storeAs = async (url: string, body: object, timestamp: number) => {
      const made = await api.call('POST', url, body, { headers, timestamp });
      expect(made.status).toBe(202);
      const route = 'POST /api/v1/web3/:wallet_id/sign';
      await api.db.update(idempotencyKeys).set({ route }).where(eq(idempotencyKeys.key, 'before-the-update'));
      return made.body.data.transaction_id;
    };
    const ofAlias = await storeAs(alias, bodyOf('b3'), now() - 9);
    const again = await api.call('POST', alias, bodyOf('b3'), { headers });
    expect([again.status, again.body.data.transaction_id]).toEqual([200, ofAlias]);
    expect((await api.call('POST', raw, bodyOf('b4'), { headers })).body.code).toBe('idempotency_key_reused');
    // The other of the two, which the older version took for another route.
    await api.db.update(idempotencyKeys).set({ key: 'aside' }).where(eq(idempotencyKeys.key, 'before-the-update'));
    const made = await api.call('POST', raw, bodyOf('b5'), { headers, timestamp: now() - 8 });
    await api.db.update(idempotencyKeys).set({ key: 'before-the-update' }).where(eq(idempotencyKeys.key, 'aside'));
    const both = [
      await api.call('POST', alias, bodyOf('b3'), { headers, timestamp: now() - 7 }),
      await api.call('POST', raw, bodyOf('b5'), { headers, timestamp: now() - 6 }),
    ];
    expect(both.map(({ status, body }) => [status, body.data.transaction_id])).toEqual([
      [200, ofAlias],
      [200, made.body.data.transaction_id],
    ]);
  });
});

test('a repeat is answered as before, also when the network or the raw routes were switched off since', async () => {
  const walletId = await api.makeActiveWallet();
  const url = `/api/v1/web3/transaction/${walletId}/signRaw`;
  const body = { network_internal_code: 'ETHEREUM_SANDBOX', signing_hash: 'cd'.repeat(32) };
  const headers = { 'x-idempotency-key': 'before-the-switch' };
  const first = await api.call('POST', url, body, { headers });
  expect(first.status).toBe(202);
  const changes = [{ signRawEnabled: false }, { networkSwitches: { enabled: [], disabled: ['ETHEREUM_SANDBOX'] } }];
  for (const [index, change] of changes.entries()) {
    const other = await api.startAnother(change);
    const timestamp = now() + 1 + index;
    const repeat = await api.call('POST', url, body, { at: other.app, headers, timestamp });
    expect(repeat).toMatchObject({ status: 200, body: { data: { created: false } } });
    expect(repeat.body.data.transaction_id).toBe(first.body.data.transaction_id);
    // Signed at another second: the same signature under another key is a replay, whatever it asks for.
    const fresh = await api.call('POST', url, body, { at: other.app, timestamp: timestamp + changes.length });
    expect(fresh.status).toBe('signRawEnabled' in change ? 503 : 400);
    await other.stop();
  }
});
