// What server and worker share as processes: one sentence when the environment is wrong, a graceful end on signals and
// when the starter is gone.
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import closeWithGrace from 'close-with-grace';
import { describeDatabaseTlsFailure } from '../../drizzle/database/database-url.ts';
import { ConfigError } from './config.ts';

const CLOSE_WITHIN_MS = 10_000;

/**
 * V8 looks for garbage once a heap has grown by so much of what lived in it, and in its threads, too. Left to itself it
 * waits until there is up to four times as much, which was 250 MiB of garbage in a worker with a crowd. No limit: what
 * lives may grow as before.
 */
const HEAP_GROWS_BY_PERCENT = 40;
setFlagsFromString(`--heap-growing-percent=${HEAP_GROWS_BY_PERCENT}`);

/** As process 1 of a container, a process is ended only by what it handles: so it does from its first moment on. */
const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

export interface RunningProcess {
  stop: () => Promise<void>;
  /** What comes before `stop` when somebody asked for the end by a signal: `begin`, then so long. */
  drain?: { begin: () => void; forMs: number };
}

/**
 * Runs `start`, which returns how to stop. Started over IPC (by `npm start`), the process also ends when that channel
 * closes. A second signal ends it at once, and so does the first one while it starts.
 */
export function runProcess(start: () => Promise<RunningProcess>): void {
  let end = (): void => process.exit(1);
  process.once('disconnect', () => end());
  for (const signal of SIGNALS) process.on(signal, endAtOnce);
  start().then(
    ({ stop, drain }) => {
      const { close } = closeWithGrace({ delay: (drain?.forMs ?? 0) + CLOSE_WITHIN_MS }, async ({ err, signal }) => {
        if (err !== undefined) console.error(err);
        if (signal !== undefined && drain !== undefined) {
          drain.begin();
          await sleep(drain.forMs);
        }
        await stop();
      });
      // Not before: where nobody listens any more, Node.js drops a signal that has come and was not told yet.
      for (const signal of SIGNALS) process.off(signal, endAtOnce);
      end = close;
    },
    (error: unknown) => {
      console.error(error instanceof ConfigError ? error.message : (describeDatabaseTlsFailure(error) ?? error));
      process.exit(1);
    },
  );
}

const endAtOnce = () => process.exit(0);
