// The program that says what a node's policy sees of payloads (mpc/examples/policy_view.rs), built by Cargo when it is
// older than its sources.
import { execFileSync } from 'node:child_process';

/** Returns the path of the program. */
export function policyView(): string {
  const target = 'mpc/target'; // also where CARGO_TARGET_DIR says otherwise
  const options = ['--release', '--locked', '--quiet', '--example', 'policy_view'];
  execFileSync('cargo', ['build', ...options, '--manifest-path', 'mpc/Cargo.toml', '--target-dir', target]);
  return `${target}/release/examples/policy_view`;
}
