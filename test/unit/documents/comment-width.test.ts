// Goal: comments are as wide as the code: the formatter keeps the code to its width and leaves comments alone. Method:
// each line of a file that is a comment is measured.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
const LINE_WIDTH = 120;

const folders = [
  'activities',
  'bench',
  'clients',
  'console',
  'domain',
  'drizzle',
  'scripts',
  'src',
  'test',
  'workflows',
];

const isComment = (line: string) => /^\s*(\/\/|\/\*\*|\*( |\/|$))/.test(line);

test.each(folders)('the comments of %s fit the width', (folder) => {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  const long = files
    .filter((name) => /\.(m?[jt]sx?|go)$/.test(name) && !/\.gen\.\w+$/.test(name))
    .flatMap((name) => {
      const lines = readFileSync(join(root, folder, name), 'utf8').split('\n');
      return lines.filter((line) => line.length > LINE_WIDTH && isComment(line)).map((line) => `${name}: ${line}`);
    });
  expect(long).toEqual([]);
});
