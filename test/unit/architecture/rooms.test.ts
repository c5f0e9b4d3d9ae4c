// Goal: every folder can be looked over, no file carries what a merge left behind, and git holds nothing that a run has
// written. Method: the files of the product and of its tests are counted by folder and read as text; each search is
// tried on what it must find.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const FILES_SIDE_BY_SIDE_MAX = 25;
/** Nobody reads these side by side: each is generated or recorded, and none is ever taken away. */
const grows = /^(drizzle\/migrations|test\/replay\/histories)\b/;
/** What a build leaves. */
const built = /(^|\/)(node_modules|target|dist|build|__pycache__)\//;

const folders = [
  'activities',
  'bench',
  'clients',
  'console',
  'deploy',
  'docs',
  'domain',
  'drizzle',
  'mpc',
  'scripts',
  'src',
  'test',
  'workflows',
];
const paths = folders
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1)),
  )
  .filter((path) => !built.test(path) && !path.endsWith('.tsbuildinfo'));

function crowded(among: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const path of among) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > FILES_SIDE_BY_SIDE_MAX).map(([folder]) => folder);
}

const MERGE_MARK = /^(<{7}|>{7}) /m;

test('no folder has more files side by side than one looks over', () => {
  expect(crowded(paths.filter((path) => !grows.test(path)))).toEqual([]);
  const planted = Array.from({ length: FILES_SIDE_BY_SIDE_MAX + 1 }, (_, index) => `src/http/planted-${index}.ts`);
  expect(crowded(planted)).toEqual(['src/http']);
});

test('no file carries both sides of a merge', () => {
  const documents = readdirSync(root).filter((name) => name.endsWith('.md'));
  const marked = [...documents, ...paths].filter((path) => MERGE_MARK.test(readFileSync(join(root, path), 'utf8')));
  expect(marked).toEqual([]);
  expect(MERGE_MARK.test(`one line\n${'<'.repeat(7)} HEAD\n`)).toBe(true);
});

/** Databases, keys and logs of what ran here. */
const WRITTEN_BY_A_RUN = /^\.(local|compose)|\.(key|pem|log)$/m;

test('git holds nothing that a run has written', () => {
  const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' });
  expect(tracked).toContain('package.json');
  expect(tracked).not.toMatch(WRITTEN_BY_A_RUN);
  for (const path of ['.local/postgres/base', '.local-stack/tls/ca', '.compose/node-1/tls.key', 'src/server.log'])
    expect(`README.md\n${path}\n`).toMatch(WRITTEN_BY_A_RUN);
});
