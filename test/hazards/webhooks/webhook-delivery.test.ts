// Goal: an event that is committed is delivered, by the Standard Webhooks specification, however slow or dead other
// endpoints are (controls H1, H2, H4, H5). Method: the API and the workers of the product on a real database and
// Temporal, receivers on this machine that answer as the test says, and the library of the specification as who
// verifies. The schedule is shortened by options where a test waits for it. Which addresses are taken is in
// webhook-ssrf.test.ts, processes that are killed in webhooks-killed.test.ts.
import { createPublicKey, verify } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readRetryAfter, standardSchedule, untilNextAttempt } from '../../../activities/webhooks/retry-schedule.ts';
import { startReconciler } from '../../../src/worker/outbox-relay.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { recordAnyEvent, sequenceOnce } from '../../support/api/events.ts';
import {
  anotherSecond,
  makeWebhook,
  pathsOf,
  placeEvents,
  quickly,
  type Received,
  type Receiver,
  recordEvents,
  startDelivering,
  startReceiver,
} from '../../support/api/webhooks.ts';
import { testSeals } from '../../support/rows/seals.ts';

const HOUR_MS = 3_600_000;

let api: TestApi;
let delivering: Awaited<ReturnType<typeof startDelivering>>;
const receivers: Receiver[] = [];

beforeAll(async () => {
  api = await startApi({ webhooks: { allowPrivate: true } });
  delivering = await startDelivering(api, { pace: quickly });
  // Of the making of the workspace.
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

async function receiver(answer?: Parameters<typeof startReceiver>[0]): Promise<Receiver> {
  const started = await startReceiver(answer);
  receivers.push(started);
  return started;
}

const until = (look: () => unknown) => expect.poll(look, { interval: 25 });
const idsOf = ({ received }: Receiver) => received.map(({ headers }) => headers['webhook-id'] ?? '');
const deliveriesOf = async (id: string) => (await api.call('GET', `/api/v1/webhooks/${id}/deliveries`)).body.data;

describe('H1: what is committed is delivered', () => {
  test('an event that nobody was there to send is sent by who comes next', async () => {
    const there = await receiver();
    await makeWebhook(api, there.url);
    await delivering.stop();
    const ids = await recordEvents(api, 3);
    await api.starter.drain();
    expect(there.received).toEqual([]);
    delivering = await startDelivering(api, { pace: quickly });
    await until(() => there.received.length).toBe(3);
    expect(idsOf(there).toSorted()).toEqual(ids.toSorted());
  });

  test('a process that dies between the commit and the signal: the reconciler of another finds the entry', async () => {
    const there = await receiver();
    await makeWebhook(api, there.url);
    await api.db.execute(sql`select ${recordAnyEvent(api.workspaceId, 'wallet.frozen')}`);
    const { entries, sequenced } = await sequenceOnce(api.db);
    expect(entries).toHaveLength(1);
    // Nobody has told the starter.
    const log = { info: () => {}, warn: () => {} };
    const stop = startReconciler({
      db: api.db,
      seals: testSeals,
      client: delivering.client,
      starter: api.starter,
      log,
    });
    await until(() => idsOf(there)).toEqual(sequenced.map(({ id }) => id));
    await stop();
  });

  test('an event of a change that was rolled back is never sent', async () => {
    const there = await receiver();
    await makeWebhook(api, there.url);
    const undone = api.db.transaction(async (tx) => {
      await tx.execute(sql`select ${recordAnyEvent(api.workspaceId, 'wallet.frozen')}`);
      throw new Error('the change failed');
    });
    await expect(undone).rejects.toThrow('the change failed');
    const [id] = await recordEvents(api, 1);
    await until(() => there.received.length).toBe(1);
    expect(idsOf(there)).toEqual([id]);
  });

  test('a worker that ends while a request is under way: sent again, with the same id and the same bytes', async () => {
    const there = await receiver((_request, place) => (place === 0 ? 'none' : 200));
    await makeWebhook(api, there.url);
    const [id] = await recordEvents(api, 1);
    await until(() => there.received.length).toBe(1);
    await delivering.stop();
    delivering = await startDelivering(api, { pace: quickly });
    await until(() => there.received.length).toBe(2);
    expect(idsOf(there)).toEqual([id, id]);
    expect(there.received[1]?.body).toBe(there.received[0]?.body);
  });
});

describe('H2: by the Standard Webhooks specification', () => {
  /** Throws unless it is genuine. */
  const verified = (secret: string, { body, headers }: Received) => new Webhook(secret).verify(body, headers);

  async function verificationKey() {
    const { public_key } = (await api.call('GET', pathsOf(api).verificationKey)).body.data;
    const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(public_key, 'base64')]);
    return createPublicKey({ key: der, format: 'der', type: 'spki' });
  }

  test('its own library takes every delivery by v1, and node:crypto by v1a; one changed byte is refused by both', async () => {
    const there = await receiver();
    const { secret } = await makeWebhook(api, there.url);
    await recordEvents(api, 20);
    await until(() => there.received.length).toBe(20);
    const key = await verificationKey();
    for (const received of there.received) {
      const { body, headers } = received;
      const event = verified(secret, received) as Record<string, unknown>;
      expect(Object.keys(event)).toEqual(['type', 'timestamp', 'data', 'id', 'seq']);
      expect(body).toBe(JSON.stringify(event));
      expect(event['id']).toBe(headers['webhook-id']);
      const content = (text: string) => Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`);
      const v1a = headers['webhook-signature']?.split(' ').find((one) => one.startsWith('v1a,')) ?? '';
      const signature = Buffer.from(v1a.slice(4), 'base64');
      expect(verify(null, content(body), key, signature)).toBe(true);
      const changed = body.replace('wallet', 'Wallet');
      expect(verify(null, content(changed), key, signature)).toBe(false);
      expect(() => verified(secret, { ...received, body: changed })).toThrow('No matching signature');
    }
  });

  test('the feed says the same as the delivery', async () => {
    const there = await receiver();
    await makeWebhook(api, there.url);
    const [id] = await recordEvents(api, 1);
    await until(() => there.received.length).toBe(1);
    const { body } = await api.call('GET', `/api/v1/workspaces/${api.workspaceId}/events?limit=200`);
    const event = body.data.find((one: { id: string }) => one.id === id);
    expect(JSON.parse(there.received[0]?.body ?? '')).toEqual(event);
  });

  test('after a rotation both secrets verify for 24 hours, then the new one alone', async () => {
    const there = await receiver();
    const { id, secret } = await makeWebhook(api, there.url);
    const rotated = (await api.call('POST', `/api/v1/webhooks/${id}/rotate-secret`)).body.data;
    const overlapMs = Date.parse(rotated.previous_secret_expires_at) - Date.now();
    expect(overlapMs).toBeGreaterThan(24 * HOUR_MS - 60_000);
    expect(overlapMs).toBeLessThanOrEqual(24 * HOUR_MS);
    expect(rotated.secret).not.toBe(secret);
    await recordEvents(api, 1);
    await until(() => there.received.length).toBe(1);
    const [during] = there.received as [Received];
    expect(verified(secret, during)).toEqual(verified(rotated.secret, during));

    await api.db.execute(sql`update webhooks set former_secret_until = now() where id = ${id}`);
    await recordEvents(api, 1);
    await until(() => there.received.length).toBe(2);
    const [, after] = there.received as [Received, Received];
    expect(verified(rotated.secret, after)).toBeDefined();
    expect(() => verified(secret, after)).toThrow('No matching signature');
    expect(after.headers['webhook-signature']?.split(' ').map((one) => one.split(',')[0])).toEqual(['v1', 'v1a']);
  });

  test('ten attempts over more than 75 hours, each later by a jitter and never earlier', () => {
    const { delaysMs } = standardSchedule;
    expect(delaysMs).toHaveLength(9);
    const draws = Array.from({ length: 200 }, () =>
      delaysMs.map((_delay, place) => untilNextAttempt(standardSchedule, place + 1, 0) ?? Number.NaN),
    );
    for (const draw of draws) {
      draw.forEach((delay, place) => expect(delay).toBeGreaterThanOrEqual(delaysMs[place] ?? Number.NaN));
      expect(draw.reduce((sum, delay) => sum + delay)).toBeGreaterThan(75 * HOUR_MS);
    }
    expect(new Set(draws.map(([first]) => first)).size).toBeGreaterThan(100);
    expect(untilNextAttempt(standardSchedule, 10, 0)).toBeNull();
  });

  test('attempts are made as the schedule says, each recorded; after the tenth none', async () => {
    const there = await receiver(() => 500);
    const { id } = await makeWebhook(api, there.url);
    await recordEvents(api, 1);
    await until(async () => (await deliveriesOf(id))[0].status).toBe('failed');
    expect(there.received).toHaveLength(10);
    const gaps = there.received.slice(1).map(({ atMs }, place) => atMs - (there.received[place]?.atMs ?? 0));
    gaps.forEach((gap, place) => expect(gap).toBeGreaterThanOrEqual((quickly.schedule.delaysMs[place] ?? 0) - 5));
    const [delivery] = await deliveriesOf(id);
    expect(delivery).not.toHaveProperty('next_attempt_at');
    expect(delivery.attempts.map(({ attempt }: { attempt: number }) => attempt)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
    ]);
    for (const attempt of delivery.attempts)
      expect(attempt).toMatchObject({ status_code: 500, error: 'it answered 500', duration_ms: expect.any(Number) });
    expect(new Set(there.received.map(({ body }) => body)).size).toBe(1);
  });

  test('Retry-After keeps everything from the endpoint until then', async () => {
    const there = await receiver((_request, place, response) => {
      if (place > 0) return 200;
      response.writeHead(429, { 'retry-after': '2' }).end();
      return 'own';
    });
    await makeWebhook(api, there.url);
    await recordEvents(api, 1);
    await until(() => there.received.length).toBe(1);
    await recordEvents(api, 1);
    await until(() => there.received.length).toBe(3);
    const [first, second] = there.received as [Received, Received];
    expect(second.atMs - first.atMs).toBeGreaterThanOrEqual(1_950);
  });

  test('Retry-After in either form, within a day', () => {
    const nowMs = Date.parse('2026-01-01T00:00:00Z');
    expect(readRetryAfter('120', nowMs)).toBe(120_000);
    expect(readRetryAfter('Thu, 01 Jan 2026 01:00:00 GMT', nowMs)).toBe(HOUR_MS);
    expect(readRetryAfter('99999999', nowMs)).toBe(24 * HOUR_MS);
    for (const none of [undefined, '', 'soon', '-5', '1e9', 'Wed, 31 Dec 2025 00:00:00 GMT'])
      expect(readRetryAfter(none, nowMs)).toBe(0);
  });

  test('410 ends it at once, and the feed says so', async () => {
    const there = await receiver(() => 410);
    const { id } = await makeWebhook(api, there.url);
    await recordEvents(api, 30);
    await until(async () => (await api.call('GET', `/api/v1/webhooks/${id}`)).body.data.status).toBe('disabled');
    expect((await api.call('GET', `/api/v1/webhooks/${id}`)).body.data.status_reason).toBe('gone');
    const before = there.received.length;
    expect(before).toBeLessThan(30);
    await recordEvents(api, 1);
    const deliveries = await deliveriesOf(id);
    expect(deliveries).toHaveLength(30);
    expect(deliveries.every(({ status }: { status: string }) => status === 'failed')).toBe(true);
    const { body } = await api.call('GET', `/api/v1/workspaces/${api.workspaceId}/events?type=webhook.disabled`);
    expect(body.data.at(-1).data).toEqual({ webhook_id: id, status_reason: 'gone' });
    expect(there.received).toHaveLength(before);
  });

  test('a redirect is a failure, and nothing is asked of where it leads', async () => {
    const elsewhere = await receiver();
    const there = await receiver((_request, place, response) => {
      response.writeHead([301, 302, 303, 307, 308][place % 5] ?? 308, { location: elsewhere.url }).end();
      return 'own';
    });
    const { id } = await makeWebhook(api, there.url);
    await recordEvents(api, 1);
    await until(async () => (await deliveriesOf(id))[0].attempts.length).toBeGreaterThan(0);
    const [{ attempts }] = await deliveriesOf(id);
    expect(attempts[0]).toMatchObject({ status_code: 301, error: 'it answered 301, and redirects are not followed' });
    expect(elsewhere.received).toEqual([]);
  });
});

describe('H4: an endpoint that is slow, dead or endless delays nobody', () => {
  /** Answers, and never ends what it answers. */
  const endlessReceiver = () =>
    receiver((_request, _place, response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(16 * 1024);
      const more = (): void => void (response.destroyed || response.write(chunk, () => setImmediate(more)));
      more();
      return 'own';
    });

  test('all that comes is delivered while one endpoint has not answered, though its attempt has no end', async () => {
    await delivering.stop();
    delivering = await startDelivering(api, { pace: { ...quickly, timeoutMs: HOUR_MS } });
    const [quick, hanging, endless] = [await receiver(), await receiver(() => 'none'), await endlessReceiver()];
    await makeWebhook(api, quick.url);
    const ofHanging = await makeWebhook(api, hanging.url);
    const ofEndless = await makeWebhook(api, endless.url);
    await makeWebhook(api, 'http://127.0.0.1:9');
    await recordEvents(api, 1);
    await until(() => hanging.received.length).toBe(1);
    await until(() => quick.received.length).toBe(1);
    for (let round = 1; round <= 10; round += 1) {
      await recordEvents(api, 1);
      await until(() => quick.received.length).toBe(1 + round);
    }
    // It has said 200: what comes after 64 KiB is of no interest.
    expect(await firstAttempt(ofEndless.id)).toMatchObject({ status_code: 200 });
    // All the while the first attempt at the one that never answers went on.
    expect(hanging.received).toHaveLength(1);
    const waiting = await deliveriesOf(ofHanging.id);
    expect(waiting.flatMap(({ attempts }: { attempts: [] }) => attempts)).toEqual([]);
    await delivering.stop();
    delivering = await startDelivering(api, { pace: quickly });
  });

  test('why the attempt at one that never answers, and at one that refuses, has failed', async () => {
    const hanging = await receiver(() => 'none');
    const slow = await Promise.all([hanging.url, 'http://127.0.0.1:9'].map((url) => makeWebhook(api, url)));
    await recordEvents(api, 1);
    const [ofHanging, ofRefusing] = await Promise.all(slow.map(({ id }) => firstAttempt(id)));
    expect(ofHanging).toMatchObject({ error: 'there was no answer within 5 seconds' });
    expect(ofHanging).not.toHaveProperty('status_code');
    expect(ofRefusing).toMatchObject({ error: 'the connection was refused' });
  });

  async function firstAttempt(id: string) {
    await until(async () =>
      (await deliveriesOf(id)).some(({ attempts }: { attempts: [] }) => attempts.length > 0),
    ).toBe(true);
    return (await deliveriesOf(id)).find(({ attempts }: { attempts: [] }) => attempts.length > 0).attempts[0];
  }
});

describe('H5: a place for each event, and nothing is lost when a receiver was down', () => {
  test('of one resource the later event has the higher number, also when it arrives first', async () => {
    const there = await receiver((_request, place) => (place === 0 ? 503 : 200));
    await makeWebhook(api, there.url);
    const ids = await recordEvents(api, 2);
    await until(() => there.received.length).toBe(3);
    const arrived = there.received.slice(1).map(({ body }) => JSON.parse(body));
    expect(new Set(arrived.map(({ id }) => id))).toEqual(new Set(ids));
    expect(arrived.toSorted((one, other) => one.seq - other.seq).map(({ data }) => data.number)).toEqual([0, 1]);
  });

  test('what was told while it was away is brought back by replay, and stands in the list', async () => {
    const there = await receiver();
    const { id } = await makeWebhook(api, there.url);
    await api.call('PATCH', `/api/v1/webhooks/${id}`, { status: 'disabled' });
    const from = new Date().toISOString();
    await pause(2);
    const ids = await recordEvents(api, 5);
    await recordEvents(api, 1, { type: 'wallet.unfrozen' });
    await api.call('PATCH', `/api/v1/webhooks/${id}`, { status: 'active' });
    const to = new Date(Date.now() + 1_000).toISOString();
    const body = { from, to, types: ['wallet.frozen'] };
    const replayed = await api.call('POST', `/api/v1/webhooks/${id}/replay`, body, anotherSecond());
    expect(replayed).toMatchObject({ status: 202, body: { data: { deliveries: 5 } } });
    await until(() => there.received.length).toBe(5);
    expect(idsOf(there).toSorted()).toEqual(ids.toSorted());
    await until(async () => (await deliveriesOf(id)).map(({ status }: { status: string }) => status)).toEqual(
      ids.map(() => 'delivered'),
    );
    expect((await deliveriesOf(id)).every(({ replayed: again }: { replayed: boolean }) => again)).toBe(true);
    expect(await placeEvents(api)).toEqual([]);
  });
});
