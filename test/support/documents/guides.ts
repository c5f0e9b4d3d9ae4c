// Reads the README and the guides in docs/ as programs: the blocks of each page, what language they are in and how they
// are meant.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../..');

export interface Block {
  language: string;
  /** What stands after the language: empty for a block that runs. */
  mark: string;
  /** The line of the page on which its content begins. */
  line: number;
  text: string;
}

export interface Guide {
  /** Its path in the repository. */
  name: string;
  blocks: Block[];
}

export function readGuides(): Guide[] {
  const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  const names = ['README.md', ...pages.map((page) => `docs/${page}`)];
  return names.map((name) => ({ name, blocks: blocksOf(readFileSync(join(root, name), 'utf8')) }));
}

function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^```(\w*)[ \t]*(.*)\n([\s\S]*?)^```$/gm)].map(
    ({ index, 1: language = '', 2: mark = '', 3: text = '' }) => ({
      language,
      mark,
      line: page.slice(0, index).split('\n').length + 1,
      text,
    }),
  );
}

/** The shell blocks that run, as one session that says at each block where it is. Empty when there is none. */
export function shellSession({ name, blocks }: Guide): string {
  const runs = blocks.filter(({ language, mark }) => language === 'sh' && mark === '');
  return runs.map(({ line, text }) => `echo "${name}:${line}" >&2\n${text}`).join('\n');
}

/** The TypeScript blocks as one file, as a reader saves them. Empty when there is none. */
export function program({ blocks }: Guide): string {
  return blocks
    .filter(({ language }) => language === 'ts')
    .map(({ text }) => text)
    .join('\n');
}
