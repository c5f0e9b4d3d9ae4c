// What server and worker share as processes: one sentence when the environment is wrong, a graceful end on signals and
// when the starter is gone.
import closeWithGrace from 'close-with-grace';
import { describeDatabaseTlsFailure } from '../../drizzle/database/database-url.ts';
import { ConfigError } from './config.ts';

const CLOSE_WITHIN_MS = 10_000;

/**
 * Runs `start`, which returns how to stop. Started over IPC (by `npm start`), the process also ends when that channel
 * closes.
 */
export function runProcess(start: () => Promise<() => Promise<void>>): void {
  let end = (): void => process.exit(1);
  process.once('disconnect', () => end());
  start().then(
    (stop) => {
      const { close } = closeWithGrace({ delay: CLOSE_WITHIN_MS }, async ({ err }) => {
        if (err !== undefined) console.error(err);
        await stop();
      });
      end = close;
    },
    (error: unknown) => {
      console.error(error instanceof ConfigError ? error.message : (describeDatabaseTlsFailure(error) ?? error));
      process.exit(1);
    },
  );
}
