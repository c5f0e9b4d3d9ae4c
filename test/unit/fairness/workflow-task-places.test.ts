// Goal: a worker that cannot finish its workflow tasks in time takes fewer of them, down to a few, and takes more again
// when they are quick; a signature that waits for its nodes counts as quick.
import { expect, test } from 'vitest';
import { WorkflowTaskPlaces } from '../../../src/worker/workflow-task-places.ts';

const QUICK_MS = 20;
const SLOW_MS = 9_000;
const context = {} as Parameters<WorkflowTaskPlaces['reserveSlot']>[0];

function setUp() {
  let nowMs = 0;
  const places = new WorkflowTaskPlaces(() => nowMs);
  const reserve = (signal = new AbortController().signal) => places.reserveSlot(context, signal);
  const run = async (workflowType: string, forMs: number) => {
    const permit = await reserve();
    const slotInfo = { type: 'workflow' as const, workflowType, isSticky: false };
    places.markSlotUsed({ slotInfo, permit });
    nowMs += forMs;
    places.releaseSlot({ slotInfo, permit });
  };
  return { places, reserve, run };
}

test('two hundred, and who asks for more waits until one is given back', async () => {
  const { places, reserve } = setUp();
  const permits = await Promise.all(Array.from({ length: 200 }, () => reserve()));
  expect(places.tryReserveSlot()).toBeNull();
  let given = false;
  const waiting = reserve().then(() => (given = true));
  await Promise.resolve();
  expect(given).toBe(false);
  places.releaseSlot({ permit: permits[0] as object });
  await waiting;
});

test('halved while tasks take long, never below a few, and more again when they are quick', async () => {
  const { places, run } = setUp();
  await run('withdraw', SLOW_MS);
  expect(places.places).toBe(100);
  for (let task = 0; task < 20; task += 1) await run('withdraw', SLOW_MS);
  expect(places.places).toBe(16);
  for (let task = 0; task < 2_000; task += 1) await run('withdraw', QUICK_MS);
  expect(places.places).toBe(200);
});

test('many that took long together count once', async () => {
  const { places, reserve, run } = setUp();
  const slotInfo = { type: 'workflow' as const, workflowType: 'withdraw', isSticky: false };
  const permits = await Promise.all(Array.from({ length: 50 }, () => reserve()));
  for (const permit of permits) places.markSlotUsed({ slotInfo, permit });
  await run('sign', SLOW_MS);
  const { places: before } = places;
  for (const permit of permits) places.releaseSlot({ slotInfo, permit });
  expect([before, places.places]).toEqual([100, 100]);
});

test('a signature whose nodes hang does not count', async () => {
  const { places, run } = setUp();
  for (let task = 0; task < 20; task += 1) await run('signGroup', 6_000);
  expect(places.places).toBe(200);
});

test('who is no longer waited for gets no place', async () => {
  const { places, reserve } = setUp();
  const permits = await Promise.all(Array.from({ length: 200 }, () => reserve()));
  const asked = new AbortController();
  const waiting = reserve(asked.signal);
  asked.abort();
  await expect(waiting).rejects.toThrow(/abort/i);
  places.releaseSlot({ permit: permits[0] as object });
  expect(places.tryReserveSlot()).not.toBeNull();
});
