// Goal: SECURITY.md promises nothing that no test tries. Method: every row of its table names test files that exist,
// and every file that it names anywhere is there.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const text = readFileSync(join(root, 'SECURITY.md'), 'utf8');
const rows = text.split('\n').filter((line) => line.startsWith('| **'));
const cellsOf = (row: string) => row.split('|').slice(1, -1);
const namedIn = (part: string) => [...part.matchAll(/`([^`]+\.test\.ts)`/g)].map(([, name]) => name as string);
const hazards = readdirSync(join(root, 'test/hazards'), { recursive: true }).map((path) => basename(String(path)));
/** A test is named by its path, or by its name alone if it is in a folder of hazards. */
const isThere = (name: string) => existsSync(join(root, name)) || hazards.includes(name);

test('the table has a row for every piece that somebody may hold', () => {
  const pieces = rows.map((row) => cellsOf(row)[0] ?? '').join();
  for (const piece of ['API key', 'administrator', 'Temporal', 'PostgreSQL', 'chain node', 'orchestrator', 'MPC node'])
    expect(pieces).toContain(piece);
});

test.each(rows.map((row) => [cellsOf(row)[0]?.trim(), row] as const))(
  '%s: tried in tests that exist',
  (_piece, row) => {
    const named = namedIn(cellsOf(row).at(-1) ?? '');
    expect(named).not.toEqual([]);
    expect(named.filter((name) => !isThere(name))).toEqual([]);
  },
);

test('every test that the page names exists, also those of the node program', () => {
  expect(namedIn(text).filter((name) => !isThere(name))).toEqual([]);
  const sources = readdirSync(join(root, 'mpc/tests'), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.rs'));
  const rust = sources.map((name) => `${name}\n${readFileSync(join(root, 'mpc/tests', name), 'utf8')}`).join('\n');
  const tried = rows.map((row) => cellsOf(row).at(-1) ?? '').join();
  const named = [...tried.matchAll(/`([a-z0-9]+(?:_[a-z0-9]+)+)`/g)].map(([, name]) => name as string);
  expect(named.filter((name) => !rust.includes(name))).toEqual([]);
});
