// How the tests run. Some tests need no server or start their own; the others share one PostgreSQL and one Temporal, started once a run.
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const UNSERVED = [
  ...['unit', 'replay', 'integration/local', 'integration/chains'].map((folder) => `test/${folder}/**/*.test.ts`),
  'test/conformance/!(audit-entries|authorisation|eip191|eip712-api|schemathesis).test.ts',
];

/** What takes a minute and more begins first: at the end it would run alone. */
const LONGEST = [
  'schemathesis',
  'fake-deposits',
  'e2e/cluster',
  'reconcile-balances',
  'withdrawal-killed',
  'local/start',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONGEST.some((name) => moduleId.endsWith(`${name}.test.ts`));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    pool: 'forks',
    // Files share processes, so that each loads the product's modules once: a fifth of all CPU otherwise. A file that mocks a module resets them first.
    isolate: false,
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    testTimeout: 30_000,
    // A whole run says a line a file: what failed is to be found in it.
    slowTestThreshold: 10_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: 'unserved', include: UNSERVED } },
      {
        extends: true,
        test: {
          name: 'served',
          include: ['test/**/*.test.ts'],
          exclude: UNSERVED,
          globalSetup: ['test/support/processes/global-setup.ts'],
        },
      },
    ],
  },
});
