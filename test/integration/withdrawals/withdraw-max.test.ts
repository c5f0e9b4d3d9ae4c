// Goal: `max` sends all that is available, and `subtract_fee` takes the fee out of the amount, on each family of
// chains: what the recipient has afterwards is the number that was accepted, and what stays is what the fee did not
// take. Method: the API, a worker and the three chains as `npm start` runs them; balances are read from the chains. The
// cluster is in memory.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateKeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Chains, connectChains } from '../../../activities/chains/connect-chains.ts';
import { createActivities } from '../../../activities/index.ts';
import { createSandboxActivities } from '../../../activities/sandbox/faucet.ts';
import { assetSeed } from '../../../domain/catalog/assets.ts';
import { networkSeed } from '../../../domain/catalog/networks.ts';
import { parseAmount } from '../../../domain/money.ts';
import { workflowIdOf } from '../../../domain/workflow-ids.ts';
import { findLedgerImbalances, readLedgerBalance } from '../../../drizzle/ledger/ledger.ts';
import { networkStates } from '../../../drizzle/networks/network-states.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { newWallet } from '../../support/chains/bitcoin-wallets.ts';
import { startTestBitcoin, startTestEthereum, startTestSolana, type TestChain } from '../../support/chains/chains.ts';
import { FakeCluster } from '../../support/cluster/fake-cluster.ts';
import { onlyMain } from '../../support/cluster/only-main.ts';
import { testTemporal } from '../../support/processes/temporal.ts';
import { startTestWorker, type TestWorker } from '../../support/processes/worker.ts';
import { connectNetwork, credit } from '../../support/rows/funded.ts';
import { testSeals } from '../../support/rows/seals.ts';
import { anyEvmAddress } from '../../support/withdrawals/withdrawals.ts';

const MINUTE_MS = 60_000;
const codes = ['ETHEREUM_SANDBOX', 'SOL_SANDBOX', 'BTC_SANDBOX'] as const;
type Code = (typeof codes)[number];
/** Lamports that an account on Solana keeps. */
const RENT = 890_880n;

const recipients: Record<Code, () => Promise<string>> = {
  ETHEREUM_SANDBOX: async () => anyEvmAddress(),
  SOL_SANDBOX: async () => (await generateKeyPairSigner()).address,
  BTC_SANDBOX: async () => newWallet().address,
};

function assetOf(code: string, symbol: string) {
  const network = networkSeed.find(({ internalCode }) => internalCode === code);
  const asset = assetSeed.find((each) => each.networkId === network?.id && each.symbol === symbol);
  if (asset === undefined) throw new Error(`no ${symbol} on ${code}`);
  return asset;
}
const nativeOf = (code: Code) =>
  assetOf(code, { ETHEREUM_SANDBOX: 'ETH', SOL_SANDBOX: 'SOL', BTC_SANDBOX: 'BTC' }[code]);

let directory: string;
let api: TestApi;
let running: TestChain[];
let ports: Chains;
let worker: TestWorker;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-max-'));
  [api, ...running] = await Promise.all([
    startApi(),
    startTestEthereum(join(directory, 'ethereum')),
    startTestSolana(join(directory, 'solana')),
    startTestBitcoin(join(directory, 'bitcoin')),
  ]);
  const rpcUrls = Object.fromEntries(codes.map((code, index) => [code, running[index]?.address ?? '']));
  ports = connectChains(rpcUrls, networkSeed);
  const clusters = onlyMain(new FakeCluster());
  const worked = { db: api.db, clusters, chains: ports, seals: testSeals, bitcoinNetwork: 'regtest' as const };
  const activities = { ...createActivities(worked), ...createSandboxActivities({ chains: ports, rpcUrls }) };
  for (const code of codes) await connectNetwork(api.db, nativeOf(code).networkId, await quotedBy(code));
  // Nobody reads the chains here, and nothing is sent before they are read.
  await api.db.update(networkStates).set({ nextBlock: Number.MAX_SAFE_INTEGER });
  worker = await startTestWorker({ temporal: { ...testTemporal('max'), taskQueue: api.taskQueue }, activities });
}, 6 * MINUTE_MS);
afterAll(async () => {
  await worker?.stop();
  expect(await findLedgerImbalances(api.db)).toEqual([]);
  await api?.stop();
  await Promise.all(running?.map((chain) => chain.stop()) ?? []);
  rmSync(directory, { recursive: true, force: true });
});

function portOf(code: string) {
  const chain = ports.find(code);
  if (chain === undefined) throw new Error(`no chain ${code}`);
  return chain;
}

/** As the workers ask the node for a plain transfer. */
async function quotedBy(code: Code) {
  const [from, to] = [await recipients[code](), await recipients[code]()];
  const { decimals } = nativeOf(code);
  const transfer = { from, to, asset: { contract: null, decimals }, amount: 10_000n };
  const quote = async (level: 'low' | 'medium' | 'high') => {
    const { maxFee, parameters } = await portOf(code).estimateFee(transfer, level);
    return { maxFee: `${maxFee}`, parameters };
  };
  const levels = { low: await quote('low'), medium: await quote('medium'), high: await quote('high') };
  return { ...levels, quotedAt: new Date().toISOString() };
}

let calls = 0;
/** Each in another second: an equal write in the same one would be a replay. */
const post = (path: string, body: object) => {
  calls += 1;
  return api.call('POST', `/api/v1${path}`, body, { timestamp: Math.floor(Date.now() / 1000) - 200 + (calls % 400) });
};

async function ended(workflow: string, id: string): Promise<void> {
  await api.starter.drain();
  await worker.client.workflow.getHandle(workflowIdOf(workflow, id)).result();
}

async function makeWallet(): Promise<string> {
  const { body } = await post('/wallets', { name: `max ${calls}`, wallet_type: 'mpc' });
  await ended('createWallet', body.data.wallet_id);
  return body.data.wallet_id as string;
}

/** On the chain by the faucet, and in the ledger as its deposit would be. Its address is answered. */
async function fund(walletId: string, code: Code, amount: string, symbol = nativeOf(code).symbol): Promise<string> {
  const { id: assetId, decimals } = assetOf(code, symbol);
  const { body } = await post('/sandbox/faucet', { wallet_id: walletId, asset_id: assetId, amount });
  await ended('fundFromFaucet', body.data.id);
  await credit(api.db, walletId, { assetId }, parseAmount(amount, decimals));
  return body.data.address as string;
}

const onChain = (code: Code, address: string, symbol = nativeOf(code).symbol) => {
  const { contractAddress: contract, decimals } = assetOf(code, symbol);
  return portOf(code).balance(address, { contract, decimals });
};

/** Asked for, carried out, and read again. */
async function withdraw(walletId: string, body: { asset_id: string; amount: string; recipient_address: string }) {
  const answer = await post(`/wallets/${walletId}/request-withdrawal`, body);
  if (answer.status !== 202) throw new Error(JSON.stringify(answer.body));
  const { id, amount } = answer.body.data.withdrawal;
  expect(amount).toMatch(/^\d/);
  await ended('withdraw', id);
  const row = (await api.call('GET', `/api/v1/withdrawals/${id}`)).body.data;
  expect(row).toMatchObject({ status: 'completed', amount });
  return row as { amount: string; fee_paid: string };
}

const estimate = async (walletId: string, body: object) =>
  (await post(`/wallets/${walletId}/withdrawals/estimate`, body)).body.data;

test.each(codes)('%s: max leaves what the fee did not take of its bound', { timeout: 3 * MINUTE_MS }, async (code) => {
  const walletId = await makeWallet();
  const { id: asset_id, decimals } = nativeOf(code);
  const from = await fund(walletId, code, '0.5');
  if (code === 'BTC_SANDBOX') await fund(walletId, code, '0.25');
  const before = await onChain(code, from);
  const recipient_address = await recipients[code]();
  const asked = { asset_id, amount: 'max', recipient_address };
  const { fees, amount } = await estimate(walletId, asked);
  expect(fees.medium.sufficient).toBe(true);
  const row = await withdraw(walletId, asked);
  expect(row.amount).toBe(amount);
  const [sent, bound, paid] = [row.amount, fees.medium.fee_bound, row.fee_paid].map((text) =>
    parseAmount(text, decimals),
  );
  expect(sent).toBe(before - (bound ?? 0n) - (code === 'SOL_SANDBOX' ? RENT : 0n));
  expect(await onChain(code, recipient_address)).toBe(sent);
  const left = before - (sent ?? 0n) - (paid ?? 0n);
  expect(await onChain(code, from)).toBe(left);
  expect(left).toBeGreaterThan(0n);
  expect(await readLedgerBalance(api.db, walletId, asset_id, 'available')).toBe(left);
  expect(await readLedgerBalance(api.db, walletId, asset_id, 'held')).toBe(0n);
});

test.each(codes)(
  '%s: subtract_fee: no more than the amount leaves the wallet',
  { timeout: 3 * MINUTE_MS },
  async (code) => {
    const walletId = await makeWallet();
    const { id: asset_id, decimals } = nativeOf(code);
    const from = await fund(walletId, code, '0.5');
    const recipient_address = await recipients[code]();
    const row = await withdraw(walletId, { asset_id, amount: '0.2', recipient_address, subtract_fee: true } as never);
    const sent = parseAmount(row.amount, decimals);
    expect(sent).toBeLessThan(parseAmount('0.2', decimals));
    expect(await onChain(code, recipient_address)).toBe(sent);
    const left = await onChain(code, from);
    expect(left).toBeGreaterThanOrEqual(parseAmount('0.3', decimals));
    expect(left).toBe(parseAmount('0.5', decimals) - sent - parseAmount(row.fee_paid, decimals));
    expect(await readLedgerBalance(api.db, walletId, asset_id, 'available')).toBe(left);
  },
);

test('a max_fee of the caller is the bound: less stays', { timeout: 3 * MINUTE_MS }, async () => {
  const walletId = await makeWallet();
  const { id: asset_id } = nativeOf('BTC_SANDBOX');
  await fund(walletId, 'BTC_SANDBOX', '0.5');
  const recipient_address = await recipients.BTC_SANDBOX();
  const body = { asset_id, amount: 'max', recipient_address, max_fee: '0.00001' };
  const row = await withdraw(walletId, body);
  expect(row.amount).toBe('0.49999');
  expect(await onChain('BTC_SANDBOX', recipient_address)).toBe(49_999_000n);
});

test.each(['ETHEREUM_SANDBOX', 'SOL_SANDBOX'] as const)(
  '%s: max of a token sends all of it, and its fee comes from the native currency',
  { timeout: 3 * MINUTE_MS },
  async (code) => {
    const walletId = await makeWallet();
    await fund(walletId, code, '0.5');
    const from = await fund(walletId, code, '12.345678', 'USDC');
    const { id: asset_id } = assetOf(code, 'USDC');
    const recipient_address = await recipients[code]();
    const row = await withdraw(walletId, { asset_id, amount: 'max', recipient_address });
    expect(row.amount).toBe('12.345678');
    expect(await onChain(code, recipient_address, 'USDC')).toBe(12_345_678n);
    expect(await onChain(code, from, 'USDC')).toBe(0n);
    expect(await readLedgerBalance(api.db, walletId, nativeOf(code).id, 'available')).toBe(await onChain(code, from));
  },
);
