// Finds `promtool`: on the PATH, else the one built here before, else builds it with Go. Its go.mod carries a replace
// directive, so that `go install` refuses it: a module of our own that requires it is built instead.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findOnPath, isExecutable } from '../../../src/local/processes/programs.ts';
import { runBuild } from '../../../src/local/processes/run-build.ts';

const PROMETHEUS = 'github.com/prometheus/prometheus';
const VERSION = 'v0.313.2';

/** `directory` is the project's .local, where the program is kept. */
export async function findPromtool(directory: string): Promise<string> {
  const bin = join(directory, 'bin');
  const built = join(bin, 'promtool');
  const found = findOnPath('promtool') ?? (isExecutable(built) ? built : undefined);
  if (found !== undefined) return found;
  const go = findOnPath('go');
  if (go === undefined) throw new Error('Put `promtool` on the PATH, or install Go to build it with.');
  const module = mkdtempSync(join(tmpdir(), 'countersign-promtool-'));
  try {
    writeFileSync(join(module, 'go.mod'), `module promtool\n\ngo 1.25\n\nrequire ${PROMETHEUS} ${VERSION}\n`);
    mkdirSync(bin, { recursive: true });
    await runBuild({
      name: 'promtool with Go',
      command: go,
      // Without service discovery, which is most of its code: what is checked here has none.
      args: ['build', '-mod=mod', '-tags', 'remove_all_sd', '-o', built, `${PROMETHEUS}/cmd/promtool`],
      directory: module,
      logFile: join(directory, 'logs', 'build-promtool.log'),
      reporting: { report: () => undefined, signal: new AbortController().signal },
    });
  } finally {
    rmSync(module, { recursive: true });
  }
  return built;
}
