// Goal: what a receiver missed while it was away for a moment arrives soon after it has come back, not minutes later,
// and the ten attempts of the schedule stay ten. Method: the product's activities and workflows on real PostgreSQL and
// Temporal, and receivers on this machine; the third attempt is a minute away, and probes come every fifth of a second.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startApi, type TestApi } from '../../support/api/api.ts';
import {
  makeWebhook,
  pathsOf,
  placeEvents,
  type Receiver,
  recordEvents,
  startDelivering,
  startReceiver,
} from '../../support/api/webhooks.ts';

const PROBE_EVERY_MS = 200;
const MINUTE_MS = 60_000;
const pace = {
  schedule: { delaysMs: [50, MINUTE_MS, 2 * MINUTE_MS], jitter: 0 },
  probeEveryMs: PROBE_EVERY_MS,
  restMaxMs: 100,
};

interface Delivery {
  status: string;
  next_attempt_at?: string;
  attempts: { attempt: number; status_code?: number }[];
}

let api: TestApi;
let delivering: Awaited<ReturnType<typeof startDelivering>>;
const receivers: Receiver[] = [];

beforeAll(async () => {
  api = await startApi({ webhooks: { allowPrivate: true } });
  delivering = await startDelivering(api, { pace });
  await placeEvents(api); // of the making of the workspace
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

const until = (look: () => unknown, timeout = 20_000) => expect.poll(look, { timeout, interval: 25 });
const deliveriesOf = async (id: string): Promise<Delivery[]> =>
  (await api.call('GET', `/api/v1/webhooks/${id}/deliveries?limit=200`)).body.data;
const attemptsOf = async (id: string) => (await deliveriesOf(id)).map(({ attempts }) => attempts.length);
const idsOf = ({ received }: Receiver) => received.map(({ headers }) => headers['webhook-id'] ?? '');

async function receiver(answer?: Parameters<typeof startReceiver>[0], port?: number): Promise<Receiver> {
  const started = await startReceiver(answer, port);
  receivers.push(started);
  return started;
}

test('a receiver that nothing reached for a moment gets its events once it is back, by their third attempts', async () => {
  const before = await startReceiver();
  const { id } = await makeWebhook(api, before.url);
  await before.stop();
  const ids = await recordEvents(api, 30);
  await until(() => attemptsOf(id)).toEqual(ids.map(() => 2));

  const back = await receiver(() => 200, Number(new URL(before.url).port));
  await until(() => back.received.length, 10_000).toBe(30);
  expect(idsOf(back).toSorted()).toEqual(ids.toSorted());
  await until(() => attemptsOf(id)).toEqual(ids.map(() => 3));
  for (const { status, attempts } of await deliveriesOf(id)) {
    expect(status).toBe('delivered');
    expect(attempts.at(-1)).toMatchObject({ attempt: 3, status_code: 200 });
  }
});

test('while it is away it is probed with one event at a time, each in its turn, which counts as no attempt', async () => {
  const there = await receiver(() => 503);
  const { id } = await makeWebhook(api, there.url);
  const ids = await recordEvents(api, 3);
  await until(() => attemptsOf(id)).toEqual([2, 2, 2]);
  const due = (await deliveriesOf(id)).map(({ next_attempt_at }) => next_attempt_at);
  const before = there.received.length;
  await until(() => there.received.length).toBeGreaterThanOrEqual(before + 6);
  const probes = there.received.slice(before, before + 6);
  const gapsMs = probes.slice(1).map(({ atMs }, place) => atMs - (probes[place]?.atMs ?? 0));
  for (const gapMs of gapsMs) expect(gapMs).toBeGreaterThan(PROBE_EVERY_MS - 20);
  const inTurn = probes.map(({ headers }) => headers['webhook-id']);
  expect(new Set(inTurn.slice(0, 3))).toEqual(new Set(ids));
  expect(inTurn.slice(3)).toEqual(inTurn.slice(0, 3));
  expect(await attemptsOf(id)).toEqual([2, 2, 2]);
  expect((await deliveriesOf(id)).map(({ next_attempt_at }) => next_attempt_at)).toEqual(due);
});

test('an event that is never taken holds up no other, and is not tried more often for their sake', async () => {
  const there = await receiver(({ body }) => (JSON.parse(body).data.number === 0 ? 500 : 200));
  const { id } = await makeWebhook(api, there.url);
  const [first] = await recordEvents(api, 1);
  await until(async () => (await attemptsOf(id))[0]).toBe(2);
  const startedMs = Date.now();
  for (let number = 1; number <= 20; number += 1) {
    const [taken] = await recordEvents(api, 1, { from: number });
    await until(() => idsOf(there)).toContain(taken);
    await pause(20);
  }
  const tries = idsOf(there).filter((each) => each === first).length;
  expect(tries).toBeLessThanOrEqual(2 + Math.ceil((Date.now() - startedMs) / PROBE_EVERY_MS) + 1);
  const waiting = (await deliveriesOf(id)).filter(({ status }) => status === 'pending');
  expect(waiting.map(({ attempts }) => attempts.length)).toEqual([2]);
});

test('a receiver that asks for time is not probed meanwhile', async () => {
  const there = await receiver((_request, place, response) => {
    if (place === 0) return 503;
    response.writeHead(503, { 'retry-after': '3' }).end();
    return 'own';
  });
  await makeWebhook(api, there.url);
  await recordEvents(api, 1);
  await until(() => there.received.length).toBe(3);
  const [, second, third] = there.received;
  expect((third?.atMs ?? 0) - (second?.atMs ?? 0)).toBeGreaterThanOrEqual(2_900);
});
