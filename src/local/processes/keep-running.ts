// Starts one part again whenever it ends, with growing pauses, until it is told to stop or the part ends too often.
// Stops nothing itself: who stops the stack aborts the signal first and then stops the part.
import type { Part } from './part.ts';
import { type RestartLimits, RestartPolicy } from './restart-policy.ts';
import type { Reporting } from './run-build.ts';

export type Supervision = Reporting & {
  /** Called with a sentence when a part ended too often: nothing works without it, so everything is to stop. */
  onExhausted: (failure: string) => void;
  /** For who ends parts on purpose. */
  limits?: RestartLimits;
};

export type Restart = {
  /** Stands at the beginning of a sentence. */
  name: string;
  /** Resolves when the part serves again. A rejection counts as an end, and has stopped what it started. */
  start: () => Promise<Part>;
  /** What a part that is killed does not bring back, if there is anything: a sentence, told with each restart. */
  lost?: string;
};

/** Never rejects: a start that fails is reported and tried again. */
export async function keepRunning(running: Part, restart: Restart, supervision: Supervision): Promise<void> {
  const { name, start, lost } = restart;
  const { report, signal, onExhausted, limits } = supervision;
  const policy = new RestartPolicy(limits);
  const endOf = async (part: Part) => `${name} ended (${await part.exited}; log: ${part.logFile})`;
  let ended = await endOf(running);
  while (!signal.aborted) {
    const pauseMs = policy.pauseAfterEnd(Date.now());
    if (pauseMs === undefined) {
      onExhausted(`${ended}. It has ended too often within a minute, so everything stops.`);
      return;
    }
    report(`${ended}; it starts again in ${pauseMs / 1000} s`);
    await pause(pauseMs, signal);
    if (signal.aborted) return;
    ended = await start().then(
      async (part) => {
        report([`${name} runs again`, lost].filter((text) => text !== undefined).join('. '));
        return endOf(part);
      },
      (error: Error) => error.message,
    );
  }
}

/** Also over as soon as the signal comes. */
function pause(forMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, forMs);
    signal.addEventListener('abort', end, { once: true });
  });
}
