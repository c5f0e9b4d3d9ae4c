// Runs something again and again beside a process's other work. A round that fails is logged, and the next one comes.
interface Logger {
  warn(details: object, message: string): void;
}

export interface Repeated {
  /** What the log calls it. */
  name: string;
  /** The pause after each round. */
  everyMs: number;
  log: Logger;
}

/** Runs until the returned function is called, which waits for the round under way. `round` counts from 0. */
export function repeat(
  { name, everyMs, log }: Repeated,
  act: (round: number) => Promise<unknown>,
): () => Promise<void> {
  let stopped = false;
  let wake: () => void = () => {};
  const run = async () => {
    for (let round = 0; !stopped; round += 1) {
      await act(round).catch((error: unknown) => log.warn({ err: error }, `${name} failed, trying again`));
      if (stopped) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, everyMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  };
  const running = run();
  return () => {
    stopped = true;
    wake();
    return running;
  };
}
