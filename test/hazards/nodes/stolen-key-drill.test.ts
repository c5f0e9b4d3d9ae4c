// Goal: O2, the drill "A key may be stolen" of RUNBOOK.md does what it says when it is followed from its first line to
// its last. Method: the whole service with three real nodes and the sandbox's Ethereum; the shell and SQL blocks are
// read out of RUNBOOK.md and run as they stand there, while a thief with a key of the API is at work.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { getAddress } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CountersignClient } from '../../../src/client/client.ts';
import { startTestEthereum, type TestChain } from '../../support/chains/chains.ts';
import { hasJq } from '../../support/documents/jq.ts';
import { type Stack, startStack } from '../../support/processes/stack.ts';

const MINUTE_MS = 60_000;
const network = 'ETHEREUM_SANDBOX';

let stack: Stack;
let ethereum: TestChain;
let directory: string;
let ether: string;
let thief: CountersignClient;
let thiefsKey: string;

beforeAll(async () => {
  if (!hasJq) return;
  directory = mkdtempSync(join(tmpdir(), 'countersign-drill-'));
  ethereum = await startTestEthereum(join(directory, 'ethereum'));
  stack = await startStack({ environment: { RPC_URLS: `${network}=${ethereum.address}` } });
  const assets = await stack.client.get('/api/v1/assets');
  ether = assets.find(({ symbol, network: at }) => symbol === 'ETH' && at.internal_code === network)?.id ?? '';
  const scopes = ['wallets:read', 'withdrawals:read', 'withdrawals:write', 'signing:write', 'signing:read'] as const;
  const body = { name: 'the one that is stolen', scopes: [...scopes] };
  const key = await stack.client.post('/api/v1/workspaces/{workspace_id}/api-keys', { body });
  if (!('api_key' in key)) throw new Error('the key waits for approval');
  thiefsKey = key.id;
  thief = new CountersignClient({ baseUrl: stack.baseUrl, apiKey: key.api_key, apiSecret: key.api_secret ?? '' });
}, 8 * MINUTE_MS);
afterAll(async () => {
  await stack?.stop();
  await ethereum?.stop();
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
});

const drill =
  readFileSync(new URL('../../../RUNBOOK.md', import.meta.url), 'utf8').split('### A key may be stolen')[1] ?? '';

/** The block of the drill that has this in it, as it stands there. */
function block(language: 'sh' | 'sql', having: string): string {
  const blocks = [...drill.matchAll(/```(\w+)\n([\s\S]*?)```/g)];
  const found = blocks.filter(([, of, text]) => of === language && text?.includes(having));
  if (found.length !== 1) throw new Error(`RUNBOOK.md has ${found.length} blocks of ${language} with ${having}`);
  return found[0]?.[2] ?? '';
}

/** Where the policy file lies, which all three nodes have. */
async function shell(commands: string, variables: Record<string, string> = {}): Promise<string> {
  const env = { PATH: process.env['PATH'], ...variables };
  return (await promisify(execFile)('sh', ['-ec', commands], { cwd: stack.cluster.directory, env })).stdout;
}

const policyHashes = async () =>
  (await stack.cluster.cluster.health()).map(({ policySha256, reachable }) => (reachable ? policySha256 : undefined));

async function untilServed(hash: string): Promise<void> {
  const expected = [hash, hash, hash];
  await expect.poll(policyHashes, { timeout: 60_000 }).toEqual(expected);
}

const servedHash = () => shell('sha256sum policy.json').then((text) => text.split(' ')[0] ?? '');

async function program(name: string): Promise<string> {
  const { address, namespace, taskQueue } = stack.temporal;
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: stack.databaseUrl,
    KEY_ENCRYPTION_KEY: stack.keyEncryptionKey,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    TEMPORAL_TASK_QUEUE: taskQueue,
  };
  return (await promisify(execFile)(process.execPath, [`dist/${name}.js`], { env })).stdout;
}

const newWallet = async (name: string) => (await stack.client.createWallet({ name }).wait()).wallet_id;

const addressOf = async (wallet_id: string) =>
  (await stack.client.get('/api/v1/wallets/{wallet_id}/address', { path: { wallet_id } })).address;

async function available(wallet_id: string): Promise<string> {
  const path = { wallet_id };
  const balances = await stack.client.get('/api/v1/wallets/{wallet_id}/balances', { path });
  return balances.find(({ asset_id }) => asset_id === ether)?.available ?? '0';
}

async function funded(name: string): Promise<string> {
  const walletId = await newWallet(name);
  await stack.client.faucet({ wallet_id: walletId, asset_id: ether, amount: '2' });
  await expect.poll(() => available(walletId), { timeout: 2 * MINUTE_MS, interval: 200 }).toBe('2');
  return walletId;
}

const send = (client: CountersignClient, walletId: string, amount: string, recipient_address: string) =>
  client.requestWithdrawal(walletId, { asset_id: ether, amount, recipient_address });

test.runIf(hasJq)(
  'O2: the drill of a stolen key, from its first line to its last',
  async () => {
    const [stolen, other] = await Promise.all([funded('stolen'), funded('other')]);
    const loot = getAddress(`0x${randomBytes(20).toString('hex')}`);
    const { id: gone } = await send(thief, stolen, '0.1', loot).wait();

    // 1. Pause at the nodes. What the thief asks for now waits and says why.
    const stated = await shell(block('sh', '.paused = {"all": true}'));
    await untilServed(stated.split(' ')[0] ?? '');
    const { withdrawal: waiting } = await send(thief, stolen, '0.2', loot);
    const { transaction_id: signing } = await thief.sign(stolen, {
      network_internal_code: network,
      key_type: 'secp256k1',
      signing_hash: `0x${'6b'.repeat(32)}`,
    });
    const signingPath = { path: { signing_id: signing } };
    const readSigning = () => stack.client.get('/api/v1/signing-requests/{signing_id}', signingPath);
    await expect.poll(readSigning, { timeout: 60_000 }).toMatchObject({ status_reason: 'cluster_not_ready' });
    const balance = await available(stolen);

    // 2. Freeze the workspace.
    await stack.client.post('/api/v1/workspaces/{workspace_id}/withdrawals/freeze', {});
    await expect(send(thief, stolen, '0.3', loot)).rejects.toMatchObject({ status: 423 });

    // 3. See what was signed.
    const sql = postgres(stack.databaseUrl, { max: 1 });
    const signed = await sql.unsafe(block('sql', 'from signing_requests'));
    await sql.end();
    expect(signed.map(({ wallet_id }) => wallet_id)).toEqual([stolen]);
    expect(await stack.client.withdrawal(gone)).toMatchObject({ status: 'completed' });

    // 4. Take from the thief what he has.
    await stack.client.delete('/api/v1/api-keys/{api_key_id}', { path: { api_key_id: thiefsKey } });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await expect(send(thief, stolen, '0.3', loot)).rejects.toMatchObject({ status: 401 });

    // 5. Make new shares while everything is paused, then end the pause and the freeze. What waited has not gone out,
    //   and does not.
    expect(await program('refresh-keys')).toBe('4 keys have new shares on every node, 0 were refused.\n');
    await shell(block('sh', 'del(.paused)'));
    await untilServed(await servedHash());
    const frozen = { status: 'failed', status_reason: 'frozen' };
    await expect.poll(readSigning, { timeout: 60_000 }).toMatchObject(frozen);
    const readWaiting = () => stack.client.withdrawal(waiting.id);
    await expect.poll(readWaiting, { timeout: 90_000 }).toMatchObject({ status: 'failed', error_code: 'frozen' });
    await stack.client.post('/api/v1/workspaces/{workspace_id}/withdrawals/unfreeze', {});
    expect(Number(await available(stolen))).toBeGreaterThan(Number(balance));

    // 6. The key itself is stolen: a new wallet, to which alone the nodes sign, for the stolen one alone.
    const safe = await newWallet('safe');
    const to = await addressOf(safe);
    await shell(block('sh', 'destinations = [$to]'), { STOLEN: stolen, TO: to });
    await untilServed(await servedHash());
    const denied = { errorCode: 'policy_denied', errorReason: expect.stringMatching(/node \d refuses it: /) };
    await expect(send(stack.client, other, '0.5', to).wait()).rejects.toMatchObject(denied);
    await expect(send(stack.client, stolen, '0.5', loot).wait()).rejects.toMatchObject(denied);
    expect(await send(stack.client, stolen, '1.8', to).wait()).toMatchObject({ status: 'completed' });
    await expect.poll(() => available(safe), { timeout: 2 * MINUTE_MS, interval: 200 }).toBe('1.8');

    // The file of before comes back, and the stolen wallet stays paused for good.
    await shell('mv policy.json.before policy.json');
    const pausedFor = block('sh', '.paused = {"all": true}').replace('{"all": true}', `{"wallets": ["${stolen}"]}`);
    await untilServed((await shell(pausedFor)).split(' ')[0] ?? '');
    expect(await send(stack.client, other, '0.5', to).wait()).toMatchObject({ status: 'completed' });
    const late = await stack.client.sign(stolen, {
      network_internal_code: network,
      key_type: 'secp256k1',
      signing_hash: `0x${'6c'.repeat(32)}`,
    });
    const readLate = () =>
      stack.client.get('/api/v1/signing-requests/{signing_id}', { path: { signing_id: late.transaction_id } });
    await expect.poll(readLate, { timeout: 60_000 }).toMatchObject({ status_reason: 'cluster_not_ready' });
  },
  6 * MINUTE_MS,
);
