// Builds the node program with Cargo when its sources are newer than what was built. Starts no node.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findOnPath } from '../processes/programs.ts';
import { type Reporting, runBuild } from '../processes/run-build.ts';

/** `crate` is the folder of Cargo.toml. Returns the path of the program. */
export async function findMpcNode(crate: string, logFile: string, reporting: Reporting): Promise<string> {
  const target = join(crate, 'target'); // also where CARGO_TARGET_DIR says otherwise
  const binary = join(target, 'release', 'mpc-node');
  if (existsSync(binary) && statSync(binary).mtimeMs > newestSourceMs(crate)) return binary;
  const cargo = findOnPath('cargo');
  if (cargo === undefined)
    throw new Error(
      'The MPC node must be built, and `cargo` is missing: install Rust (https://rustup.rs), or set MPC_NODES to nodes of your own.',
    );
  await runBuild({
    name: 'the MPC node with Cargo',
    command: cargo,
    args: ['build', '--release', '--locked', '--bin', 'mpc-node', '--color', 'never', '--target-dir', target],
    directory: crate,
    logFile,
    reporting,
  });
  return binary;
}

function newestSourceMs(crate: string): number {
  const sources = (readdirSync(join(crate, 'src'), { recursive: true }) as string[]).filter((name) =>
    name.endsWith('.rs'),
  );
  const files = ['Cargo.toml', 'Cargo.lock', ...sources.map((name) => join('src', name))];
  return Math.max(...files.map((file) => statSync(join(crate, file)).mtimeMs));
}
