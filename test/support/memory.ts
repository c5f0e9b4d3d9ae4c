// The memory that this process holds on to. What it has let go stays in the figures of Node until the collector comes
// by, and when it does depends on all the other tests of the process and on how busy the machine is.
import { collectGarbage } from '../../src/http/collect-garbage.ts';

/** Bytes of the heap and of buffers that something still refers to. */
export function heldBytes(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
