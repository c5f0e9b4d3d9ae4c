// How the tests run. Some tests need no server or start their own; the others share one PostgreSQL and one Temporal, started once
// a run. Which files `npm test` runs and which are left to `npm run test:full` and `npm run test:release` stands in
// test/seconds.json, with what was measured.
import { readdirSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

interface Seconds {
  /** What each takes in `npm test`: of the others none takes five seconds. */
  essential: Record<string, number>;
  /** What each takes in `npm run test:full`. A file that stands here alone is not run by `npm test`. */
  full: Record<string, number>;
  /** What each takes in `npm run test:release`, which alone runs it. */
  release: Record<string, number>;
}
const seconds = JSON.parse(readFileSync(new URL('test/seconds.json', import.meta.url), 'utf8')) as Seconds;

/** `essential`, `full`, `release`, or nothing: then every file may be selected, and searches are as short as in `npm test`. */
const suite = process.env['TEST_SUITE'];
/** The files of a suite that runs no others. */
const listed = suite === 'full' || suite === 'release' ? seconds[suite] : undefined;
const files = readdirSync(new URL('test', import.meta.url), { recursive: true })
  .map((path) => `test/${String(path)}`)
  .filter((path) => path.endsWith('.test.ts'))
  .filter(isInSuite);

function isInSuite(path: string): boolean {
  if (listed !== undefined) return path in listed;
  return suite !== 'essential' || path in seconds.essential || !(path in seconds.full || path in seconds.release);
}

/** Of the folder of conformance these need PostgreSQL. */
const SERVED_CONFORMANCE =
  /^test\/conformance\/(audit-entries|authorisation|eip191|eip712-api|existing-callers\/existing-callers|schemathesis|shown-digests)\./;
const needsServers = (path: string) =>
  !/^test\/(unit|replay|conformance|integration\/(local|chains))\//.test(path) || SERVED_CONFORMANCE.test(path);

/**
 * What takes longest begins first: at the end it would run alone. One project follows the other, because a process is
 * shared only with the next file in the queue, and only if that is of the same project.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const of = listed ?? seconds.essential;
    const takes = ({ moduleId }: TestSpecification) => of[relative(import.meta.dirname, moduleId)] ?? 0;
    const longestFirst = (await super.sort(files)).toSorted((one, other) => takes(other) - takes(one));
    return longestFirst.toSorted((one, other) => one.project.name.localeCompare(other.project.name));
  }
}

export default defineConfig({
  test: {
    pool: 'forks',
    // Files share processes, so that each loads the product's modules once: a fifth of all CPU otherwise. A file that mocks a
    // module resets them first.
    isolate: false,
    // Long files compile and generate: more of them would wait for each other, past their limits.
    maxWorkers: Number(process.env['TEST_FILES_AT_ONCE'] ?? (listed === undefined ? 4 : 3)),
    sequence: { sequencer: LongestFirst },
    // These end what hangs; they judge nothing. A machine that is busy with other things may need ten times as long as an idle one.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    // A whole run says a line a file: what failed is to be found in it.
    slowTestThreshold: 10_000,
    projects: [
      { extends: true, test: { name: 'unserved', include: files.filter((path) => !needsServers(path)) } },
      {
        extends: true,
        test: {
          name: 'served',
          include: files.filter(needsServers),
          globalSetup: ['test/support/processes/global-setup.ts'],
        },
      },
    ],
  },
});
