// The programs of the former version, built from the history of this clone into build/former/: what an upgrade is
// rehearsed from. Until there is a release it is the last commit whose tables are of version 30, from which on former
// and new processes may run side by side. A release moves the commit to the release before.
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { buildNode } from '../cluster/cluster.ts';

const COMMIT = '66f78d64db5f04677e7439296945b8de4e1f26d7';
const root = resolve(import.meta.dirname, '../../..');
const folder = join(root, 'build/former', COMMIT.slice(0, 8));
const program = join(folder, 'target/release/mpc-node');

export interface FormerVersion {
  /** Of the built programs. */
  dist: string;
  nodeProgram: string;
}

/** Why it cannot be built here; undefined when it can. */
export function whyNoFormerVersion(): string | undefined {
  try {
    execFileSync('git', ['-C', root, 'cat-file', '-e', `${COMMIT}^{commit}`], { stdio: 'ignore' });
    return undefined;
  } catch {
    return `the history of this clone does not reach back to ${COMMIT.slice(0, 8)}: fetch it with git fetch --unshallow`;
  }
}

/** With the packages and crates that it has locked. */
export async function buildFormerVersion(): Promise<FormerVersion> {
  const built = { dist: join(folder, 'dist'), nodeProgram: program };
  if (existsSync(program)) return built;
  await buildNode();
  const unfinished = `${folder}.${process.pid}`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  const archive = execFileSync('git', ['-C', root, 'archive', COMMIT], { maxBuffer: 2 ** 28 });
  execFileSync('tar', ['-x', '-C', unfinished], { input: archive });
  // The crates that it shares with this version are built.
  for (const name of ['deps', 'build', '.fingerprint'])
    cpSync(join(root, 'mpc/target/release', name), join(unfinished, 'target/release', name), {
      recursive: true,
      preserveTimestamps: true,
      filter: (path) => !path.includes('mpc_node'),
    });
  rmSync(folder, { recursive: true, force: true });
  renameSync(unfinished, folder);
  const run = promisify(execFile);
  // Of the packages only those that differ are written: the others are links to the files of this clone.
  await run('cp', ['--archive', '--link', join(root, 'node_modules'), folder]);
  // What tools write in place must be a copy.
  const record = 'node_modules/.package-lock.json';
  await run('cp', ['--remove-destination', join(root, record), join(folder, record)]);
  rmSync(join(folder, 'node_modules/.vite'), { recursive: true, force: true });
  const asLocked = ['--prefer-offline', '--no-progress', '--no-save', '--no-audit', '--no-fund'];
  await run('npm', ['install', ...asLocked], { cwd: folder });
  await run(process.execPath, [join(folder, 'scripts/build.mjs')]);
  const manifest = join(folder, 'mpc/Cargo.toml');
  const args = ['build', '--release', '--locked', '--bin', 'mpc-node', '--manifest-path', manifest];
  await run('cargo', args, { env: { ...process.env, CARGO_TARGET_DIR: join(folder, 'target') }, maxBuffer: 2 ** 24 });
  return built;
}
