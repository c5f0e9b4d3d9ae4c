// Goal: CONTROLS.md lists every control and promises no test that is not there. Method: its tables are read; the
// controls are written here a second time, and each one must name a test or say what is not tested.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const howMany = { A: 7, W: 7, T: 9, D: 8, H: 5, L: 3, K: 5, O: 3, S: 3 };
const controls = Object.entries(howMany).flatMap(([group, count]) =>
  Array.from({ length: count }, (_, index) => `${group}${index + 1}`),
);

const rows = readFileSync(join(root, 'CONTROLS.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| [A-Z]\d/.test(line))
  .map((line) => line.slice(1, -1).split('|'))
  .map(([name = '', meaning = '', source = '', tests = '', ...rest]) => ({
    control: name.trim().replace('★', ''),
    meaning: meaning.trim(),
    source: source.trim(),
    tests,
    rest,
  }));
const namedIn = (cell: string) => [...cell.matchAll(/`([^`]+\.(?:test\.ts|rs))`/g)].map(([, name]) => name as string);
const isThere = (name: string) => existsSync(join(root, name.endsWith('.rs') ? 'mpc/tests' : 'test', name));

test('every control has one line', () => {
  expect(controls).toHaveLength(50);
  expect(rows.map(({ control }) => control)).toEqual(controls);
});

test.each(rows)('$control: says what it means and where it is tried', ({ meaning, source, tests, rest }) => {
  expect(rest).toEqual([]);
  expect([meaning, source]).not.toContain('');
  const named = namedIn(tests);
  expect(named.filter((name) => !isThere(name))).toEqual([]);
  if (named.length === 0) expect(tests).toContain('Not tested');
});
