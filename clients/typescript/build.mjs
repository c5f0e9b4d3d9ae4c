// Builds the package from src/client, in the folder that is given or in build/: a module for `import`, one for
// `require`, and the types of both. Nothing of Node is in it, so that browsers take it; what it needs of @noble/hashes
// it brings along.
import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, '../..');
const folder = resolve(process.argv[2] ?? join(root, 'build/client-package'));
const dist = join(folder, 'dist');
const entryPoints = ['client', 'viem-account', 'ethers-signer', 'solana-signer'].map((name) =>
  join(root, `src/client/${name}.ts`),
);

rmSync(dist, { recursive: true, force: true });
for (const format of ['esm', 'cjs'])
  await build({
    entryPoints,
    outdir: join(dist, format),
    bundle: true,
    format,
    splitting: format === 'esm',
    chunkNames: 'shared-[hash]',
    platform: 'browser',
    target: 'es2022',
    external: ['viem', 'ethers'],
    logLevel: 'warning',
  });
execFileSync(
  process.execPath,
  [join(root, 'node_modules/typescript/bin/tsc'), '-p', here, '--outDir', join(dist, 'esm')],
  { stdio: 'inherit' },
);
for (const name of readdirSync(join(dist, 'esm')).filter((each) => each.endsWith('.d.ts'))) {
  const path = join(dist, 'esm', name);
  const text = readFileSync(path, 'utf8').replaceAll(/(from |import\()(['"])(\.\/[^'"]+)\.ts\2/g, '$1$2$3.js$2');
  writeFileSync(path, text);
  writeFileSync(join(dist, 'cjs', name), text);
}
for (const [format, type] of Object.entries({ esm: 'module', cjs: 'commonjs' }))
  writeFileSync(join(dist, format, 'package.json'), `${JSON.stringify({ type })}\n`);
for (const path of ['LICENSE', 'clients/typescript/package.json', 'clients/typescript/README.md'])
  copyFileSync(join(root, path), join(folder, basename(path)));
