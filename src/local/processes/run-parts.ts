// One start of parts in a folder, from the first line to the last: ends what an earlier start left there, says with
// every line how long it took, and stops everything at a signal or when a part gives up. Knows no part by name.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Supervision } from './keep-running.ts';
import type { Part } from './part.ts';
import { RunningParts, type Stage } from './running-parts.ts';
import { stopWithStarter } from './stop-with-starter.ts';

export type Running = {
  supervision: Supervision;
  /** Called for every process that is started, first or again. */
  onStart: (stage: Stage, name: string, part: Part) => void;
};

/** `start` answers what is printed once everything runs. What runs is written down in `directory`, as run.json. */
export async function runParts(directory: string, start: (running: Running) => Promise<string>): Promise<void> {
  const startedMs = Date.now();
  const report = (line: string) =>
    console.log(`[${((Date.now() - startedMs) / 1000).toFixed(1).padStart(5)} s] ${line}`);
  mkdirSync(directory, { recursive: true });
  mkdirSync(join(directory, 'logs'), { recursive: true, mode: 0o700 });
  const { parts, ended } = await RunningParts.takeOver(join(directory, 'run.json'));
  if (ended.length > 0) report(`ended what an earlier start left running: ${ended.join(', ')}`);

  const { signal, stop } = stopWithStarter(parts, report);
  const supervision: Supervision = {
    report: (line) => signal.aborted || report(line),
    signal,
    onExhausted: (failure) => void stop(failure),
  };
  try {
    const summary = await start({ supervision, onStart: (stage, name, part) => parts.add(stage, name, part) });
    if (!signal.aborted) console.log(summary);
  } catch (error) {
    await stop((error as Error).message);
  }
}

/** What a start prints last: a sentence, and rows of a name and what it names. */
export const describeRunning = (sentence: string, rows: readonly (readonly [string, string])[]): string =>
  `\n${sentence}\n\n${rows.map(([name, value]) => `  ${name.padEnd(12)} ${value}`).join('\n')}\n`;
