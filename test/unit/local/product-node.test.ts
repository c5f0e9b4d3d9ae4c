// Goal: the product and its tests run on the active LTS of Node.js without anybody installing it, and whoever has a
// newer one, or names one, keeps that. Method: the choice itself, and what npm makes of `node` in a script.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { productNode } from '../../../scripts/product-node.mjs';

const root = resolve(import.meta.dirname, '../../..');
const versions: Record<string, string> = { embedded: 'v24.21.0', older: 'v20.19.0', newer: 'v26.1.0', same: 'v24.3.0' };
const versionOf = (path: string) => versions[path] ?? 'what is this';

test.each([
  ['npm was started with an older one', { npm_node_execpath: 'older' }, 'embedded'],
  ['npm was started with one as new', { npm_node_execpath: 'same' }, 'embedded'],
  ['npm was started with a newer one', { npm_node_execpath: 'newer' }, 'newer'],
  ['npm was not there', {}, 'embedded'],
  ['one is named', { NODE_BINARY: 'older', npm_node_execpath: 'newer' }, 'older'],
  ['the name is empty', { NODE_BINARY: '', npm_node_execpath: 'older' }, 'embedded'],
])('%s', (_, environment, expected) => {
  expect(productNode(environment, 'embedded', versionOf)).toBe(expected);
});

const embedded = join(root, `node_modules/node-${process.platform}-${process.arch}/bin/node`);

test.runIf(existsSync(embedded))('in an npm script, `node` is the embedded one', () => {
  const environment = { ...process.env, NODE_BINARY: '', npm_node_execpath: '' };
  const run = (command: string) =>
    execFileSync('npm', ['exec', '-c', command], { cwd: root, env: environment, encoding: 'utf8' });
  expect(run('node --version').trim()).toMatch(/^v24\./);
});
