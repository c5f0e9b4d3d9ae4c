// `npm run audit-crates`: cargo-deny holds the crates of the node program, and those of the crates in mpc/audit that
// check it, to mpc/deny.toml: licences, sources, known vulnerabilities. It reads the RustSec database from GitHub;
// where the network does not reach that, what the database said of our crates when mpc/advisories was written.
// `-- --keep` writes that folder anew.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const VERSION = '0.20.2';
const UPSTREAM = 'https://github.com/RustSec/advisory-db';
/** Each with a lock file of its own. */
const AUDITED = ['mpc', 'mpc/audit/model', 'mpc/audit/timing', 'mpc/audit/interleavings'];
const KEPT = resolve('mpc/advisories');
const TOOLS = resolve('build/cargo-deny');
const DATABASES = resolve('build/advisory-dbs');
const cargoDeny = findCargoDeny();
const upstream = process.env.ADVISORY_DB ?? UPSTREAM;
const fresh = isReachable(upstream);
// Databases of different origins have no common history.
rmSync(DATABASES, { recursive: true, force: true });
if (process.argv.includes('--keep')) {
  if (!fresh) throw new Error(`${upstream} cannot be reached: ADVISORY_DB may name another clone of it.`);
  keep(upstream);
}
const { as_of: asOf } = JSON.parse(readFileSync(join(KEPT, 'origin.json'), 'utf8'));
console.log(
  fresh ? `advisories: ${upstream}` : `advisories: mpc/advisories, as of ${asOf}; ${upstream} cannot be reached`,
);
const from = fresh ? upstream : repositoryOfKept(asOf);
for (const folder of AUDITED) {
  console.log(`${folder}:`);
  const options = ['--locked', '--manifest-path', `${folder}/Cargo.toml`, '--config', 'mpc/deny.toml'];
  try {
    run(cargoDeny, [...options, 'check', '--hide-inclusion-graph'], { from });
  } catch {
    process.exitCode = 1;
  }
}

/** The one on the PATH if it is of the version that is pinned here, else one of our own in build/. */
function findCargoDeny() {
  const own = join(TOOLS, 'bin/cargo-deny');
  const found = ['cargo-deny', own].find(isPinned);
  if (found !== undefined) return found;
  console.log(`installing cargo-deny ${VERSION} into build/, a minute or two`);
  const options = ['--locked', '--quiet', '--force', '--version', VERSION, '--root', TOOLS];
  // It runs for two seconds: compiling it well would take longer.
  run('cargo', ['install', 'cargo-deny', ...options, '--profile', 'dev', '--config', 'profile.dev.debug=false']);
  return own;
}

function isPinned(program) {
  try {
    return execFileSync(program, ['--version'], { encoding: 'utf8' }).trim() === `cargo-deny ${VERSION}`;
  } catch {
    return false;
  }
}

function isReachable(url) {
  try {
    execFileSync('git', ['ls-remote', url, 'HEAD'], { stdio: 'ignore', timeout: 15_000 });
    return true;
  } catch {
    return false;
  }
}

/** Of each advisory that names a crate of ours: what a machine reads, and the title. */
function keep(url) {
  const clone = resolve('build/advisory-db');
  rmSync(clone, { recursive: true, force: true });
  run('git', ['clone', '--quiet', '--depth', '1', url, clone]);
  rmSync(KEPT, { recursive: true, force: true });
  const locks = AUDITED.map((folder) => readFileSync(`${folder}/Cargo.lock`, 'utf8')).join('\n');
  const names = [...locks.matchAll(/^name = "(.+)"$/gm)].map(([, name]) => name);
  for (const name of new Set(names)) {
    const from = join(clone, 'crates', name);
    if (!existsSync(from)) continue;
    mkdirSync(join(KEPT, 'crates', name), { recursive: true });
    for (const file of readdirSync(from).filter((file) => file.endsWith('.md'))) {
      const [facts] = /^```toml\n.*?\n```\s+# [^\n]+\n/s.exec(readFileSync(join(from, file), 'utf8')) ?? [];
      if (facts === undefined) throw new Error(`${name}/${file} is not written as an advisory.`);
      writeFileSync(join(KEPT, 'crates', name, file), facts);
    }
  }
  const [commit, asOf] = output('git', ['-C', clone, 'log', '-1', '--format=%H %cs']).trim().split(' ');
  const origin = { database: UPSTREAM, licence: 'CC0-1.0, or what an advisory itself names', commit, as_of: asOf };
  writeFileSync(join(KEPT, 'origin.json'), `${JSON.stringify(origin, undefined, 2)}\n`);
  rmSync(clone, { recursive: true, force: true });
}

/** Cargo-deny reads a database from git only. */
function repositoryOfKept(asOf) {
  const repository = resolve('build/advisories-kept');
  rmSync(repository, { recursive: true, force: true });
  cpSync(KEPT, repository, { recursive: true });
  const env = {};
  for (const who of ['AUTHOR', 'COMMITTER']) {
    env[`GIT_${who}_NAME`] = 'mpc/advisories';
    env[`GIT_${who}_EMAIL`] = 'advisories@localhost';
    env[`GIT_${who}_DATE`] = `${asOf}T00:00:00Z`;
  }
  for (const args of [
    ['init', '--quiet', '--initial-branch', 'main'],
    ['add', '.'],
    ['commit', '--quiet', '--message', asOf],
  ])
    execFileSync('git', ['-C', repository, ...args], { env: { ...process.env, ...env } });
  return `file://${repository}`;
}

/** @param {{ from?: string }} [how] from: what git reads where the database of RustSec is asked for */
function run(command, args, { from = UPSTREAM } = {}) {
  const instead = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: `url.${from}.insteadOf`, GIT_CONFIG_VALUE_0: UPSTREAM };
  execFileSync(command, args, {
    stdio: 'inherit',
    env: { ...process.env, ...(from === UPSTREAM ? {} : instead) },
  });
}

function output(command, args) {
  return execFileSync(command, args, { encoding: 'utf8' });
}
