// Interleaves the sides of a comparison (ABAB…) and compares what neighbouring rounds gave: on a busy machine only
// those two numbers saw the same machine. Knows nothing of what is measured.
import { type CpuMeter, type CpuSeconds, subtractCpu } from './cpu.ts';

export interface Round {
  operations: number;
  /** From the first request to the end of the last operation. */
  seconds: number;
  /** Further rates or durations that belong to this round, by name. */
  extra?: Readonly<Record<string, number>>;
  latenciesMs?: readonly number[];
  /** Where the side does more than it measures; else that of the whole run. */
  cpu?: CpuSeconds;
}

export interface MeasuredRound extends Round {
  cpu: CpuSeconds;
}

export interface Side {
  name: string;
  run: () => Promise<Round>;
}

export interface Comparison {
  /** Rounds by side, in the order they were run; the warm-up is not among them. */
  rounds: ReadonlyMap<string, readonly MeasuredRound[]>;
}

export async function interleave(
  sides: readonly Side[],
  count: number,
  cpu: CpuMeter,
  report: (line: string) => void,
): Promise<Comparison> {
  const rounds = new Map<string, MeasuredRound[]>(sides.map(({ name }) => [name, []]));
  for (let round = 0; round <= count; round += 1) {
    const rates: string[] = [];
    for (const { name, run } of sides) {
      const before = cpu.read();
      const made = await run();
      const measured = { cpu: subtractCpu(cpu.read(), before), ...made };
      if (round > 0) rounds.get(name)?.push(measured);
      rates.push(`${name} ${rateOf(measured).toFixed(0)}/s`);
    }
    report(`  ${round === 0 ? 'warm-up' : `round ${round}`}: ${rates.join(', ')}`);
  }
  return { rounds };
}

export const rateOf = ({ operations, seconds }: Round): number => operations / seconds;

export function roundsOf({ rounds }: Comparison, side: string): readonly MeasuredRound[] {
  const found = rounds.get(side);
  if (found === undefined) throw new Error(`there is no side ${side}`);
  return found;
}

export interface Spread {
  median: number;
  min: number;
  max: number;
}

export function spreadOf(values: readonly number[]): Spread {
  if (values.length === 0) throw new Error('nothing was measured');
  return { median: quantile(values, 0.5), min: Math.min(...values), max: Math.max(...values) };
}

/** Of each round of one side to the round of the other that ran beside it. */
export function ratioOf(
  comparison: Comparison,
  numerator: string,
  denominator: string,
  of: (round: MeasuredRound) => number = rateOf,
): Spread {
  const below = roundsOf(comparison, denominator);
  return spreadOf(roundsOf(comparison, numerator).map((round, index) => of(round) / rateOf(at(below, index))));
}

export function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new Error(`there is no item ${index}`);
  return item;
}

/** Linear between the neighbouring ranks. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const rank = (sorted.length - 1) * share;
  const [below, above] = [at(sorted, Math.floor(rank)), at(sorted, Math.ceil(rank))];
  return below + (above - below) * (rank - Math.floor(rank));
}
