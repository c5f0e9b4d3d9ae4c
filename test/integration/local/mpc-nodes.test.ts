// Goal: under `npm start` the nodes come back on a cluster file that was changed. Method: the product's supervisor over
// the real program, in a folder of the test's.
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMpcNodes } from '../../../src/local/mpc/mpc-nodes.ts';
import type { Part } from '../../../src/local/processes/part.ts';
import { buildNode } from '../../support/cluster/cluster.ts';

const directory = mkdtempSync(join(tmpdir(), 'countersign-local-nodes-'));
const stop = new AbortController();
const reports: string[] = [];
/** In the order in which they were started. */
const parts = new Map<string, Part[]>();
let clusterFile: string;

beforeAll(async () => {
  const started = await startMpcNodes({
    binary: await buildNode(),
    directory,
    policyFile: fileURLToPath(new URL('../../../mpc/policies/sandbox.json', import.meta.url)),
    logDirectory: join(directory, 'logs'),
    supervision: { report: (line) => void reports.push(line), signal: stop.signal, onExhausted: () => {} },
    onStart: (name, part) => void parts.set(name, [...(parts.get(name) ?? []), part]),
  });
  ({ clusterFile } = started);
}, 300_000);
afterAll(async () => {
  stop.abort();
  await Promise.all([...parts.values()].flat().map((part) => part.stop()));
  rmSync(directory, { recursive: true });
});

test('each node ends by itself when the file changes, says why, and is started again', async () => {
  appendFileSync(clusterFile, '\n');
  const areBack = () =>
    [...parts.values()].map(([, second]) => second !== undefined && /^ready /m.test(second.output()));
  await expect.poll(areBack, { timeout: 60_000 }).toEqual([true, true, true]);
  for (const [name, [first]] of parts) {
    expect(await first?.exited).toBe('exit code 3');
    expect(first?.output()).toContain('cluster.json has changed: ');
    expect(reports.filter((line) => line.startsWith(`${name} ended (exit code 3;`))).toHaveLength(1);
  }
});
