// A benchmark's own folder and processes: what is started in it is measured by name, stopped in the end, the last part
// first, and the folder is removed.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Part } from '../../src/local/processes/part.ts';
import { CpuMeter } from './cpu.ts';
import type { Context } from './servers.ts';

const root = resolve(import.meta.dirname, '../..');

export async function withScratch(
  name: string,
  run: (context: Context, cpu: CpuMeter) => Promise<void>,
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), `countersign-${name}-`));
  chmodSync(directory, 0o755); // as root, PostgreSQL runs as another user
  const parts: Part[] = [];
  const cpu = new CpuMeter();
  const ending = new AbortController();
  const report = (line: string) => console.log(line);
  const context: Context = {
    root,
    directory,
    supervision: { report, signal: ending.signal, onExhausted: report },
    onStart: (_stage, part, started) => {
      parts.unshift(started);
      cpu.add(part, started.pid);
    },
  };
  try {
    await run(context, cpu);
  } finally {
    ending.abort();
    for (const part of parts) await part.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}
