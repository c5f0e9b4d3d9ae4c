// Builds the node program so that no folder of this machine is in it, which two machines would not share. Has a target
// folder of its own: other flags in that of the tests would compile all crates again each time.
import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Returns the path of the program, which says at /health that it is of this commit. */
export function buildNodeProgram(root, commit = 'unknown') {
  const target = join(root, 'build/node-program');
  const sysroot = execFileSync('rustc', ['--print', 'sysroot'], { encoding: 'utf8' }).trim();
  const cargoHome = process.env.CARGO_HOME ?? join(homedir(), '.cargo');
  const folders = [
    [realpathSync(root), '/countersign'],
    [cargoHome, '/cargo'],
    [sysroot, '/rust'],
  ];
  const remapped = folders.map(([from, to]) => `${from}=${to}`);
  const cargoArgs = ['--profile', 'shipped', '--locked', '--bin', 'mpc-node', '--target-dir', target];
  execFileSync('cargo', ['build', ...cargoArgs, '--manifest-path', join(root, 'mpc/Cargo.toml')], {
    stdio: 'inherit',
    env: {
      ...process.env,
      SOURCE_COMMIT: commit,
      CARGO_ENCODED_RUSTFLAGS: remapped.map((pair) => `--remap-path-prefix=${pair}`).join('\x1f'),
      CFLAGS: remapped.map((pair) => `-ffile-prefix-map=${pair}`).join(' '),
    },
  });
  return join(target, 'shipped/mpc-node');
}
