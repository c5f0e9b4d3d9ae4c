// Runs something again and again beside a process's other work. A round that fails is logged, and the next one comes.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../domain/logger.ts';

export interface Repeated {
  /** What the log calls it. */
  name: string;
  /** The pause after each round, or what says how long it is now. */
  everyMs: number | (() => number);
  log: Pick<Logger, 'warn'>;
}

/**
 * Runs until a round answers `done`, or until the returned function is called, which waits for the round under way.
 * `round` counts from 0.
 */
export function repeat(
  { name, everyMs, log }: Repeated,
  act: (round: number) => Promise<unknown>,
): () => Promise<void> {
  const stop = new AbortController();
  const run = async () => {
    for (let round = 0; !stop.signal.aborted; round += 1) {
      const outcome = await act(round).catch((error: unknown) =>
        log.warn({ err: error }, `${name} failed, trying again`),
      );
      if (outcome === 'done') return;
      await sleep(typeof everyMs === 'number' ? everyMs : everyMs(), undefined, { signal: stop.signal }).catch(
        () => {},
      );
    }
  };
  const running = run();
  return () => {
    stop.abort();
    return running;
  };
}
