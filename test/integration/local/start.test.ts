// Goal: `npm start` brings up the whole service, keeps its data, recovers from being killed and leaves no process.
// Method: the built starter as a child process in a project folder of its own, with the real parts; one story, told in
// order. What happens when one of the parts ends is in killed-parts.test.ts.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CountersignClient } from '../../../src/client/client.ts';
import { isRunning } from '../../../src/local/processes/process-identity.ts';
import { makeProject, type Project, type Starter, untilReady } from '../../support/processes/local-start.ts';

const run = promisify(execFile);
/** The first start builds the node program where nobody has built it before. */
const FIRST_START_MS = 600_000;
const START_MS = 300_000;
/** They have no lifeline: only the next start ends them. */
const leftovers = ['Bitcoin chain', 'Ethereum chain', 'PostgreSQL', 'Temporal'];

let project: Project;
let starter: Starter | undefined;

beforeAll(async () => {
  project = await makeProject();
}, FIRST_START_MS);

afterAll(async () => {
  starter?.process.kill('SIGTERM');
  await starter?.exit;
  project.remove();
}, START_MS);

const local = (...names: string[]) => join(project.directory, '.local', ...names);

/** Ports of chains may be others after a start, when somebody else has taken them meanwhile. */
function workspaceAndKeys(): object {
  const { networks, temporal_ui_url, ...rest } = JSON.parse(readFileSync(local('credentials.json'), 'utf8')) as Record<
    string,
    unknown
  >;
  expect(networks).toBeDefined();
  expect(temporal_ui_url).toBeDefined();
  return rest;
}

describe.sequential('npm start', () => {
  test('refuses a taken port by its name and starts nothing', async () => {
    const blocker = createServer();
    await new Promise<void>((done) => blocker.listen(project.port, '127.0.0.1', done));
    const refused = project.start();
    expect(await refused.exit).toBe(1);
    expect(refused.output()).toMatch(new RegExp(`^Port ${project.port} is taken: set PORT`));
    expect(project.parts()).toEqual([]);
    await new Promise((done) => blocker.close(done));
  });

  test('refuses production without every address', async () => {
    const refused = project.start({ SERVICE_ENV: 'production', DATABASE_URL: 'postgres://db.example/x' });
    expect(await refused.exit).toBe(1);
    expect(refused.output()).toMatch(
      /^SERVICE_ENV=production .*: set TEMPORAL_ADDRESS, MPC_NODES, KEY_ENCRYPTION_KEY\.\n$/,
    );
  });

  test('says of a database that does not answer that the shell has named it', async () => {
    const refused = project.start({ DATABASE_URL: 'postgres://nobody:x@127.0.0.1:1/x' });
    expect(await refused.exit).toBe(1);
    expect(refused.output()).toContain('DATABASE_URL: no database answers there. That is set in this shell: `unset');
    expect(project.parts()).toEqual([]);
  });

  test(
    'brings everything up and writes credentials for their owner only, with which the demo passes',
    async () => {
      starter = project.start();
      await untilReady(starter, FIRST_START_MS);
      expect(statSync(local('credentials.json')).mode & 0o777).toBe(0o600);
      const link = `http://localhost:${project.port}/console/enrol#[\\w-]{43}`;
      for (const role of ['administrator', 'approver'])
        expect(starter.output()).toMatch(new RegExp(`Passkey of the ${role} +${link}`));
      const demo = await project.demo();
      for (const leg of ['ETH', 'USDC ERC-20', 'SOL', 'USDC SPL', 'BTC']) {
        const lines = demo.split('\n').filter((line) => new RegExp(` s  ${leg} {2}`).test(line));
        expect(lines).toEqual(
          expect.arrayContaining([
            expect.stringMatching(/deposit of .* is confirmed in block/),
            expect.stringMatching(/pending_approval/),
            expect.stringMatching(/approved by the second user/),
            expect.stringMatching(/completed in block/),
            expect.stringMatching(/second wallet: balance/),
          ]),
        );
      }
      expect(demo).toContain('15 lines of CSV');
      expect(await leftByDemo()).toEqual({
        rules: ['sandbox'],
        usableKeys: ['console', 'console', 'first key of approver', 'first admin key'],
      });
    },
    FIRST_START_MS,
  );

  test('gives the operator, and nobody else, an environment in which the commands find the embedded parts', async () => {
    const file = local('environment');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const listed = (command: string) =>
      run('sh', ['-c', `set -a; . '${file}'; exec node '${join(project.directory, 'dist', command)}.js' list`]);
    expect((await listed('outflows')).stdout).toBe('None is unresolved.\n');
    expect((await listed('audit-findings')).stdout).toBe('None is unresolved.\n');
  });

  test('refuses a second start in the same folder', async () => {
    const second = project.start();
    expect(await second.exit).toBe(1);
    expect(second.output()).toMatch(/^Countersign already runs in this folder \(process \d+\)/);
  });

  test(
    'killed, leaves only what the next start ends; the workspace and its key stay',
    async () => {
      const before = project.parts();
      const kept = workspaceAndKeys();
      starter?.process.kill('SIGKILL');
      expect(await starter?.exit).toBe('SIGKILL');
      const running = () =>
        before
          .filter(isRunning)
          .map(({ name }) => name)
          .sort();
      await expect.poll(running, { timeout: 60_000 }).toEqual(leftovers);

      starter = project.start();
      await untilReady(starter, START_MS);
      expect(starter.output()).toContain('ended what an earlier start left running: ');
      for (const name of leftovers) expect(starter.output()).toContain(name);
      expect(running()).toEqual([]);
      expect(workspaceAndKeys()).toEqual(kept);
    },
    START_MS * 2,
  );

  test('shows no secret in its output or logs', () => {
    const { api_secret } = JSON.parse(readFileSync(local('credentials.json'), 'utf8')) as {
      api_secret: string;
    };
    const files = ['key-encryption.key', 'postgres/password', 'bitcoin/password', 'solana/faucet.key'];
    const secrets = files.map((file) => readFileSync(local(file), 'utf8').trim());
    const folder = local('logs');
    const logs = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
    expect(logs.length).toBeGreaterThan(5);
    for (const secret of [api_secret, ...secrets]) expect([...logs, starter?.output()].join('')).not.toContain(secret);
  });

  test(
    'stops everything on SIGTERM and ends with code 0',
    async () => {
      const parts = project.parts();
      expect(parts).toHaveLength(10);
      starter?.process.kill('SIGTERM');
      expect(await starter?.exit).toBe(0);
      expect(parts.filter(isRunning)).toEqual([]);
      expect(existsSync(local('run.json'))).toBe(false);
    },
    START_MS,
  );
});

/** The policy in force, and the keys that can still be used. */
async function leftByDemo(): Promise<{ rules: string[]; usableKeys: string[] }> {
  const { base_url, api_key, api_secret } = JSON.parse(readFileSync(local('credentials.json'), 'utf8')) as Record<
    'base_url' | 'api_key' | 'api_secret',
    string
  >;
  const client = new CountersignClient({ baseUrl: base_url, apiKey: api_key, apiSecret: api_secret });
  const { active } = await client.get('/api/v1/workspaces/{workspace_id}/policy');
  const usableKeys: string[] = [];
  for await (const key of client.list('/api/v1/workspaces/{workspace_id}/api-keys'))
    if (key.revoked_at === undefined) usableKeys.push(key.name);
  return { rules: active.document.rules.map(({ name }) => name), usableKeys };
}
