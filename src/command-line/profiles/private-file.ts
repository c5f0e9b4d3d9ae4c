// Reads and writes files that hold secrets: of nobody else, for nobody else.
import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from '../exit-codes.ts';

const GROUP_AND_OTHERS = 0o077;

export function readPrivateFile(path: string): string;
export function readPrivateFile(path: string, options: { mayBeAbsent: true }): string | undefined;
export function readPrivateFile(path: string, { mayBeAbsent = false } = {}): string | undefined {
  const file = open(path);
  if (file === undefined && mayBeAbsent) return undefined;
  if (file === undefined) throw new UsageError(`There is no file ${path}.`);
  try {
    // Of the file that was opened: another one may stand under the name by now.
    const { mode, uid } = fstatSync(file);
    const own = process.getuid?.();
    if (own !== undefined && uid !== own && uid !== 0)
      throw new UsageError(`${path} belongs to another user, who can change it: make it your own.`);
    if (own !== undefined && (mode & GROUP_AND_OTHERS) !== 0)
      throw new UsageError(
        `Others may open ${path}: run \`chmod 600 ${path}\`, and rotate the key if they could read it.`,
      );
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

function open(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new UsageError(`${path} cannot be read (${code ?? 'no reason is given'}).`);
  }
}

/** At once and whole: whoever reads meanwhile finds the former content or this one. */
export function writePrivateFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const next = `${path}.${process.pid}.next`;
  try {
    writeFileSync(next, text, { mode: 0o600, flag: 'wx' });
    renameSync(next, path);
  } finally {
    rmSync(next, { force: true });
  }
}
