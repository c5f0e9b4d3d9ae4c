// Finds the `temporal` program: on the PATH, else the one built here before, else builds it with Go. Starts no server.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findOnPath, isExecutable } from '../processes/programs.ts';
import { type Reporting, runBuild } from '../processes/run-build.ts';

/** The last release that `go install` builds: later ones carry a replace directive. */
const SOURCE = 'github.com/temporalio/cli/cmd/temporal@v1.5.1';

/** `directory` is the project's .local, where the program is kept. */
export async function findTemporal(directory: string, reporting: Reporting): Promise<string> {
  const bin = join(directory, 'bin');
  const built = join(bin, 'temporal');
  const found = findOnPath('temporal') ?? (isExecutable(built) ? built : undefined);
  if (found !== undefined) return found;
  const go = findOnPath('go');
  if (go === undefined)
    throw new Error(
      'The program `temporal` is missing, and so is Go to build it with: install Go (https://go.dev/dl), put `temporal` on the PATH, or set TEMPORAL_ADDRESS.',
    );
  mkdirSync(bin, { recursive: true });
  await runBuild({
    name: 'the Temporal development server with Go',
    command: go,
    args: ['install', SOURCE],
    environment: { GOBIN: bin },
    logFile: join(directory, 'logs', 'build-temporal.log'),
    reporting,
  });
  return built;
}
