// The processes of this start: stopped in order, and written down in .local/run.json so that the next start can end
// exactly those that a killed starter left behind. Starts nothing.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { writeAtomically } from '../atomic-file.ts';
import type { Part } from './part.ts';
import { identifyProcess, isRunning, type ProcessIdentity, stopProcess } from './process-identity.ts';

/** Stopped from first to last: a stage needs those after it. */
const STAGES = ['proxy', 'service', 'node', 'chain', 'temporal', 'postgres'] as const;
const LEFTOVER_GRACE_MS = 15_000;

export type Stage = (typeof STAGES)[number];
export type Recorded = ProcessIdentity & { name: string; stopSignal: NodeJS.Signals };
type Run = { starter: ProcessIdentity; parts: Recorded[] };

export class RunningParts {
  readonly #file: string;
  readonly #run: Run;
  readonly #parts = new Map<Part, Stage>();

  private constructor(file: string, run: Run) {
    this.#file = file;
    this.#run = run;
  }

  /** Throws when another start of the same folder runs. Returns the names of the leftovers it ended. */
  static async takeOver(file: string): Promise<{ parts: RunningParts; ended: string[] }> {
    const starter = identifyProcess(process.pid);
    if (starter === undefined) throw new Error('This process cannot read its own start time.');
    const earlier = readRun(file);
    if (earlier !== undefined && isRunning(earlier.starter))
      throw new Error(`Countersign already runs in this folder (process ${earlier.starter.pid}): stop it first.`);
    const leftovers = (earlier?.parts ?? []).filter(isRunning);
    await Promise.all(leftovers.map((part) => stopProcess(part, part.stopSignal, LEFTOVER_GRACE_MS)));
    const parts = new RunningParts(file, { starter, parts: [] });
    parts.#write();
    return { parts, ended: leftovers.map(({ name }) => name) };
  }

  get isEmpty(): boolean {
    return this.#parts.size === 0;
  }

  add(stage: Stage, name: string, part: Part): void {
    this.#parts.set(part, stage);
    const identity = identifyProcess(part.pid);
    if (identity === undefined) return; // it has ended already
    this.#run.parts = [...this.#run.parts.filter(isRunning), { name, ...identity, stopSignal: part.stopSignal }];
    this.#write();
  }

  async stop(): Promise<void> {
    // Again, for a part that was started while the others were being stopped.
    while ([...this.#parts.keys()].some((part) => !part.hasExited())) {
      for (const stage of STAGES) {
        const members = [...this.#parts].filter(([, itsStage]) => itsStage === stage);
        await Promise.all(members.map(([part]) => part.stop()));
      }
    }
    rmSync(this.#file, { force: true });
  }

  /** Without waiting for anything to be finished. */
  async kill(): Promise<void> {
    for (const part of this.#parts.keys()) part.kill('SIGKILL');
    await Promise.all([...this.#parts.keys()].map((part) => part.exited));
    rmSync(this.#file, { force: true });
  }

  #write(): void {
    writeAtomically(this.#file, `${JSON.stringify(this.#run, null, 2)}\n`, 0o600);
  }
}

/** What the start that writes this file has running, as far as it has not ended since. */
export function readRecordedParts(file: string): Recorded[] {
  return readRun(file)?.parts.filter(isRunning) ?? [];
}

function readRun(file: string): Run | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Run;
  } catch {
    throw new Error(`${file} is not readable: remove it once nothing of an earlier start runs any more.`);
  }
}
