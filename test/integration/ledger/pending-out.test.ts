// Goal: a balance shows what transactions that were signed for a caller may yet take: when they are signed, at most, of
// every asset that is known to move, with one of several that exclude each other, on the network that was named, until
// they have landed or can land no more. Method: signTransaction by the API on a real database, with the worker's part
// written into the rows; the balances of the API. Not covered: the chain's part (test/integration/deposits).
import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { encodeFunctionData, erc20Abi, type Hex, parseEther, parseGwei, serializeTransaction } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { assetSeed } from '../../../domain/catalog/assets.ts';
import { networkSeed } from '../../../domain/catalog/networks.ts';
import { dollars } from '../../../domain/catalog/sandbox.ts';
import { postLedgerEvent } from '../../../drizzle/ledger/ledger.ts';
import { listUnlanded, noteLanding, releaseUnlanded } from '../../../drizzle/signing-requests/caller-broadcasts.ts';
import { signingRequests } from '../../../drizzle/signing-requests/signing-requests.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { type SignCall, signCall } from '../../support/api/sign.ts';
import { insertTransaction } from '../../support/rows/transactions.ts';

const NETWORK = 'ETHEREUM_SANDBOX';
const to = `0x${'11'.repeat(20)}` as const;

let api: TestApi;
let walletId: string;
let sign: Record<'signTransaction' | 'signRaw' | 'signMessage', SignCall>;
const assetOf = (contract: string | null) => {
  const network = networkSeed.find(({ internalCode }) => internalCode === NETWORK);
  const asset = assetSeed.find((each) => each.networkId === network?.id && each.contractAddress === contract);
  return asset?.id ?? '';
};
const [ether, dollar] = [assetOf(null), assetOf(dollars.ETHEREUM_SANDBOX)];

beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1' });
}, 120_000);
afterAll(() => api.stop());
beforeEach(async () => {
  walletId = await api.makeActiveWallet();
  const callOf = (route: Parameters<typeof signCall>[1]) => signCall(api, route, walletId);
  sign = { signTransaction: callOf('signTransaction'), signRaw: callOf('signRaw'), signMessage: callOf('signMessage') };
  for (const [assetId, amount] of [
    [ether, parseEther('1')],
    [dollar, 5_000_000n],
  ] as const) {
    const movements = [{ assetId, from: 'outside', to: 'available', amount }] as const;
    const event = { kind: 'deposit_confirmed', subjectId: uuidv7(), walletId, movements } as const;
    await api.db.transaction((tx) => postLedgerEvent(tx, event));
  }
});

interface Asked {
  nonce?: number;
  value?: bigint;
  to?: Hex;
  data?: Hex;
}

async function ask(asked: Asked, fields = {}): Promise<string> {
  const fees = { gas: 100_000n, maxFeePerGas: parseGwei('10'), maxPriorityFeePerGas: 1n };
  const unsigned_tx = serializeTransaction({ type: 'eip1559', chainId: 31_337, nonce: 0, to, ...asked, ...fees });
  const answer = await sign.signTransaction({ network_internal_code: NETWORK, unsigned_tx, ...fields });
  expect(answer.status).toBe(202);
  return answer.body.data.signing_request.id;
}

const end = (id: string, status: 'success' | 'failed') =>
  api.db.update(signingRequests).set({ status }).where(eq(signingRequests.id, id));
async function signed(asked: Asked, fields = {}): Promise<string> {
  const id = await ask(asked, fields);
  await end(id, 'success');
  return id;
}

async function pendingOut(path = `/api/v1/wallets/${walletId}/balances`): Promise<Record<string, string>> {
  const { body } = await api.call('GET', path, undefined, { key: api.admin });
  const lines = body.data as { wallet_id: string; symbol: string; pending_out: string; available: string }[];
  const own = lines.filter((line) => line.wallet_id === walletId);
  expect(own.find(({ symbol }) => symbol === 'ETH')?.available).toBe('1');
  return Object.fromEntries(own.map(({ symbol, pending_out }) => [symbol, pending_out]));
}

test('what it may take at most, from when it is signed until it lands; still a part of available', async () => {
  expect(await pendingOut()).toEqual({ ETH: '0', USDC: '0' });
  const id = await ask({ value: parseEther('0.5') });
  expect(await pendingOut()).toEqual({ ETH: '0', USDC: '0' });
  await end(id, 'success');
  expect(await pendingOut()).toEqual({ ETH: '0.501', USDC: '0' });
  expect(await pendingOut(`/api/v1/workspaces/${api.workspaceId}/balances`)).toEqual({ ETH: '0.501', USDC: '0' });
  await noteLanding(api.db, id, 'landed');
  expect(await pendingOut()).toEqual({ ETH: '0', USDC: '0' });
  await noteLanding(api.db, id, 'open');
  expect(await pendingOut()).toEqual({ ETH: '0.501', USDC: '0' });
});

test('of several with one nonce the largest, of others the sum', async () => {
  await signed({ value: parseEther('0.1') });
  await signed({ value: parseEther('0.2') });
  await signed({ value: parseEther('0.3'), nonce: 1 });
  expect(await pendingOut()).toEqual({ ETH: '0.502', USDC: '0' });
});

test('a token and the fee of its call', async () => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, 2_000_000n] });
  await signed({ to: dollars.ETHEREUM_SANDBOX, data });
  expect(await pendingOut()).toEqual({ ETH: '0.001', USDC: '2' });
});

test('what is signed with another key of the wallet takes nothing of its balances', async () => {
  await signed({ value: parseEther('0.5') }, { derivation_path: 'm/1' });
  expect(await pendingOut()).toEqual({ ETH: '0', USDC: '0' });
  await signed({ value: parseEther('0.25') }, { derivation_path: 'm/44/60/0/0/0' });
  expect(await pendingOut()).toEqual({ ETH: '0.251', USDC: '0' });
});

test('what failed takes nothing; what can land no more is released, unless a block has it', async () => {
  await end(await ask({ value: parseEther('0.5') }), 'failed');
  expect(await pendingOut()).toEqual({ ETH: '0', USDC: '0' });
  const [id, other] = [await signed({ value: parseEther('0.5') }), await signed({ nonce: 1 })];
  expect(await releaseUnlanded(api.db, id)).toBe(true);
  expect(await pendingOut()).toEqual({ ETH: '0.001', USDC: '0' });
  await noteLanding(api.db, other, 'landed');
  expect(await releaseUnlanded(api.db, other)).toBe(false);
});

test('its line in the activity is found by the name that the caller gave to the signature', async () => {
  const id = await signed({ value: 1n }, { external_id: 'payout-7' });
  const networkId = networkSeed.find(({ internalCode }) => internalCode === NETWORK)?.id ?? '';
  const { workspaceId } = api;
  const owned = { workspaceId, walletId, assetId: ether, networkId };
  const line = await insertTransaction(api.db, { ...owned, transactionId: id, direction: 'out' });
  await insertTransaction(api.db, owned);
  const path = `/api/v1/workspaces/${workspaceId}/transactions`;
  const { body } = await api.call('GET', `${path}?external_id=payout-7`, undefined, { key: api.admin });
  expect(body.data).toMatchObject([{ id: line.id, transaction_id: id, direction: 'out' }]);
  const one = await api.call('GET', `${path}/${id}`, undefined, { key: api.admin });
  expect(one.body.data).toMatchObject({ id: line.id });
});

test('a digest and a message are no transactions, and wait for no block', async () => {
  const hash = `0x${'ab'.repeat(32)}`;
  const raw = await sign.signRaw({ network_internal_code: NETWORK, signing_hash: hash });
  const message = await sign.signMessage({ network_internal_code: NETWORK, message: 'hello' });
  for (const { body } of [raw, message]) await end(body.data.signing_request.id, 'success');
  const waiting = await listUnlanded(api.db, NETWORK, undefined, 1_000);
  expect(waiting.filter((row) => row.walletId === walletId)).toEqual([]);
});
