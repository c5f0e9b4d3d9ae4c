// Goal: a process that is asked to end while it starts ends at once, also as process 1 of a container, whom signals
// that it does not handle do not reach. Method: a start that takes for ever, as an ordinary process and in a namespace
// of processes of its own, where the machine lets us make one.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterEach, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
const SCRIPT = `
  import { runProcess } from './src/process/run-process.ts';
  setInterval(() => {}, 1000);
  runProcess(() => {
    console.log(process.pid);
    return new Promise(() => {});
  });
`;
const nodeOf = (script: string) => [process.execPath, '--import', 'tsx', '--input-type=module', '--eval', script];
const NODE = nodeOf(SCRIPT);
/** The signal is there when the start is over, and has been told to nobody yet. */
const signalledAsItEnds = (signal: string) => `
  import { runProcess } from './src/process/run-process.ts';
  const alive = setInterval(() => {}, 1000);
  runProcess(async () => {
    console.log(process.pid);
    process.kill(process.pid, '${signal}');
    return { stop: async () => clearInterval(alive) };
  });
`;

const canBeFirst = spawnSync('unshare', ['--pid', '--fork', 'true']).status === 0;

let started: ChildProcess | undefined;
afterEach(() => {
  started?.kill('SIGKILL');
});

async function start(command: string, args: readonly string[]): Promise<string> {
  started = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  const [printed] = (await once(started.stdout as NonNullable<ChildProcess['stdout']>, 'data')) as [Buffer];
  return printed.toString().trim();
}

test.each(['SIGTERM', 'SIGINT'] as const)('%s that comes as the start ends is not lost', async (signal) => {
  const [command = '', ...args] = nodeOf(signalledAsItEnds(signal));
  await start(command, args);
  expect(await once(started as ChildProcess, 'exit')).toEqual([0, null]);
});

test.each(['SIGTERM', 'SIGINT'] as const)('%s ends it with code 0', async (signal) => {
  const [command = '', ...args] = NODE;
  await start(command, args);
  started?.kill(signal);
  expect(await once(started as ChildProcess, 'exit')).toEqual([0, null]);
});

test.runIf(canBeFirst)('as process 1 too', async () => {
  expect(await start('unshare', ['--pid', '--fork', '--kill-child', ...NODE])).toBe('1');
  const { pid } = started as ChildProcess;
  process.kill(Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')), 'SIGTERM');
  expect(await once(started as ChildProcess, 'exit')).toEqual([0, null]);
});
