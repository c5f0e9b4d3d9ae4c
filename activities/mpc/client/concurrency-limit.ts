// Runs tasks, at most so many at once, the rest as they came. Holds no task's result.
import { ClusterError } from '../port.ts';

export type RunLimited = <T>(task: () => Promise<T>) => Promise<T>;

/** Rejects with `cluster_busy` when `maxWaiting` tasks wait already. */
export function limitConcurrency(maxRunning: number, maxWaiting: number): RunLimited {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (task) => {
    if (running >= maxRunning) {
      if (waiting.length >= maxWaiting)
        throw new ClusterError('cluster_busy', 'too many keys are being generated at once');
      // Whoever ends passes its place on, so `running` does not change here.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
