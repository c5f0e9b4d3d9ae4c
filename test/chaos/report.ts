// What a run prints: how far it is, how everything ended, and what broke. Judges nothing itself.
import type { Injected } from './faults/inject-faults.ts';
import type { Facts } from './invariants/facts.ts';
import { type Finding, invariants } from './invariants/invariants.ts';
import type { LoadRecord } from './load/record.ts';

const SHOWN_OF_ONE = 8;

const listed = (counts: Iterable<readonly [string, number]>) =>
  [...counts].map(([name, count]) => `${count} ${name}`).join(', ') || 'none';

function countBy<Item>(items: readonly Item[], nameOf: (item: Item) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(nameOf(item), (counts.get(nameOf(item)) ?? 0) + 1);
  return counts;
}

const sumOf = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((sum, count) => sum + count, 0);

export const describeProgress = (record: LoadRecord, injected: Injected): string =>
  `${record.operations} operations and ${record.reads} reads, ${sumOf(injected)} faults; refused: ${listed(record.refusals)}`;

export function describeEnds(facts: Facts, record: LoadRecord, deliveries: number): string {
  const rows = [
    ['calls', listed(record.answered)],
    ['refused', listed(record.refusals)],
    ['signatures', listed(countBy(facts.signatures, ({ status }) => status))],
    ['withdrawals', listed(countBy(facts.withdrawals, ({ status }) => status))],
    ['wallets', listed(countBy(facts.wallets, ({ status }) => status))],
    ['events', `${facts.events.length}, in ${deliveries} deliveries`],
  ];
  return `\n${rows.map(([name, value]) => `  ${name?.padEnd(12)} ${value}`).join('\n')}\n`;
}

export interface Verdict {
  seed: number;
  minutes: number;
  injected: Injected;
  record: LoadRecord;
  findings: readonly Finding[];
}

export function describeVerdict({ seed, minutes, injected, record, findings }: Verdict): string {
  const broken = new Map(findings.map((finding) => [finding.invariant, finding.broken]));
  const lines = Object.keys(invariants).flatMap((name) => {
    const what = broken.get(name) ?? [];
    const more = what.length > SHOWN_OF_ONE ? [`         … and ${what.length - SHOWN_OF_ONE} more`] : [];
    return [
      `  ${what.length === 0 ? 'holds ' : 'BROKEN'} ${name}`,
      ...what.slice(0, SHOWN_OF_ONE).map((one) => `         ${one}`),
      ...more,
    ];
  });
  const faults = `${sumOf(injected)} faults (${listed(injected)})`;
  const load = `${record.operations} operations (${record.deposits} of them deposits), ${record.reads} reads`;
  return [`Seed ${seed}, ${minutes} minutes: ${load}, ${faults}.`, ...lines].join('\n');
}
