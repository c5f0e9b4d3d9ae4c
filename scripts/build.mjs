// Builds dist/: the processes (esbuild), the migrations, the logos and the workflow bundle, which is made again only
// when its sources changed. Whoever reads a file meanwhile finds it whole: only what changes is replaced, at once.
// Checks no types: that is `npm run check`.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');

const processes = {
  server: 'src/server.ts',
  worker: 'src/worker.ts',
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
  local: 'src/local/main.ts',
  'local-solana': 'src/local/solana/main.ts',
};

/** Everything that the code of a workflow may be made of. */
const workflowSources = ['workflows', 'domain/statuses.ts', 'package-lock.json'];

const startedMs = Date.now();
mkdirSync(dist, { recursive: true });
await bundleProcesses();
copyFolder('drizzle/migrations', 'migrations');
copyFolder('src/catalog/logos', 'logos');
const bundled = await bundleWorkflows();
console.log(`built dist/ in ${Date.now() - startedMs} ms (workflow bundle ${bundled ? 'made' : 'unchanged'})`);

async function bundleProcesses() {
  const entryPoints = Object.fromEntries(Object.entries(processes).filter(([, path]) => existsSync(join(root, path))));
  for (const [name, path] of Object.entries(processes))
    if (!(name in entryPoints)) console.log(`skipped ${path}: it does not exist`);
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints,
    outdir: dist,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    sourcemap: true,
    logLevel: 'warning',
    write: false,
  });
  for (const { path, contents } of outputFiles) put(path, contents);
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
  try {
    const { code } = await bundleWorkflowCode({
      workflowsPath: join(root, 'workflows', 'index.ts'),
      workflowInterceptorModules: [join(root, 'workflows', 'interceptors.ts')],
      logger,
    });
    rmSync(stampFile, { force: true });
    put(target, Buffer.from(code));
    put(stampFile, Buffer.from(stamp));
  } catch (error) {
    console.error(lines.join('\n'));
    throw error;
  }
  return true;
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
