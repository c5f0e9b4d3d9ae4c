// Goal: no module that workflows load keeps a state, since all runs of a thread share one (scripts/build.mjs): what one
// run left there another would find, and its history would be another one when it is replayed. Method: the declarations
// at the top of each module that the entry of the bundle reaches, read as text; and of a module with one of each kind.
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');

/** What is declared where it can change: a variable, or a collection or list that is not declared as one to be read. */
const statesOf = (source: string): string[] =>
  source
    .split('\n')
    .filter((line) =>
      /^(export )?(let|var) |^(export )?const \w+( = |: (?!Readonly|readonly)[^=]*= )(new |\[\]|\{\})/.test(line),
    );

function modulesFrom(entry: string, found = new Map<string, string>()): Map<string, string> {
  const source = readFileSync(entry, 'utf8');
  found.set(relative(root, entry), source);
  for (const [, path = ''] of source.matchAll(/^(?!import type)(?:import|export|\}) .*?'(\.[^']+)';$/gm)) {
    const next = join(dirname(entry), path);
    if (!found.has(relative(root, next))) modulesFrom(next, found);
  }
  return found;
}

test('a module with a state is found', () => {
  const kept = ['let last = 0;', 'export let next;', 'const known = new Map();', 'const seen: string[] = [];'];
  const read = ['const most: ReadonlySet<string> = new Set();', 'const one = 1;', "  let inner = '';"];
  expect(statesOf([...kept, ...read].join('\n'))).toEqual(kept);
});

test('no module that workflows load keeps one', () => {
  const modules = new Map([
    ...modulesFrom(join(root, 'workflows/index.ts')),
    ...modulesFrom(join(root, 'workflows/interceptors.ts')),
  ]);
  expect([...modules.keys()]).toEqual(
    expect.arrayContaining(['workflows/sign.ts', 'workflows/await-approval.ts', 'domain/failures.ts']),
  );
  expect([...modules].flatMap(([path, source]) => statesOf(source).map((line) => `${path}: ${line}`))).toEqual([]);
});
