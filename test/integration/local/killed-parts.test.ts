// Goal: `npm start` lives on: whichever part ends is started again, with a line that says so, and what was under way
// ends once. Only what ends five times within a minute ends it. Method: the built starter in a project folder of its
// own, with the real parts, each killed by its pid; one story, told in order.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CountersignClient } from '../../../src/client/client.ts';
import { askNode } from '../../../src/local/json-rpc.ts';
import { isRunning } from '../../../src/local/processes/process-identity.ts';
import { makeProject, type Project, type Starter, untilReady } from '../../support/processes/local-start.ts';

/** The first start builds the node program where nobody has built it before. */
const FIRST_START_MS = 600_000;
const AGAIN_MS = 60_000;

let project: Project;
let starter: Starter;

beforeAll(async () => {
  project = await makeProject();
  starter = project.start();
  await untilReady(starter, FIRST_START_MS);
}, FIRST_START_MS);

afterAll(async () => {
  starter?.process.kill('SIGTERM');
  await starter?.exit;
  project.remove();
}, AGAIN_MS);

describe.sequential('npm start, while its parts are killed', () => {
  test(
    'the demo kills the worker, a node and Temporal, and every operation ends once',
    async () => {
      const demo = await project.demo('--kill');
      for (const name of ['worker', 'MPC node 1', 'Temporal'])
        expect(demo).toMatch(new RegExp(` s  ${name} +killed \\(kill -9 \\d+\\)`));
      expect(demo).toContain('15 lines of CSV');
      expect(demo).toContain('17 of 17 operations, by the feed');
      for (const name of ['The worker', 'MPC node 1', 'Temporal']) expectReturn(name);
    },
    4 * AGAIN_MS,
  );

  test.each(['API', 'PostgreSQL', 'Ethereum chain', 'Solana chain', 'Bitcoin chain'])(
    'a killed %s is started again, with a line for its end and one for its return',
    async (name) => {
      process.kill(pidOf(name), 'SIGKILL');
      const title = name === 'API' ? 'The API' : name;
      await expect.poll(() => starter.output(), { timeout: AGAIN_MS }).toContain(`${title} runs again`);
      expectReturn(title);
    },
    AGAIN_MS,
  );

  test('the chains say what they cannot bring back', () => {
    for (const name of ['Ethereum chain', 'Bitcoin chain'])
      expect(starter.output()).toContain(`${name} runs again. What it had not saved is gone: `);
    expect(starter.output()).toMatch(/Solana chain runs again$/m);
  });

  test('everything is where it was: the service signs, and the chains answer', { timeout: AGAIN_MS }, async () => {
    const file = readFileSync(join(project.directory, '.local/credentials.json'), 'utf8');
    const { base_url, api_key, api_secret, networks } = JSON.parse(file) as Credentials;
    const client = new CountersignClient({ baseUrl: base_url, apiKey: api_key, apiSecret: api_secret });
    const wallet = await client.createWallet({ name: 'Afterwards' }).wait();
    const body = { network_internal_code: 'ETHEREUM_SANDBOX', message: 'Still here' };
    expect((await client.signMessage(wallet.wallet_id, body).wait()).status).toBe('success');
    const answerOf = (code: string, method: string) => askNode(networks[code] ?? '')(method).catch(() => 'away');
    expect(await answerOf('ETHEREUM_SANDBOX', 'eth_chainId')).toBe('0x7a69');
    expect(await answerOf('SOL_SANDBOX', 'getHealth')).toBe('ok');
    expect(await answerOf('BTC_SANDBOX', 'getblockcount')).toBeGreaterThanOrEqual(101);
  });

  test(
    'what ends five times within a minute ends all: with a sentence, code 1, and no process left',
    async () => {
      const returns = () => starter.output().match(/MPC node 2 runs again/g)?.length ?? 0;
      for (let ends = 0; ends < 5; ends += 1) {
        await expect.poll(returns, { timeout: AGAIN_MS }).toBe(ends);
        process.kill(pidOf('MPC node 2'), 'SIGKILL');
      }
      const parts = project.parts();
      expect(await starter.exit).toBe(1);
      expect(starter.output()).toMatch(
        /^MPC node 2 ended \(SIGKILL; log: .*mpc-node-2\.log\)\. It has ended too often within a minute, so everything stops\.$/m,
      );
      const pauses = [...starter.output().matchAll(/MPC node 2 ended \(SIGKILL; .*\); it starts again in ([\d.]+) s/g)];
      expect(pauses.map(([, seconds]) => Number(seconds))).toEqual([0.25, 1, 4, 16]);
      expect(parts.filter(isRunning)).toEqual([]);
    },
    2 * AGAIN_MS,
  );

  test(
    'a first Ctrl-C waits for what does not end, and a second one kills at once',
    async () => {
      starter = project.start();
      await untilReady(starter, AGAIN_MS);
      const parts = project.parts();
      process.kill(pidOf('worker'), 'SIGSTOP');
      starter.process.kill('SIGINT');
      await sleep(1_500); // within a second it counts as the same one, which npm passes on
      expect(parts.filter(isRunning).length).toBeGreaterThan(0);
      const askedMs = Date.now();
      starter.process.kill('SIGINT');
      expect(await starter.exit).toBe(130);
      expect(Date.now() - askedMs).toBeLessThan(5_000);
      expect(parts.filter(isRunning)).toEqual([]);
    },
    2 * AGAIN_MS,
  );
});

type Credentials = Record<'base_url' | 'api_key' | 'api_secret', string> & { networks: Record<string, string> };

function expectReturn(title: string): void {
  expect(starter.output()).toMatch(new RegExp(`${title} ended \\(SIGKILL; log: .*\\); it starts again in 0\\.25 s\\n`));
  expect(starter.output()).toMatch(new RegExp(`\\d s\\] ${title} runs again`));
}

function pidOf(name: string): number {
  const pid = project.parts().find((part) => part.name === name)?.pid;
  if (pid === undefined) throw new Error(`run.json names no ${name}`);
  return pid;
}
