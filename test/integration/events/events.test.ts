// Goal: the feed shows each caller the events that are for it, in order, page after page, and answers one who waits as
// soon as there is one. Method: the API on a real port and a real database, events recorded by the product's own steps,
// places given on command. The order under concurrent commits is in test/hazards/events/events-order.test.ts, what has
// an event when in events-recorded.test.ts.
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EventType } from '../../../domain/events/event-types.ts';
import { advanceWallet } from '../../../drizzle/wallets/wallet-steps.ts';
import { CountersignClient } from '../../../src/client/client.ts';
import type { Event } from '../../../src/events/events.schema.ts';
import type { TestKey } from '../../support/api/api.ts';
import { readFeed, sequenceAll } from '../../support/api/events.ts';
import { pause, startWaitedApi, type WaitedApi } from '../../support/api/waiting.ts';

let waited: WaitedApi;
let api: WaitedApi['api'];
let walletId: string;
let otherWalletId: string;
let base: string;
beforeAll(async () => {
  waited = await startWaitedApi();
  ({ api, walletId } = waited);
  otherWalletId = await api.makeActiveWallet();
  base = `/workspaces/${api.workspaceId}/events`;
  await sequenceAll(api.db);
});
afterAll(() => waited.stop());

const read = (query = '', key?: TestKey) => waited.read(`${base}${query}`, key === undefined ? {} : { key });
const wait = (query: string, key?: TestKey) =>
  waited.read(`${base}${query}`, { prefer: 'wait=30', ...(key === undefined ? {} : { key }) });

/** Two events, in order. */
async function freezeAndBack(id = walletId): Promise<void> {
  await advanceWallet(api.db, id, { from: 'active', to: 'frozen' });
  await advanceWallet(api.db, id, { from: 'frozen', to: 'active' });
}
const lastSeq = async () => (await readFeed(api.db, api.workspaceId)).length;
const typesOf = (events: readonly Event[]): EventType[] => events.map(({ type }) => type);

describe('200', () => {
  test('from the beginning: a key was made and two wallets; each event as it is described', async () => {
    const { status, body, headers } = await read();
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: true, message: 'success', code: 0 });
    const [first] = body.data;
    expect(first).toEqual({
      seq: 1,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      type: 'api_key.created',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: expect.objectContaining({ workspace_id: api.workspaceId, name: 'first admin key', wallet_ids: [] }),
    });
    expect(JSON.stringify(body)).not.toContain(api.admin.apiKey);
    expect(typesOf(body.data).slice(1, 3)).toEqual(['wallet.created', 'wallet.created']);
    expect(body.data[1].data).toMatchObject({
      id: walletId,
      status: 'active',
      addresses: { evm: expect.stringMatching(/^0x/), btc: expect.any(String) },
    });
    expect(headers).not.toHaveProperty('preference-applied');
    expect(headers['vary']).toBe('Prefer');
  });

  test('page after page by after_seq: the same as all at once, and the last page leads nowhere', async () => {
    await freezeAndBack();
    await sequenceAll(api.db);
    const whole = (await read('?limit=200')).body.data as Event[];
    const pages: Event[] = [];
    let path: string | undefined = `${base}?limit=2`;
    while (path !== undefined) {
      const { body, headers } = await waited.read(path);
      expect(body.data.length).toBeLessThanOrEqual(2);
      pages.push(...body.data);
      const next = /^<\/api\/v1(.*)>; rel="next"$/.exec(String(headers['link'] ?? ''))?.[1];
      if (next !== undefined) expect(next).toContain(`after_seq=${body.data.at(-1).seq}`);
      path = next;
    }
    expect(pages).toEqual(whole);
    expect(pages.map(({ seq }) => seq)).toEqual(pages.map((_, index) => index + 1));
    expect((await read(`?after_seq=${whole.length}`)).body.data).toEqual([]);
    expect((await read('?after_seq=999999999999999')).body.data).toEqual([]);
  });

  test('only some types, or one', async () => {
    await freezeAndBack();
    await sequenceAll(api.db);
    const frozen = (await read('?type=wallet.frozen')).body.data as Event[];
    expect(new Set(typesOf(frozen))).toEqual(new Set(['wallet.frozen']));
    const both = (await read('?type=wallet.unfrozen,wallet.frozen,wallet.frozen')).body.data as Event[];
    expect(both.length).toBe(2 * frozen.length);
    expect(both.map(({ seq }) => seq)).toEqual(both.map(({ seq }) => seq).toSorted((one, other) => one - other));
    expect((await read('?type=webhook.ping')).body.data).toEqual([]);
  });

  test('a key that is bound to wallets sees theirs, with the same places, and nothing of the workspace', async () => {
    await freezeAndBack();
    await freezeAndBack(otherWalletId);
    await sequenceAll(api.db);
    const key = await api.makeKey({ scopes: ['webhooks:read'], walletIds: [otherWalletId] });
    const seen = (await read('?limit=200', key)).body.data as Event[];
    const all = (await read('?limit=200')).body.data as Event[];
    expect(seen).toEqual(all.filter(({ data }) => data['wallet_id'] === otherWalletId));
    expect(seen.length).toBeGreaterThan(2);
    const ofType = (await read('?limit=200&type=wallet.frozen,api_key.created', key)).body.data as Event[];
    expect(new Set(typesOf(ofType))).toEqual(new Set(['wallet.frozen']));
    const several = await api.makeKey({ scopes: ['webhooks:read'], walletIds: [walletId, otherWalletId] });
    const ofBoth = (await read('?limit=3&after_seq=1', several)).body.data as Event[];
    expect(ofBoth).toEqual(all.filter(({ seq, data }) => seq > 1 && data['wallet_id'] !== undefined).slice(0, 3));
  });

  test('each workspace counts for itself', async () => {
    const { workspaceId, key } = await api.makeWorkspace();
    await sequenceAll(api.db);
    const { body } = await waited.read(`/workspaces/${workspaceId}/events`, { key });
    expect(body.data.map(({ seq, type }: Event) => [seq, type])).toEqual([[1, 'api_key.created']]);
  });
});

describe('Prefer: wait', () => {
  test('is answered as soon as there is an event, and costs no query until then', async () => {
    const after = await lastSeq();
    const recorded = waited.recordQueries();
    const isFeed = (text: string) => text.includes('from "events"');
    const waiting = [wait(`?after_seq=${after}`), wait(`?after_seq=${after}&type=wallet.frozen`)];
    const reads = () => recorded.texts.filter(isFeed).length;
    await expect.poll(reads, { timeout: 60_000 }).toBeGreaterThanOrEqual(2);
    await pause(300);
    // Once more each, when the LISTEN stands: who came before may have missed something. Where nothing is found, it is
    // also asked whether something is gone.
    const before = reads();
    expect(before).toBeLessThanOrEqual(8);
    await pause(300);
    expect(reads()).toBe(before);
    await advanceWallet(api.db, walletId, { from: 'active', to: 'frozen' });
    await sequenceAll(api.db);
    recorded.stop();
    for (const { status, body, headers, afterMs } of await Promise.all(waiting)) {
      expect(status).toBe(200);
      expect(body.data).toMatchObject([{ seq: after + 1, type: 'wallet.frozen', data: { id: walletId } }]);
      expect(headers['preference-applied']).toBe('wait');
      expect(afterMs).toBeLessThan(15_000);
    }
    await advanceWallet(api.db, walletId, { from: 'frozen', to: 'active' });
  });

  test('is answered at once when there is one already', async () => {
    await sequenceAll(api.db);
    const heard = await wait('?after_seq=1');
    expect(heard.body.data.length).toBeGreaterThan(0);
    expect(heard.afterMs).toBeLessThan(5_000);
  });

  test('is answered with nothing when the time is up; events for others do not end it', async () => {
    const after = await lastSeq();
    const key = await api.makeKey({ scopes: ['webhooks:read'], walletIds: [otherWalletId] });
    const waiting = waited.read(`${base}?after_seq=${after}`, { prefer: 'wait=2', key });
    await freezeAndBack();
    await sequenceAll(api.db);
    const heard = await waiting;
    expect(heard).toMatchObject({ status: 200, body: { data: [] } });
    expect(heard.headers['preference-applied']).toBe('wait');
    expect(heard.afterMs).toBeGreaterThanOrEqual(1_990);
  });
});

test.each(['after_seq=-1', 'after_seq=1.5', 'after_seq=x', 'limit=0', 'limit=201', 'type=wallet.lost', 'cursor=x'])(
  '400: %s',
  async (query) => {
    expect(await read(`?${query}`)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  },
);

test('403 without the scope, 404 for another workspace', async () => {
  const key = await api.makeKey({ scopes: ['webhooks:write'] });
  expect(await read('', key)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
  expect(await waited.read(`/workspaces/${uuidv7()}/events`)).toMatchObject({ status: 404 });
});

describe('the client', () => {
  const clientOf = ({ apiKey, apiSecret }: TestKey) => {
    const [{ port }] = [api.app.server.address() as { port: number }];
    return new CountersignClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey, apiSecret });
  };

  test('lists what there is, over pages', async () => {
    await freezeAndBack();
    const count = await lastSeq();
    const seqs: number[] = [];
    for await (const { seq } of clientOf(api.admin).events({ limit: 3 })) seqs.push(seq);
    expect(seqs).toEqual(Array.from({ length: count }, (_, index) => index + 1));
    const frozen = [];
    for await (const event of clientOf(api.admin).events({ type: ['wallet.frozen'], after_seq: count - 2 }))
      if (event.type === 'wallet.frozen') frozen.push(event.data.wallet_id);
    expect(frozen).toEqual([walletId]);
  });

  test('follows: goes on with what comes, until it is told to stop', async () => {
    const after = await lastSeq();
    const stop = new AbortController();
    const seen: [number, string][] = [];
    const following = (async () => {
      for await (const { seq, type } of clientOf(api.admin).followEvents({ after_seq: after, signal: stop.signal })) {
        seen.push([seq, type]);
        if (seen.length === 4) return;
      }
    })();
    for (let round = 1; round <= 2; round += 1) {
      await freezeAndBack();
      await sequenceAll(api.db);
      await expect.poll(() => seen.length, { timeout: 60_000 }).toBe(2 * round);
    }
    await following;
    expect(seen).toEqual(
      [1, 2, 3, 4].map((place) => [after + place, place % 2 === 1 ? 'wallet.frozen' : 'wallet.unfrozen']),
    );
    const waiting = clientOf(api.admin)
      .followEvents({ after_seq: after + 4, signal: stop.signal })
      .next();
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  });
});
