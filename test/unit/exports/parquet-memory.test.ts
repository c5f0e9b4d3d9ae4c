// Goal: the thread that makes Parquet takes little memory, also in a process that production starts with a large young
// heap, whose flag would hold for the thread too, and the process has its flag back after that. Method: the product's
// own code in a process of its own, whose memory the system counts; what a text of 60 MB takes beside that process.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { YOUNG_HEAP_OPTION } from '../../../src/local/processes/service-processes.ts';

const execute = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');
const MINUTE_MS = 60_000;
/** It takes some 40; without any of what keeps it small more than twice as much. */
const THREAD_MIB_MAX = 65;

const program = `
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { columnsOf } from '../../domain/exports/export-columns.ts';
import { InParquet } from './in-parquet.ts';
import { startThread } from './start-thread.ts';

const rssMiB = () => Number(/VmRSS:[^0-9]+([0-9]+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024;
const values = { integer: (n) => n, boolean: () => true, moment: (n) => new Date(n * 1000).toISOString() };
const text = (n) => n.toString(16).padStart(36, '0');
const columns = columnsOf('transactions').map(({ name, type }) => [name, values[type] ?? text]);
const lineOf = (n) => JSON.stringify(Object.fromEntries(columns.map(([name, value]) => [name, value(n)])));
// The same text again and again, so that this thread makes little garbage of its own.
const lines = Buffer.from(Array.from({ length: 6_000 }, (_, n) => lineOf(n) + String.fromCharCode(10)).join(''));
globalThis.gc();
const idle = rssMiB();
let highest = idle;
const form = new InParquet('transactions', new AbortController().signal);
const look = async (pieces) => {
  for await (const piece of pieces) if (piece.length > 0) highest = Math.max(highest, rssMiB());
  highest = Math.max(highest, rssMiB());
};
for (let sent = 0; sent < 60_000_000; sent += lines.length) await look(form.take(lines));
await look(form.end());
await form.close();

// What the heap of a thread may have, with the young one.
const asked = new URL('data:text/javascript,' + encodeURIComponent(
  'import { parentPort } from "node:worker_threads"; import { getHeapStatistics } from "node:v8";' +
  'parentPort.postMessage(getHeapStatistics().heap_size_limit / 2 ** 20)'));
const resourceLimits = { maxOldGenerationSizeMb: 80, maxYoungGenerationSizeMb: 4 };
const limitOf = async (start) => (await once(start(asked, { resourceLimits }), 'message'))[0];
const plain = (...given) => new Worker(...given);
console.log(JSON.stringify({
  rows: form.rows,
  threadMiB: highest - idle,
  limits: [await limitOf(plain), await limitOf(startThread), await limitOf(plain)],
}));
`;

let directory: string;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-parquet-'));
  await build({
    stdin: { contents: program, resolveDir: join(root, 'activities/exports'), loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    outfile: join(directory, 'in-parquet.mjs'),
  });
  await build({
    entryPoints: [join(root, 'activities/exports/parquet-thread.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: join(directory, 'parquet-thread.js'),
  });
}, MINUTE_MS);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test.skipIf(process.platform !== 'linux')('of 60 MB of text', { timeout: 4 * MINUTE_MS }, async () => {
  const options = [YOUNG_HEAP_OPTION, '--expose-gc', join(directory, 'in-parquet.mjs')];
  const { stdout } = await execute(process.execPath, options, { env: { PATH: process.env['PATH'] } });
  const { rows, threadMiB, limits } = JSON.parse(stdout) as { rows: number; threadMiB: number; limits: number[] };
  const [before = 0, small = 0, after] = limits;
  expect(rows).toBeGreaterThan(40_000);
  expect(threadMiB).toBeGreaterThan(5);
  expect(threadMiB).toBeLessThan(THREAD_MIB_MAX);
  // The flag of the process outdoes the limits of a thread, but for the one that is started without it.
  expect(before).toBeGreaterThan(80 + 16);
  expect(small).toBeLessThan(80 + 8);
  expect(after).toBe(before);
});
