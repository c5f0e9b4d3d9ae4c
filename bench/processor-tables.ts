// Shows what one operation costs in processor time: of all processes beside its limit, and of each process. Measures
// nothing.

import type { SigningComparison } from './sign-to-success.ts';
import { type Comparison, type MeasuredRound, roundsOf } from './support/rounds.ts';

type Part = string;
interface Line {
  name: string;
  /** Milliseconds for one operation. */
  perPartMs: ReadonlyMap<Part, number>;
}

export function processorTables(
  acceptSigning: Comparison,
  readStatus: Comparison,
  signToSuccess: readonly SigningComparison[],
): string[] {
  const accept = ['service', 'bare'].map((side) => lineOf(`(a) ${side}`, roundsOf(acceptSigning, side)));
  const read = ['service', 'bare'].map((side) => lineOf(`(b) ${side}`, roundsOf(readStatus, side)));
  const signing = signToSuccess.map((comparison) =>
    ['service', 'cluster', 'local'].map((side) =>
      lineOf(`(c) ${side}, ${comparison.curve}, ${comparison.concurrency} at once`, roundsOf(comparison, side)),
    ),
  );
  const groups = [accept, read, ...signing];
  if (groups.flat().every(({ perPartMs }) => perPartMs.size === 0))
    return ['This system has no /proc to read it from.'];
  return [
    '| for one operation, without the driver | service, ms | its limits together, ms | limits / service |',
    '|---|---|---|---|',
    ...groups.map(ratioRow),
    '',
    'Milliseconds for one operation, by process:',
    '',
    ...partsTable(groups.flat()),
  ];
}

function lineOf(name: string, rounds: readonly MeasuredRound[]): Line {
  const operations = sum(rounds.map((round) => round.operations));
  const parts = new Set(rounds.flatMap(({ cpu }) => [...cpu.keys()]));
  const msOf = (part: Part) => (sum(rounds.map(({ cpu }) => cpu.get(part) ?? 0)) * 1000) / operations;
  return { name, perPartMs: new Map([...parts].map((part) => [part, msOf(part)])) };
}

function ratioRow([service, ...limits]: readonly Line[]): string {
  if (service === undefined) throw new Error('a comparison has a service');
  // The cluster driven directly is driven by the driver: its work belongs to the limit.
  const limitMs = sum(limits.map(totalOf));
  const serviceMs = totalOf(service) - (service.perPartMs.get('driver') ?? 0);
  const cells = [
    service.name.replace(' service', ''),
    serviceMs.toFixed(2),
    limitMs.toFixed(2),
    `**${(limitMs / serviceMs).toFixed(2)}**`,
  ];
  return `| ${cells.join(' | ')} |`;
}

function partsTable(lines: readonly Line[]): string[] {
  const parts = [...new Set(lines.flatMap(({ perPartMs }) => [...perPartMs.keys()]))];
  const body = lines.map((line) => {
    const cells = [...parts.map((part) => line.perPartMs.get(part) ?? 0), totalOf(line)];
    return `| ${[line.name, ...cells.map((ms) => (ms < 0.005 ? '' : ms.toFixed(2)))].join(' | ')} |`;
  });
  return [`| | ${[...parts, 'all'].join(' | ')} |`, `|---|${'---|'.repeat(parts.length + 1)}`, ...body];
}

const totalOf = ({ perPartMs }: Line) => sum([...perPartMs.values()]);
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
