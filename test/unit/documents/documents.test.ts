// Goal: the documents can be read and followed by a stranger: the README stays short, every link leads somewhere, every
// decision is in the index. Method: the documents are read as text, and each link is looked up among files and
// headings.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
const README_WORDS_MAX = 1_200;
const LINE_WIDTH = 120;

const pagesOf = (folder: string) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
const forAuditors = ['mpc/audit', 'mpc/audit/specification', 'mpc/audit/model', 'mpc/audit/interleavings'].flatMap(
  pagesOf,
);
const documents = ['.', 'docs', 'mpc', 'bench'].flatMap(pagesOf).concat(forAuditors);
const read = (document: string) => readFileSync(join(root, document), 'utf8');

/** Without blocks of code, in which nothing is a link or a heading. */
const proseOf = (text: string) => text.replace(/^```[\s\S]*?^```$/gm, '');

/** The names that a heading has in a link, as GitHub makes them. */
function anchorsOf(text: string): Set<string> {
  const headings = [...proseOf(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_\- ]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

test('the README is read in some minutes', () => {
  expect(read('README.md').split(/\s+/).length).toBeLessThanOrEqual(README_WORDS_MAX);
});

test.each(documents)('the links of %s lead somewhere', (document) => {
  const text = read(document);
  const targets = [...proseOf(text).matchAll(/\]\(([^()\s]+)\)/g)].map(([, target = '']) => target);
  const lost = targets.filter((target) => {
    if (/^[a-z]+:/.test(target)) return false;
    const [file = '', anchor] = target.split('#', 2);
    const path = file === '' ? document : relative(root, resolve(root, dirname(document), file));
    if (!existsSync(join(root, path))) return true;
    return anchor !== undefined && !anchorsOf(read(path)).has(anchor);
  });
  expect(lost).toEqual([]);
});

test.each(['README.md', 'CONTRIBUTING.md', 'DECISIONS.md', 'RUNBOOK.md', ...pagesOf('docs'), ...forAuditors])(
  'the prose of %s fits the width',
  (document) => {
    const isTable = (line: string) => line.startsWith('|');
    const long = proseOf(read(document))
      .split('\n')
      .filter((line) => line.length > LINE_WIDTH && !isTable(line));
    expect(long).toEqual([]);
  },
);

describe('the decisions', () => {
  const text = read('DECISIONS.md');
  const headings = [...text.matchAll(/^## (\d+)\. (.*)$/gm)].map(([, number, title]) => ({ number, title }));

  test('stand in the order of their numbers, without a gap', () => {
    expect(headings.map(({ number }) => number)).toEqual(headings.map((_, index) => String(index + 1)));
  });

  test('are in the index once, by number and title', () => {
    const indexed = [...text.matchAll(/^\| (\d+) \| \[(.*?)\]\(#.*?\) \| .+ \|$/gm)];
    const byNumber = indexed
      .map(([, number, title]) => ({ number, title }))
      .toSorted((one, other) => Number(one.number) - Number(other.number));
    expect(byNumber).toEqual(headings);
  });
});
