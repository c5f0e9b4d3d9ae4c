// Goal: what a webhook is sent, and what is sent again: the types that it takes, ping, redeliver, replay, the log, and
// the end of an endpoint that takes nothing for days. Method: the API and the product's workers on a real database and
// Temporal, receivers on this machine. Signatures, the schedule and targets are in the controls H.
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { DeliveryPace } from '../../../activities/webhooks/deliver-webhooks.ts';
import { workflowIdOf } from '../../../domain/workflow-ids.ts';
import { insertDeliveries, recordAttempts, wakeOverdueWebhooks } from '../../../drizzle/webhooks/webhook-deliveries.ts';
import { webhookDeliveries } from '../../../drizzle/webhooks/webhooks.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { codeOf } from '../../support/api/api-keys.ts';
import { recordAnyEvent } from '../../support/api/events.ts';
import {
  anotherSecond,
  makeWebhook,
  pathsOf,
  placeEvents,
  quickly,
  type Receiver,
  recordEvents,
  startDelivering,
  startReceiver,
} from '../../support/api/webhooks.ts';

let api: TestApi;
let delivering: Awaited<ReturnType<typeof startDelivering>>;
const receivers: Receiver[] = [];
const DAYS_MS = 400;
const hourly = { delaysMs: [3_600_000], jitter: 0 };

beforeAll(async () => {
  api = await startApi({ webhooks: { allowPrivate: true } });
  delivering = await startDelivering(api, { pace: usual });
  await placeEvents(api);
});
afterEach(async () => {
  const { body } = await api.call('GET', pathsOf(api).webhooks);
  for (const { id } of body.data) await api.call('DELETE', `/api/v1/webhooks/${id}`);
  await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()));
});
afterAll(async () => {
  await delivering.stop();
  await api.stop();
});

const usual = { ...quickly, disableAfterMs: DAYS_MS };

/** Workers of another pace while `act` runs; none when there is no pace. */
async function deliveringAt(
  pace: Partial<DeliveryPace> | undefined,
  act: (workers?: typeof delivering) => Promise<void>,
): Promise<void> {
  await delivering.stop();
  const changed = pace && (await startDelivering(api, { pace }));
  try {
    await act(changed);
  } finally {
    await changed?.stop();
    delivering = await startDelivering(api, { pace: usual });
  }
}

async function receiver(...like: Parameters<typeof startReceiver>): Promise<Receiver> {
  const started = await startReceiver(...like);
  receivers.push(started);
  return started;
}

interface Delivery {
  id: string;
  event_id: string;
  event_type: string;
  status: string;
  replayed: boolean;
  attempts: { attempt: number; status_code?: number; error?: string }[];
}

const until = (look: () => unknown) => expect.poll(look, { timeout: 60_000, interval: 25 });
const idsOf = ({ received }: Receiver) => received.map(({ headers }) => headers['webhook-id']);
const typesOf = ({ received }: Receiver) => received.map(({ body }) => JSON.parse(body).type);
const post = (path: string, body?: unknown, options = {}) =>
  api.call('POST', path, body, { ...anotherSecond(), ...options });
const listed = async (id: string, query = ''): Promise<Delivery[]> =>
  (await api.call('GET', `/api/v1/webhooks/${id}/deliveries${query}`)).body.data;
const webhookOf = async (id: string) => (await api.call('GET', `/api/v1/webhooks/${id}`)).body.data;

test('an endpoint is sent the types it takes, of its own workspace; one that takes all is sent all', async () => {
  const [some, all] = [await receiver(), await receiver()];
  await makeWebhook(api, some.url, ['wallet.unfrozen', 'wallet.created']);
  await makeWebhook(api, all.url);
  const { workspaceId } = await api.makeWorkspace();
  const says = sql`'{"foreign": true}'::jsonb`;
  await api.db.execute(sql`select ${recordAnyEvent(workspaceId, 'wallet.unfrozen', says)}`);
  await recordEvents(api, 2, { type: 'wallet.frozen' });
  await recordEvents(api, 1, { type: 'wallet.unfrozen' });
  await until(() => all.received.length).toBe(3);
  await until(() => some.received.length).toBe(1);
  expect(typesOf(some)).toEqual(['wallet.unfrozen']);
  expect(new Set(typesOf(all))).toEqual(new Set(['wallet.frozen', 'wallet.unfrozen']));
  expect(all.received.filter(({ body }) => body.includes('foreign'))).toEqual([]);
});

test('made twice, a delivery stands once, and one signal wakes an endpoint for all of its events', async () => {
  const there = await receiver();
  const { id: webhookId } = await makeWebhook(api, there.url);
  await deliveringAt(undefined, async () => {
    const ids = await recordEvents(api, 3);
    const sequenced = ids.map((id) => ({ id, workspaceId: api.workspaceId, type: 'wallet.frozen' as const }));
    expect(await api.db.transaction((tx) => insertDeliveries(tx, sequenced))).toEqual([]);
    const again = await api.db.transaction(async (tx) => {
      await tx.delete(webhookDeliveries).where(eq(webhookDeliveries.webhookId, webhookId));
      return insertDeliveries(tx, sequenced);
    });
    expect(again.map(({ workflow, signal }) => [workflow, signal])).toEqual([['deliverWebhooks', 'changed']]);
  });
  await until(() => there.received.length).toBe(3);
});

describe('ping', () => {
  test('202: sent to this endpoint alone, whatever it takes, and it stands in the log', async () => {
    const [there, other] = [await receiver(), await receiver()];
    const { id } = await makeWebhook(api, there.url, ['deposit.confirmed']);
    await makeWebhook(api, other.url);
    const answer = await post(`/api/v1/webhooks/${id}/ping`);
    expect(answer.status).toBe(202);
    await placeEvents(api);
    await until(() => there.received.length).toBe(1);
    const { event_id: eventId } = answer.body.data;
    expect(idsOf(there)).toEqual([eventId]);
    expect(JSON.parse(there.received[0]?.body ?? '')).toMatchObject({ type: 'webhook.ping', data: { webhook_id: id } });
    await until(async () => (await listed(id))[0]?.status).toBe('delivered');
    const [{ attempts, event_type: type } = { attempts: [], event_type: '' }] = await listed(id);
    expect(type).toBe('webhook.ping');
    expect(attempts).toEqual([
      { attempt: 1, status_code: 200, started_at: expect.any(String), duration_ms: expect.any(Number) },
    ]);
    expect(other.received).toEqual([]);
  });

  test('409 while it is disabled', async () => {
    const { id } = await makeWebhook(api, (await receiver()).url);
    await api.call('PATCH', `/api/v1/webhooks/${id}`, { status: 'disabled' });
    for (const verb of ['ping', 'replay']) {
      const body = verb === 'ping' ? undefined : { from: '2026-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z' };
      expect(codeOf(await post(`/api/v1/webhooks/${id}/${verb}`, body))).toEqual([409, 'invalid_state']);
    }
  });
});

describe('redeliver', () => {
  test('202: the same event with the same id, as a delivery beside the first', async () => {
    const there = await receiver();
    const { id } = await makeWebhook(api, there.url);
    const [eventId] = await recordEvents(api, 1);
    await until(async () => (await listed(id))[0]?.status).toBe('delivered');
    const [first] = await listed(id);
    const path = `/api/v1/webhooks/deliveries/${first?.id}/redeliver`;
    const headers = { 'x-idempotency-key': 'again' };
    const answer = await post(path, undefined, { headers });
    expect(answer).toMatchObject({
      status: 202,
      body: { data: { event_id: eventId, status: 'pending', replayed: true } },
    });
    expect((await post(path, undefined, { headers })).body).toEqual(answer.body);
    await until(() => there.received.length).toBe(2);
    expect(idsOf(there)).toEqual([eventId, eventId]);
    expect(there.received[1]?.body).toBe(there.received[0]?.body);
    await until(async () => (await listed(id, '?status=delivered')).length).toBe(2);
  });

  test('202: one that waits for its next attempt is tried at once, and no second one is made', async () => {
    const there = await receiver((_request, place) => (place === 0 ? 503 : 200));
    const { id } = await makeWebhook(api, there.url);
    await deliveringAt({ ...quickly, schedule: hourly }, async () => {
      await recordEvents(api, 1);
      await until(async () => (await listed(id))[0]?.attempts.length).toBe(1);
      const [waiting] = await listed(id);
      const answer = await post(`/api/v1/webhooks/deliveries/${waiting?.id}/redeliver`);
      expect(answer).toMatchObject({ status: 202, body: { data: { id: waiting?.id, status: 'pending' } } });
      await until(async () => (await listed(id)).map(({ status, attempts }) => [status, attempts.length])).toEqual([
        ['delivered', 2],
      ]);
    });
  });
});

describe('replay', () => {
  test('202: the events of a time, from inclusive, to exclusive, of the types that are asked for or taken', async () => {
    const there = await receiver();
    await recordEvents(api, 3);
    await recordEvents(api, 2, { type: 'wallet.unfrozen' });
    const { body } = await api.call('GET', `/api/v1/workspaces/${api.workspaceId}/events?limit=200`);
    const [first, , , , last] = body.data.slice(-5);
    const { id } = await makeWebhook(api, there.url, ['wallet.frozen']);
    const replay = async (from: string, to: string, types?: string[]) =>
      (await post(`/api/v1/webhooks/${id}/replay`, { from, to, ...(types && { types }) })).body.data.deliveries;
    const later = new Date(Date.parse(last.timestamp) + 1).toISOString();
    expect(await replay(first.timestamp, later)).toBe(3);
    await until(async () => (await listed(id, '?status=pending')).length).toBe(0);
    expect(await replay(first.timestamp, later, ['wallet.unfrozen', 'wallet.frozen'])).toBe(5);
    await until(async () => (await listed(id, '?status=pending')).length).toBe(0);
    expect(await replay(later, '2099-01-01T00:00:00Z')).toBe(0);
  });

  test('an event that is under way already is not sent twice', async () => {
    const there = await receiver();
    const { id } = await makeWebhook(api, there.url);
    await deliveringAt(undefined, async () => {
      const from = new Date(Date.now() - 1).toISOString();
      await recordEvents(api, 4);
      const answer = await post(`/api/v1/webhooks/${id}/replay`, { from, to: '2099-01-01T00:00:00Z' });
      expect(answer.body.data).toEqual({ deliveries: 0 });
    });
    await until(() => there.received.length).toBe(4);
  });

  test('400: an end before its beginning; 409: more than 10,000, and none of them is sent', async () => {
    const there = await receiver();
    const { workspaceId, key } = await api.makeWorkspace();
    const made = await post(pathsOf({ workspaceId }).webhooks, { url: there.url, events: ['wallet.frozen'] }, { key });
    const path = `/api/v1/webhooks/${made.body.data.id}/replay`;
    const [from, to] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'];
    expect(codeOf(await post(path, { from: to, to: from }, { key }))).toEqual([400, 'invalid_request']);
    await api.db.execute(sql`insert into events (id, seq, workspace_id, type, data, created_at)
      select new_uuid_v7(), 100 + n, ${workspaceId}, 'wallet.frozen', '{}', timestamptz '2026-01-01Z' + n * interval '1 second'
      from generate_series(0, 10000) as n`);
    expect(codeOf(await post(path, { from, to }, { key }))).toEqual([409, 'invalid_state']);
    const rows = await api.db
      .select()
      .from(webhookDeliveries)
      .where(eq(webhookDeliveries.webhookId, made.body.data.id));
    expect(rows).toEqual([]);
    expect(there.received).toEqual([]);
    await api.call('DELETE', `/api/v1/webhooks/${made.body.data.id}`, undefined, { key });
  });
});

describe('the log of deliveries', () => {
  test('by status and by type, page after page', async () => {
    const there = await receiver((request) => (request.body.includes('wallet.unfrozen') ? 500 : 200));
    const { id } = await makeWebhook(api, there.url);
    const delivered = await recordEvents(api, 3);
    const failed = await recordEvents(api, 2, { type: 'wallet.unfrozen' });
    await until(async () => (await listed(id, '?status=failed')).length).toBe(2);
    const eventsOf = async (query: string) => (await listed(id, query)).map(({ event_id: event }) => event).toSorted();
    expect(await eventsOf('?status=failed')).toEqual(failed.toSorted());
    expect(await eventsOf('?event_type=wallet.frozen')).toEqual(delivered.toSorted());
    expect(await eventsOf('?event_type=wallet.frozen&status=failed')).toEqual([]);
    expect(await eventsOf('?event_type=wallet.frozen,wallet.unfrozen&status=failed,delivered')).toHaveLength(5);
    const seen: string[] = [];
    let path: string | undefined = `/api/v1/webhooks/${id}/deliveries?limit=2&sort_by=updated_at`;
    while (path !== undefined) {
      const { body, headers } = await api.call('GET', path);
      seen.push(...body.data.map((one: Delivery) => one.id));
      path = /<(.*)>; rel="next"/.exec(String(headers['link'] ?? ''))?.[1];
    }
    expect(new Set(seen).size).toBe(5);
    expect(seen).toHaveLength(5);
    const [{ attempts } = { attempts: [] }] = await listed(id, '?status=failed');
    expect(attempts.map(({ attempt }) => attempt)).toEqual(attempts.map((_attempt, place) => place + 1));
  });
});

test('an attempt that two workers made is recorded once, as the first of them saw it', async () => {
  const there = await receiver();
  const { id: webhookId } = await makeWebhook(api, there.url);
  await deliveringAt(undefined, async () => {
    await recordEvents(api, 1);
    const [waiting] = await listed(webhookId);
    const seen = { deliveryId: waiting?.id ?? '', attempt: 1, startedAt: new Date(), durationMs: 1, againInMs: null };
    await recordAttempts(api.db, [{ ...seen, statusCode: 200, error: null, status: 'delivered' }]);
    await recordAttempts(api.db, [{ ...seen, statusCode: 500, error: 'it answered 500', status: 'failed' }]);
    const [recorded] = await listed(webhookId);
    expect(recorded).toMatchObject({ status: 'delivered', attempts: [{ attempt: 1, status_code: 200 }] });
    expect(recorded?.attempts).toHaveLength(1);
  });
});

describe('an endpoint that takes nothing', () => {
  test('is disabled after days of it, which the feed tells; one delivery that is taken begins the days anew', async () => {
    let takes = true;
    const there = await receiver(() => (takes ? 200 : 500));
    const { id } = await makeWebhook(api, there.url);
    takes = false;
    await recordEvents(api, 1);
    await until(async () => (await webhookOf(id)).failing_since).toBeDefined();
    takes = true;
    await until(async () => (await webhookOf(id)).failing_since).toBeUndefined();
    takes = false;
    await recordEvents(api, 1);
    await until(async () => {
      await recordEvents(api, 1);
      return (await webhookOf(id)).status;
    }).toBe('disabled');
    expect((await webhookOf(id)).status_reason).toBe('failing');
    await placeEvents(api);
    const { body } = await api.call(
      'GET',
      `/api/v1/workspaces/${api.workspaceId}/events?type=webhook.disabled&limit=200`,
    );
    expect(body.data.at(-1).data).toEqual({ webhook_id: id, status_reason: 'failing' });
    expect(await listed(id, '?status=pending')).toEqual([]);
  });

  test('is left alone after a round without an answer, whatever comes, and hears of all when it is back', async () => {
    const away = await receiver();
    const { port } = new URL(away.url);
    await away.stop();
    const { id } = await makeWebhook(api, away.url);
    await deliveringAt({ ...quickly, schedule: hourly, restMaxMs: 3_000 }, async () => {
      await recordEvents(api, 1);
      await until(async () => (await listed(id))[0]?.attempts[0]?.error).toBe('the connection was refused');
      const back = await receiver(() => 200, Number(port));
      const [restedSinceMs] = [Date.now()];
      const [eventId] = await recordEvents(api, 1);
      await until(() => idsOf(back)).toEqual([eventId]);
      expect(Date.now() - restedSinceMs).toBeGreaterThan(500);
    });
  });
});

test('a workflow that an operator ended: who looks for what is overdue wakes it', async () => {
  let isBack = false;
  const there = await receiver(() => (isBack ? 200 : 503));
  const { id } = await makeWebhook(api, there.url);
  await deliveringAt({ ...quickly, schedule: hourly }, async (workers) => {
    await recordEvents(api, 1);
    await until(async () => (await listed(id))[0]?.attempts.length).toBe(1);
    const workflow = workflowIdOf('deliverWebhooks', id);
    await workers?.client.workflow.getHandle(workflow).terminate();
    const nextAttemptAt = new Date(Date.now() - 400_000);
    await api.db.update(webhookDeliveries).set({ nextAttemptAt }).where(eq(webhookDeliveries.webhookId, id));
    expect(await wakeOverdueWebhooks(api.db, 500_000, 10)).toEqual([]);
    const entries = await wakeOverdueWebhooks(api.db, 300_000, 10);
    expect(entries.map(({ workflowId }) => workflowId)).toEqual([workflow]);
    isBack = true;
    for (const entry of entries) api.starter.enqueue(entry);
    await until(async () => (await listed(id))[0]?.status).toBe('delivered');
  });
});
