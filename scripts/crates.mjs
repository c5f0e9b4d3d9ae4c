// Checks what the node program is built from: every crate comes from crates.io and has a licence that an Apache-2.0 product may ship. Known vulnerabilities are for
// `cargo deny check advisories` (mpc/deny.toml), which reads a database from the network.
import { execFileSync } from 'node:child_process';

const ALLOWED = ['MIT', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MPL-2.0', 'Unicode-3.0', 'Zlib', '0BSD'];
const CRATES_IO = 'registry+https://github.com/rust-lang/crates.io-index';

const host = /^host: (.+)$/m.exec(run('rustc', '-vV'))?.[1] ?? '';
const metadata = run(
  'cargo',
  ...['metadata', '--locked', '--format-version', '1', '--filter-platform', host],
  ...['--manifest-path', 'mpc/Cargo.toml'],
);
const { packages, workspace_members: own } = JSON.parse(metadata);
const wrong = packages
  .filter(({ id }) => !own.includes(id))
  .flatMap(({ name, version, license, source }) => [
    ...(isAllowed(license ?? '') ? [] : [`${name} ${version} has the licence ${license ?? 'that it does not name'}`]),
    ...(source === CRATES_IO ? [] : [`${name} ${version} does not come from crates.io`]),
  ]);
for (const sentence of wrong) console.error(sentence);
console.log(`${packages.length - own.length} crates, ${wrong.length} that must not be shipped`);
process.exitCode = wrong.length > 0 ? 1 : 0;

/** Of an SPDX expression: one alternative of each part is enough. */
function isAllowed(expression) {
  const parts = expression.replaceAll(/[()]/g, '').split(' AND ');
  return parts.every((part) => part.split(/ OR |\//).some((licence) => ALLOWED.includes(licence.trim())));
}

function run(command, ...args) {
  return execFileSync(command, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
}
