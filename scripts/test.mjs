// `npm test`: the node program's tests, then ours, as they run, and at the end one line that sums them up.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const scratch = mkdtempSync(join(tmpdir(), 'countersign-test-'));
const report = join(scratch, 'vitest.json');

const rust = await run('cargo', ['test', '--release', '--locked', '--manifest-path', 'mpc/Cargo.toml']);
const rustCounts = [...rust.output.matchAll(/^test result: \w+\. (\d+) passed; (\d+) failed/gm)].map(
  ([, passed, failed]) => ({
    passed: Number(passed),
    failed: Number(failed),
  }),
);
const vitest = await run(process.execPath, [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
  ...process.argv.slice(2),
]);
const suites = [...rustCounts, readReport()];
rmSync(scratch, { recursive: true, force: true });

// The whole output is long: what failed stands at its end once more.
for (const { failures } of suites) for (const failure of failures ?? []) console.log(`FAILED  ${failure}`);
const sum = (name) => suites.reduce((total, suite) => total + suite[name], 0);
const broken =
  (rust.code !== 0 && rustCounts.every(({ failed }) => failed === 0) ? 1 : 0) +
  (vitest.code !== 0 && suites.at(-1).failed === 0 ? 1 : 0);
if (broken > 0) console.log('A suite ended without saying which test failed: see above.');
console.log(`\n${sum('passed')} passed, ${sum('failed') + broken} failed`);
process.exitCode = rust.code === 0 && vitest.code === 0 ? 0 : 1;

function readReport() {
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'));
    return { passed: numPassedTests, failed: numFailedTests, failures: testResults.flatMap(failuresOf) };
  } catch {
    return { passed: 0, failed: 0 };
  }
}

/** Of a file: the names of its failed tests with the first line of the reason, or of the whole file if it could not run. */
function failuresOf({ name, status, message, assertionResults }) {
  const file = relative(process.cwd(), name);
  const failed = assertionResults.filter((test) => test.status === 'failed');
  const line = (what, reason) => `${file}: ${what}: ${String(reason).split('\n', 1)[0]}`;
  if (failed.length === 0) return status === 'failed' ? [line('the file', message)] : [];
  return failed.map(({ fullName, failureMessages }) => line(fullName, failureMessages[0]));
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
