// Finds the `btcd` program: on the PATH, else the one built here before, else builds it with Go. Starts no node.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { MissingProgram } from '../processes/missing-program.ts';
import { findOnPath, isExecutable } from '../processes/programs.ts';
import { type Reporting, runBuild } from '../processes/run-build.ts';

const SOURCE = 'github.com/btcsuite/btcd@v0.26.2';

/**
 * `directory` is the project's .local; a build waits for `otherBuild`, which leaves most of what it compiles in Go's
 * cache.
 */
export async function findBtcd(
  directory: string,
  reporting: Reporting,
  otherBuild: Promise<unknown> = Promise.resolve(),
): Promise<string> {
  const bin = join(directory, 'bin');
  const built = join(bin, 'btcd');
  const found = findOnPath('btcd') ?? (isExecutable(built) ? built : undefined);
  if (found !== undefined) return found;
  const go = findOnPath('go');
  if (go === undefined)
    throw new MissingProgram(
      'the program `btcd` is missing, and so is Go to build it with: install Go (https://go.dev/dl), put `btcd` on the PATH, or name a node in RPC_URLS',
    );
  await otherBuild;
  mkdirSync(bin, { recursive: true });
  await runBuild({
    name: 'the Bitcoin node with Go',
    command: go,
    args: ['install', SOURCE],
    environment: { GOBIN: bin },
    logFile: join(directory, 'logs', 'build-btcd.log'),
    reporting,
  });
  return built;
}
