// What vitest tells scripts/test.mjs, which forks it: how far it is, each failure as it happens, and at the end which
// tests passed and failed. At TESTS_BEGIN_UNTIL (seconds since 1970) no further test begins: what has not run by then
// has failed.
import { relative } from 'node:path';

const EVERY_MS = 30_000;
const LINES_OF_A_REASON = 15;

export default class {
  #began = Date.now();
  #files = [];
  #running = new Set();
  #ended = 0;
  /** How many tests, of each file. */
  #passed = new Map();
  #failures = [];
  /** How long each file took. */
  #seconds = [];
  #timer;
  #isOver = false;

  onInit(vitest) {
    const until = Number(process.env.TESTS_BEGIN_UNTIL ?? Number.POSITIVE_INFINITY);
    if (until === Number.POSITIVE_INFINITY) return;
    const end = () => {
      this.#isOver = true;
      say('The time is up: no further test begins, those that run end.');
      void vitest.cancelCurrentRun('keyboard-input');
    };
    setTimeout(end, Math.max(0, until * 1000 - Date.now())).unref();
  }

  onTestRunStart(specifications) {
    this.#files = specifications.map(({ moduleId }) => fileOf(moduleId));
    this.#timer = setInterval(() => this.#tellProgress(), EVERY_MS);
  }

  onTestModuleStart({ moduleId }) {
    this.#running.add(fileOf(moduleId));
  }

  onTestModuleEnd(module) {
    const file = fileOf(module.moduleId);
    this.#running.delete(file);
    this.#ended += 1;
    for (const error of module.errors()) this.#fail(file, 'the file', error);
    // A hook of a group that failed leaves its tests skipped.
    for (const suite of module.children.allSuites())
      for (const error of suite.errors()) this.#fail(file, suite.fullName, error);
    let passed = 0;
    for (const test of module.children.allTests()) {
      const { state, errors, note } = test.result();
      if (state === 'passed') passed += 1;
      if (state === 'skipped' && note !== undefined && !this.#isOver)
        say(`LEFT OUT  ${file}: ${test.fullName}: ${note}`);
      if (state === 'failed') this.#fail(file, test.fullName, errors?.[0]);
    }
    this.#passed.set(file, passed);
    this.#seconds.push([file, Math.round(module.diagnostic().duration / 100) / 10]);
    say(`${duration(module.diagnostic().duration)}  ${module.state()}  ${file}`, { quiet: true });
  }

  onUserConsoleLog({ content }) {
    say(content.trimEnd(), { quiet: true });
  }

  onTestRunEnd(modules, errors) {
    clearInterval(this.#timer);
    const notRun = this.#isOver ? modules.filter(wasNotRun) : [];
    for (const { moduleId } of notRun)
      this.#fail(fileOf(moduleId), 'all of it', { message: 'the time was up before it had run' });
    // A process that crashed takes its file with it, and tells of it without a name.
    const states = ['passed', 'failed', 'skipped', ...(this.#isOver ? ['pending', 'queued'] : [])];
    const lost = modules.filter((module) => !states.includes(module.state()));
    for (const { moduleId } of lost) this.#fail(fileOf(moduleId), 'the file', { message: 'its process ended' });
    for (const error of errors) {
      const path = error.VITEST_TEST_PATH;
      if (path === undefined && lost.length > 0) continue;
      const file = path === undefined ? undefined : fileOf(path);
      this.#fail(file, `${error.VITEST_TEST_NAME ?? 'outside of a test'}, unhandled`, error);
    }
    this.#tellProgress();
    process.send?.({
      passed: [...this.#passed],
      failures: this.#failures,
      seconds: this.#seconds,
      isOver: this.#isOver,
    });
  }

  #fail(file, what, error) {
    const name = `${file ?? 'vitest'}: ${what}`;
    const message = String(error?.message ?? error?.stack ?? error);
    const place = error?.stacks?.find((frame) => frame.file.includes('/test/'));
    const at = place === undefined ? '' : `\n  at ${fileOf(place.file)}:${place.line}`;
    const reason = message.split('\n').slice(0, LINES_OF_A_REASON).join('\n  ');
    this.#failures.push({ name, again: file, text: `${name}: ${message.split('\n', 1)[0]}` });
    say(`FAILED  ${name}\n  ${reason}${at}`);
    say(error?.stack ?? '', { quiet: true });
  }

  #tellProgress() {
    const running = [...this.#running].map((file) => file.replace(/^test\//, '').replace(/\.test\.ts$/, ''));
    const passed = [...this.#passed.values()].reduce((total, count) => total + count, 0);
    const now = running.length === 0 ? '' : `; now ${running.join(', ')}`;
    say(
      `${duration(Date.now() - this.#began)}  ${this.#ended} of ${this.#files.length} files, ${passed} tests passed, ${this.#failures.length} failed${now}`,
    );
  }
}

/** @param {{ quiet?: boolean }} [how] quiet: for the log only */
function say(text, { quiet = false } = {}) {
  process.send?.({ text, quiet });
}

/** Whether some test of it did not begin. */
function wasNotRun(module) {
  const states = [...module.children.allTests()].map((test) => test.result().state);
  return [module.state(), ...states].some((state) => ['pending', 'queued', 'skipped'].includes(state));
}

function fileOf(path) {
  return relative(process.cwd(), path);
}

function duration(ms) {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
