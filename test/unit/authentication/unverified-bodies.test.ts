// Goal: what was read of bodies and let go does not pile up. Method: a buffer that nobody refers to any more is looked
// for after so many bytes were read that it has to be collected, and before.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { BodiesUnderWay } from '../../../src/authentication/unverified-bodies.ts';

const MIB = 1024 * 1024;

test('garbage is collected once 32 MiB were read, kept or thrown away', async () => {
  const bodies = new BodiesUnderWay(0);
  const letGo = new WeakRef(Buffer.allocUnsafeSlow(MIB));
  // A weak reference keeps its target until the end of the turn in which it was made.
  await sleep(1);
  bodies.countAllocated(31 * MIB);
  expect(letGo.deref()).toBeDefined();
  await sleep(1);
  bodies.countAllocated(MIB);
  expect(letGo.deref()).toBeUndefined();
});
