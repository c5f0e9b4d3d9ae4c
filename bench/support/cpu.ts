// Reads how much processor time each part has used, from /proc. Where there is no /proc (macOS) every answer is empty.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** By part. */
export type CpuSeconds = ReadonlyMap<string, number>;

export class CpuMeter {
  readonly #parts = new Map<string, number[]>();
  readonly #ticksPerSecond = existsSync('/proc/self/stat') ? readTicksPerSecond() : undefined;

  constructor() {
    this.add('driver', process.pid);
  }

  /** Several processes may be one part. The children of a process count with it: PostgreSQL has one a connection. */
  add(part: string, pid: number): void {
    this.#parts.set(part, [...(this.#parts.get(part) ?? []), pid]);
  }

  read(): CpuSeconds {
    const ticksPerSecond = this.#ticksPerSecond;
    if (ticksPerSecond === undefined) return new Map();
    const running = readAllStats();
    const secondsOf = (pid: number) => {
      const own = running.get(pid);
      if (own === undefined) return 0;
      const isParent = pid !== process.pid; // our children are parts of their own
      const children = isParent ? [...running.values()].filter(({ parent }) => parent === pid) : [];
      const ticks = own.ticks + (isParent ? own.endedChildrenTicks : 0) + sum(children.map((child) => child.ticks));
      return ticks / ticksPerSecond;
    };
    return new Map([...this.#parts].map(([part, pids]) => [part, sum(pids.map(secondsOf))]));
  }
}

export const subtractCpu = (after: CpuSeconds, before: CpuSeconds): CpuSeconds =>
  new Map([...after].map(([part, seconds]) => [part, seconds - (before.get(part) ?? 0)]));

interface Stat {
  parent: number;
  ticks: number;
  endedChildrenTicks: number;
}

/**
 * proc(5): after the name in brackets come state (3), parent (4) …, utime (14), stime (15), cutime (16), cstime (17).
 */
function readAllStats(): Map<number, Stat> {
  const stats = new Map<number, Stat>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    let text: string;
    try {
      text = readFileSync(`/proc/${name}/stat`, 'utf8');
    } catch {
      continue; // it has ended
    }
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const field = (number: number) => fields[number - 3] ?? 0;
    stats.set(Number(name), {
      parent: field(4),
      ticks: field(14) + field(15),
      endedChildrenTicks: field(16) + field(17),
    });
  }
  return stats;
}

const readTicksPerSecond = () => Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
