// Goal: the map of test/support/README.md is of what is there. Method: every file of the folder is named in it, and
// every path that it names exists.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const map = readFileSync(join(root, 'test/support/README.md'), 'utf8');
const files = readdirSync(join(root, 'test/support'), { recursive: true })
  .map(String)
  .filter((path) => path.endsWith('.ts'));

test('every file of test/support is named', () => {
  expect(files.length).toBeGreaterThan(40);
  expect(files.filter((path) => !map.includes(`\`${path}\``) && !map.includes(`\`${basename(path)}\``))).toEqual([]);
});

test('every path that is named exists', () => {
  const named = [...map.matchAll(/`((?:[\w-]+\/)+[\w-]+(?:\.test)?\.ts)`/g)].map(([, path]) => path as string);
  const isThere = (path: string) => ['test/support', 'test', '.'].some((from) => existsSync(join(root, from, path)));
  expect(named.filter((path) => !isThere(path))).toEqual([]);
});

test('no folder of test has more than 25 files side by side', () => {
  const folders = readdirSync(join(root, 'test'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map(({ parentPath }) => parentPath);
  const crowded = [...new Set(folders)].filter((folder) => folders.filter((each) => each === folder).length > 25);
  expect(crowded).toEqual([]);
});
