// Goal: what the typed client does is what the service understands, and viem and @solana/kit sign with an MPC wallet as
// with any account. Method: the API on a real port, a worker over a cluster in memory and a real Ethereum node,
// signatures checked by viem and kit themselves; lost answers are lost by the `fetch` that is handed in.
import type { AddressInfo } from 'node:net';
import { base58 } from '@scure/base';
import {
  blockhash,
  createTransactionMessage,
  type MessagePartialSigner,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  type TransactionPartialSigner,
  address as toAddress,
  verifySignature,
} from '@solana/kit';
import {
  type Address,
  formatEther,
  type Hex,
  parseEther,
  recoverMessageAddress,
  recoverTransactionAddress,
  recoverTypedDataAddress,
  type TransactionSerialized,
} from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectChains } from '../../../activities/chains/connect-chains.ts';
import { createActivities } from '../../../activities/index.ts';
import { networkSeed } from '../../../domain/catalog/networks.ts';
import {
  CountersignClient,
  CountersignError,
  ItemRefusedError,
  OperationFailedError,
} from '../../../src/client/client.ts';
import { toSolanaSigner } from '../../../src/client/solana-signer.ts';
import { toViemAccount } from '../../../src/client/viem-account.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { isValid } from '../../support/api/verify.ts';
import { type Anvil, startAnvil } from '../../support/chains/anvil.ts';
import { FakeCluster } from '../../support/cluster/fake-cluster.ts';
import { onlyMain } from '../../support/cluster/only-main.ts';
import { testTemporal } from '../../support/processes/temporal.ts';
import { startTestWorker, type TestWorker } from '../../support/processes/worker.ts';
import { connectNetwork, credit, feesOf, sandbox } from '../../support/rows/funded.ts';
import { testSeals } from '../../support/rows/seals.ts';

let api: TestApi;
let worker: TestWorker;
let cluster: FakeCluster;
let anvil: Anvil;
let baseUrl: string;
let client: CountersignClient;
let walletId: string;

beforeAll(async () => {
  api = await startApi();
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
  worker = await startTestWorker({ temporal: { ...testTemporal('client'), taskQueue: api.taskQueue }, activities });
  client = new CountersignClient({ baseUrl, ...api.admin });
  walletId = (await client.createWallet({ name: 'client' }).wait()).wallet_id;
}, 120_000);
afterAll(async () => {
  await worker?.stop();
  await anvil?.stop();
  await api?.stop();
});

const network_internal_code = 'ETHEREUM_SANDBOX';
const digest = (byte: string): { network_internal_code: string; signing_hash: Hex } => ({
  network_internal_code,
  signing_hash: `0x${byte.repeat(32)}`,
});
const mail = {
  types: {
    Mail: [
      { name: 'contents', type: 'string' },
      { name: 'count', type: 'uint256' },
    ],
  },
  primaryType: 'Mail',
  domain: { name: 'Ether Mail', version: '1', chainId: 31337 },
  message: { contents: 'Hello, Bob!', count: 2n ** 200n },
} as const;

async function addressOf(addressType: 'evm' | 'sol', wallet = walletId): Promise<string> {
  const path = { wallet_id: wallet };
  const { address } = await client.get('/api/v1/wallets/{wallet_id}/address', {
    path,
    query: { address_type: addressType },
  });
  return address;
}

describe('signing', () => {
  test('a digest, waited for, with a signature that is valid', async () => {
    const signing = client.sign(walletId, digest('11'));
    expect(await signing).toMatchObject({ created: true, signing_request: { status: 'pending' } });
    const signed = await signing.wait();
    expect(signed.status).toBe('success');
    expect(await isValid(signed)).toBe(true);
  });

  test('a batch: what is refused leaves the others alone', async () => {
    const [message, refused, raw] = await client
      .signBatch(walletId, [
        { type: 'message', network_internal_code, message: 'one' },
        { type: 'message', network_internal_code: 'NOWHERE', message: 'two' },
        { type: 'raw', ...digest('12') },
      ])
      .wait();
    expect(message).toMatchObject({ status: 'fulfilled', value: { status: 'success' } });
    expect(raw).toMatchObject({ status: 'fulfilled', value: { status: 'success' } });
    expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'invalid_request' } });
    expect((refused as PromiseRejectedResult).reason).toBeInstanceOf(ItemRefusedError);
  });

  test('a failure of the cluster is an OperationFailedError', async () => {
    cluster.meet('sign', 'counterparty_banned');
    const error = await client
      .sign(walletId, digest('13'))
      .wait()
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OperationFailedError);
    expect(error).toMatchObject({ statusReason: 'mpc_error', errorCode: 'counterparty_banned' });
  });

  test('a refusal is a CountersignError with what the service said', async () => {
    const error = await client.sign(walletId, digest('1')).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CountersignError);
    expect(error).toMatchObject({ status: 400, code: 'invalid_signing_hash' });
    expect((error as CountersignError).requestId).toMatch(/^[0-9a-f-]{36}$/);
  });
});

test('an answer that was lost is asked for again, and nothing is done twice', async () => {
  let losses = 0;
  const losesAnswers: typeof fetch = async (...args) => {
    const response = await fetch(...args);
    if (args[1]?.method !== 'POST' || losses === 2) return response;
    losses += 1;
    await response.text();
    throw new TypeError('fetch failed');
  };
  const flaky = new CountersignClient({ baseUrl, ...api.admin, fetch: losesAnswers });
  const before = cluster.signaturesMade;
  const signing = flaky.sign(walletId, digest('21'));
  expect(await signing).toMatchObject({ created: false });
  await signing.wait();
  expect(losses).toBe(2);
  expect(cluster.signaturesMade - before).toBe(1);
  const made = [];
  for await (const { signing_hash } of client.signingRequests()) made.push(signing_hash);
  expect(made.filter((hash) => hash === digest('21').signing_hash)).toHaveLength(1);
});

test('equal writes at once are as many operations, unless they share a key', async () => {
  const sign = (options?: { idempotencyKey: string }) => client.sign(walletId, digest('22'), options);
  const own = await Promise.all([sign(), sign(), sign()]);
  expect(new Set(own.map(({ transaction_id }) => transaction_id)).size).toBe(3);
  const shared = await Promise.all(Array.from({ length: 3 }, () => sign({ idempotencyKey: 'shared' })));
  expect(new Set(shared.map(({ transaction_id }) => transaction_id)).size).toBe(1);
});

test('lists are walked to their end, with filters', async () => {
  const created = await Promise.all(['a', 'b', 'c'].map((name) => client.createWallet({ name }).wait()));
  const seen: string[] = [];
  for await (const { id } of client.wallets({ limit: 2, status: ['active', 'archived'] })) seen.push(id);
  expect(new Set(seen)).toEqual(new Set([walletId, ...created.map(({ wallet_id }) => wallet_id)]));
  expect(seen).toHaveLength(4);
  for await (const row of client.wallets({ status: ['archived'] })) throw new Error(`not archived: ${row.id}`);
  for await (const row of client.transactions({ direction: ['in'] })) throw new Error(`no such transaction: ${row.id}`);
});

test('users and their keys: what waits for another user is read, approved and rejected, and a secret is taken by its own user', async () => {
  const { workspaceId, key } = await api.makeWorkspace();
  const owner = new CountersignClient({ baseUrl, ...key });
  const made = await owner.createUser({ name: 'Ada', email: 'ada@example.com' });
  expect(made).toMatchObject({ name: 'Ada', status: 'active' });
  expect(await owner.changeUser(made.id, { name: 'Ada Lovelace' })).toMatchObject({ name: 'Ada Lovelace' });
  const names: string[] = [];
  for await (const { name } of owner.users({ limit: 1 })) names.push(name);
  expect(names).toEqual(['Ada Lovelace', 'administrator']);

  const scopes = ['policies:read', 'policies:write', 'signing:read', 'signing:approve'];
  const approver = new CountersignClient({ baseUrl, ...(await api.makeKey({ workspaceId, scopes })) });
  await owner.setPolicy({ rules: [], default: { action: 'allow' }, changes: { approvals: 1 } });
  const user = await owner.createUser({ name: 'Grace' });
  const { user_id } = await approver.get('/api/v1/api-keys/self');
  const asked = await owner.createApiKey({ name: 'second', user_id, scopes: ['signing:read'] });
  if (!('kind' in user && 'kind' in asked)) throw new Error('changes do not wait');
  await approver.rejectChange(user.id);
  expect(await approver.change(user.id)).toMatchObject({ kind: 'create_user', status: 'rejected' });
  const waiting: string[] = [];
  for await (const { id } of approver.changes({ status: ['pending'] })) waiting.push(id);
  expect(waiting).toEqual([asked.id]);

  const third = new CountersignClient({ baseUrl, ...(await api.makeKey({ workspaceId, scopes })) });
  const { digest } = (await third.change(asked.id)).approval ?? { digest: '' };
  expect(await third.approveChange(asked.id, digest)).toMatchObject({ status: 'approved' });
  await expect(owner.takeSecret(asked.api_key_id ?? '')).rejects.toMatchObject({ status: 404 });
  const { api_key, api_secret = '' } = await approver.takeSecret(asked.api_key_id ?? '', { overlapSeconds: 0 });
  const second = new CountersignClient({ baseUrl, apiKey: api_key, apiSecret: api_secret });
  expect(await second.get('/api/v1/api-keys/self')).toMatchObject({ user_id, name: 'second' });
});

describe('money', () => {
  const TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
  const asset_id = sandbox.ETH.assetId;
  const half = { asset_id, amount: '0.5', recipient_address: TO };
  const until = async (id: string, subStatus: string, as = client) => {
    await expect
      .poll(async () => (await as.withdrawal(id)).sub_status, { timeout: 60_000, interval: 50 })
      .toBe(subStatus);
  };

  beforeAll(async () => {
    await connectNetwork(api.db, sandbox.ETH.networkId, feesOf(21_000n * 10n ** 9n));
    await fund(walletId, client);
  });

  async function fund(wallet_id: string, as: CountersignClient): Promise<void> {
    const { address } = await as.get('/api/v1/wallets/{wallet_id}/address', { path: { wallet_id } });
    await anvil.client.setBalance({ address: address as Address, value: parseEther('10') });
    await credit(api.db, wallet_id, sandbox.ETH, parseEther('10'));
  }

  test('a withdrawal, waited for until it is final, with its history and its balance', async () => {
    const estimate = await client.estimateWithdrawal(walletId, { asset_id, amount: '0.5' });
    expect(estimate.fees.low).toMatchObject({ max_fee: '0.000021', sufficient: true });
    expect((await client.fees(sandbox.ETH.networkId)).low.max_fee).toBe('0.000021');
    const before = await anvil.client.getBalance({ address: TO });
    const asking = client.requestWithdrawal(walletId, { ...half, external_id: 'client-1' });
    const { auto_approved, withdrawal } = await asking;
    expect([auto_approved, withdrawal.status]).toEqual([true, 'approved']);
    await until(withdrawal.id, 'confirming');
    await anvil.client.mine({ blocks: 2 });
    expect(await asking.wait()).toMatchObject({ id: withdrawal.id, status: 'completed', external_id: 'client-1' });
    expect((await anvil.client.getBalance({ address: TO })) - before).toBe(parseEther('0.5'));
    const history = await client.withdrawalHistory(withdrawal.id);
    expect([history.at(0)?.status, history.at(-1)?.status]).toEqual(['pending', 'completed']);
    const listed: string[] = [];
    for await (const { id } of client.withdrawals({ limit: 1, status: ['completed'] })) listed.push(id);
    expect(listed).toEqual([withdrawal.id]);
    const balances = [];
    for await (const balance of client.walletBalances(walletId, { asset_id: [asset_id] })) balances.push(balance);
    for await (const balance of client.balances({ wallet_id: [walletId] })) expect(balances).toContainEqual(balance);
    const left = await anvil.client.getBalance({ address: (await addressOf('evm')) as Address });
    expect(balances).toMatchObject([{ total: formatEther(left), held: '0' }]);
  });

  test('a contract call, sped up; another one that is dropped has failed', async () => {
    const calling = client.callContract(walletId, {
      transaction: { to: TO, chainId: 31337, value: '1', data: '0xd0e30db0' },
    });
    const { transaction_id } = await calling;
    await until(transaction_id, 'confirming');
    const { tx_hash } = await client.withdrawal(transaction_id);
    expect(await client.speedUpWithdrawal(transaction_id, { feeLevel: 'high' })).toMatchObject({
      status: 'processing',
    });
    await expect
      .poll(async () => (await client.withdrawal(transaction_id)).tx_hash, { timeout: 60_000, interval: 50 })
      .not.toBe(tx_hash);
    await until(transaction_id, 'confirming');
    await anvil.client.mine({ blocks: 2 });
    expect(await calling.wait()).toMatchObject({ status: 'completed', method: 'contract_call' });

    const asking = client.requestWithdrawal(walletId, half);
    const { withdrawal } = await asking;
    await until(withdrawal.id, 'confirming');
    const first = (await client.withdrawal(withdrawal.id)).tx_hash;
    await client.dropWithdrawal(withdrawal.id);
    await expect
      .poll(async () => (await client.withdrawal(withdrawal.id)).tx_hash, { timeout: 60_000, interval: 50 })
      .not.toBe(first);
    await until(withdrawal.id, 'confirming');
    await anvil.client.mine({ blocks: 2 });
    const error = await asking.wait().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OperationFailedError);
    expect(error).toMatchObject({ operationId: withdrawal.id, errorCode: 'dropped' });
  });

  test('the policy: simulated, set, approved by another key, rejected, cancelled; and the address book', async () => {
    const { workspaceId, key: ownerKey } = await api.makeWorkspace();
    const owner = new CountersignClient({ baseUrl, ...ownerKey });
    const { wallet_id } = await owner.createWallet({ name: 'owner' }).wait();
    await fund(wallet_id, owner);
    const requireOne = { rules: [], default: { action: 'require_approvals' as const, approvals: 1 } };
    const simulated = await owner.simulatePolicy({
      withdrawal: { wallet_id, ...half },
      document: requireOne,
    });
    expect(simulated).toMatchObject({ action: 'require_approvals', approvals: 1 });
    const { active } = await owner.setPolicy(requireOne);
    expect([active.version, (await owner.policy()).active.document]).toEqual([1, requireOne]);
    const key = await api.makeKey({ workspaceId, scopes: ['withdrawals:read', 'withdrawals:approve'] });
    const approver = new CountersignClient({ baseUrl, ...key });

    const asking = owner.requestWithdrawal(wallet_id, half);
    const { withdrawal } = await asking;
    expect(withdrawal.status).toBe('pending_approval');
    await approver.approveWithdrawal(withdrawal.id, withdrawal.approval?.digest ?? '');
    await until(withdrawal.id, 'confirming', owner);
    await anvil.client.mine({ blocks: 2 });
    expect((await asking.wait()).withdrawal_approvals).toMatchObject([{ status: 'approved' }]);

    const rejected = owner.requestWithdrawal(wallet_id, half);
    await approver.rejectWithdrawal((await rejected).withdrawal.id);
    await expect(rejected.wait()).rejects.toMatchObject({ operation: { status: 'rejected' } });
    const cancelled = owner.requestWithdrawal(wallet_id, half);
    await owner.cancelWithdrawal((await cancelled).withdrawal.id);
    await expect(cancelled.wait()).rejects.toMatchObject({ errorCode: 'cancelled' });

    const { id } = await owner.addAddress({ network_id: sandbox.ETH.networkId, address: TO, label: 'Known' });
    for await (const entry of owner.addressBook()) expect(entry).toMatchObject({ id, address: TO });
    await owner.removeAddress(id);
    for await (const entry of owner.addressBook()) throw new Error(`still there: ${entry.id}`);
  });
});

describe('an account of viem', () => {
  const accountOf = async (address?: Address) =>
    toViemAccount({
      client,
      walletId,
      network: network_internal_code,
      address: address ?? ((await addressOf('evm')) as Address),
    });
  const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
  const base = { chainId: 31337, nonce: 7, to, value: 1n, gas: 21_000n } as const;

  test.each([
    { type: 'legacy', ...base, gasPrice: 1_000_000_000n },
    { type: 'eip2930', ...base, gasPrice: 1n, accessList: [{ address: to, storageKeys: [] }] },
    { type: 'eip1559', ...base, data: '0xc0ffee', maxFeePerGas: 2n, maxPriorityFeePerGas: 1n },
  ] as const)('signs a transaction: $type', async (transaction) => {
    const account = await accountOf();
    const serializedTransaction = (await account.signTransaction(transaction)) as TransactionSerialized;
    expect(await recoverTransactionAddress({ serializedTransaction })).toBe(account.address);
  });

  test.each(['Good morning ☀', '', '0x1234', { raw: '0xdeadbeef' }, { raw: Uint8Array.of(0, 255) }] as const)(
    'signs a message: %j',
    async (message) => {
      const account = await accountOf();
      const signature = await account.signMessage({ message });
      expect(await recoverMessageAddress({ message, signature })).toBe(account.address);
    },
  );

  test('signs typed data', async () => {
    const account = await accountOf();
    const signature = await account.signTypedData(mail);
    expect(await recoverTypedDataAddress({ ...mail, signature })).toBe(account.address);
  });

  test('signs with a derived key, and never as another than it is', async () => {
    const stranger = await accountOf('0x70997970C51812dc3A010C7d01b50e0d17dc79C8');
    await expect(stranger.signMessage({ message: 'x' })).rejects.toThrow(
      /signs as 0x.*, and the account was made for 0x70/,
    );
    const derivation_path = 'm/44/60/0/0/9';
    const { address } = await client
      .signMessage(walletId, { network_internal_code, message: 'x', derivation_path })
      .wait();
    const derived = toViemAccount({
      client,
      walletId,
      network: network_internal_code,
      address: address as Address,
      derivationPath: derivation_path,
    });
    const signature = await derived.signMessage({ message: 'derived' });
    expect(await recoverMessageAddress({ message: 'derived', signature })).toBe(address);
  });

  test('a transaction for another chain is refused', async () => {
    const account = await accountOf();
    const wrong = { type: 'eip1559', ...base, chainId: 1 } as const;
    await expect(account.signTransaction(wrong)).rejects.toMatchObject({ status: 400, code: 'invalid_request' });
  });
});

test('a signer of @solana/kit signs a transaction that kit finds complete and valid', async () => {
  const address = toAddress(await addressOf('sol'));
  // By shape a signer of kit's own, without a cast.
  const signer: TransactionPartialSigner = toSolanaSigner({ client, walletId, network: 'SOL_SANDBOX', address });
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (draft) => setTransactionMessageFeePayerSigner(signer, draft),
    (draft) =>
      setTransactionMessageLifetimeUsingBlockhash({ blockhash: blockhash(address), lastValidBlockHeight: 1n }, draft),
  );
  const transaction = await signTransactionMessageWithSigners(message);
  const signature = transaction.signatures[address];
  const key = await crypto.subtle.importKey('raw', Uint8Array.from(base58.decode(address)), 'Ed25519', true, [
    'verify',
  ]);
  if (signature === undefined || signature === null) throw new Error('kit has no signature');
  expect(await verifySignature(key, signature, transaction.messageBytes)).toBe(true);
  expect(signer).not.toHaveProperty('signMessages' satisfies keyof MessagePartialSigner);
});
