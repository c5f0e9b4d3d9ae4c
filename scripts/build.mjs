// Builds dist/: the processes (esbuild), the migrations, the logos, the console and the workflow bundle. These last two
// are made again only when their sources changed. Whoever reads a file meanwhile finds it whole: only what changes is
// replaced, at once.
// Checks no types: that is `npm run check`.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildConsole } from './console/build-console.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');

/** The programs, each with its source. Those that only `npm start` runs are named `local…`. */
export const processes = {
  server: 'src/server.ts',
  worker: 'src/worker.ts',
  'parquet-thread': 'activities/exports/parquet-thread.ts',
  migrate: 'src/commands/migrate.ts',
  workspace: 'src/commands/workspace.ts',
  'reconcile-balances': 'src/commands/reconcile-balances.ts',
  'refresh-keys': 'src/commands/refresh-keys.ts',
  'repair-keys': 'src/commands/repair-keys.ts',
  'record-backup': 'src/commands/record-backup.ts',
  'resume-network': 'src/commands/resume-network.ts',
  'repair-nonces': 'src/commands/repair-nonces.ts',
  outflows: 'src/commands/outflows.ts',
  'audit-findings': 'src/commands/audit-findings.ts',
  'verify-audit': 'src/commands/verify-audit.ts',
  'verify-approval': 'src/commands/verify-approval.ts',
  countersign: 'src/command-line/main.ts',
  local: 'src/local/main.ts',
  'local-solana': 'src/local/solana/main.ts',
  'local-stack': 'src/local/stack/main.ts',
};

/** Of one file with all that it needs, so that it can be copied to where people work; run by its own name. */
const selfContained = 'countersign';

/**
 * Libraries that go into the programs, by name or scope: hundreds of small files each, which Node.js finds and links
 * one by one at every start. A program with them starts in a third of the processor time. All others stay packages:
 * they have files or native code of their own, or are few files.
 */
const bundled =
  /^(@noble|@scure|@solana|@solana-program)\/|^(abitype|drizzle-orm|ipaddr\.js|ox|typebox|uuid|viem)(\/|$)/;

const keepOthersAsPackages = {
  name: 'keep-others-as-packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ kind, path }) =>
      kind === 'entry-point' || bundled.test(path) ? undefined : { path, external: true },
    );
  },
};

/** For what is CommonJS among them. */
const withRequire = {
  js: "import { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(import.meta.url);",
};

const options = {
  absWorkingDir: root,
  outdir: dist,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  sourcemap: true,
  banner: withRequire,
  logLevel: 'warning',
  write: false,
};

/** Everything that the bundle of the workflows may be made of. */
const workflowSources = [
  'workflows',
  'domain/statuses.ts',
  'package-lock.json',
  'scripts/build.mjs',
  'scripts/relative-entrypoint.cjs',
];

if (process.argv[1] === import.meta.filename) await buildAll();

export async function buildAll() {
  const startedMs = Date.now();
  mkdirSync(dist, { recursive: true });
  await bundleProcesses();
  copyFolder('drizzle/migrations', 'migrations');
  copyFolder('src/catalog/logos', 'logos');
  const made = (isMade) => (isMade ? 'made' : 'unchanged');
  const [pages, workflows] = [made(await buildConsole()), made(await bundleWorkflows())];
  console.log(`built dist/ in ${Date.now() - startedMs} ms (console ${pages}, workflow bundle ${workflows})`);
}

async function bundleProcesses() {
  const entryPoints = Object.fromEntries(Object.entries(processes).filter(([, path]) => existsSync(join(root, path))));
  for (const [name, path] of Object.entries(processes))
    if (!(name in entryPoints)) console.log(`skipped ${path}: it does not exist`);
  const { [selfContained]: alone, ...others } = entryPoints;
  const { outputFiles } = await build({ ...options, entryPoints: others, plugins: [keepOthersAsPackages] });
  const whole = await build({ ...options, entryPoints: { [selfContained]: alone } });
  for (const { path, contents } of [...outputFiles, ...whole.outputFiles]) put(path, contents);
  chmodSync(join(dist, `${selfContained}.js`), 0o755);
}

/** What a process reads beside itself. */
function copyFolder(source, name) {
  const [from, to] = [join(root, source), join(dist, name)];
  const inside = (folder) => readdirSync(folder, { recursive: true });
  for (const path of inside(from))
    if (!statSync(join(from, path)).isDirectory()) put(join(to, path), readFileSync(join(from, path)));
  for (const path of inside(to))
    if (!existsSync(join(from, path))) rmSync(join(to, path), { recursive: true, force: true });
}

function put(path, content) {
  if (existsSync(path) && readFileSync(path).equals(content)) return;
  mkdirSync(dirname(path), { recursive: true });
  const next = `${path}.${process.pid}.next`;
  writeFileSync(next, content);
  renameSync(next, path);
}

/** True when the bundle was made, false when the one in dist/ is still right. */
async function bundleWorkflows() {
  const target = join(dist, 'workflow-bundle.js');
  const stampFile = `${target}.sha256`;
  const stamp = hashOf(workflowSources);
  if (existsSync(target) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return false;
  const lines = [];
  const collect = (...words) => lines.push(words.join(' '));
  const logger = { log: collect, trace: collect, debug: collect, info: collect, warn: collect, error: collect };
  const { bundleWorkflowCode } = await import('@temporalio/worker'); // slow to load: only when needed
  const [workflowsPath, interceptors] = ['index', 'interceptors'].map((name) => join(root, 'workflows', `${name}.ts`));
  try {
    const { code } = await bundleWorkflowCode({
      workflowsPath,
      workflowInterceptorModules: [interceptors],
      // Loaded once for all runs in a thread, as the SDK itself is, and not for each run anew: none keeps any state.
      preloadModules: [workflowsPath, interceptors],
      webpackConfigHook: withRelativeEntrypoint,
      logger,
    });
    rmSync(stampFile, { force: true });
    put(target, Buffer.from(withoutFolder(code)));
    put(stampFile, Buffer.from(stamp));
  } catch (error) {
    console.error(lines.join('\n'));
    throw error;
  }
  return true;
}

function withRelativeEntrypoint({ module, ...config }) {
  const use = join(root, 'scripts/relative-entrypoint.cjs');
  return {
    ...config,
    module: { ...module, rules: [...module.rules, { test: /-autogenerated-entrypoint\.cjs$/, use }] },
  };
}

/** The map at the end of the bundle names its sources from the root, so that two folders build the same bytes. */
function withoutFolder(code) {
  const start = code.indexOf('base64,', code.lastIndexOf('sourceMappingURL=')) + 'base64,'.length;
  const map = JSON.parse(Buffer.from(code.slice(start), 'base64').toString().replaceAll(`${root}/`, ''));
  const named = { ...map, file: 'workflow-bundle.js' };
  return code.slice(0, start) + Buffer.from(JSON.stringify(named)).toString('base64');
}

function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths.flatMap(filesOf).sort()) {
    const content = readFileSync(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function filesOf(path) {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path), { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(path, name));
}
