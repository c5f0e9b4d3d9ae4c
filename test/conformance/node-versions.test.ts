// Goal: the service runs on every Node.js that is supported, and not on the one alone that the tests have. Method: a
// few files of tests that need no server run under each other one: the HTTP server and its schemas, the client,
// frames and TLS of the nodes' connections, encryption, payloads of all chains, the bundle of the workflows with its
// recorded histories. `npm run test:node` runs all.
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { VERSIONS } from '../../scripts/node-versions.mjs';

const root = resolve(import.meta.dirname, '../..');
const FILES = [
  'test/unit/http',
  'test/unit/client',
  'test/unit/payloads',
  'test/unit/chains',
  'test/unit/config',
  'test/unit/mpc/frames.test.ts',
  'test/unit/mpc/node-connection.test.ts',
  'test/unit/webhooks/post.test.ts',
  'test/replay',
];

/** Of the one that runs this all tests are. */
const others = Object.keys(VERSIONS).filter((line) => !process.version.startsWith(`v${line}.`));

test.each(others)('tests pass on Node.js %s', { timeout: 600_000 }, async (line) => {
  const run = promisify(execFile)('npm', ['run', 'test:node', '--', line, ...FILES], {
    cwd: root,
    // Of which suite this run is says nothing about the files of that one.
    env: { ...process.env, TEST_SUITE: '', NO_COLOR: '1', FORCE_COLOR: '0' },
    maxBuffer: 1 << 26,
  });
  // What failed is said on stderr.
  const { stdout, stderr } = await run.catch((error: Error & { stdout: string; stderr: string }) => error);
  expect(stdout, stderr.slice(-4_000)).toMatch(/^ *Tests +\d+ passed \(\d+\)$/m);
});

test('the files run on the Node.js that was named', async () => {
  const { stdout } = await promisify(execFile)('npm', ['run', 'test:node', '--', '19'], { cwd: root }).catch(
    (error: Error & { stdout: string; stderr: string }) => ({ stdout: error.stderr }),
  );
  expect(stdout).toMatch(/usage: .* 20\|22\|24/);
});
