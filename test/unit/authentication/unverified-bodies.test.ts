// Goal: what was read of bodies and let go does not pile up. Method: a buffer that nobody refers to any more is looked
// for after a collection; when there is one is counted by a double.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { BodiesUnderWay } from '../../../src/authentication/unverified-bodies.ts';

const MIB = 1024 * 1024;

test('what nobody refers to is collected once 32 MiB were read', async () => {
  const letGo = new WeakRef(Buffer.allocUnsafeSlow(MIB));
  // A weak reference keeps its target until the end of the turn in which it was made.
  await sleep(1);
  new BodiesUnderWay(0).countAllocated(32 * MIB);
  expect(letGo.deref()).toBeUndefined();
});

test('there is a collection for each 32 MiB, and none before', () => {
  const collect = vi.fn();
  const bodies = new BodiesUnderWay(0, collect);
  bodies.countAllocated(31 * MIB);
  expect(collect).toHaveBeenCalledTimes(0);
  bodies.countAllocated(MIB);
  expect(collect).toHaveBeenCalledTimes(1);
  bodies.countAllocated(31 * MIB);
  expect(collect).toHaveBeenCalledTimes(1);
  bodies.countAllocated(2 * MIB);
  expect(collect).toHaveBeenCalledTimes(2);
});
