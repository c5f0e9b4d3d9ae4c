// `node mpc/audit/mutants.mjs [GROUP ...] [--slice 1/8]`: mutation testing of the parts of the node program that decide
// whether something is allowed, and what becomes of a share (mpc/audit/MUTATION.md). All mutants are in one build, and
// each is tried on the tests that reach it. Takes hours, so it is run by hand, or a slice of it: every eighth mutant of
// the list. When it is started again it goes on where it was stopped, unless mpc/ has changed. Results are in
// build/mutants/results.jsonl.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildTests, compiles, listMutants, putAlone, weaveAll } from './mutants/build.mjs';
import { baseline, inTurns, tryMutant } from './mutants/try.mjs';

const VERSION = '27.1.0';
const TOOLS = resolve('build/cargo-mutants');
const OUTPUT = resolve('build/mutants');
const COPY = join(OUTPUT, 'mpc');
const TARGET = join(OUTPUT, 'target');
const RESULTS = join(OUTPUT, 'results.jsonl');
const BASELINE = join(OUTPUT, 'baseline.json');
const PROGRAMS = ['nodes', 'policy_vectors', 'wire_vectors', 'transcripts'];
const AT_ONCE = 2;
/** What reads files outside of mpc/, which are not in the copy, and what takes minutes. */
const SKIPPED = ['store_key::runbook', 'fuzz_all_decoders::', 'attacks::'];

const GROUPS = {
  authorize: { files: ['src/guards/authorize.rs', 'src/guards/approver.rs', 'src/guards/daily_quota.rs'] },
  policy: { files: ['src/policy/*.rs'] },
  commit: { files: ['src/handlers/commit_key.rs', 'src/handlers/settle_key.rs', 'src/wire/key_statement.rs'] },
  vault: { files: ['src/storage/shares/vault.rs', 'src/storage/shares/settlement.rs'] },
  bans: { files: ['src/guards/bans.rs'] },
  marks: { files: ['src/guards/rollback.rs', 'src/handlers/attestations.rs', 'src/wire/progress_attestation.rs'] },
};

const { values, positionals: named } = parseArgs({ options: { slice: { type: 'string' } }, allowPositionals: true });
const [slice, slices] = (/^([1-9]\d*)\/([1-9]\d*)$/.exec(values.slice ?? '1/1') ?? []).slice(1).map(Number);
if (slice === undefined || slice > slices) throw new Error('A slice is one of several, for example --slice 1/8.');
const unknown = named.find((name) => !(name in GROUPS));
if (unknown !== undefined) throw new Error(`There is no group ${unknown}: ${Object.keys(GROUPS).join(', ')}.`);

const cargoMutants = installCargoMutants();
lock();
process.env.TMPDIR = join(OUTPUT, 'tmp');
rmSync(process.env.TMPDIR, { recursive: true, force: true });
mkdirSync(process.env.TMPDIR);
forgetOtherCode();
const mutants = listMutants(cargoMutants, 'mpc', GROUPS);
const { together, alone } = weaveAll('mpc', COPY, TARGET, mutants);
const programs = buildTests(COPY, TARGET, PROGRAMS);
if (programs === null) throw new Error('The tests do not compile.');
const tests = existsSync(BASELINE)
  ? JSON.parse(readFileSync(BASELINE, 'utf8'))
  : await baseline(programs, COPY, { skipped: SKIPPED, atOnce: AT_ONCE });
writeFileSync(BASELINE, JSON.stringify(tests));

const done = new Set(results().map(({ name }) => name));
const wanted = mutants
  .filter(({ group }) => named.length === 0 || named.includes(group))
  .filter((_mutant, place) => place % slices === slice - 1)
  .filter(({ name }) => !done.has(name));
const inOneBuild = new Set(together);
await inTurns(
  wanted.filter((mutant) => inOneBuild.has(mutant)),
  AT_ONCE,
  async (mutant) => {
    note(mutant, await tryMutant(tests, COPY, mutant, mutant.id));
  },
);
for (const mutant of wanted.filter(({ id }) => alone.has(id))) {
  const takeOut = putAlone('mpc', COPY, mutant);
  const built = compiles(COPY, TARGET) ? buildTests(COPY, TARGET, PROGRAMS) : null;
  note(mutant, built === null ? { compiles: false } : await tryMutant(tests, COPY, mutant, 0));
  takeOut();
}
report();

function note({ name, group }, result) {
  appendFileSync(RESULTS, `${JSON.stringify({ name, group, ...result })}\n`);
  const { compiles = true, noticedBy } = result;
  const end = compiles ? (noticedBy ?? 'NOT NOTICED') : 'does not compile';
  console.log(`${results().length} of ${mutants.length}  ${name}: ${end}`);
}

function report() {
  const all = results();
  for (const group of Object.keys(GROUPS)) {
    const ofGroup = all.filter((result) => result.group === group && result.compiles !== false);
    const noticed = ofGroup.filter(({ noticedBy }) => noticedBy !== null).length;
    const share = ((100 * noticed) / ofGroup.length).toFixed(1);
    console.log(`${group}: ${noticed} of ${ofGroup.length} mutants were noticed (${share} %)`);
  }
  for (const { name } of all.filter(({ noticedBy }) => noticedBy === null)) console.log(`  not noticed: ${name}`);
}

function results() {
  if (!existsSync(RESULTS)) return [];
  return readFileSync(RESULTS, 'utf8').split('\n').filter(Boolean).map(JSON.parse);
}

/** What was found out about other code, tests included, is worth nothing. */
function forgetOtherCode() {
  const digest = createHash('sha256').update(JSON.stringify([GROUPS, SKIPPED]));
  for (const file of ['src', 'tests', 'policies', 'vectors'].flatMap((folder) => filesIn(join('mpc', folder)))) {
    digest.update(file).update(readFileSync(file));
  }
  const code = digest.digest('hex');
  const path = join(OUTPUT, 'code.sha256');
  if (existsSync(path) && readFileSync(path, 'utf8') === code) return;
  for (const old of [RESULTS, BASELINE]) rmSync(old, { force: true });
  writeFileSync(path, code);
}

function filesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ path, name }) => join(path, name))
    .sort();
}

/** Two runs would write their mutants over each other. A file that a killed run has left has to be removed by hand. */
function lock() {
  const path = join(OUTPUT, 'lock');
  mkdirSync(OUTPUT, { recursive: true });
  writeFileSync(path, String(process.pid), { flag: 'wx' });
  process.on('exit', () => rmSync(path));
}

/** Only its list of mutants is used. */
function installCargoMutants() {
  const program = join(TOOLS, 'bin/cargo-mutants');
  const isThere = existsSync(program);
  if (isThere && execFileSync(program, ['mutants', '--version'], { encoding: 'utf8' }).includes(VERSION))
    return program;
  console.log(`installing cargo-mutants ${VERSION} into build/, some minutes`);
  const options = ['--locked', '--quiet', '--force', '--version', VERSION, '--root', TOOLS];
  execFileSync('cargo', ['install', 'cargo-mutants', ...options], { stdio: 'inherit' });
  return program;
}
