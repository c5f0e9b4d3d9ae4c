// A disk of a node's own, which can be made full: a tmpfs, where this process may mount one.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SIZE = '64m';
const MORE_THAN_IT_HOLDS_BYTES = 65 * 1024 * 1024;
const FILLER = 'filler';

export interface SmallDisk {
  /** Returns what empties it again. */
  fill: () => () => void;
  unmount: () => void;
}

/** Undefined where none can be mounted. */
export function mountSmallDisk(directory: string): SmallDisk | undefined {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=0700`, 'tmpfs', directory], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  const filler = join(directory, FILLER);
  const fill = () => {
    try {
      writeFileSync(filler, Buffer.alloc(MORE_THAN_IT_HOLDS_BYTES));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
    return () => rmSync(filler, { force: true });
  };
  return { fill, unmount: () => unmountLeftover(directory) };
}

/** Whatever an earlier run left mounted there; nothing when there is nothing. */
export function unmountLeftover(directory: string): void {
  try {
    execFileSync('umount', ['--lazy', directory], { stdio: 'ignore' });
  } catch {
    // Nothing is mounted there, or this system mounts nothing.
  }
}
