// Goal: a test run that is killed leaves no server behind. Method: a starter as a child process, killed with SIGKILL,
// and a server of its that ignores the polite signal.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { identifyProcess } from '../../../src/local/processes/process-identity.ts';

const root = resolve(import.meta.dirname, '../../..');

test('the server and its folder go with a starter that was killed', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-killed-'));
  const script = `
    import { startPart } from './src/local/processes/part.ts';
    import { stopWhenKilled } from './test/support/processes/stop-when-killed.ts';
    const server = await startPart({
      command: '/bin/sh',
      args: ['-c', 'trap "" QUIT; while :; do sleep 0.2; done'],
      environment: { PATH: process.env.PATH },
      logFile: ${JSON.stringify(join(directory, 'server.log'))},
    });
    stopWhenKilled(server, ${JSON.stringify(directory)});
    console.log(server.pid);`;
  const starter = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(starter.stdout, 'data')) as [Buffer];
  const serverPid = Number(String(line));
  expect(identifyProcess(serverPid)).toBeDefined();
  starter.kill('SIGKILL');
  await once(starter, 'exit');
  await expect.poll(() => identifyProcess(serverPid), { timeout: 60_000 }).toBeUndefined();
  await expect.poll(() => existsSync(directory), { timeout: 60_000 }).toBe(false);
});
