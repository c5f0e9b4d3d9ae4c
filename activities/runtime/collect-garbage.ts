// V8's collector, at moments of ours. Buffers that were read lie outside V8's heap, and V8 hears late that they are
// garbage: tens of megabytes wait for it.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// The flag reaches contexts that are made from now on, and no other code of this process.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options: { type: 'minor' | 'major' }) => void;
setFlagsFromString('--no-expose-gc');

/**
 * Collects each time that as many bytes have become garbage. `minor`: what was made lately, in a few milliseconds
 * however large the heap is. `major`: all, for a thread with a small heap of its own.
 */
export function collectAfter(bytesMax: number, type: 'minor' | 'major'): (bytes: number) => void {
  let garbageBytes = 0;
  return (bytes) => {
    garbageBytes += bytes;
    if (garbageBytes < bytesMax) return;
    garbageBytes = 0;
    collect({ type });
  };
}
