// Goal: `npm start` brings up the whole service, keeps its data, recovers from being killed and leaves no process. Method: the
// built starter as a child process in a project folder of its own, with the real parts; one story, told in order.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CountersignClient } from '../../../src/client/client.ts';
import { findBtcd } from '../../../src/local/bitcoin/bitcoin-binary.ts';
import { askNode } from '../../../src/local/json-rpc.ts';
import { findFreePort } from '../../../src/local/processes/ports.ts';
import { isRunning, type ProcessIdentity } from '../../../src/local/processes/process-identity.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');
/** The first start builds the node program where nobody has built it before. */
const FIRST_START_MS = 600_000;
const START_MS = 60_000;
/** They have no lifeline: only the next start ends them. */
const leftovers = ['Bitcoin chain', 'Ethereum chain', 'PostgreSQL', 'Temporal'];

type Starter = { process: ChildProcess; output: () => string; exit: Promise<number | NodeJS.Signals | null> };
type Recorded = ProcessIdentity & { name: string };

let project: string;
let port: number;
let btcd: string;
let starter: Starter | undefined;

beforeAll(async () => {
  await run(process.execPath, [join(root, 'scripts/build.mjs')]);
  project = mkdtempSync(join(tmpdir(), 'countersign-start-'));
  chmodSync(project, 0o755);
  cpSync(join(root, 'dist'), join(project, 'dist'), { recursive: true });
  for (const name of ['node_modules', 'mpc', 'package.json']) symlinkSync(join(root, name), join(project, name));
  port = await findFreePort();
  btcd = await findBtcd(join(root, '.local'), { report: () => {}, signal: new AbortController().signal });
}, FIRST_START_MS);

afterAll(async () => {
  starter?.process.kill('SIGTERM');
  await starter?.exit;
  rmSync(project, { recursive: true, force: true });
}, START_MS);

describe.sequential('npm start', () => {
  test('refuses a taken port by its name and starts nothing', async () => {
    const blocker = createServer();
    await new Promise<void>((done) => blocker.listen(port, '127.0.0.1', done));
    const refused = start();
    expect(await refused.exit).toBe(1);
    expect(refused.output()).toMatch(new RegExp(`^Port ${port} is taken: set PORT`));
    expect(recordedParts()).toEqual([]);
    await new Promise((done) => blocker.close(done));
  });

  test('refuses production without every address', async () => {
    const refused = start({ SERVICE_ENV: 'production', DATABASE_URL: 'postgres://db.example/x' });
    expect(await refused.exit).toBe(1);
    expect(refused.output()).toMatch(
      /^SERVICE_ENV=production .*: set TEMPORAL_ADDRESS, MPC_NODES, KEY_ENCRYPTION_KEY\.\n$/,
    );
  });

  test(
    'brings everything up and writes credentials for their owner only, with which the demo passes',
    async () => {
      starter = start();
      await untilReady(starter, FIRST_START_MS);
      expect(statSync(join(project, '.local/credentials.json')).mode & 0o777).toBe(0o600);
      const tsx = join(root, 'node_modules/.bin/tsx');
      const demo = await run(tsx, [
        join(root, 'src/demo/main.ts'),
        '--credentials',
        join(project, '.local/credentials.json'),
      ]);
      for (const leg of ['ETH', 'USDC ERC-20', 'SOL', 'USDC SPL', 'BTC']) {
        const lines = demo.stdout.split('\n').filter((line) => new RegExp(` s  ${leg} {2}`).test(line));
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
      expect(demo.stdout).toContain('15 lines of CSV');
      expect(await leftByDemo()).toEqual({
        rules: ['sandbox'],
        usableKeys: ['first key of approver', 'first admin key'],
      });
    },
    FIRST_START_MS,
  );

  test('gives the operator, and nobody else, an environment in which the commands find the embedded parts', async () => {
    const file = join(project, '.local/environment');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const listed = (command: string) =>
      run('sh', ['-c', `set -a; . '${file}'; exec node '${join(project, 'dist', command)}.js' list`]);
    expect((await listed('outflows')).stdout).toBe('None is unresolved.\n');
    expect((await listed('audit-findings')).stdout).toBe('None is unresolved.\n');
  });

  test('refuses a second start in the same folder', async () => {
    const second = start();
    expect(await second.exit).toBe(1);
    expect(second.output()).toMatch(/^Countersign already runs in this folder \(process \d+\)/);
  });

  test.each(['MPC node 3', 'Ethereum chain', 'Solana chain', 'Bitcoin chain'])(
    'starts a killed %s again',
    async (name) => {
      const pid = () => recordedParts().find((part) => part.name === name)?.pid;
      const killed = pid();
      if (killed === undefined) throw new Error(`run.json names no ${name}`);
      process.kill(killed, 'SIGKILL');
      await expect.poll(pid, { timeout: 60_000 }).not.toBe(killed);
    },
  );

  test('names the chains, which answer', async () => {
    const { networks } = JSON.parse(readFileSync(join(project, '.local/credentials.json'), 'utf8')) as {
      networks: Record<string, string>;
    };
    const answerOf = (code: string, method: string) => askNode(networks[code] ?? '')(method).catch(() => 'away');
    const answers = { timeout: 60_000 };
    await expect.poll(() => answerOf('ETHEREUM_SANDBOX', 'eth_chainId'), answers).toBe('0x7a69');
    await expect.poll(() => answerOf('SOL_SANDBOX', 'getHealth'), answers).toBe('ok');
    await expect.poll(() => answerOf('BTC_SANDBOX', 'getblockcount'), answers).toBeGreaterThanOrEqual(101);
  });

  test(
    'killed, leaves only what the next start ends; the workspace and its key stay',
    async () => {
      const before = recordedParts();
      const credentials = readFileSync(join(project, '.local/credentials.json'), 'utf8');
      starter?.process.kill('SIGKILL');
      expect(await starter?.exit).toBe('SIGKILL');
      const running = () =>
        before
          .filter(isRunning)
          .map(({ name }) => name)
          .sort();
      await expect.poll(running, { timeout: 60_000 }).toEqual(leftovers);

      starter = start();
      await untilReady(starter, START_MS);
      expect(starter.output()).toContain('ended what an earlier start left running: ');
      for (const name of leftovers) expect(starter.output()).toContain(name);
      expect(running()).toEqual([]);
      expect(readFileSync(join(project, '.local/credentials.json'), 'utf8')).toBe(credentials);
    },
    START_MS * 2,
  );

  test('shows no secret in its output or logs', () => {
    const { api_secret } = JSON.parse(readFileSync(join(project, '.local/credentials.json'), 'utf8')) as {
      api_secret: string;
    };
    const files = ['key-encryption.key', 'postgres/password', 'bitcoin/password', 'solana/faucet.key'];
    const secrets = files.map((file) => readFileSync(join(project, '.local', file), 'utf8').trim());
    const folder = join(project, '.local/logs');
    const logs = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
    expect(logs.length).toBeGreaterThan(5);
    for (const secret of [api_secret, ...secrets]) expect([...logs, starter?.output()].join('')).not.toContain(secret);
  });

  test(
    'says which part failed, stops the others and ends with code 1',
    async () => {
      const parts = recordedParts();
      const worker = parts.find(({ name }) => name === 'worker');
      if (worker === undefined || starter === undefined) throw new Error('no worker runs');
      process.kill(worker.pid, 'SIGKILL');
      expect(await starter.exit).toBe(1);
      expect(starter.output()).toMatch(/The worker ended unexpectedly \(SIGKILL\); its log is .*worker\.log/);
      expect(parts.filter(isRunning)).toEqual([]);
    },
    START_MS,
  );

  test(
    'stops everything on SIGTERM and ends with code 0',
    async () => {
      starter = start();
      await untilReady(starter, START_MS);
      const parts = recordedParts();
      expect(parts.filter(isRunning)).toHaveLength(10);
      starter.process.kill('SIGTERM');
      expect(await starter.exit).toBe(0);
      expect(parts.filter(isRunning)).toEqual([]);
      expect(existsSync(join(project, '.local/run.json'))).toBe(false);
    },
    START_MS,
  );
});

function start(environment: Record<string, string> = {}): Starter {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [join(project, 'dist/local.js')], {
    cwd: project,
    env: { PATH: `${dirname(btcd)}:${PATH}`, HOME, PORT: String(port), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const exit = new Promise<number | NodeJS.Signals | null>((done) =>
    child.once('close', (code, signal) => done(signal ?? code)),
  );
  return { process: child, output: () => output, exit };
}

async function untilReady(started: Starter, withinMs: number): Promise<void> {
  const ended = started.exit.then((how) => {
    throw new Error(`the starter ended (${how}): ${started.output()}`);
  });
  const ready = expect.poll(() => started.output(), { timeout: withinMs, interval: 50 }).toContain('Ctrl-C stops all');
  await Promise.race([ready, ended]);
}

/** The policy in force, and the keys that can still be used. */
async function leftByDemo(): Promise<{ rules: string[]; usableKeys: string[] }> {
  const { base_url, api_key, api_secret } = JSON.parse(
    readFileSync(join(project, '.local/credentials.json'), 'utf8'),
  ) as Record<'base_url' | 'api_key' | 'api_secret', string>;
  const client = new CountersignClient({ baseUrl: base_url, apiKey: api_key, apiSecret: api_secret });
  const { active } = await client.get('/api/v1/workspaces/{workspace_id}/policy');
  const usableKeys: string[] = [];
  for await (const key of client.list('/api/v1/workspaces/{workspace_id}/api-keys'))
    if (key.revoked_at === undefined) usableKeys.push(key.name);
  return { rules: active.document.rules.map(({ name }) => name), usableKeys };
}

function recordedParts(): Recorded[] {
  const file = join(project, '.local/run.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { parts: Recorded[] }).parts : [];
}
