// Builds dist/console/ from console/ with Vite: the pages of the console and of the reference, their programs and
// styles, under names that say what is in them. Nothing is made when nothing changed, and the pages in use stay whole:
// they are replaced last.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const target = join(root, 'dist/console');
const stampFile = join(root, 'dist/console.sha256');
const PAGES = ['index.html', 'reference.html'];

/** Everything that the console may be made of. */
const sources = ['console', 'src/client', 'domain', 'package-lock.json', 'scripts/console/build-console.mjs'];

/** True when it was made, false when the one in dist/ is still right. */
export async function buildConsole() {
  const stamp = hashOf(sources);
  const isBuilt = PAGES.every((page) => existsSync(join(target, page))) && existsSync(stampFile);
  if (isBuilt && readFileSync(stampFile, 'utf8') === stamp) return false;
  const [{ build }, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')]);
  mkdirSync(dirname(target), { recursive: true });
  const next = mkdtempSync(join(root, 'dist/console-next-'));
  // What an environment says, such as that of tests, would make React's build for development, with paths in it.
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'production';
  try {
    await build({
      configFile: false,
      root: join(root, 'console'),
      base: '/console/',
      mode: 'production',
      logLevel: 'warn',
      plugins: [react()],
      build: {
        outDir: next,
        rolldownOptions: { input: PAGES.map((page) => join(root, 'console', page)) },
        emptyOutDir: true,
        target: 'es2023',
        // Nothing inline: the page allows only files of its own.
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        license: { fileName: 'licences.md' },
        reportCompressedSize: false,
      },
    });
    rmSync(stampFile, { force: true });
    replace(next);
    writeFileSync(stampFile, stamp);
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
    rmSync(next, { recursive: true, force: true });
  }
  return true;
}

function replace(next) {
  const made = filesIn(next);
  for (const path of made.toSorted((one, other) => Number(PAGES.includes(one)) - Number(PAGES.includes(other)))) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    renameSync(join(next, path), join(target, path));
  }
  for (const path of filesIn(target)) if (!made.includes(path)) rmSync(join(target, path));
}

function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths.flatMap((each) => (each.includes('.') ? [each] : filesIn(join(root, each), each))).sort()) {
    const content = readFileSync(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function filesIn(folder, name = '') {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => join(name, join(entry.parentPath, entry.name).slice(folder.length + 1)));
}
