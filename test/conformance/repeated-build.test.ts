// Goal: two builds of one commit are the same bytes (control S2), so that whoever builds it again can compare what runs
// with what was reviewed. Method: the sources are copied into an empty folder and built there, twice; every file of
// both dist/ is compared. The folder is the same, since the bundle of the workflows names its sources by their paths.
// Does not cover the node program.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const NOT_BUILT_FROM = ['node_modules', 'dist', 'build', 'mpc', 'test', 'bench', 'deploy', 'coverage'];
const folder = mkdtempSync(join(tmpdir(), 'countersign-build-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The SHA-256 of every file of dist/. */
async function buildAnew(): Promise<Map<string, string>> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const name of readdirSync(root))
    if (!NOT_BUILT_FROM.includes(name) && !name.startsWith('.'))
      cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  await promisify(execFile)(process.execPath, [join(folder, 'scripts/build.mjs')], { cwd: folder });
  const dist = join(folder, 'dist');
  const files = readdirSync(dist, { recursive: true })
    .map(String)
    .filter((path) => !statSync(join(dist, path)).isDirectory());
  return new Map(
    files.sort().map((path) => [
      path,
      createHash('sha256')
        .update(readFileSync(join(dist, path)))
        .digest('hex'),
    ]),
  );
}

test('S2: two builds are the same bytes', { timeout: 180_000 }, async () => {
  const first = await buildAnew();
  const second = await buildAnew();
  expect([first.has('server.js'), first.has('workflow-bundle.js')]).toEqual([true, true]);
  expect([...second]).toEqual([...first]);
});
