// Tries a mutant on the tests that reach its function, the quickest first, and stops at the first that fails twice.
// A test reaches what it reached alone, without a mutant, the node programs that it started included.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A mutant that waits for ever has been noticed: so many times what the tests took alone, and at least so long. */
const PATIENCE = { times: 6, secondsMin: 60 };
/** So many quick ones are run first, in one process, because most mutants fail at once. */
const QUICK_TESTS = 8;
const TESTS_AT_ONCE = 4;

/** Runs each test alone: `[{program, name, seconds, reached: [function number]}]`. Throws when one fails. */
export async function baseline(programs, copy, { skipped, atOnce }) {
  const tests = programs.flatMap((program) => namesOf(program, copy).map((name) => ({ program, name })));
  const wanted = tests.filter(({ name }) => !skipped.some((part) => name.startsWith(part)));
  const folder = mkdtempSync(join(tmpdir(), 'reached-'));
  const results = [];
  await inTurns(wanted, atOnce, async ({ program, name }) => {
    const notes = join(folder, String(results.length + Math.random()));
    const started = performance.now();
    const { failed, output } = await run(program, copy, [name], { COUNTERSIGN_REACHED: notes }, 600);
    if (failed) throw new Error(`Without any mutant ${name} fails:\n${output}`);
    const seconds = (performance.now() - started) / 1000;
    const reached = existsSync(notes) ? readFileSync(notes, 'utf8').split('\n').filter(Boolean).map(Number) : [];
    results.push({ program, name, seconds, reached: [...new Set(reached)] });
    if (results.length % 25 === 0) console.log(`${results.length} of ${wanted.length} tests were run without a mutant`);
  });
  rmSync(folder, { recursive: true });
  return results;
}

/** `{noticedBy: test}` or `{noticedBy: null}`. `number` is 0 for a mutant that is built alone. */
export async function tryMutant(tests, copy, mutant, number) {
  const reaching = tests.filter(({ reached }) => mutant.reachedBy.some((id) => reached.includes(id)));
  reaching.sort((a, b) => a.seconds - b.seconds);
  const batches = [reaching.slice(0, QUICK_TESTS), reaching.slice(QUICK_TESTS)];
  for (const batch of batches) {
    for (const program of new Set(batch.map((test) => test.program))) {
      const ofProgram = batch.filter((test) => test.program === program);
      const noticedBy = await noticed(program, copy, ofProgram, { COUNTERSIGN_MUTANT: String(number) });
      if (noticedBy !== null) return { noticedBy, reaching: reaching.length };
    }
  }
  return { noticedBy: null, reaching: reaching.length };
}

/** What fails once may have failed because the machine was busy. */
async function noticed(program, copy, tests, env) {
  const left = tests.map(({ name }) => name);
  for (;;) {
    const sum = tests.filter(({ name }) => left.includes(name)).reduce((all, { seconds }) => all + seconds, 0);
    const first = await run(program, copy, left, env, Math.max(PATIENCE.secondsMin, PATIENCE.times * sum));
    if (!first.failed) return null;
    if (first.test === undefined) return first.why;
    const { seconds } = tests.find(({ name }) => name === first.test);
    const again = await run(program, copy, [first.test], env, Math.max(PATIENCE.secondsMin, PATIENCE.times * seconds));
    if (again.failed) return first.test;
    left.splice(left.indexOf(first.test), 1);
    if (left.length === 0) return null;
  }
}

/** Ends at the first test that fails. `test` is its name, when it was a test and not the whole process that failed. */
function run(program, copy, names, env, seconds) {
  const harness = ['--exact', ...names, '--test-threads', String(TESTS_AT_ONCE)];
  const child = spawn(program, harness, { cwd: copy, env: { ...process.env, ...env }, detached: true });
  let output = '';
  let test;
  let why;
  const end = () => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  };
  const timer = setTimeout(() => {
    why = 'the time limit';
    end();
  }, seconds * 1000);
  child.stdout.on('data', (data) => {
    output += data;
    test ??= /^test (\S+)(?: - should panic)? \.\.\. FAILED$/m.exec(output)?.[1];
    if (test !== undefined) end();
  });
  child.stderr.on('data', (data) => (output += data));
  return new Promise((resolve) => {
    child.on('close', (code) => {
      clearTimeout(timer);
      end();
      resolve({ failed: code !== 0, test, why: why ?? 'the end of the test program', output: output.slice(-4000) });
    });
  });
}

export async function inTurns(items, atOnce, work) {
  const left = [...items];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

function namesOf(program, copy) {
  const listed = execFileSync(program, ['--list', '--format', 'terse'], { cwd: copy, encoding: 'utf8' });
  return listed.split('\n').flatMap((line) => /^(.+): test$/.exec(line)?.[1] ?? []);
}
