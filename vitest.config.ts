// How the tests run. Some tests need no server or start their own; the others share one PostgreSQL and one Temporal, started once a run.
import { defineConfig } from 'vitest/config';

const UNSERVED = [
  ...['unit', 'replay', 'integration/local', 'integration/chains'].map((folder) => `test/${folder}/**/*.test.ts`),
  'test/conformance/!(authorisation|controls-*|eip191|eip712-api|schemathesis).test.ts',
];

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      // Without a process a file: most of what these take is the loading of the same modules.
      { extends: true, test: { name: 'unserved', include: UNSERVED, isolate: false } },
      {
        extends: true,
        test: {
          name: 'served',
          include: ['test/**/*.test.ts'],
          exclude: UNSERVED,
          globalSetup: ['test/support/global-setup.ts'],
        },
      },
    ],
  },
});
