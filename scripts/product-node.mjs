// On which Node.js the product's processes and the tests run, as a path on standard output: NODE_BINARY where it is
// set, else the newer of the embedded one (the active LTS, a package of npm) and the one that npm was started with.
// Inside of an npm script `node` is the embedded one, where there is a package for the platform.
import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';

/**
 * @param {Record<string, string | undefined>} environment npm sets `npm_node_execpath`: the Node.js that it runs on
 * @param {(path: string) => string} versionOf answers as `node --version` does
 */
export function productNode(environment, own = process.execPath, versionOf = askVersion) {
  if (environment.NODE_BINARY) return environment.NODE_BINARY;
  const started = environment.npm_node_execpath;
  return started !== undefined && major(versionOf(started)) > major(versionOf(own)) ? started : own;
}

const major = (version) => Number(/^v(\d+)\./.exec(version)?.[1] ?? 0);

function askVersion(path) {
  if (path === process.execPath) return process.version;
  return execFileSync(path, ['--version'], { encoding: 'utf8' });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(productNode(process.env));
