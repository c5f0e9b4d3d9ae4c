// Goal: every rule about who may import whom finds an import that breaks it, and lets pass what the pictures draw.
// Method: a tree of the same folders, in which each imports every other one, read with the rules of the check.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { cruise, type ICruiseResult, type IFlattenedRuleSet } from 'dependency-cruiser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import rules from '../../../.dependency-cruiser.mjs';
import { arrows, layers, reachableFrom } from '../../../scripts/allowed-arrows.mjs';

const layersWithFolders = Object.keys(arrows);
const foldersOf = (layer: string) => Object.keys(arrows[layer] ?? {});
const everyFolder = layersWithFolders.flatMap((layer) => foldersOf(layer).map((folder) => [layer, folder] as const));

const fileOf = (layer: string, folder: string) => `${layer}/${folder}/planted.ts`;
const planted = [
  ...(['domain', 'workflows'] as const).map((layer) => `${layer}/planted.ts`),
  ...everyFolder.map(([layer, folder]) => fileOf(layer, folder)),
  ...layersWithFolders.map((layer) => `${layer}/unlisted/planted.ts`),
  'test/planted.ts',
];

let directory: string;
let found: Set<string>;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-arrows-'));
  for (const path of planted) {
    mkdirSync(join(directory, dirname(path)), { recursive: true });
    const others = planted.filter((other) => other !== path);
    const lines = others.map((other) => {
      const specifier = relative(dirname(path), other);
      return `import '${specifier.startsWith('.') ? specifier : `./${specifier}`}';`;
    });
    writeFileSync(join(directory, path), `${lines.join('\n')}\n`);
  }
  const forbidden = rules.forbidden.filter(({ name }) => !['no-cycle', 'no-orphan'].includes(name));
  const { output } = await cruise([...Object.keys(layers), 'test'], {
    baseDir: directory,
    validate: true,
    ruleSet: { forbidden } as IFlattenedRuleSet,
    enhancedResolveOptions: { extensions: ['.ts'] },
  });
  const { violations } = (output as ICruiseResult).summary;
  found = new Set(violations.map(({ rule, from, to }) => `${rule.name}: ${from} > ${to}`));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test.each(everyFolder)('%s/%s imports what its arrows lead to, and nothing else of its layer', (layer, folder) => {
  const reached = reachableFrom(layer, folder);
  for (const other of foldersOf(layer).filter((name) => name !== folder)) {
    const violation = `${layer}/${folder}: ${fileOf(layer, folder)} > ${fileOf(layer, other)}`;
    expect([violation, found.has(violation)]).toEqual([violation, !reached.has(other)]);
  }
});

test.each(layersWithFolders)('a folder of %s that stands in no list imports nothing of its layer', (layer) => {
  const [first = ''] = foldersOf(layer);
  expect(found).toContain(`${layer}-folder-is-listed: ${layer}/unlisted/planted.ts > ${fileOf(layer, first)}`);
});

test.each(Object.keys(layers))('%s knows no layer above it, and no test', (layer) => {
  const above = Object.keys(layers).filter((other) => other !== layer && !layers[layer]?.includes(other));
  const from = planted.find((path) => path.startsWith(`${layer}/`));
  for (const other of [...above, 'test']) {
    const to = planted.find((path) => path.startsWith(`${other}/`));
    expect(found).toContain(`${layer}-knows-no-layer-above: ${from} > ${to}`);
  }
});

test('no circle of folders is drawn', () => {
  for (const [layer, folder] of everyFolder) expect(reachableFrom(layer, folder)).not.toContain(folder);
});
