// `npm test`: the node program's tests, then ours, but for the long searches, which `npm run test:full` runs together
// with the crates of mpc/audit, and what is shipped, which `npm run test:release` tries (test/seconds.json says which
// files, and how long each took). Says how far it is and what failed; the whole output goes to build/test.log, the
// seconds of each file to build/test-seconds.json. Many tests watch real processes by the clock, beside two hundred
// other files: a few that failed run once more, alone. What fails again has failed; what passes then is named, with why
// it had failed.
import { fork, spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** More than a few failures are no accident. */
const MOST_FILES_AGAIN = 10;
const MOST_RUST_TESTS_AGAIN = 5;
/** Side by side: many wait for a time limit, and two would leave two cores idle. */
const RUST_TESTS_AT_ONCE = 4;
/** While crates compile, cargo says nothing else. */
const CRATES_A_LINE = 50;

const suite = ['full', 'release'].find((name) => process.argv.includes(`--${name}`)) ?? 'essential';
const isFull = suite === 'full';
const selection = process.argv.slice(2).filter((argument) => argument !== `--${suite}`);
/** What `build/` keeps of this run. */
const name = suite === 'essential' ? 'test' : `test-${suite}`;
/** Modules of tests of the node program that are left to the full suite. */
const { fullRust } = JSON.parse(readFileSync('test/seconds.json', 'utf8'));

mkdirSync('build', { recursive: true });
rmSync(`build/${name}-result.json`, { force: true });
const log = createWriteStream(`build/${name}.log`);
await new Promise((resolve) => log.once('open', resolve));

const rust = { essential: [rustTests], full: [rustTests, modelTests, interleavingTests], release: [] };
const results = [];
for (const tests of rust[suite]) results.push(await again(tests, [], MOST_RUST_TESTS_AGAIN));
results.push(await again(vitest, selection, MOST_FILES_AGAIN));

for (const { recovered, failures } of results) {
  for (const { text } of recovered) say(`PASSED ALONE, FAILED BEFORE  ${text}`);
  for (const { text } of failures) say(`FAILED  ${text}`);
}
const passed = results.flatMap((result) => [...result.passed.values()]).reduce((total, count) => total + count, 0);
const failed = results.reduce((total, { failures }) => total + failures.length, 0);
if (failed > 0) say(`The whole output is in build/${name}.log.`);
const names = results.flatMap(({ failures }) => failures.map(({ text }) => text));
writeFileSync(`build/${name}-result.json`, JSON.stringify({ passed, failed, names }));
writeFileSync(`build/${name}-seconds.json`, JSON.stringify(Object.fromEntries(secondsOfFiles()), null, 2));
say(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/**
 * Runs a suite, and what failed in it once more. A suite answers how many tests passed of each thing that can run again
 * alone, and its failures.
 */
async function again(suite, selected, most) {
  const first = await suite(selected);
  const which = [...new Set(first.failures.map(({ again }) => again))];
  if (which.length === 0 || which.length > most || which.includes(undefined)) return { ...first, recovered: [] };
  say(`once more, alone: ${which.join(', ')}`);
  const second = await suite(which, { alone: true });
  // What had no time to pass has failed.
  if (second.isOver) return { ...first, recovered: [] };
  const stillFails = new Set(second.failures.map((failure) => failure.name));
  const recovered = first.failures.filter((failure) => !stillFails.has(failure.name));
  return { ...first, passed: new Map([...first.passed, ...second.passed]), failures: second.failures, recovered };
}

/** The tests of the node program that belong to this suite, or those of these names. */
function rustTests(names) {
  const tested = isFull && names.length === 0 ? ['--test', 'nodes'] : [];
  const selected = names.length > 0 ? ['--exact', ...names] : rustTestsOfThisSuite();
  const threads = ['--test-threads', String(names.length > 0 ? 1 : RUST_TESTS_AT_ONCE)];
  return cargoTests('mpc', 'the tests of the node program', [...tested, '--', ...threads, ...selected]);
}

/** The model of the life of shares: every state of small bounds, one test after the other, each on both cores. */
function modelTests(names) {
  const selected = names.length > 0 ? ['--exact', ...names] : [];
  return cargoTests('mpc/audit/model', 'the model of shares', ['--', '--test-threads', '1', ...selected]);
}

/** Every order of threads at some locks of the node. In the node's folder, where its crates are built already. */
function interleavingTests(names) {
  const selected = names.length > 0 ? ['--exact', ...names] : [];
  const folder = 'mpc/audit/interleavings';
  return cargoTests(folder, 'the orders of threads', ['--target-dir', 'mpc/target', '--', ...selected]);
}

async function cargoTests(folder, what, selected) {
  const manifest = ['--manifest-path', `${folder}/Cargo.toml`];
  const cargo = spawn('cargo', ['test', '--release', '--locked', '--no-fail-fast', ...manifest, ...selected], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const passed = new Map();
  const failures = [];
  let compiled = 0;
  /** Cargo tells what a test printed after all tests of its file, and only if it failed. */
  let tellsOutput = false;
  createInterface({ input: cargo.stderr }).on('line', (line) => {
    log.write(`${line}\n`);
    if (/^\s+Compiling /.test(line) && ++compiled % CRATES_A_LINE === 0) say(`${folder}: ${compiled} crates compiled`);
    if (/^\s+Running |^error/.test(line)) say(`${folder}: ${line.trim()}`);
  });
  createInterface({ input: cargo.stdout }).on('line', (line) => {
    const [, test, outcome] = /^test (\S+).* \.\.\. (ok|FAILED)$/.exec(line) ?? [];
    if (outcome === 'ok') passed.set(test, 1);
    if (outcome === 'FAILED') failures.push({ name: test, again: test, text: `${folder}: ${test}` });
    if (/^---- .* ----$/.test(line)) tellsOutput = true;
    if (line === 'failures:') tellsOutput = false;
    if (outcome === 'FAILED' || tellsOutput || line.startsWith('test result:')) say(line);
    else log.write(`${line}\n`);
  });
  const code = await ended(cargo);
  return { passed, failures: unlessItEndedOtherwise(what, code, failures) };
}

/** For Rust's test program: the full suite selects what the other skips. */
function rustTestsOfThisSuite() {
  return isFull ? fullRust : fullRust.flatMap((module) => ['--skip', module]);
}

/** The test files of this suite, or these of them. */
async function vitest(selected, { alone = false } = {}) {
  const child = fork('node_modules/vitest/vitest.mjs', ['run', '--reporter=./scripts/test-reporter.mjs', ...selected], {
    stdio: ['ignore', log, log, 'ipc'],
    env: { ...process.env, TEST_SUITE: suite, ...(alone && { TEST_FILES_AT_ONCE: '1' }) },
  });
  const result = { passed: [], failures: [], seconds: [] };
  child.on('message', ({ text, quiet, ...end }) => {
    if (text === undefined) Object.assign(result, end);
    else if (quiet) log.write(`${text}\n`);
    else say(text);
  });
  const code = await ended(child);
  const failures = unlessItEndedOtherwise('vitest', code, result.failures);
  return { passed: new Map(result.passed), failures, seconds: result.seconds, isOver: result.isOver };
}

/** Of each test file, the longest first. */
function secondsOfFiles() {
  return results.flatMap(({ seconds = [] }) => seconds).sort(([, one], [, other]) => other - one);
}

/**
 * A suite that ends badly though no test of it failed did not compile, or could not start: once more would not help.
 */
function unlessItEndedOtherwise(suite, code, failures) {
  if (code === 0 || failures.length > 0) return failures;
  const text = `${suite} ended with code ${code} without saying which test failed: see build/${name}.log`;
  return [{ name: suite, again: undefined, text }];
}

/** Resolves with the exit code once all output is there. */
function ended(child) {
  return new Promise((resolve) => {
    child.on('error', (error) => {
      say(`${child.spawnfile} cannot be run: ${error.message}`);
      resolve(1);
    });
    child.on('close', resolve);
  });
}

function say(text) {
  console.log(text);
  log.write(`${text}\n`);
}
