// Goal: a receiver that was away for twenty seconds has its event within thirty seconds of coming back. Method: the
// product's activities and workflows at the pace of production, on real PostgreSQL and Temporal.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { makeWebhook, placeEvents, recordEvents, startDelivering, startReceiver } from '../../support/api/webhooks.ts';

const AWAY_MS = 20_000;
const ARRIVES_WITHIN_MS = 30_000;

let api: TestApi;
let delivering: Awaited<ReturnType<typeof startDelivering>>;
beforeAll(async () => {
  api = await startApi({ webhooks: { allowPrivate: true } });
  delivering = await startDelivering(api);
  await placeEvents(api); // of the making of the workspace
});
afterAll(async () => {
  await delivering.stop();
  await api.stop();
});

test('what it missed arrives within thirty seconds of its return', { timeout: 180_000 }, async () => {
  const before = await startReceiver();
  await makeWebhook(api, before.url);
  await before.stop();
  const [id] = await recordEvents(api, 1);
  await pause(AWAY_MS);
  const back = await startReceiver(() => 200, Number(new URL(before.url).port));
  try {
    const arrived = () => back.received.map(({ headers }) => headers['webhook-id']);
    await expect.poll(arrived, { timeout: ARRIVES_WITHIN_MS, interval: 100 }).toEqual([id]);
  } finally {
    await back.stop();
  }
});
