// Restarts one part when it ends, with growing pauses, until it is told to stop. Stops nothing itself: who stops the stack
// aborts the signal first and then stops the part.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Part } from './part.ts';
import type { Reporting } from './run-build.ts';

const PAUSE_FIRST_MS = 200;
const PAUSE_LONGEST_MS = 10_000;
/** A part that ran this long had started well: its next end counts as a first one. */
const STABLE_AFTER_MS = 30_000;

/** Never rejects: a restart that fails is reported and tried again. */
export async function keepRunning(
  name: string,
  running: Part,
  { report, signal }: Reporting,
  startAgain: () => Promise<Part>,
): Promise<void> {
  let how = await running.exited;
  let startedMs = 0;
  let pauseMs = PAUSE_FIRST_MS;
  while (!signal.aborted) {
    if (Date.now() - startedMs > STABLE_AFTER_MS) pauseMs = PAUSE_FIRST_MS;
    report(`${name} ended (${how}); it starts again in ${pauseMs / 1000} s (log: ${running.logFile})`);
    await sleep(pauseMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    pauseMs = Math.min(pauseMs * 2, PAUSE_LONGEST_MS);
    startedMs = Date.now();
    how = await startAgain().then(
      (part) => part.exited,
      (error: Error) => error.message,
    );
  }
}
