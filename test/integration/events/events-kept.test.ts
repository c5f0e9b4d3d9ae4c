// Goal: who asks for what is no longer kept is told so, and from where the feed is there, by the API and by the
// iterators of the client. Nobody meets a silent gap, also beside the removal, and what is only added to and the audit
// chain stay as they were. Method: the API on a real port, events of long ago, the removal as the worker runs it.
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CountersignClient } from '../../../src/client/client.ts';
import type { Event } from '../../../src/events/events.schema.ts';
import type { TestKey } from '../../support/api/api.ts';
import { sequenceAll } from '../../support/api/events.ts';
import { startWaitedApi, type WaitedApi } from '../../support/api/waiting.ts';
import { auditPath, sealAudit } from '../../support/rows/audit.ts';
import { ageDeliveries, ageEvents, fillFeed, range, removeAll, seqsOf } from '../../support/rows/old-rows.ts';
import { storeWebhook } from '../../support/rows/stored-webhooks.ts';

let waited: WaitedApi;
let api: WaitedApi['api'];
beforeAll(async () => {
  waited = await startWaitedApi();
  ({ api } = waited);
});
afterAll(() => waited.stop());

/** Of a workspace with a feed of 1 … count, of which those up to `removed` are no longer kept. */
async function makeFeed(count: number, removed: number) {
  const { workspaceId, key } = await api.makeWorkspace();
  await api.db.execute(sql`delete from event_outbox where workspace_id = ${workspaceId}`);
  await fillFeed(api.db, workspaceId, count, 1);
  await ageEvents(api.db, workspaceId, removed, 91);
  await removeAll(api.db);
  const read = (query: string, options: object = {}) =>
    waited.read(`/workspaces/${workspaceId}/events${query}`, { key, ...options });
  return { workspaceId, key, read };
}

const seqs = (events: readonly Event[]) => events.map(({ seq }) => seq);
const isLost = (removed: number, afterSeq: number) => ({
  status: 400,
  body: {
    success: false,
    code: 'invalid_cursor',
    message:
      `Events up to seq ${removed} are no longer kept, so those after ${afterSeq} are not all there: read without ` +
      'after_seq to go on with the oldest that is kept, and look up in the lists what has changed since.',
  },
});

describe('a feed whose beginning is gone', () => {
  test.each([0, 1, 6])('400 invalid_cursor after %i', async (afterSeq) => {
    const { read } = await makeFeed(10, 7);
    expect(await read(`?after_seq=${afterSeq}`)).toMatchObject(isLost(7, afterSeq));
    expect(await read(`?after_seq=${afterSeq}&type=wallet.created`)).toMatchObject(isLost(7, afterSeq));
    expect(await read(`?after_seq=${afterSeq}`, { prefer: 'wait=30' })).toMatchObject(isLost(7, afterSeq));
  });

  test('200 from the oldest that is kept without a place, and after the last that is gone', async () => {
    const { read } = await makeFeed(10, 7);
    expect(seqs((await read('')).body.data)).toEqual([8, 9, 10]);
    expect(seqs((await read('?after_seq=7')).body.data)).toEqual([8, 9, 10]);
    expect(seqs((await read('?after_seq=9')).body.data)).toEqual([10]);
    expect((await read('?after_seq=10')).body.data).toEqual([]);
    expect((await read('?after_seq=8&type=wallet.created')).body.data).toEqual([]);
    const { body, headers } = await read('?limit=2');
    expect([seqs(body.data), headers['link']]).toEqual([[8, 9], expect.stringContaining('after_seq=9')]);
  });

  test('all of it gone: the place of the last one holds, and the next event has the next number', async () => {
    const { workspaceId, read } = await makeFeed(10, 10);
    expect(await read('?after_seq=9')).toMatchObject(isLost(10, 9));
    expect((await read('?after_seq=10')).body.data).toEqual([]);
    expect((await read('')).body.data).toEqual([]);
    await storeWebhook(api, workspaceId);
    expect(seqs((await read('?after_seq=10')).body.data)[0]).toBe(11);
  });

  test('200 while nothing is gone, from 0 on', async () => {
    const { read } = await makeFeed(3, 0);
    expect(seqs((await read('?after_seq=0')).body.data)).toEqual([1, 2, 3]);
    expect((await read('?after_seq=0&type=wallet.created')).body.data).toEqual([]);
  });

  test('of a workspace without any event: nothing is gone', async () => {
    const { workspaceId, key } = await api.makeWorkspace();
    await api.db.execute(sql`delete from event_outbox where workspace_id = ${workspaceId}`);
    expect((await waited.read(`/workspaces/${workspaceId}/events?after_seq=0`, { key })).body.data).toEqual([]);
  });
});

test('a reader beside the removal sees every number in order, or is told what is gone', async () => {
  const { workspaceId, read } = await makeFeed(3_000, 0);
  let isOver = false;
  const removing = (async () => {
    for (let upTo = 100; upTo <= 2_900; upTo += 100) {
      await ageEvents(api.db, workspaceId, upTo, 91);
      await removeAll(api.db);
    }
    isOver = true;
  })();
  let [last, told] = [0, 0];
  while (last < 3_000) {
    const { status, body } = await read(`?limit=5&after_seq=${last}`);
    if (status === 400) {
      told += 1;
      const [, removed] = /up to seq (\d+) are/.exec(body.message) ?? [];
      expect(Number(removed)).toBeGreaterThan(last);
      last = Number(removed);
      continue;
    }
    expect(seqs(body.data)).toEqual(range(last + 1, last + body.data.length));
    last += body.data.length;
  }
  await removing;
  expect(isOver && told > 0).toBe(true);
  expect(await seqsOf(api.db, workspaceId)).toEqual(range(2_901, 3_000));
}, 120_000);

describe('the client', () => {
  const clientOf = ({ apiKey, apiSecret }: TestKey) => {
    const { port } = api.app.server.address() as { port: number };
    return new CountersignClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey, apiSecret });
  };

  test('throws invalid_cursor for a place before what is kept, and begins with the oldest without one', async () => {
    const { key } = await makeFeed(10, 7);
    const client = clientOf(key);
    const lost = { code: 'invalid_cursor', status: 400, message: expect.stringContaining(isLost(7, 3).body.message) };
    await expect(client.events({ after_seq: 3 }).next()).rejects.toMatchObject(lost);
    await expect(client.followEvents({ after_seq: 3 }).next()).rejects.toMatchObject(lost);
    const seen: number[] = [];
    for await (const { seq } of client.events({ limit: 2 })) seen.push(seq);
    expect(seen).toEqual([8, 9, 10]);
    expect((await client.followEvents().next()).value).toMatchObject({ seq: 8 });
    expect((await client.events({ after_seq: undefined }).next()).value).toMatchObject({ seq: 8 });
  });
});

test('replay delivers what is kept of the time that was asked for, and redeliver of a delivery that is gone is 404', async () => {
  const { workspaceId, key } = await makeFeed(10, 7);
  const { webhookId, deliveryId } = await storeWebhook(api, workspaceId);
  const body = {
    from: '2020-01-01T00:00:00Z',
    to: new Date(Date.now() + 60_000).toISOString(),
    types: ['wallet.frozen'],
  };
  const replayed = await api.call('POST', `/api/v1/webhooks/${webhookId}/replay`, body, { key });
  expect(replayed).toMatchObject({ status: 202, body: { data: { deliveries: 3 } } });

  await api.db.execute(sql`
    update webhook_deliveries set status = 'failed', next_attempt_at = null where id = ${deliveryId}`);
  await ageDeliveries(api.db, sql`id = ${deliveryId}`, 31);
  await removeAll(api.db);
  const again = await api.call('POST', `/api/v1/webhooks/deliveries/${deliveryId}/redeliver`, undefined, { key });
  expect(again.status).toBe(404);
  const listed = await api.call('GET', `/api/v1/webhooks/${webhookId}/deliveries`, undefined, { key });
  expect(listed.body.data.map(({ id }: { id: string }) => id)).not.toContain(deliveryId);
  expect(listed.body.data).toHaveLength(3);
});

test('the audit chain is whole afterwards, and nothing is gone of what stays for ever', async () => {
  const count = async () => {
    const tables = [
      'audit_logs',
      'audit_seals',
      'audit_heads',
      'api_keys',
      'users',
      'workspaces',
      'wallets',
      'webhooks',
    ];
    const counted = tables.map((table) => sql`(select count(*)::int from ${sql.identifier(table)})`);
    return [...(await api.db.execute(sql`select array[${sql.join(counted, sql`, `)}] as counts`))];
  };
  for (const name of ['one', 'two', 'three'])
    expect((await api.call('POST', '/api/v1/wallets', { name, wallet_type: 'mpc' })).status).toBe(202);
  await sealAudit(api);
  await sequenceAll(api.db);
  await ageEvents(api.db, api.workspaceId, 1_000, 400);
  const before = await count();
  await api.db.execute(sql`update idempotency_keys set created_at = now() - interval '31 days'`);
  await removeAll(api.db);
  expect(await seqsOf(api.db, api.workspaceId)).toEqual([]);
  expect(await count()).toEqual(before);
  const verified = await api.call('GET', auditPath(api.workspaceId, '/verify'));
  expect(verified).toMatchObject({ status: 200, body: { data: { valid: true } } });
});
