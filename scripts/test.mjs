// `npm test`: the node program's tests, then ours, as they run, and at the end one line that sums them up. Many tests watch real processes by the clock, beside
// two hundred other files: a few that failed run once more, alone. What fails again has failed; what passes then is named, with why it had failed.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/** More than a few failures are no accident. */
const MOST_FILES_AGAIN = 5;
const MOST_RUST_TESTS_AGAIN = 5;

const scratch = mkdtempSync(join(tmpdir(), 'countersign-test-'));
const results = [
  await again(rustTests, [], MOST_RUST_TESTS_AGAIN),
  await again(vitest, process.argv.slice(2), MOST_FILES_AGAIN),
];
rmSync(scratch, { recursive: true, force: true });

// The whole output is long: what failed stands at its end once more.
for (const { recovered, failures } of results) {
  for (const { text } of recovered) console.log(`PASSED ALONE, FAILED BEFORE  ${text}`);
  for (const { text } of failures) console.log(`FAILED  ${text}`);
}
const sum = (count) => results.reduce((total, result) => total + count(result), 0);
console.log(`\n${sum(({ passed }) => passed)} passed, ${sum(({ failures }) => failures.length)} failed`);
process.exitCode = results.every(({ failures }) => failures.length === 0) ? 0 : 1;

/** Runs a suite, and what failed in it once more. */
async function again(suite, selection, most) {
  const first = await suite(selection);
  const which = [...new Set(first.failures.map(({ again }) => again))];
  if (which.length === 0 || which.length > most || which.includes(undefined)) return { ...first, recovered: [] };
  console.log(`\nonce more, alone: ${which.join(', ')}`);
  const second = await suite(which);
  const stillFails = new Set(second.failures.map(({ name }) => name));
  const recovered = first.failures.filter(({ name }) => !stillFails.has(name));
  return { passed: first.passed + recovered.length, failures: second.failures, recovered };
}

/** All tests of the node program, or those of these names. */
async function rustTests(names) {
  const selection = names.length === 0 ? [] : ['--', '--exact', ...names];
  const { code, output } = await run('cargo', [
    ...['test', '--release', '--locked', '--no-fail-fast', '--manifest-path', 'mpc/Cargo.toml'],
    ...selection,
  ]);
  const counts = [...output.matchAll(/^test result: \w+\. (\d+) passed; (\d+) failed/gm)];
  const passed = counts.reduce((total, [, count]) => total + Number(count), 0);
  const failures = [...output.matchAll(/^test (\S+).* \.\.\. FAILED$/gm)].map(([, name]) => ({
    name,
    again: name,
    text: `mpc: ${name}`,
  }));
  return { passed, failures: unlessItEndedOtherwise('the tests of the node program', code, failures) };
}

/** All test files, or these. */
async function vitest(selection) {
  const report = join(scratch, 'vitest.json');
  rmSync(report, { force: true });
  const { code } = await run(process.execPath, [
    ...['node_modules/vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=json'],
    ...[`--outputFile.json=${report}`, ...selection],
  ]);
  const { numPassedTests, testResults } = readReport(report);
  return { passed: numPassedTests, failures: unlessItEndedOtherwise('vitest', code, testResults.flatMap(failuresOf)) };
}

function readReport(report) {
  try {
    return JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return { numPassedTests: 0, testResults: [] };
  }
}

/** Of a file: its failed tests with the first line of the reason, or the whole file if it could not run. */
function failuresOf({ name: path, status, message, assertionResults }) {
  const file = relative(process.cwd(), path);
  const failure = (what, reason) => {
    const name = `${file}: ${what}`;
    return { name, again: file, text: `${name}: ${String(reason).split('\n', 1)[0]}` };
  };
  const failed = assertionResults.filter((test) => test.status === 'failed');
  if (failed.length === 0) return status === 'failed' ? [failure('the file', message)] : [];
  return failed.map(({ fullName, failureMessages }) => failure(fullName, failureMessages[0]));
}

/** A suite that ends badly though no test of it failed did not compile, or crashed: once more would not help. */
function unlessItEndedOtherwise(suite, code, failures) {
  if (code === 0 || failures.length > 0) return failures;
  return [
    {
      name: suite,
      again: undefined,
      text: `${suite} ended with code ${code} without saying which test failed: see above`,
    },
  ];
}

/** Shows the output as it comes and keeps it. */
function run(command, args) {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.on('data', (data) => {
      output += data;
      process.stdout.write(data);
    });
    child.on('error', (error) => {
      console.error(`${command} cannot be run: ${error.message}`);
      resolve({ code: 1, output });
    });
    child.on('close', (code) => resolve({ code, output }));
  });
}
