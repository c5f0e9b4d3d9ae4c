// Goal: the sandbox's faucet pays what it was asked for by real transactions, each once, whatever is repeated or
// happens at once; blocks come on request; and production has neither. Method: the API, a worker and the three chains
// as `npm start` runs them; balances are read from the chains. BTC where btcd is.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { type Hex, parseTransaction } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Chains, connectChains, type RpcUrls } from '../../../activities/chains/connect-chains.ts';
import { createActivities } from '../../../activities/index.ts';
import type { Clusters } from '../../../activities/mpc/port.ts';
import { createSandboxActivities, type SandboxActivities } from '../../../activities/sandbox/faucet.ts';
import { assetSeed } from '../../../domain/catalog/assets.ts';
import { networkSeed } from '../../../domain/catalog/networks.ts';
import { treasuries } from '../../../domain/catalog/sandbox.ts';
import { parseAmount } from '../../../domain/money.ts';
import { workflowIdOf } from '../../../domain/workflow-ids.ts';
import { insertNetworkState } from '../../../drizzle/networks/network-states.ts';
import { advanceWallet } from '../../../drizzle/wallets/wallet-steps.ts';
import { type Answer, startApi, type TestApi } from '../../support/api/api.ts';
import { startTestBitcoin, startTestEthereum, startTestSolana, type TestChain } from '../../support/chains/chains.ts';
import { quietEnvironment } from '../../support/processes/activity-environment.ts';
import { testTemporal } from '../../support/processes/temporal.ts';
import { startTestWorker, type TestWorker } from '../../support/processes/worker.ts';
import { testSeals } from '../../support/rows/seals.ts';

const MINUTE_MS = 60_000;
const codes = ['ETHEREUM_SANDBOX', 'SOL_SANDBOX', 'BTC_SANDBOX'] as const;
const networkOf = (code: string) => {
  const network = networkSeed.find(({ internalCode }) => internalCode === code);
  if (network === undefined) throw new Error(`no network ${code}`);
  return network;
};
const assetOf = (code: string, symbol: string) => {
  const asset = assetSeed.find((each) => each.networkId === networkOf(code).id && each.symbol === symbol);
  if (asset === undefined) throw new Error(`no ${symbol} on ${code}`);
  return asset;
};

let directory: string;
let api: TestApi;
let chains: TestChain[];
let rpcUrls: RpcUrls;
let ports: Chains;
let worker: TestWorker;
let activities: SandboxActivities;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-sandbox-'));
  [api, ...chains] = await Promise.all([
    startApi(),
    startTestEthereum(join(directory, 'ethereum')),
    startTestSolana(join(directory, 'solana')),
    startTestBitcoin(join(directory, 'bitcoin')),
  ]);
  rpcUrls = Object.fromEntries(codes.map((code, index) => [code, chains[index]?.address ?? '']));
  ports = connectChains(rpcUrls, networkSeed);
  for (const code of codes)
    await insertNetworkState(api.db, { networkId: networkOf(code).id, nextBlock: 1, headBlock: 1 });
  activities = createSandboxActivities({ chains: ports, rpcUrls });
  const temporal = { ...testTemporal('sandbox'), taskQueue: api.taskQueue };
  worker = await startTestWorker({ temporal, activities });
}, 6 * MINUTE_MS);
afterAll(async () => {
  await worker?.stop();
  await api?.stop();
  await Promise.all(chains?.map((chain) => chain.stop()) ?? []);
  rmSync(directory, { recursive: true, force: true });
});

/** Equal requests of one second would be one captured request: each has a second of its own. */
let signed = 0;
const fund = (
  walletId: string,
  assetId: string,
  amount: string,
  headers: Record<string, string> = {},
): Promise<Answer> => {
  signed += 1;
  const timestamp = Math.floor(Date.now() / 1000) - 200 + (signed % 400);
  const body = { wallet_id: walletId, asset_id: assetId, amount };
  return api.call('POST', '/api/v1/sandbox/faucet', body, { headers, timestamp });
};
const mine = (networkId: string, blocks: number) =>
  api.call('POST', '/api/v1/sandbox/mine', { network_id: networkId, blocks });

function portOf(code: string) {
  const chain = ports.find(code);
  if (chain === undefined) throw new Error(`no chain ${code}`);
  return chain;
}

const held = (code: string, symbol: string, address: string) => {
  const { contractAddress: contract, decimals } = assetOf(code, symbol);
  return portOf(code).balance(address, { contract, decimals });
};

const inActivity = <Result>(work: () => Promise<Result>): Promise<Result> => quietEnvironment().run(work);

async function ended(id: string, workflow = 'fundFromFaucet'): Promise<void> {
  await api.starter.drain();
  await worker.client.workflow.getHandle(workflowIdOf(workflow, id)).result();
}

describe('POST /sandbox/faucet', () => {
  test.each([
    ['ETHEREUM_SANDBOX', 'ETH', '1.5'],
    ['ETHEREUM_SANDBOX', 'USDC', '250.25'],
    ['SOL_SANDBOX', 'SOL', '2'],
    ['SOL_SANDBOX', 'USDC', '1000000'],
    ['BTC_SANDBOX', 'BTC', '0.125'],
  ])('on %s pays %s by a transaction', { timeout: 2 * MINUTE_MS }, async (code, symbol, amount) => {
    const walletId = await api.makeActiveWallet();
    const asset = assetOf(code, symbol);
    const { status, body } = await fund(walletId, asset.id, amount);
    expect(status).toBe(202);
    expect(body.data).toEqual({
      id: expect.any(String),
      wallet_id: walletId,
      asset_id: asset.id,
      amount,
      address: expect.any(String),
    });
    await ended(body.data.id);
    expect(await held(code, symbol, body.data.address)).toBe(parseAmount(amount, asset.decimals));
  });

  test('payments that are asked for at once all arrive', { timeout: 2 * MINUTE_MS }, async () => {
    const wanted = [
      ...Array.from({ length: 12 }, () => ['ETHEREUM_SANDBOX', 'ETH'] as const),
      ...Array.from({ length: 8 }, () => ['ETHEREUM_SANDBOX', 'USDC'] as const),
      ...Array.from({ length: 8 }, () => ['SOL_SANDBOX', 'SOL'] as const),
      ...Array.from({ length: 8 }, () => ['BTC_SANDBOX', 'BTC'] as const),
    ];
    const walletId = await api.makeActiveWallet();
    const answers = await Promise.all(wanted.map(([code, symbol]) => fund(walletId, assetOf(code, symbol).id, '0.5')));
    expect(answers.map(({ status }) => status)).toEqual(wanted.map(() => 202));
    await Promise.all(answers.map(({ body }) => ended(body.data.id)));
    const addressOn = (code: string) => answers[wanted.findIndex(([each]) => each === code)]?.body.data.address;
    expect(await held('ETHEREUM_SANDBOX', 'ETH', addressOn('ETHEREUM_SANDBOX'))).toBe(6n * 10n ** 18n);
    expect(await held('ETHEREUM_SANDBOX', 'USDC', addressOn('ETHEREUM_SANDBOX'))).toBe(4_000_000n);
    expect(await held('SOL_SANDBOX', 'SOL', addressOn('SOL_SANDBOX'))).toBe(4_000_000_000n);
    expect(await held('BTC_SANDBOX', 'BTC', addressOn('BTC_SANDBOX'))).toBe(400_000_000n);
  });

  test('two workers that know nothing of each other pay from one treasury, and all arrives', {
    timeout: 3 * MINUTE_MS,
  }, async () => {
    const temporal = { ...testTemporal('sandbox'), taskQueue: api.taskQueue };
    const another = await startTestWorker({
      temporal,
      activities: createSandboxActivities({ chains: ports, rpcUrls }),
    });
    try {
      const walletId = await api.makeActiveWallet();
      const { id } = assetOf('ETHEREUM_SANDBOX', 'ETH');
      const amounts = Array.from({ length: 16 }, (_each, index) => `0.${100 + index}`);
      const answers = await Promise.all(amounts.map((amount) => fund(walletId, id, amount)));
      await Promise.all(answers.map(({ body }) => ended(body.data.id)));
      const sum = amounts.reduce((all, amount) => all + parseAmount(amount, 18), 0n);
      expect(await held('ETHEREUM_SANDBOX', 'ETH', answers[0]?.body.data.address)).toBe(sum);
    } finally {
      await another.stop();
    }
  });

  test('a repeat of an idempotency key is answered alike and pays once; with another body it is refused', {
    timeout: 2 * MINUTE_MS,
  }, async () => {
    const walletId = await api.makeActiveWallet();
    const { id } = assetOf('ETHEREUM_SANDBOX', 'ETH');
    const headers = { 'x-idempotency-key': uuidv7() };
    const first = await fund(walletId, id, '1', headers);
    const repeat = await fund(walletId, id, '1', headers);
    expect([repeat.status, repeat.body]).toEqual([first.status, first.body]);
    const other = await fund(walletId, id, '2', headers);
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_key_reused']);
    await ended(first.body.data.id);
    expect(await held('ETHEREUM_SANDBOX', 'ETH', first.body.data.address)).toBe(10n ** 18n);
  });

  test.each([
    ['0', 'ETH', /pays from/],
    ['100.000000000000000001', 'ETH', /at once/],
    ['1000000.5', 'USDC', /at once/],
    ['0.0000001', 'USDC', /decimals/],
  ])('refuses %s %s', async (amount, symbol, words) => {
    const { status, body } = await fund(await api.makeActiveWallet(), assetOf('ETHEREUM_SANDBOX', symbol).id, amount);
    expect([status, body.code]).toEqual([400, 'invalid_request']);
    expect(body.message).toMatch(words);
  });

  test('refuses an asset of another network, and a field that it does not know', async () => {
    const walletId = await api.makeActiveWallet();
    const real = await fund(walletId, assetOf('ETHEREUM_MAINNET', 'ETH').id, '1');
    expect([real.status, real.body.code]).toEqual([400, 'invalid_request']);
    const body = { wallet_id: walletId, asset_id: assetOf('ETHEREUM_SANDBOX', 'ETH').id, amount: '1', address: '0x1' };
    expect((await api.call('POST', '/api/v1/sandbox/faucet', body)).status).toBe(400);
  });

  test('pays no wallet of another workspace, none that a key is not bound to, none that is archived', async () => {
    const { id } = assetOf('ETHEREUM_SANDBOX', 'ETH');
    const other = await api.makeWorkspace();
    const theirs = await fund(await api.makeActiveWallet(other.workspaceId), id, '1');
    expect([theirs.status, theirs.body.code]).toEqual([404, 'not_found']);
    const [bound, free] = [await api.makeActiveWallet(), await api.makeActiveWallet()];
    const key = await api.makeKey({ scopes: ['wallets:write'], walletIds: [bound] });
    const body = { wallet_id: free, asset_id: id, amount: '1' };
    const refused = await api.call('POST', '/api/v1/sandbox/faucet', body, { key });
    expect([refused.status, refused.body.code]).toEqual([403, 'wallet_not_allowed']);
    await advanceWallet(api.db, free, { from: 'active', to: 'archived' });
    const archived = await fund(free, id, '1');
    expect([archived.status, archived.body.code]).toEqual([409, 'invalid_state']);
  });

  test('answers 503 for a network that no worker reaches', async () => {
    const bare = await startApi();
    try {
      const walletId = await bare.makeActiveWallet();
      const body = { wallet_id: walletId, asset_id: assetOf('BTC_SANDBOX', 'BTC').id, amount: '1' };
      const { status, body: answer } = await bare.call('POST', '/api/v1/sandbox/faucet', body);
      expect([status, answer.code]).toEqual([503, 'dependency_unavailable']);
    } finally {
      await bare.stop();
    }
  });
});

describe('a payment', () => {
  const to = '0x00000000000000000000000000000000000000F1';
  const payment = (key: string, amount = '1000') => ({
    key,
    networkCode: 'ETHEREUM_SANDBOX',
    address: to,
    contract: null,
    decimals: 18,
    amount,
  });

  test('that is sent twice, or whose sending is repeated after a crash, arrives once', {
    timeout: 2 * MINUTE_MS,
  }, async () => {
    const signed = await activities.signFaucetPayment(payment('once'));
    const send = () => inActivity(() => activities.sendFaucetPayment('once', 'ETHEREUM_SANDBOX', signed));
    expect(await Promise.all([send(), send()])).toEqual(['paid', 'paid']);
    expect(await send()).toBe('paid');
    expect(await held('ETHEREUM_SANDBOX', 'ETH', to)).toBe(1000n);
  });

  test('that was signed and not sent leaves its nonce to the next attempt', { timeout: 2 * MINUTE_MS }, async () => {
    const [lost, again] = [
      await activities.signFaucetPayment(payment('lost')),
      await activities.signFaucetPayment(payment('lost')),
    ];
    // The fee follows the blocks, of which there may be one between the two; the signature follows the fee.
    const [first, second] = [lost, again].map(({ raw }) => parseTransaction(raw as Hex));
    expect(first?.nonce).toEqual(expect.any(Number));
    for (const field of ['nonce', 'to', 'value', 'data', 'chainId', 'type'] as const)
      expect(second?.[field], field).toEqual(first?.[field]);
    expect(await inActivity(() => activities.sendFaucetPayment('lost', 'ETHEREUM_SANDBOX', again))).toBe('paid');
  });

  test('whose nonce went to another is refused, and the workflow pays by the next', {
    timeout: 2 * MINUTE_MS,
  }, async () => {
    const another = createSandboxActivities({ chains: ports, rpcUrls }); // as another worker, which knows nothing of this one
    const late = await activities.signFaucetPayment(payment('late'));
    const early = await another.signFaucetPayment(payment('early', '2000'));
    expect(await inActivity(() => another.sendFaucetPayment('early', 'ETHEREUM_SANDBOX', early))).toBe('paid');
    const outcome = async () =>
      inActivity(() => activities.sendFaucetPayment('late', 'ETHEREUM_SANDBOX', late)).catch(() => 'not yet');
    await expect.poll(outcome, { timeout: 60_000 }).toBe('refused');
  });
});

describe('POST /sandbox/mine', () => {
  test.each(['ETHEREUM_SANDBOX', 'BTC_SANDBOX'])('mines on %s', { timeout: 2 * MINUTE_MS }, async (code) => {
    const before = (await portOf(code).head()).number;
    const { status, body } = await mine(networkOf(code).id, 5);
    expect([status, body.data]).toEqual([202, { id: expect.any(String), network_id: networkOf(code).id, blocks: 5 }]);
    await ended(body.data.id, 'mineBlocks');
    expect((await portOf(code).head()).number).toBeGreaterThanOrEqual(before + 5);
  });

  test('mines no more when it is repeated after a crash, and nothing on a chain that is being restored', async () => {
    const from = await activities.readSandboxHeight('BTC_SANDBOX');
    await activities.mineToHeight('BTC_SANDBOX', from, from + 20);
    await activities.mineToHeight('BTC_SANDBOX', from, from + 30);
    await activities.mineToHeight('BTC_SANDBOX', from, from + 30);
    const reached = await activities.readSandboxHeight('BTC_SANDBOX');
    expect(reached).toBeGreaterThanOrEqual(from + 30);
    expect(reached).toBeLessThanOrEqual(from + 36); // some come by themselves
    const above = reached + 50;
    await expect(activities.mineToHeight('BTC_SANDBOX', above, above + 1)).rejects.toThrow(/fewer blocks than before/);
    expect(await activities.readSandboxHeight('BTC_SANDBOX')).toBeLessThan(above);
  });

  test.each([0, 101, 1.5])('refuses %s blocks', async (blocks) => {
    expect((await mine(networkOf('BTC_SANDBOX').id, blocks)).status).toBe(400);
  });

  test.each(['SOL_SANDBOX', 'ETHEREUM_MAINNET'])('refuses %s', async (code) => {
    const { status, body } = await mine(networkOf(code).id, 1);
    expect([status, body.code]).toEqual([400, 'invalid_request']);
    expect(body.message).toMatch(/ETHEREUM_SANDBOX, BTC_SANDBOX/);
  });
});

describe('production', () => {
  test('has no faucet and mines nothing: the routes are not there', async () => {
    const production = await startApi({ production: true });
    try {
      const walletId = await production.makeActiveWallet();
      const body = { wallet_id: walletId, asset_id: assetOf('ETHEREUM_SANDBOX', 'ETH').id, amount: '1' };
      expect((await production.call('POST', '/api/v1/sandbox/faucet', body)).status).toBe(404);
      const blocks = { network_id: networkOf('ETHEREUM_SANDBOX').id, blocks: 1 };
      expect((await production.call('POST', '/api/v1/sandbox/mine', blocks)).status).toBe(404);
    } finally {
      await production.stop();
    }
  });

  test('its worker has no activity that knows a key of the treasury', () => {
    const dependencies = {
      db: api.db,
      clusters: {} as Clusters,
      chains: ports,
      seals: testSeals,
      bitcoinNetwork: 'mainnet' as const,
    };
    const names = (sandbox: { rpcUrls: RpcUrls } | undefined) =>
      Object.keys(createActivities({ ...dependencies, sandbox }));
    expect(names({ rpcUrls })).toEqual(expect.arrayContaining(Object.keys(activities)));
    expect(names(undefined).filter((name) => Object.hasOwn(activities, name))).toEqual([]);
  });

  test('every treasury is of a sandbox network', () => {
    expect(Object.keys(treasuries)).toEqual([...codes]);
  });
});
