// Goal: of two that start in the same moment, each finds a port of its own, though neither listens yet; the next start
// finds that of one that was killed. Method: processes that find a port and then only wait.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { findFreePort } from '../../../src/local/processes/ports.ts';

const MODULE = new URL('../../../src/local/processes/ports.ts', import.meta.url).href;
const started: ChildProcess[] = [];

afterEach(() => {
  for (const finder of started.splice(0)) finder.kill('SIGKILL');
});

/** Finds the port as `npm start` does, and says which. */
async function findElsewhere(preferred: number): Promise<{ port: number; finder: ChildProcess }> {
  const found = `import { findFreePort } from '${MODULE}';
    console.log(await findFreePort(${preferred}));
    setInterval(() => {}, 1000);`;
  const finder = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', found], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(finder);
  const [line] = (await once(finder.stdout, 'data')) as [Buffer];
  return { port: Number(String(line)), finder };
}

test('of two at once each finds its own, and the same one again', async () => {
  const preferred = await findFreePort();
  const found = await Promise.all([findElsewhere(preferred), findElsewhere(preferred)]);
  expect(found.map(({ port }) => port).toSorted((one, other) => one - other)).toEqual([preferred, preferred + 100]);
  const own = await findFreePort(preferred + 200);
  expect(await findFreePort(preferred + 200)).toBe(own);
});

test('that of one that was killed is found by the next', async () => {
  const preferred = await findFreePort();
  const { port, finder } = await findElsewhere(preferred);
  expect(port).toBe(preferred);
  finder.kill('SIGKILL');
  await once(finder, 'exit');
  expect((await findElsewhere(preferred)).port).toBe(preferred);
});
