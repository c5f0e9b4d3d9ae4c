// What in openapi.json would break a caller of the last release (openapi-released.json), as oasdiff finds it. What is
// meant stands in openapi-breaks.txt. Needs Go: oasdiff is compiled into build/ once. Without it only CI fails.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const VERSION = '1.36.0';
const root = resolve(import.meta.dirname, '..');
const TOOLS = join(root, `build/oasdiff-${VERSION}`);
const oasdiff = join(TOOLS, 'oasdiff');

/**
 * The breaks in words, and whether there are any. Throws where oasdiff itself fails.
 * @param {{ released?: string, current?: string, meant?: string }} [paths]
 * @returns {{ isBroken: boolean, report: string }}
 */
export function findBreaks({
  released = join(root, 'openapi-released.json'),
  current = join(root, 'openapi.json'),
  meant = join(root, 'openapi-breaks.txt'),
} = {}) {
  install();
  const args = ['breaking', '--fail-on', 'ERR', '--format', 'singleline', '--err-ignore', meant, released, current];
  // It reports to nobody.
  const env = { ...process.env, OASDIFF_NO_TELEMETRY: '1' };
  const { status, stdout, stderr, error } = spawnSync(oasdiff, args, { encoding: 'utf8', env });
  if (error !== undefined) throw error;
  if (status !== 0 && status !== 1) throw new Error(`oasdiff ended with ${status}: ${stderr}`);
  return { isBroken: status === 1, report: stdout };
}

export function hasGo() {
  return spawnSync('go', ['version'], { stdio: 'ignore' }).status === 0;
}

function install() {
  if (existsSync(oasdiff)) return;
  const env = { ...process.env, GOBIN: TOOLS, GOFLAGS: '-mod=mod' };
  execFileSync('go', ['install', `github.com/oasdiff/oasdiff@v${VERSION}`], { cwd: root, env, stdio: 'pipe' });
}

if (process.argv[1] === import.meta.filename) check();

function check() {
  if (!hasGo() && process.env.CI === undefined) {
    console.log('There is no go on the PATH: nobody looked for breaking changes.');
    return;
  }
  const { isBroken, report } = findBreaks();
  if (!isBroken) return;
  console.log(report);
  console.log('This breaks callers of the last release. Take it back, or see "Releasing" in CONTRIBUTING.md.');
  process.exitCode = 1;
}
