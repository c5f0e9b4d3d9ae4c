// Goal: facts that the code could write a second time stand in one place. Method: the sources as text are searched
// for what a second place looks like; each search is tried on a line that it must find.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');

interface Source {
  path: string;
  text: string;
}

const sources: readonly Source[] = ['domain', 'drizzle', 'activities', 'workflows', 'src'].flatMap((layer) =>
  readdirSync(join(root, layer), { recursive: true })
    .map((path) => join(layer, String(path)))
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.gen.ts'))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })),
);

const linesOf = ({ path, text }: Source) => text.split('\n').map((line) => ({ path, line: line.trim() }));
const find = (search: (line: string) => boolean, among: readonly Source[] = sources) =>
  among.flatMap(linesOf).flatMap(({ path, line }) => (search(line) ? [`${path}: ${line}`] : []));
const finds = (search: (line: string) => boolean, text: string) => find(search, [{ path: 'planted', text }]).length > 0;

test('every jsonb column says what it holds', () => {
  const search = (line: string) => /\bjsonb\('/.test(line) && !/\)\.\$type</.test(line);
  expect(find(search)).toEqual([]);
  expect(finds(search, "document: jsonb('document').notNull(),")).toBe(true);
});

test('what is open and what is final follows from the arrows', () => {
  const lists = /[([]('pending', 'submitted'|'pending', 'pending_approval'(, 'approved', 'processing')?)[)\]]/;
  const search = (line: string) => lists.test(line) || /Arrows\[.*\]\.length/.test(line);
  expect(find(search)).toEqual([]);
  expect(finds(search, "const isOpen = sql`${status} in ('pending', 'submitted')`;")).toBe(true);
  expect(finds(search, 'if (signingArrows[row.status].length === 0) return;')).toBe(true);
});

test('what a log takes is told once', () => {
  const search = (line: string) => /interface Logger\b|\b(info|warn|error)\(details: object/.test(line);
  expect(find(search)).toEqual(['domain/logger.ts: export interface Logger {']);
  expect(finds(search, 'log: { warn(details: object, message: string): void };')).toBe(true);
});
