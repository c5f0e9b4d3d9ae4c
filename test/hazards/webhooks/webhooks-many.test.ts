// Goal: no event is lost and none changes its id, whatever an endpoint does: thousands of events to one that fails
// every third request, and events that come in the very moment in which its workflow ends; what may come twice after a
// crash is bounded. Method: the API, the
// sequencer's step and the product's workers on a real database and Temporal; the retries follow at once.
import { setTimeout as pause } from 'node:timers/promises';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UNWRITTEN_MAX } from '../../../activities/webhooks/attempt-log.ts';
import { AT_ONCE_MAX } from '../../../activities/webhooks/delivery-round.ts';
import { workflowIdOf } from '../../../domain/workflow-ids.ts';
import { webhookDeliveries } from '../../../drizzle/webhooks/webhooks.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import {
  makeWebhook,
  placeEvents,
  quickly,
  type Receiver,
  recordEvents,
  startDelivering,
  startReceiver,
} from '../../support/api/webhooks.ts';
import { byDepth } from '../../support/suite.ts';

const EVENTS = byDepth({ essential: 2_000, full: 10_000 });

let api: TestApi;
let delivering: Awaited<ReturnType<typeof startDelivering>>;
let there: Receiver;

beforeAll(async () => {
  api = await startApi({ webhooks: { allowPrivate: true } });
  await placeEvents(api);
  const atOnce = { delaysMs: [50, 0, 0, 0, 0, 0, 0, 0, 0], jitter: 0 };
  delivering = await startDelivering(api, { pace: { ...quickly, schedule: atOnce } });
});
afterAll(async () => {
  await delivering.stop();
  await api.stop();
});

const idOf = ({ headers }: Receiver['received'][number]) => headers['webhook-id'] ?? '';

test('10,000 events to a receiver that fails every third time arrive all, each with the same webhook-id and the same bytes', {
  timeout: 180_000,
}, async () => {
  const taken = new Set<string>();
  there = await startReceiver((request, place) => {
    if (place % 3 === 2) return 500;
    taken.add(idOf(request));
    return 200;
  });
  const { id: webhookId } = await makeWebhook(api, there.url, ['wallet.frozen']);
  const startedMs = Date.now();
  const ids = await recordEvents(api, EVENTS);
  await expect.poll(() => taken.size, { timeout: 150_000, interval: 50 }).toBe(EVENTS);
  console.log(
    `${EVENTS} events, ${there.received.length} requests in ${((Date.now() - startedMs) / 1000).toFixed(1)} s`,
  );

  expect([...taken].toSorted()).toEqual(ids.toSorted());
  const bodies = new Map<string, Set<string>>();
  for (const request of there.received)
    bodies.set(idOf(request), (bodies.get(idOf(request)) ?? new Set()).add(request.body));
  expect([...bodies.values()].filter(({ size }) => size !== 1)).toEqual([]);
  expect(there.received.length).toBeGreaterThan((EVENTS * 4) / 3);

  const pending = () =>
    api.db.$count(
      webhookDeliveries,
      sql`${webhookDeliveries.webhookId} = ${webhookId} and ${webhookDeliveries.status} <> 'delivered'`,
    );
  await expect.poll(pending, { timeout: 60_000 }).toBe(0);
  const firsts = await api.db.execute<{ started: string }>(sql`
    select extract(epoch from started_at) as started from webhook_attempts join webhook_deliveries on id = delivery_id
    where webhook_id = ${webhookId} and attempt = 1 order by event_seq`);
  const starts = firsts.map(({ started }) => Number(started));
  expect(starts).toHaveLength(EVENTS);
  expect(starts).toEqual(starts.toSorted((one, other) => one - other));

  await expect.poll(async () => (await describe(webhookId)).status.name, { timeout: 60_000 }).toBe('COMPLETED');
  // A burst is no activity for each event.
  expect((await describe(webhookId)).historyLength).toBeLessThan(200);
  await there.stop();
});

const describe = (id: string) => delivering.client.workflow.getHandle(workflowIdOf('deliverWebhooks', id)).describe();

test('events that come while the workflow ends are sent by it, or by the next one', { timeout: 120_000 }, async () => {
  there = await startReceiver();
  const { id: webhookId } = await makeWebhook(api, there.url, ['wallet.unfrozen']);
  const runs = new Set<string>();
  const recorded: string[] = [];
  for (let round = 0; round < 40; round += 1) {
    // From the last arrival on: before, within and after the end of the run.
    await new Promise((resolve) => setTimeout(resolve, (round % 10) * 4));
    recorded.push(...(await recordEvents(api, 1, { type: 'wallet.unfrozen' })));
    await expect.poll(() => there.received.length, { timeout: 60_000, interval: 5 }).toBe(round + 1);
    runs.add((await describe(webhookId)).runId);
  }
  expect(there.received.map(idOf)).toEqual(recorded);
  expect(runs.size).toBeGreaterThan(1);
  const rows = await api.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.webhookId, webhookId));
  await expect.poll(() => rows.length).toBe(40);
  await there.stop();
});

test('while no attempt can be written, no more is sent than may come twice; then the rest, once', async () => {
  const sent = 3 * UNWRITTEN_MAX;
  there = await startReceiver();
  await makeWebhook(api, there.url, ['wallet.frozen']);
  let release: (() => void) | undefined;
  const holding = api.db.transaction(async (tx) => {
    await tx.execute(sql`lock table webhook_attempts in share mode`);
    await new Promise<void>((resolve) => {
      release = resolve;
    });
  });
  await expect.poll(() => release).toBeDefined();
  const ids = await recordEvents(api, sent);
  await expect.poll(() => there.received.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(UNWRITTEN_MAX);
  await pause(1_000);
  expect(there.received.length).toBeLessThan(UNWRITTEN_MAX + AT_ONCE_MAX);
  release?.();
  await holding;
  await expect.poll(() => there.received.length, { timeout: 30_000 }).toBe(sent);
  expect(there.received.map(idOf).toSorted()).toEqual(ids.toSorted());
  await there.stop();
});
