// Goal: two builds of one commit are the same bytes (control S2), so that whoever builds it again can compare what runs
// with what was reviewed. Method: the sources are copied into two empty folders and built there; every file of both
// dist/ is compared. Of the node program, whose crates take minutes, it is what decides that is tried: a small crate in
// two folders, built as the node program is, with a generated source that names its folder where nothing hides it.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { buildNodeProgram } from '../../scripts/packaging/node-program.mjs';

const root = resolve(import.meta.dirname, '../..');
const NOT_BUILT_FROM = ['node_modules', 'dist', 'build', 'mpc', 'test', 'bench', 'deploy', 'coverage'];
const parent = mkdtempSync(join(tmpdir(), 'countersign-build-'));
afterAll(() => rmSync(parent, { recursive: true, force: true }));

/** The SHA-256 of every file of dist/. */
async function buildIn(name: string): Promise<Map<string, string>> {
  const folder = join(parent, name);
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
  const first = await buildIn('one');
  const second = await buildIn('another-folder');
  expect([first.has('server.js'), first.has('workflow-bundle.js')]).toEqual([true, true]);
  expect([...second]).toEqual([...first]);
});

test('S2: the node program has no folder of its builder in it', { timeout: 180_000 }, () => {
  const [one, another] = ['one-crate', 'another-crate-elsewhere'].map((name) => {
    const folder = join(parent, name);
    writeCrate(join(folder, 'mpc'));
    return readFileSync(buildNodeProgram(folder, 'the commit of both'));
  }) as [Buffer, Buffer];
  expect(one.includes('/countersign/build/node-program')).toBe(true);
  expect(one.includes(parent)).toBe(false);
  expect(one.includes('the commit of both')).toBe(true);
  expect(one.equals(another)).toBe(true);
});

/** That of the node program. */
function shippedProfile(): string {
  const manifest = readFileSync(join(import.meta.dirname, '../../mpc/Cargo.toml'), 'utf8');
  const [profile] = /^\[profile\.shipped\]\n(?:[^[\n].*\n)+/m.exec(manifest) ?? [];
  if (profile === undefined) throw new Error('mpc/Cargo.toml has no profile for what is shipped');
  return profile;
}

/** It panics in a source that its build made: the compiler is given the whole path of that one. */
function writeCrate(folder: string): void {
  mkdirSync(join(folder, 'src'), { recursive: true });
  writeFileSync(
    join(folder, 'Cargo.toml'),
    `[package]\nname = "mpc-node"\nversion = "0.1.0"\nedition = "2021"\nbuild = "build.rs"\n[workspace]\n${shippedProfile()}`,
  );
  writeFileSync(join(folder, 'Cargo.lock'), 'version = 4\n\n[[package]]\nname = "mpc-node"\nversion = "0.1.0"\n');
  writeFileSync(
    join(folder, 'build.rs'),
    `fn main() {
  let folder = std::env::var("OUT_DIR").unwrap();
  std::fs::write(folder + "/made.rs", "pub fn fail(n: usize) -> usize { [1, 2, 3][n] }").unwrap();
}`,
  );
  writeFileSync(
    join(folder, 'src/main.rs'),
    `include!(concat!(env!("OUT_DIR"), "/made.rs"));
fn main() { println!("{} {:?}", fail(std::env::args().count()), option_env!("SOURCE_COMMIT")); }`,
  );
}
