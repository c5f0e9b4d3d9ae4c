// The arrows of scripts/allowed-arrows.mjs as rules, and what else one part must not import. `npm run check` fails when an
// import has no arrow.
import { arrows, layers, reachableFrom } from './scripts/allowed-arrows.mjs';

const only = (name, from, to, comment) => ({ name, severity: 'error', comment, from, to });

const ours = [...Object.keys(layers), 'test', 'bench', 'scripts'];

/** A layer imports only those that it stands on. */
const layerRules = Object.entries(layers).map(([layer, below]) => {
  const forbidden = ours.filter((other) => other !== layer && !below.includes(other));
  return only(`${layer}-knows-no-layer-above`, { path: `^${layer}/` }, { path: `^(${forbidden.join('|')})/` });
});

/** A folder, or the file of that name beside the folders. A folder in a folder is another one. */
function pathOf(layer, folder) {
  const inside = Object.keys(arrows[layer]).filter((other) => other.startsWith(`${folder}/`));
  const others = inside.map((other) => `${other.slice(folder.length + 1)}/`);
  return `${layer}/${folder}(\\.tsx?$|/${others.length > 0 ? `(?!${others.join('|')})` : ''})`;
}

/** A folder imports only those that its arrows lead to. */
const folderRules = Object.entries(arrows).flatMap(([layer, folders]) =>
  Object.keys(folders).map((folder) => {
    const allowed = [folder, ...reachableFrom(layer, folder)].map((name) => pathOf(layer, name));
    const from = { path: `^${pathOf(layer, folder)}` };
    return only(`${layer}/${folder}`, from, { path: `^${layer}/`, pathNot: `^(${allowed.join('|')})` });
  }),
);

/** A folder that stands in no list may import nothing of its layer, and nobody may import it. */
const unlistedRules = Object.entries(arrows).map(([layer, folders]) => {
  const listed = `^(${Object.keys(folders)
    .map((folder) => pathOf(layer, folder))
    .join('|')})`;
  return only(`${layer}-folder-is-listed`, { path: `^${layer}/`, pathNot: listed }, { path: `^${layer}/` });
});

export default {
  forbidden: [
    only('no-cycle', {}, { circular: true }, 'A cycle means that two files are one.'),
    only('no-orphan', { orphan: true, pathNot: ['\\.(test|config|d)\\.ts$', '^(test|bench|scripts)/'] }, {}),
    ...layerRules,
    ...folderRules,
    ...unlistedRules,
    only(
      'domain-is-pure',
      { path: '^domain/' },
      { pathNot: '^(domain/|node_modules/(@noble|@scure|viem|uuid|ipaddr\\.js)/|uuid$|crypto$|node:crypto$)' },
      'Facts and functions that every layer may import: no I/O, no framework.',
    ),
    only('statuses-import-nothing', { path: '^domain/statuses\\.ts$' }, { path: '.' }),
    only(
      'workflows-know-activities-by-type',
      { path: '^workflows/' },
      { path: '^activities/', dependencyTypesNot: ['type-only'] },
      'A workflow replays: it may name an activity, never run its code.',
    ),
    only(
      'workflows-run-only-facts',
      { path: '^workflows/' },
      {
        path: '^(domain|drizzle)/',
        pathNot: '^domain/(statuses|failures|time-limits|workflow-runs)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    ),
    only('workflows-know-no-tables', { path: '^workflows/' }, { path: '^drizzle/' }),
    only(
      'only-the-worker-knows-activities',
      { path: '^src/', pathNot: '^src/worker(\\.ts$|/)' },
      { path: '^activities/' },
      'The API stores and answers; what touches the world runs in the worker.',
    ),
    only(
      'client-stands-alone',
      { path: '^src/client/' },
      { path: `^(${Object.keys(layers).join('|')})/`, pathNot: '^src/client/' },
    ),
    only(
      'console-knows-the-client-alone',
      { path: '^console/' },
      { path: '^(src/(?!client/)|(node:)?(fs|crypto|net|http|path|process)$)' },
      'It runs in browsers, and asks the service as everybody does.',
    ),
    // The demo kills parts of `npm start`, by what that writes down.
    only('product-knows-no-local-parts', { path: '^src/(?!local/|demo/kill.ts)' }, { path: '^src/local/' }),
    only(
      'only-drizzle-speaks-sql',
      { path: '^(src/(?!local/)|activities|domain|workflows)' },
      { path: 'node_modules/(drizzle-orm|postgres)/' },
      'Every query lives in drizzle/.',
    ),
    only(
      'product-runs-no-sandbox-chain',
      { path: '^(src/(?!local/)|drizzle|activities|domain|workflows)' },
      { path: 'node_modules/(litesvm|@foundry-rs)' },
      'Chains are reached by RPC addresses; only `npm start` embeds them.',
    ),
    only(
      'only-mpc-speaks-to-the-cluster',
      // How PostgreSQL and Temporal are reached is said and looked at elsewhere.
      {
        path: '^(src/(?!local/|process/check-connections)|workflows|drizzle/(?!database/database-url)|domain|activities/(?!mpc/))',
      },
      { path: '^(node:)?(tls|net)$', dependencyTypesNot: ['type-only'] },
      'The cluster is reached through the port in activities/mpc.',
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|build)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'] },
  },
};
