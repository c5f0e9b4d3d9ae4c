// Ends a server when the process that started it is gone, however it went: no hook of a test run is called when it is
// killed.
import { spawn } from 'node:child_process';
import type { Part } from '../../../src/local/processes/part.ts';

/**
 * The pipe that a guardian in a session of its own reads from closes with this process. It leaves when the server has
 * ended before.
 */
const GUARDIAN =
  'read -r ended; [ "$ended" = yes ] && exit; kill -s QUIT "$1"; sleep 3; kill -s KILL "$1"; rm -rf "$2"';

/** `directory` is removed with it. */
export function stopWhenKilled(part: Part, directory: string): void {
  const guardian = spawn('/bin/sh', ['-c', GUARDIAN, 'guardian', String(part.pid), directory], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guardian.stdin.on('error', () => {});
  guardian.unref();
  void part.exited.then(() => guardian.stdin.end('yes\n'));
}
