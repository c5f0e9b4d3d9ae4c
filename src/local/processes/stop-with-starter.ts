// The end of `npm start`: by Ctrl-C, a signal, the end of npm itself, or a part that fails. Stops every part in order,
// once; a second Ctrl-C kills. Decides nothing about restarts.
import type { RunningParts } from './running-parts.ts';

/** One Ctrl-C arrives twice when npm passes on what the terminal sent already. */
const SAME_SIGNAL_WITHIN_MS = 1_000;
const WATCH_PARENT_EVERY_MS = 1_000;
const SIGNALS: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

export type Stopping = {
  /** Aborted as soon as everything is to stop. */
  signal: AbortSignal;
  /**
   * With a reason when something failed: it is printed and the process ends with code 1. Resolves when all is stopped.
   */
  stop: (failure?: string) => Promise<void>;
};

export function stopWithStarter(parts: RunningParts, report: (line: string) => void): Stopping {
  const controller = new AbortController();
  let stopping: Promise<void> | undefined;
  const stop = (failure?: string): Promise<void> => {
    if (stopping === undefined) {
      if (failure !== undefined) console.error(failure);
      process.exitCode = failure === undefined ? 0 : 1;
      controller.abort();
      if (!parts.isEmpty) report('stopping');
      stopping = parts.stop().then(() => {
        if (!parts.isEmpty) report('stopped');
        process.exit();
      });
    }
    return stopping;
  };

  let firstSignalMs = 0;
  const onSignal = () => {
    if (firstSignalMs === 0) {
      firstSignalMs = Date.now();
      void stop();
    } else if (Date.now() - firstSignalMs > SAME_SIGNAL_WITHIN_MS) {
      void parts.kill().then(() => process.exit(130));
    }
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  stopWithParent(() => void stop('npm, which started this, is gone: stopping.'));
  return { signal: controller.signal, stop };
}

/** Under npm nobody could reach this process any more once npm was killed. */
function stopWithParent(onGone: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    onGone();
  }, WATCH_PARENT_EVERY_MS);
  watch.unref();
}
