// Clocks of APIs and workers that can be set wrong: each process loads skewed-clock.mjs first, which looks for a file
// that is named by its pid. The machine's own clock stays as it is.
import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeAtomically } from '../../../src/local/atomic-file.ts';

export interface Clocks {
  environment: Record<string, string>;
  /** By milliseconds, either way. Returns what sets it right again. */
  skew: (pid: number, byMs: number) => () => void;
}

export function prepareClocks(directory: string): Clocks {
  mkdirSync(directory, { recursive: true });
  const program = pathToFileURL(resolve(import.meta.dirname, 'skewed-clock.mjs')).href;
  const skew = (pid: number, byMs: number) => {
    const file = join(directory, String(pid));
    writeAtomically(file, String(byMs), 0o600);
    return () => rmSync(file, { force: true });
  };
  return { environment: { NODE_OPTIONS: `--import=${program}`, SKEWED_CLOCKS: directory }, skew };
}
