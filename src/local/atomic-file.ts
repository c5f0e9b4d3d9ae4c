// Writes a file whole or not at all, so that a crash never leaves half a record. Keeps no earlier version.
import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';

export function writeAtomically(path: string, text: string, mode: number): void {
  const next = `${path}.${process.pid}.next`;
  const fd = openSync(next, 'w', mode);
  try {
    writeSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(next, path);
}
