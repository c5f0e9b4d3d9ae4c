// `npm test`: the node program's tests, then ours. It says how far it is and what failed; the whole output goes to build/test.log. Many tests watch real processes by
// the clock, beside two hundred other files: a few that failed run once more, alone. What fails again has failed; what passes then is named, with why it had failed.
import { fork, spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** More than a few failures are no accident. */
const MOST_FILES_AGAIN = 10;
const MOST_RUST_TESTS_AGAIN = 5;
/** While crates compile, cargo says nothing else. */
const CRATES_A_LINE = 50;

mkdirSync('build', { recursive: true });
const log = createWriteStream('build/test.log');
await new Promise((resolve) => log.once('open', resolve));

const results = [
  await again(rustTests, [], MOST_RUST_TESTS_AGAIN),
  await again(vitest, process.argv.slice(2), MOST_FILES_AGAIN),
];

for (const { recovered, failures } of results) {
  for (const { text } of recovered) say(`PASSED ALONE, FAILED BEFORE  ${text}`);
  for (const { text } of failures) say(`FAILED  ${text}`);
}
const passed = results.flatMap((result) => [...result.passed.values()]).reduce((total, count) => total + count, 0);
const failed = results.reduce((total, { failures }) => total + failures.length, 0);
if (failed > 0) say('The whole output is in build/test.log.');
say(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** Runs a suite, and what failed in it once more. A suite answers how many tests passed of each thing that can run again alone, and its failures. */
async function again(suite, selection, most) {
  const first = await suite(selection);
  const which = [...new Set(first.failures.map(({ again }) => again))];
  if (which.length === 0 || which.length > most || which.includes(undefined)) return { ...first, recovered: [] };
  say(`once more, alone: ${which.join(', ')}`);
  const second = await suite(which);
  const stillFails = new Set(second.failures.map(({ name }) => name));
  const recovered = first.failures.filter(({ name }) => !stillFails.has(name));
  return { passed: new Map([...first.passed, ...second.passed]), failures: second.failures, recovered };
}

/** All tests of the node program, or those of these names. */
async function rustTests(names) {
  const cargo = spawn(
    'cargo',
    [
      ...['test', '--release', '--locked', '--no-fail-fast', '--manifest-path', 'mpc/Cargo.toml'],
      ...(names.length === 0 ? [] : ['--', '--exact', ...names]),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const passed = new Map();
  const failures = [];
  let compiled = 0;
  /** Cargo tells what a test printed after all tests of its file, and only if it failed. */
  let tellsOutput = false;
  createInterface({ input: cargo.stderr }).on('line', (line) => {
    log.write(`${line}\n`);
    if (/^\s+Compiling /.test(line) && ++compiled % CRATES_A_LINE === 0) say(`mpc: ${compiled} crates compiled`);
    if (/^\s+Running |^error/.test(line)) say(`mpc: ${line.trim()}`);
  });
  createInterface({ input: cargo.stdout }).on('line', (line) => {
    const [, name, outcome] = /^test (\S+).* \.\.\. (ok|FAILED)$/.exec(line) ?? [];
    if (outcome === 'ok') passed.set(name, 1);
    if (outcome === 'FAILED') failures.push({ name, again: name, text: `mpc: ${name}` });
    if (/^---- .* ----$/.test(line)) tellsOutput = true;
    if (line === 'failures:') tellsOutput = false;
    if (outcome === 'FAILED' || tellsOutput || line.startsWith('test result:')) say(line);
    else log.write(`${line}\n`);
  });
  const code = await ended(cargo);
  return { passed, failures: unlessItEndedOtherwise('the tests of the node program', code, failures) };
}

/** All test files, or these. */
async function vitest(selection) {
  const child = fork(
    'node_modules/vitest/vitest.mjs',
    ['run', '--reporter=./scripts/test-reporter.mjs', ...selection],
    {
      stdio: ['ignore', log, log, 'ipc'],
    },
  );
  const result = { passed: [], failures: [] };
  child.on('message', ({ text, quiet, ...end }) => {
    if (text === undefined) Object.assign(result, end);
    else if (quiet) log.write(`${text}\n`);
    else say(text);
  });
  const code = await ended(child);
  return { passed: new Map(result.passed), failures: unlessItEndedOtherwise('vitest', code, result.failures) };
}

/** A suite that ends badly though no test of it failed did not compile, or could not start: once more would not help. */
function unlessItEndedOtherwise(suite, code, failures) {
  if (code === 0 || failures.length > 0) return failures;
  const text = `${suite} ended with code ${code} without saying which test failed: see build/test.log`;
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
