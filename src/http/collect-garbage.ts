// V8's collector, at a moment of ours. What was read from connections lies outside V8's heap, and V8 hears of it late:
// on Node.js 24 half a GiB that was read within a second leaves 250 MiB of garbage.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// The flag reaches contexts that are made from now on, and no other code of this process.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
setFlagsFromString('--no-expose-gc');

/** Takes some 15 ms with a heap of 100 MiB, in which nothing else runs. */
export function collectGarbage(): void {
  // Another thread would free the buffers, and on a busy machine has no time to.
  setFlagsFromString('--no-concurrent-array-buffer-sweeping');
  collect();
  setFlagsFromString('--concurrent-array-buffer-sweeping');
}
