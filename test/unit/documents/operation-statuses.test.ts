// Goal: an operator who searches in Temporal's web interface finds every value of OperationStatus in the runbook, and
// those of operations in the README. Method: the values that the workflows report and begin with, by their source,
// against the row of each type in the runbook's table, and against the README.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { isFinal, withdrawalArrows, withdrawalStatuses } from '../../../domain/statuses.ts';
import { startedWorkflows } from '../../../src/operations/started-workflows.ts';

const root = resolve(import.meta.dirname, '../../..');
const [, section = ''] = readFileSync(join(root, 'RUNBOOK.md'), 'utf8').split(
  "## Operations in Temporal's web interface",
);
const table = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| '));
const index = readFileSync(join(root, 'workflows/index.ts'), 'utf8');
/** The types of each file. */
const files = [...index.matchAll(/export \{ (.+) \} from '.\/(.+)'/g)].map(
  ([, types = '', file = '']) => [file, types.split(', ')] as const,
);
/** What a row says, which the workflow reports as it is. */
const fromRows: Record<string, readonly string[]> = {
  withdraw: withdrawalStatuses.filter((status) => isFinal(withdrawalArrows, status)),
  watchNetwork: ['watching', 'halted'],
};

function reportedBy(file: string, types: readonly string[]): string[] {
  const source = readFileSync(join(root, 'workflows', file), 'utf8');
  const reported = [...source.matchAll(/report\((?:[^,]*\? )?'(\w+)'/g)].map(([, value = '']) => value);
  const chosen = [...source.matchAll(/\? '(\w+)' : '(\w+)'/g)].flatMap(([, one = '', other = '']) => [one, other]);
  const begun = Object.entries(startedWorkflows).filter(([type]) => types.includes(type));
  const first = begun.map(([, { firstStatus }]) => firstStatus ?? 'pending');
  return [...new Set([...reported, ...chosen, ...first, ...types.flatMap((type) => fromRows[type] ?? [])])];
}

test('there are workflows', () => expect(files.length).toBeGreaterThan(10));

test.each(files)('every status that %s reports stands in the runbook', (file, types) => {
  const rows = table.filter((row) => types.some((type) => row.includes(`\`${type}\``)));
  const listed = rows.flatMap((row) => [...row.matchAll(/`(\w+)`/g)].map(([, value = '']) => value));
  expect(listed).toEqual(expect.arrayContaining(reportedBy(file, types)));
});

test.each(files.filter(([file]) => ['withdraw.ts', 'sign.ts', 'create-wallet.ts'].includes(file)))(
  'every status that %s reports stands in the README',
  (file, types) => {
    const named = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/`(\w+)`/g)].map(([, value]) => value);
    expect(reportedBy(file, types).length).toBeGreaterThan(2);
    expect(named).toEqual(expect.arrayContaining(reportedBy(file, types)));
  },
);
