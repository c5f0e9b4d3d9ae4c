// Goal: what people and scripts type does what it says, ends with the code that the guide names, and shows no secret.
// Method: the API on a real port with a worker over a cluster in memory and a real Ethereum node; commands are run in
// this process, and a few as the built program. Every output of the file is searched for the secrets of its keys.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseEther } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectChains } from '../../../activities/chains/connect-chains.ts';
import { createActivities } from '../../../activities/index.ts';
import { networkSeed } from '../../../domain/catalog/networks.ts';
import { startApi, type TestApi, type TestKey } from '../../support/api/api.ts';
import { sequenceAll } from '../../support/api/events.ts';
import { isValid } from '../../support/api/verify.ts';
import { type Anvil, startAnvil } from '../../support/chains/anvil.ts';
import { FakeCluster } from '../../support/cluster/fake-cluster.ts';
import { onlyMain } from '../../support/cluster/only-main.ts';
import { type Ended, runCommand, type Scripted } from '../../support/processes/scripted-terminal.ts';
import { testTemporal } from '../../support/processes/temporal.ts';
import { startTestWorker, type TestWorker } from '../../support/processes/worker.ts';
import { sealAudit } from '../../support/rows/audit.ts';
import { connectNetwork, credit, feesOf, sandbox } from '../../support/rows/funded.ts';
import { testSeals } from '../../support/rows/seals.ts';

const PROGRAM = resolve(import.meta.dirname, '../../../dist/countersign.js');
const NETWORK = ['--network', 'ETHEREUM_SANDBOX'];
const RECIPIENT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const PAYMENT = ['--asset', 'ETH', ...NETWORK, '--to', RECIPIENT, '--amount', '0.5'];

let api: TestApi;
let worker: TestWorker;
let cluster: FakeCluster;
let anvil: Anvil;
let baseUrl: string;
let folder: string;
let approver: TestKey;
let walletId: string;
const secrets: string[] = [];
const outputs: string[] = [];

const variablesOf = ({ apiKey, apiSecret }: TestKey, url = baseUrl) => ({
  COUNTERSIGN_URL: url,
  COUNTERSIGN_API_KEY: apiKey,
  COUNTERSIGN_API_SECRET: apiSecret,
});

/** As the administrator, unless others are named. */
async function countersign(args: readonly string[], scripted: Scripted = {}): Promise<Ended> {
  const ended = await runCommand(args, { env: variablesOf(api.admin), folder, home: folder, ...scripted });
  outputs.push(ended.output, ended.errors);
  return ended;
}

/** The only record of what succeeded. */
async function recordOf(args: readonly string[], scripted?: Scripted) {
  const ended = await countersign([...args, '--json'], scripted);
  expect([ended.errors, ended.code]).toEqual([expect.any(String), 0]);
  const [record, ...others] = ended.records();
  expect(others).toEqual([]);
  return record;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-command-line-'));
  api = await startApi({ exportDirectory: folder });
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  baseUrl = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`;
  cluster = new FakeCluster();
  anvil = await startAnvil();
  const chains = connectChains({ ETHEREUM_SANDBOX: anvil.url }, networkSeed);
  const activities = createActivities({
    db: api.db,
    clusters: onlyMain(cluster),
    chains,
    seals: testSeals,
    bitcoinNetwork: 'regtest',
  });
  worker = await startTestWorker({ temporal: { ...testTemporal('command'), taskQueue: api.taskQueue }, activities });
  const scopes = ['withdrawals:read', 'withdrawals:approve', 'signing:approve', 'policies:read'] as const;
  approver = await api.makeKey({ scopes: [...scopes] });
  secrets.push(api.admin.apiSecret, approver.apiSecret);
  walletId = (await recordOf(['wallets', 'create', '--name', 'Treasury', '--wait'])).wallet_id;
}, 180_000);
afterAll(async () => {
  await worker?.stop();
  await anvil?.stop();
  await api?.stop();
  rmSync(folder, { recursive: true, force: true });
  for (const secret of secrets) expect(outputs.filter((text) => text.includes(secret))).toEqual([]);
});

describe('wallets', () => {
  test('one that was made is shown, listed as a table and as JSON, and has addresses', async () => {
    expect(await recordOf(['wallets', 'show', walletId])).toMatchObject({ name: 'Treasury', status: 'active' });
    const { output } = await countersign(['wallets', 'list']);
    expect(output.split('\n')[0]).toMatch(/^WALLET +NAME +STATUS +EVM +CREATED$/);
    expect(output).toContain(walletId);
    const { records } = await countersign(['addresses', 'list', walletId, '--json']);
    expect(records().map(({ address_type }) => address_type)).toEqual(expect.arrayContaining(['evm', 'sol', 'btc']));
  });

  test('a list says when there are more than it shows', async () => {
    await recordOf([
      'wallets',
      'create',
      '--name',
      'Another',
      '--external-id',
      'cli-1',
      '--metadata',
      '{"team":"a"}',
      '--wait',
    ]);
    const one = await countersign(['wallets', 'list', '--limit', '1', '--json']);
    expect([one.records().length, one.errors]).toEqual([1, 'There are more than 1: --limit or --all shows them.\n']);
    const all = await countersign(['wallets', 'list', '--all', '--json']);
    expect([all.records().length, all.errors]).toEqual([2, '']);
    const filtered = await countersign(['wallets', 'list', '--external-id', 'cli-1', '--json']);
    expect(filtered.records()).toMatchObject([{ name: 'Another' }]);
  });

  test('the name of one moves no cursor', async () => {
    const name = 'x\u001b[2J\u202e';
    const made = await countersign(['wallets', 'create', '--name', name, '--external-id', 'hostile', '--json']);
    expect([0, 3]).toContain(made.code);
    for (const args of [['wallets', 'list'], ['wallets', 'list', '--json'], ['audit', 'list', '--json'], ['events']])
      expect((await countersign(args)).output.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  test('asked for twice with one idempotency key it is made once', async () => {
    const ask = ['wallets', 'create', '--name', 'Once', '--idempotency-key', 'cli-once'];
    expect((await recordOf(ask)).wallet_id).toBe((await recordOf(ask)).wallet_id);
  });
});

describe('signing', () => {
  test('a message, with progress beside the record', async () => {
    const { code, errors, records } = await countersign([
      'sign',
      'message',
      walletId,
      'Hello',
      ...NETWORK,
      '--wait',
      '--json',
    ]);
    expect([code, records()]).toEqual([0, [expect.objectContaining({ status: 'success' })]]);
    expect(await isValid(records()[0])).toBe(true);
    expect(errors).toMatch(/^[0-9a-f-]{36}: \w+/);
  });

  test('typed data from a file, a digest, and a message of standard input', async () => {
    const typed = {
      types: { Mail: [{ name: 'contents', type: 'string' }] },
      primaryType: 'Mail',
      domain: { name: 'Mail', version: '1', chainId: 31_337 },
      message: { contents: 'Hello' },
    };
    writeFileSync(join(folder, 'typed.json'), JSON.stringify(typed));
    const digest = `0x${'17'.repeat(32)}`;
    for (const args of [
      ['typed', walletId, '@typed.json'],
      ['digest', walletId, digest],
      ['message', walletId, '-'],
    ])
      expect(await recordOf(['sign', ...args, ...NETWORK, '--wait'], { input: 'from a pipe' })).toMatchObject({
        status: 'success',
      });
  });

  test('what fails ends with 4, and its record is there all the same', async () => {
    cluster.meet('sign', 'counterparty_banned');
    const { code, records, errors } = await countersign([
      'sign',
      'message',
      walletId,
      'No',
      ...NETWORK,
      '--wait',
      '--json',
    ]);
    expect([code, records()]).toEqual([
      4,
      [expect.objectContaining({ status: 'failed', error_code: 'counterparty_banned' })],
    ]);
    expect(errors).toContain('counterparty_banned');
  });

  test('what is refused ends with 3, and says how to ask about it', async () => {
    const { code, output, errors } = await countersign([
      'sign',
      'message',
      walletId,
      'x',
      '--network',
      'NOWHERE',
      '--json',
    ]);
    expect([code, output, errors]).toEqual([
      3,
      '',
      expect.stringMatching(/^400 invalid_request: .* \(request .+\)\n$/),
    ]);
  });
});

describe.sequential('money', () => {
  beforeAll(async () => {
    await connectNetwork(api.db, sandbox.ETH.networkId, feesOf(21_000n * 10n ** 9n));
    const { address } = await recordOf(['addresses', 'deposit', walletId, '--family', 'evm']);
    await anvil.client.setBalance({ address, value: parseEther('10') });
    await credit(api.db, walletId, sandbox.ETH, parseEther('10'));
  });

  test('a withdrawal is not final in time, and then it is', async () => {
    const { code, errors } = await countersign([
      'withdraw',
      walletId,
      ...PAYMENT,
      '--external-id',
      'cli-pay',
      '--wait',
      '3',
    ]);
    expect([code, errors]).toEqual([5, expect.stringContaining('was not final within 3 s')]);
    const [{ id }] = (await countersign(['withdrawals', 'list', '--external-id', 'cli-pay', '--json'])).records();
    const mining = setInterval(() => void anvil.client.mine({ blocks: 1 }).catch(() => {}), 200);
    const done = await recordOf(['withdrawals', 'wait', id]).finally(() => clearInterval(mining));
    expect(done).toMatchObject({ id, status: 'completed' });
    expect((await countersign(['withdrawals', 'history', id])).output).toContain('completed');
    expect((await countersign(['balances'])).output).toMatch(/ETHEREUM_SANDBOX +9\.\d+ /);
    expect((await countersign(['transactions', 'list'])).output).toContain('ETHEREUM_SANDBOX');
    expect(await recordOf(['withdrawals', 'estimate', walletId, ...PAYMENT])).toHaveProperty('fees.low.max_fee');
  });

  test('a policy is set, and what waits is approved by who has seen it, rejected or cancelled', async () => {
    const document = { rules: [], default: { action: 'require_approvals', approvals: 1 } };
    expect((await recordOf(['policy', 'set', JSON.stringify(document)])).active.document.default.approvals).toBe(1);
    const ask = async () => (await recordOf(['withdraw', walletId, ...PAYMENT])).id as string;
    const as = { env: variablesOf(approver) };

    const seen = await ask();
    const unseen = await countersign(['approve', 'withdrawal', seen], as);
    expect([unseen.code, unseen.errors]).toEqual([2, expect.stringContaining('Nobody can be asked here')]);
    const doubted = await countersign(['approve', 'withdrawal', seen], { ...as, answers: ['y'] });
    expect([doubted.code, doubted.errors]).toEqual([2, expect.stringContaining('Nothing was approved')]);
    expect(await recordOf(['withdrawals', 'show', seen])).toMatchObject({ status: 'pending_approval' });
    const approved = await countersign(['approve', 'withdrawal', seen], { ...as, answers: ['yes'] });
    expect([approved.code, approved.errors]).toEqual([0, expect.stringContaining(RECIPIENT)]);

    const named = await ask();
    const { approval } = await recordOf(['withdrawals', 'show', named]);
    const wrong = await countersign(['approve', 'withdrawal', named, '--digest', `0x${'00'.repeat(32)}`], as);
    expect([wrong.code, wrong.output]).toEqual([3, '']);
    expect((await countersign(['approve', 'withdrawal', named, '--digest', approval.digest], as)).code).toBe(0);

    const rejected = await ask();
    expect((await countersign(['reject', 'withdrawal', rejected, '--reason', 'no'], as)).code).toBe(0);
    expect(await countersign(['withdrawals', 'wait', rejected])).toMatchObject({ code: 4 });
    expect(await recordOf(['withdrawals', 'cancel', await ask(), '--reason', 'paid'])).toMatchObject({
      status: 'cancelled',
    });
    await recordOf(['policy', 'set', JSON.stringify({ rules: [], default: { action: 'allow' } })]);
  });
});

describe('keys and webhooks', () => {
  test('a secret is shown once, where the service shows it', async () => {
    const made = await runCommand(['keys', 'create', '--name', 'reads', '--scopes', 'wallets:read', '--json'], {
      env: variablesOf(api.admin),
    });
    const [{ id, api_key, api_secret }] = made.records();
    expect([made.code, typeof api_secret]).toEqual([0, 'string']);
    expect(made.errors).toBe('Keep the secret now: it is not shown again.\n');
    secrets.push(api_secret);
    const as = { env: variablesOf({ apiKey: api_key, apiSecret: api_secret }) };
    expect((await countersign(['keys', 'list'])).output).toContain(id);
    expect(await recordOf(['keys', 'self'], as)).toMatchObject({ id, scopes: ['wallets:read'] });
    const refused = await countersign(['users', 'list'], as);
    expect([refused.code, refused.errors]).toEqual([3, expect.stringContaining('403')]);
    expect(await recordOf(['keys', 'revoke', id])).toHaveProperty('revoked_at');
    expect((await countersign(['keys', 'self'], as)).code).toBe(3);
  });

  test('users, changes and webhooks', async () => {
    const answer = await recordOf(['users', 'create', '--name', 'Grace', '--email', 'grace@example.com']);
    expect(answer).toHaveProperty('id');
    expect((await countersign(['users', 'list', '--json'])).code).toBe(0);
    expect((await countersign(['changes', 'list'])).code).toBe(0);
    const made = await runCommand(
      ['webhooks', 'create', '--url', 'https://hooks.example/x', '--events', 'deposit.confirmed', '--json'],
      {
        env: variablesOf(api.admin),
      },
    );
    const [{ id, secret }] = made.records();
    secrets.push(secret);
    expect((await countersign(['webhooks', 'list'])).output).toContain('https://hooks.example/x');
    expect(await recordOf(['webhooks', 'change', id, '--status', 'disabled'])).toMatchObject({ status: 'disabled' });
    expect((await countersign(['webhooks', 'deliveries', id])).errors).toBe('There are none.\n');
    expect(await recordOf(['webhooks', 'delete', id])).toMatchObject({ id });
  });
});

describe('what happened', () => {
  test('events are followed until Ctrl-C', async () => {
    await sequenceAll(api.db);
    const first = (await countersign(['events', '--json'])).records();
    expect(first.map(({ seq }) => seq)).toEqual(first.map((_, at) => first[0].seq + at));
    const ending = new AbortController();
    const followed = countersign(['events', '--follow', '--after', String(first.at(-1).seq), '--json'], {
      signal: ending.signal,
      onOutput: (text) => {
        if (text.includes('followed by a command')) ending.abort();
      },
    });
    await recordOf(['wallets', 'create', '--name', 'followed by a command', '--wait']);
    await sequenceAll(api.db);
    expect(await followed).toMatchObject({ code: 130, errors: expect.stringContaining('Interrupted') });
  });

  test('exports are whole files, and one that cannot be is none', async () => {
    const file = join(folder, 'audit.jsonl');
    expect(await countersign(['export', 'audit', '--output', file])).toMatchObject({ code: 0, output: '' });
    expect(JSON.parse(readFileSync(file, 'utf8').trim().split('\n').at(-1) ?? '')).toMatchObject({ type: 'end' });
    const { output } = await countersign(['export', 'transactions']);
    expect(output).toMatch(/^\w+(,\w+)+\r?\n/);
    const refused = await countersign(['export', 'audit', '--output', join(folder, 'none.jsonl')], {
      env: variablesOf(approver),
    });
    expect(refused.code).toBe(3);
    expect(existsSync(join(folder, 'none.jsonl'))).toBe(false);
    expect((await countersign(['export', 'audit', '--output', join(folder, 'no', 'such.jsonl')])).code).toBe(2);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test('a schedule of exports is made, listed, paused, resumed and deleted', async () => {
    const made = await recordOf([
      'exports',
      'schedules',
      'create',
      'transactions',
      '--cron',
      '30 6 1 * *',
      '--window',
      'previous_month',
    ]);
    const id = String(made['id']);
    expect(made).toMatchObject({ status: 'active', time_zone: 'UTC', window: 'previous_month' });
    expect((await countersign(['exports', 'schedules', 'list'])).output).toContain('30 6 1 * *');
    expect(await recordOf(['exports', 'schedules', 'pause', id])).toMatchObject({ status: 'paused' });
    expect(await recordOf(['exports', 'schedules', 'resume', id])).toMatchObject({ status: 'active' });
    await recordOf(['exports', 'schedules', 'delete', id]);
    expect((await countersign(['exports', 'schedules', 'show', id])).code).not.toBe(0);
  });

  test('the audit log is verified', async () => {
    await sealAudit(api);
    expect(await recordOf(['audit', 'verify'])).toMatchObject({ valid: true });
    expect((await countersign(['audit', 'list', '--outcome', 'refused'])).output).toContain('refused');
  });

  test('what has no command is called by its route', async () => {
    const path = '/api/v1/workspaces/{workspace_id}/withdrawals/count?status=completed';
    expect(await recordOf(['call', 'GET', path])).toBeGreaterThanOrEqual(1);
    const frozen = await recordOf([
      'call',
      'POST',
      '/api/v1/wallets/{wallet_id}/freeze'.replace('{wallet_id}', walletId),
      '--body',
      '{}',
    ]);
    expect(frozen.status).toBe('frozen');
    expect((await recordOf(['wallets', 'unfreeze', walletId])).status).toBe('active');
  });
});

describe('the program that is built', () => {
  const start = (args: string[], { env = variablesOf(api.admin), input = '' }: { env?: object; input?: string } = {}) =>
    new Promise<{ code: number | null; output: string; errors: string }>((ended) => {
      const child = spawn(PROGRAM, args, { cwd: folder, env: { PATH: process.env['PATH'], HOME: folder, ...env } });
      let [output, errors] = ['', ''];
      child.stdout.on('data', (text) => (output += text));
      child.stderr.on('data', (text) => (errors += text));
      child.stdin.end(input);
      child.once('close', (code) => {
        outputs.push(output, errors);
        ended({ code, output, errors });
      });
    });

  test('has everything in one file, takes its profile from standard input, and speaks to the service', async () => {
    const json = JSON.stringify({ api_key: api.admin.apiKey, api_secret: api.admin.apiSecret });
    expect(await start(['profiles', 'add', 'test', '--url', baseUrl], { env: {}, input: json })).toMatchObject({
      code: 0,
    });
    const listed = await start(['wallets', 'list', '--limit', '1', '--json'], { env: {} });
    expect([listed.code, JSON.parse(listed.output)]).toEqual([
      0,
      expect.objectContaining({ status: expect.any(String) }),
    ]);
  });

  test('ends with its codes', async () => {
    expect((await start(['wallets', 'lst'])).code).toBe(2);
    expect((await start(['wallets', 'show', walletId.replace(/^./, 'f')])).code).toBe(3);
    const nobody = { ...variablesOf(api.admin), COUNTERSIGN_URL: 'http://127.0.0.1:1' };
    expect(await start(['keys', 'self'], { env: nobody })).toMatchObject({
      code: 6,
      errors: expect.stringContaining('did not answer'),
    });
    const operated = await start(['workspace']);
    expect([operated.code, operated.errors]).toEqual([1, expect.stringContaining('create --name NAME')]);
  });

  test('is quiet when its reader goes away', async () => {
    const command = `'${PROGRAM}' audit list --all --json | head -n 1`;
    const child = spawn('bash', ['-o', 'pipefail', '-c', command], {
      env: { PATH: process.env['PATH'], HOME: folder, ...variablesOf(api.admin) },
    });
    let errors = '';
    child.stderr.on('data', (text) => (errors += text));
    const code = await new Promise((ended) => child.once('close', ended));
    expect([code, errors]).toEqual([0, '']);
  });
});
