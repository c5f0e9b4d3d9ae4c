// Goal: what the typed client does is what the service understands, and viem and @solana/kit sign with an MPC wallet as with any account. Method: the API on
// a real port, a worker over a cluster in memory, and signatures checked by viem and kit themselves; lost answers are lost by the `fetch` that is handed in.
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
  type Hex,
  recoverMessageAddress,
  recoverTransactionAddress,
  recoverTypedDataAddress,
  type TransactionSerialized,
} from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createActivities } from '../../activities/index.ts';
import {
  CountersignClient,
  CountersignError,
  ItemRefusedError,
  OperationFailedError,
  toSolanaSigner,
  toViemAccount,
} from '../../src/client/client.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { FakeCluster } from '../support/fake-cluster.ts';
import { testTemporal } from '../support/temporal.ts';
import { isValid } from '../support/verify.ts';
import { startTestWorker, type TestWorker } from '../support/worker.ts';

let api: TestApi;
let worker: TestWorker;
let cluster: FakeCluster;
let baseUrl: string;
let client: CountersignClient;
let walletId: string;

beforeAll(async () => {
  api = await startApi();
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  baseUrl = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`;
  cluster = new FakeCluster();
  const activities = createActivities({ db: api.db, cluster, bitcoinNetwork: 'regtest' });
  worker = await startTestWorker({ temporal: { ...testTemporal('client'), taskQueue: api.taskQueue }, activities });
  client = new CountersignClient({ baseUrl, ...api.admin });
  walletId = (await client.createWallet({ name: 'client' }).wait()).wallet_id;
});
afterAll(async () => {
  await worker?.stop();
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
  for await (const row of client.transactions()) throw new Error(`no such transaction: ${row.id}`);
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
