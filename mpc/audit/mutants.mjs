// `node mpc/audit/mutants.mjs [GROUP ...] [-- --shard 0/8]`: mutation testing of the parts of the node program that
// decide whether something is allowed, and what becomes of a share (mpc/audit/MUTATION.md). Each mutant is built in a
// copy of mpc/ and tried on the tests that are about its files; one that those leave alive is tried on a wider
// selection. Takes hours as a whole, so it is run by hand. What follows `--` goes to cargo-mutants. Results are in
// build/mutants/GROUP.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const VERSION = '27.1.0';
const TOOLS = resolve('build/cargo-mutants');
const OUTPUT = resolve('build/mutants');
const cargo = join(TOOLS, 'bin/cargo-mutants');
/** The folder in which cargo-mutants writes each mutant: always the same, so that little has to be built anew. */
const COPY = join(OUTPUT, 'mpc');
/** A mutant that waits for ever has been noticed. The selections take up to half a minute on two cores, and two. */
const TIMEOUT_SECONDS = { first: 60, second: 300 };
const TESTS_AT_ONCE = 4;
/** Exit codes of cargo-mutants: all were caught; some were missed; some made a test run into the time limit. */
const EXPECTED_CODES = [0, 2, 3];

const KEY_TESTS = ['keys::commit', 'keys::refresh', 'keys::repair', 'keys::generation', 'keys::workspaces'];
/** The files of a group, and the modules of tests/nodes that try its mutants first, and second. */
const GROUPS = {
  authorize: {
    files: ['src/guards/authorize.rs', 'src/guards/approver.rs', 'src/guards/daily_quota.rs'],
    first: ['commands::', 'contents::', 'hostile::', 'envelopes::'],
    second: ['keys::', 'cluster_file::', 'signing::', 'checkpoints::', 'attacks::command_keys'],
  },
  policy: {
    files: ['src/policy/*.rs'],
    programs: ['--test', 'policy_vectors'],
    first: ['contents::', 'hostile::'],
    second: ['commands::', 'rolled_back::', 'attacks::command_keys', 'attacks::clocks', 'vectors::'],
  },
  commit: {
    files: ['src/handlers/commit_key.rs', 'src/handlers/settle_key.rs', 'src/wire/key_statement.rs'],
    first: ['keys::commit', 'keys::refresh_settle'],
    second: [...KEY_TESTS, 'durability::', 'removed::', 'backup::'],
  },
  vault: {
    files: ['src/storage/shares/vault.rs', 'src/storage/shares/settlement.rs'],
    first: ['keys::commit', 'keys::refresh_settle', 'durability::'],
    second: [...KEY_TESTS, 'removed::', 'backup::', 'store_key::', 'cluster_file::'],
  },
  bans: {
    files: ['src/guards/bans.rs'],
    first: ['bans::'],
    second: ['removed::', 'lost_writes::', 'durability::', 'keys::repair', 'attacks::full_disk'],
  },
  marks: {
    files: ['src/guards/rollback.rs', 'src/handlers/attestations.rs', 'src/wire/progress_attestation.rs'],
    first: ['rolled_back::'],
    second: ['removed::', 'lost_writes::', 'durability::', 'backup::', 'connections::', 'processes::'],
  },
};

const separator = process.argv.indexOf('--');
const named = process.argv.slice(2, separator < 0 ? undefined : separator);
const passedOn = separator < 0 ? [] : process.argv.slice(separator + 1);

installCargoMutants();
lock();
rmSync(COPY, { recursive: true, force: true });
cpSync('mpc', COPY, { recursive: true, filter: (path) => !/(^|\/)target$/.test(path) });
for (const name of named.length > 0 ? named : Object.keys(GROUPS)) {
  const group = GROUPS[name];
  if (group === undefined) throw new Error(`There is no group ${name}: ${Object.keys(GROUPS).join(', ')}.`);
  rmSync(join(OUTPUT, name), { recursive: true, force: true });
  run(name, group, group.first, TIMEOUT_SECONDS.first, passedOn);
  const noticed = [noticedIn(name)];
  const missed = outcomes(name, 'missed');
  if (missed.length > 0) {
    const alone = missed.flatMap((mutant) => ['--re', `^${mutant.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`]);
    run(name, group, [...group.first, ...group.second], TIMEOUT_SECONDS.second, alone);
    noticed.push(noticedIn(name));
  }
  report(name, noticed);
}

/** Two runs would write their mutants over each other. A file that a killed run has left has to be removed by hand. */
function lock() {
  const path = join(OUTPUT, 'lock');
  mkdirSync(OUTPUT, { recursive: true });
  writeFileSync(path, String(process.pid), { flag: 'wx' });
  process.on('exit', () => rmSync(path));
}

function run(name, { files, programs = [] }, tests, timeoutSeconds, which) {
  const options = [
    '--dir',
    COPY,
    '--in-place',
    '--output',
    join(OUTPUT, name),
    '--profile',
    'mutants',
    '--baseline',
    'skip',
  ];
  const limits = ['--timeout', String(timeoutSeconds), '--no-shuffle', '--cargo-arg=--locked'];
  const selected = files.flatMap((file) => ['--file', file]);
  // What a test reads outside of mpc/ is not in the copy.
  const skipped = ['--skip', 'store_key::runbook'];
  const harness = ['--', ...tests, ...skipped, '--test-threads', String(TESTS_AT_ONCE)];
  const testArguments = ['--', '--lib', '--test', 'nodes', ...programs, ...harness];
  const { status } = spawnSync(cargo, ['mutants', ...options, ...limits, ...selected, ...which, ...testArguments], {
    stdio: 'inherit',
    env: { ...process.env, CARGO_TARGET_DIR: join(OUTPUT, 'target') },
  });
  if (!EXPECTED_CODES.includes(status)) throw new Error(`cargo-mutants ended with ${status} in the group ${name}.`);
}

function report(name, [first, second = 0]) {
  const missed = outcomes(name, 'missed');
  const all = first + second + missed.length;
  console.log(`\n${name}: ${first + second} of ${all} mutants were noticed, ${second} of them by the wider selection.`);
  for (const mutant of missed) console.log(`  not noticed: ${mutant}`);
}

/** By the last run. What did not compile counts nowhere. */
function noticedIn(name) {
  return outcomes(name, 'caught').length + outcomes(name, 'timeout').length;
}

function outcomes(name, kind) {
  const path = join(OUTPUT, name, 'mutants.out', `${kind}.txt`);
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}

function installCargoMutants() {
  if (existsSync(cargo) && execFileSync(cargo, ['mutants', '--version'], { encoding: 'utf8' }).includes(VERSION))
    return;
  console.log(`installing cargo-mutants ${VERSION} into build/, some minutes`);
  const options = ['--locked', '--quiet', '--force', '--version', VERSION, '--root', TOOLS];
  execFileSync('cargo', ['install', 'cargo-mutants', ...options], { stdio: 'inherit' });
}
