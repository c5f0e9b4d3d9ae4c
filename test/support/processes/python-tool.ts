// Installs a program of the Python package index once, into build/. Needs python3 and, the first time, the index.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const build = resolve(import.meta.dirname, '../../../build');

/** `requirements`: a file that pins all it needs by hash. Answers where the program is, or why there is none. */
export async function installPythonTool(
  name: string,
  requirements: string,
): Promise<{ program: string } | { missing: string }> {
  const python = process.env['PYTHON'] ?? 'python3';
  const version = await execute(python, ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']).catch(
    () => undefined,
  );
  if (version === undefined) return { missing: `${python} is not there, or older than 3.11` };
  const hash = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 16);
  const directory = join(build, `${name}-${hash}`);
  const program = join(directory, 'bin', name);
  const complete = join(directory, 'complete');
  if (existsSync(complete)) return { program };
  rmSync(directory, { recursive: true, force: true });
  try {
    await execute(python, ['-m', 'venv', directory]);
    await execute(join(directory, 'bin/pip'), ['install', '--quiet', '--require-hashes', '-r', requirements]);
  } catch (error) {
    return { missing: `it cannot be installed: ${(error as Error).message}` };
  }
  writeFileSync(complete, '');
  return { program };
}
