// The arrows between the folders, as rules: src → workflows → activities → payloads and drizzle. `npm run check` fails when one points back.
const only = (name, from, to, comment) => ({ name, severity: 'error', comment, from, to });

export default {
  forbidden: [
    only('no-cycle', {}, { circular: true }, 'A cycle means that two files are one.'),
    only('no-orphan', { orphan: true, pathNot: ['\\.(test|config|d)\\.ts$', '^(test|bench|scripts)/'] }, {}),
    only(
      'drizzle-imports-nothing-of-ours',
      { path: '^drizzle/' },
      { path: '^(src|workflows|activities|payloads|test|bench)/' },
      'The data layer knows nobody above it.',
    ),
    only(
      'payloads-import-nothing-of-ours',
      { path: '^payloads/' },
      { path: '^(src|workflows|activities|drizzle|test|bench)/' },
      'What may be signed is read by pure functions, which every process can use.',
    ),
    only('status-imports-nothing', { path: '^drizzle/status\\.ts$' }, { path: '.' }),
    only(
      'activities-know-only-drizzle-and-payloads',
      { path: '^activities/' },
      { path: '^(src|workflows|test|bench)/' },
    ),
    only(
      'workflows-know-activities-by-type',
      { path: '^workflows/' },
      { path: '^activities/', dependencyTypesNot: ['type-only'] },
      'A workflow replays: it may name an activity, never run its code.',
    ),
    only(
      'workflows-know-payloads-by-type',
      { path: '^workflows/' },
      { path: '^payloads/', dependencyTypesNot: ['type-only'] },
    ),
    only('workflows-know-no-processes', { path: '^workflows/' }, { path: '^(src|test|bench)/' }),
    only(
      'workflows-read-only-statuses',
      { path: '^workflows/' },
      { path: '^drizzle/', pathNot: '^drizzle/status\\.ts$' },
    ),
    only(
      'only-the-worker-knows-activities',
      { path: '^src/', pathNot: '^src/worker\\.ts$' },
      { path: '^activities/' },
      'The API stores and answers; what touches the world runs in the worker.',
    ),
    only(
      'client-stands-alone',
      { path: '^src/client/' },
      { path: '^(src|drizzle|workflows|activities|payloads)/', pathNot: '^src/client/' },
    ),
    only(
      'product-knows-no-local-parts',
      { path: '^(src/(?!local/)|drizzle/|activities/|payloads/|workflows/)' },
      { path: '^src/local/' },
    ),
    only(
      'product-knows-no-tests',
      { path: '^(src|drizzle|activities|payloads|workflows)/' },
      { path: '^(test|bench|scripts)/' },
    ),
    only(
      'only-drizzle-speaks-sql',
      { path: '^(src/(?!local/)|activities|payloads|workflows)' },
      { path: 'node_modules/(drizzle-orm|postgres)/' },
      'Every query lives in drizzle/.',
    ),
    only(
      'product-runs-no-sandbox-chain',
      { path: '^(src/(?!local/)|drizzle|activities|payloads|workflows)' },
      { path: 'node_modules/(litesvm|@foundry-rs)' },
      'Chains are reached by RPC addresses; only `npm start` embeds them.',
    ),
    only(
      'only-mpc-speaks-to-the-cluster',
      // How PostgreSQL and Temporal are reached is said and looked at elsewhere.
      { path: '^(src/(?!local/|check-connections)|workflows|drizzle/(?!database-url)|payloads|activities/(?!mpc/))' },
      { path: '^(node:)?(tls|net)$', dependencyTypesNot: ['type-only'] },
      'The cluster is reached through the port in activities/mpc.',
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|build)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.mjs', '.js', '.json'] },
  },
};
