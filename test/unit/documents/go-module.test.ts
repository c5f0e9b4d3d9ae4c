// Goal: the Go module has one path, wherever it is named. Method: go.mod says it; the sources, the driver of the
// conformance test and the documents are searched for any other.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');
const modulePath = /^module (\S+)$/m.exec(textOf('clients/go/go.mod'))?.[1] ?? '';

function sourcesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.go$|(^|\/)go\.mod$/.test(name))
    .map((name) => `${folder}/${name}`);
}

const places = [
  ...sourcesIn('clients/go'),
  ...sourcesIn('test/conformance/client-packages/drivers/go'),
  'docs/clients.md',
  'CONTRIBUTING.md',
];

test('the path ends with the folder of the module, as Go looks for it', () => {
  expect(modulePath).toMatch(/^[a-z0-9.-]+(\/[\w.-]+)+\/clients\/go$/);
});

test('no place names another path', () => {
  const named = places.flatMap((place) =>
    [...textOf(place).matchAll(/[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:\/[\w.-]+)+\/clients\/go(?=[\s"/`=])/g)].map(
      ([path]) => ({ place, path }),
    ),
  );
  expect(new Set(named.map(({ place }) => place)).size).toBeGreaterThan(5);
  expect(named.filter(({ path }) => path !== modulePath)).toEqual([]);
});
