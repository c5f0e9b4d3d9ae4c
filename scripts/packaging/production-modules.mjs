// The packages that the programs import, as `npm ci` installs them from package-lock.json: none of development, none
// that is optional (the embedded databases and chains of `npm start`, the compiler of the workflow bundle), and without
// the files that no program of ours on this platform can load. Runs no script of a package.
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Node.js refuses TypeScript in node_modules, and reads a map only with --enable-source-maps. */
const NEVER_LOADED = /\.(?:[cm]?ts|map)$/;
const CORE_BRIDGE = 'node_modules/@temporalio/core-bridge';
/** The sources of its native library. */
const CORE_BRIDGE_SOURCES = ['sdk-core', 'src', 'bridge-macros', 'scripts', 'Cargo.lock', 'Cargo.toml'];
/** How the folders of its native libraries name a platform. */
const NATIVE = {
  'linux-x64': 'x86_64-unknown-linux-gnu',
  'linux-arm64': 'aarch64-unknown-linux-gnu',
  'darwin-x64': 'x86_64-apple-darwin',
  'darwin-arm64': 'aarch64-apple-darwin',
};

export function installProductionModules(root, folder) {
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) cpSync(join(root, file), join(folder, file));
  execFileSync('npm', ['ci', '--omit=dev', '--omit=optional', '--ignore-scripts', '--prefer-offline', '--silent'], {
    cwd: folder,
    stdio: 'inherit',
  });
  for (const path of ['package-lock.json', '.npmrc', 'node_modules/.package-lock.json']) rmSync(join(folder, path));
  removeOtherPlatforms(join(folder, CORE_BRIDGE));
  for (const entry of readdirSync(join(folder, 'node_modules'), { recursive: true, withFileTypes: true }))
    if (entry.name === '.bin' || (entry.isFile() && NEVER_LOADED.test(entry.name)))
      rmSync(join(entry.parentPath, entry.name), { recursive: true });
}

function removeOtherPlatforms(bridge) {
  const native = NATIVE[`${process.platform}-${process.arch}`];
  const releases = readdirSync(join(bridge, 'releases'));
  if (!releases.includes(native))
    throw new Error(`Temporal's library has nothing for ${process.platform}-${process.arch}: ${releases.join(', ')}.`);
  for (const release of releases.filter((release) => release !== native))
    rmSync(join(bridge, 'releases', release), { recursive: true });
  for (const path of CORE_BRIDGE_SOURCES) rmSync(join(bridge, path), { recursive: true });
}
