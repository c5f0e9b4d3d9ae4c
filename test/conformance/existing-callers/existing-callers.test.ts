// Goal: a caller who is pointed at this service changes nothing: every call of existing callers works, from the wallet
// to the chain. Method: a service client, an EVM signer and a Solana signer of their kind, written from the description
// of their wire alone; the whole service with real nodes and the sandbox's own chains. What lands and what is signed is
// judged by viem, by @solana/kit and by the chains.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { base58 } from '@scure/base';
import {
  appendTransactionMessageInstructions,
  type Base64EncodedWireTransaction,
  compileTransaction,
  createNoopSigner,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  pipe,
  type Signature,
  type SignatureBytes,
  type Address as SolanaAddress,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  address as toSolanaAddress,
  verifySignature,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import {
  createPublicClient,
  encodeFunctionData,
  erc20Abi,
  http,
  parseEther,
  verifyMessage,
  verifyTypedData,
} from 'viem';
import { foundry } from 'viem/chains';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dollars } from '../../../domain/catalog/sandbox.ts';
import { startTestEthereum, startTestSolana, type TestChain } from '../../support/chains/chains.ts';
import { fundedSolanaClient, SOL, type SolanaClient } from '../../support/chains/solana.ts';
import { type Stack, startStack } from '../../support/processes/stack.ts';
import { EvmSigner } from './evm-signer.ts';
import { CallError, ServiceClient } from './service-client.ts';
import { SolanaSigner } from './solana-signer.ts';

const MINUTE_MS = 60_000;
const RECIPIENT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

let stack: Stack;
let ethereum: TestChain;
let solana: TestChain;
let directory: string;
let service: ServiceClient;
let walletId: string;
let evm: EvmSigner;
let sol: SolanaSigner;
let own: `0x${string}`;
const reader = () => createPublicClient({ chain: foundry, transport: http(ethereum.address), pollingInterval: 100 });
let solanaClient: SolanaClient;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-existing-callers-'));
  [ethereum, solana] = await Promise.all([
    startTestEthereum(join(directory, 'ethereum')),
    startTestSolana(join(directory, 'solana')),
  ]);
  const RPC_URLS = `ETHEREUM_SANDBOX=${ethereum.address},SOL_SANDBOX=${solana.address}`;
  stack = await startStack({ environment: { RPC_URLS } });
  const made = await stack.client.createApiKey({
    name: 'existing caller',
    legacy_path_signing: true,
    scopes: [
      ...(['catalog:read', 'wallets:read', 'wallets:write', 'wallets:admin', 'balances:read'] as const),
      ...(['transactions:read', 'transactions:write', 'withdrawals:read', 'withdrawals:write'] as const),
      ...(['signing:read', 'signing:write'] as const),
    ],
  });
  if (!('api_secret' in made)) throw new Error('the key was not made at once');
  service = new ServiceClient({ baseUrl: stack.baseUrl, apiKey: made.api_key, apiSecret: made.api_secret });
  solanaClient = await fundedSolanaClient(solana.address);
}, 8 * MINUTE_MS);
afterAll(async () => {
  await Promise.all([stack?.stop(), ethereum?.stop(), solana?.stop()]);
  rmSync(directory, { recursive: true, force: true });
});

async function until<Value>(read: () => Promise<Value>, isEnough: (value: Value) => boolean): Promise<Value> {
  const end = Date.now() + MINUTE_MS;
  for (;;) {
    const value = await read();
    if (isEnough(value)) return value;
    if (Date.now() > end) throw new Error(`it stays ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function assetOf(symbol: string, network: string) {
  const assets: { id: string; symbol: string; network_id: string; network: { internal_code: string } }[] =
    await service.get('/assets');
  const found = assets.find((each) => each.symbol === symbol && each.network.internal_code === network);
  if (found === undefined) throw new Error(`no ${symbol} on ${network}`);
  return found;
}

const availableOf = async (assetId: string): Promise<string> => {
  const balances: { asset_id: string; available: string }[] = await service.get(`/wallets/${walletId}/balances`);
  return balances.find(({ asset_id }) => asset_id === assetId)?.available ?? '0';
};

async function pay(symbol: string, network: string, amount: string): Promise<void> {
  const { id } = await assetOf(symbol, network);
  await service.post('/sandbox/faucet', { wallet_id: walletId, asset_id: id, amount });
  await until(
    () => availableOf(id),
    (available) => available === amount,
  );
}

describe('wallets', () => {
  test(
    'created: pending at first, then success',
    async () => {
      const body = { name: 'Existing', wallet_type: 'mpc', wallet_purpose: 'payment' };
      const created = await service.post('/wallets', body);
      expect(created).toMatchObject({ status: 'pending' });
      walletId = created.wallet_id;
      const { status } = await until(
        () => service.get(`/wallets/creation-status/${walletId}`),
        (view) => view.status !== 'pending',
      );
      expect(status).toBe('success');
      [evm, sol] = [new EvmSigner(service, walletId, 31337), new SolanaSigner(service, walletId)];
      own = await evm.getAddress();
    },
    MINUTE_MS,
  );

  test('sweeps are refused in a sentence', async () => {
    const sweep_task_params = {
      min_trigger_value_usd: '10',
      destination_wallet_id: walletId,
      destination_type: 'internal_wallet',
    };
    const asked = service.post('/wallets', { name: 'Swept', wallet_type: 'standard', sweep_task_params });
    await expect(asked).rejects.toMatchObject({ status: 400, message: expect.stringContaining('does not sweep') });
    const task = service.post(`/workspaces/${stack.workspaceId}/automation/sweep-task`, {
      name: 'Sweep',
      strategy: 'periodic',
      min_trigger_value_usd: '10',
      destination_wallet_id: walletId,
      frequency_in_seconds: 3600,
      wallet_ids: [walletId],
    });
    await expect(task).rejects.toMatchObject({ status: 400, message: expect.stringContaining('does not sweep') });
  });

  test('detail and assets have what is read of them', async () => {
    for (const address_type of ['evm', 'sol', 'tron'])
      expect(await service.get(`/web3/wallet-detail/${walletId}?address_type=${address_type}`)).toMatchObject({
        wallet_id: walletId,
        address_type,
        address: expect.stringMatching(/./),
      });
    const { id } = await assetOf('ETH', 'ETHEREUM_SANDBOX');
    await service.post(`/wallets/${walletId}/assets`, { asset_id: id });
    expect(await service.get(`/wallets/${walletId}/assets`)).toMatchObject([
      {
        asset_id: id,
        deposit_address: own,
        hidden: false,
        asset: { symbol: 'ETH', decimals: 18, is_native: true, network: { internal_code: 'ETHEREUM_SANDBOX' } },
      },
    ]);
  });
});

describe('EVM', () => {
  beforeAll(() => pay('ETH', 'ETHEREUM_SANDBOX', '2'), MINUTE_MS);

  test(
    'sendTransaction: signed, broadcast, followed to its hash, and booked',
    async () => {
      const before = await reader().getBalance({ address: RECIPIENT });
      const { hash } = await evm.sendTransaction({ to: RECIPIENT, from: own, value: parseEther('0.25') });
      const receipt = await reader().getTransactionReceipt({ hash: hash as `0x${string}` });
      expect(receipt).toMatchObject({ status: 'success', from: own.toLowerCase() });
      expect((await reader().getBalance({ address: RECIPIENT })) - before).toBe(parseEther('0.25'));
      const { id } = await assetOf('ETH', 'ETHEREUM_SANDBOX');
      const left = await reader().getBalance({ address: own });
      expect(parseEther(await availableOf(id))).toBe(left);
    },
    MINUTE_MS,
  );

  test(
    'with everything that ethers fills in, and a call of a contract',
    async () => {
      const nonce = await reader().getTransactionCount({ address: own });
      const { maxFeePerGas, maxPriorityFeePerGas } = await reader().estimateFeesPerGas();
      const { hash } = await evm.sendTransaction({
        to: dollars.ETHEREUM_SANDBOX,
        nonce,
        gasLimit: 100_000n,
        maxFeePerGas,
        maxPriorityFeePerGas,
        data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [RECIPIENT, 5n] }),
        accessList: [],
      });
      const transaction = await reader().getTransaction({ hash: hash as `0x${string}` });
      expect(transaction).toMatchObject({ nonce, gas: 100_000n, maxFeePerGas, maxPriorityFeePerGas });
      const read = {
        address: dollars.ETHEREUM_SANDBOX as `0x${string}`,
        abi: erc20Abi,
        functionName: 'allowance',
      } as const;
      expect(await reader().readContract({ ...read, args: [own, RECIPIENT] })).toBe(5n);
    },
    MINUTE_MS,
  );

  test(
    'a nonce that is not the next one jams nothing: it fails in a sentence, and the next one goes through',
    async () => {
      const nonce = await reader().getTransactionCount({ address: own });
      for (const wrong of [0, nonce + 5])
        await expect(evm.sendTransaction({ to: RECIPIENT, value: 1n, nonce: wrong })).rejects.toThrow(
          new RegExp(`failed: .*${wrong} was asked for, and ${nonce} is the next one`),
        );
      const { hash } = await evm.sendTransaction({ to: RECIPIENT, value: 1n });
      expect(await reader().getTransaction({ hash: hash as `0x${string}` })).toMatchObject({ nonce });
    },
    MINUTE_MS,
  );

  test('what cannot be meant is refused with the shapes and the field', async () => {
    const asked = evm.sendTransaction({ to: RECIPIENT, from: RECIPIENT });
    await expect(asked).rejects.toMatchObject({ status: 400, message: expect.stringContaining(own) });
    const wrong = service.post(`/web3/transaction/${walletId}/signRaw`, { to: RECIPIENT, gas: '1' });
    await expect(wrong).rejects.toThrow(/unknown field "gas".* It was read as .*flat.* This route takes /);
    await expect(wrong).rejects.toBeInstanceOf(CallError);
  });

  test(
    'signMessage and signTypedData',
    async () => {
      const signature = await evm.signMessage('Sign in, Bob');
      expect(await verifyMessage({ address: own, message: 'Sign in, Bob', signature })).toBe(true);
      const typed = {
        types: { Mail: [{ name: 'contents', type: 'string' }] },
        primaryType: 'Mail',
        domain: { name: 'Ether Mail', version: '1', chainId: 31337 },
        message: { contents: 'Hello, Bob!' },
      } as const;
      const signed = await evm.signTypedData(typed);
      expect(await verifyTypedData({ ...typed, address: own, signature: signed })).toBe(true);
      const other = service.post(`/web3/${walletId}/sign`, {
        method: 'eth_signTypedData_v4',
        message: 'x',
        chain_id: 31337,
        typed_data: JSON.stringify(typed),
      });
      await expect(other).rejects.toThrow(/message must be empty/);
    },
    MINUTE_MS,
  );

  test(
    'withdrawal with skip_balance_check, and a rescan of it',
    async () => {
      const { id, network_id } = await assetOf('ETH', 'ETHEREUM_SANDBOX');
      const asked = (amount: string) =>
        service.post(`/wallets/${walletId}/request-withdrawal`, {
          asset_id: id,
          amount,
          recipient_address: RECIPIENT,
          notes: 'rent',
          skip_balance_check: true,
        });
      await expect(asked('1000')).rejects.toMatchObject({ status: 409, code: 'insufficient_funds' });
      const { auto_approved, withdrawal } = await asked('0.125');
      expect([auto_approved, withdrawal.amount]).toEqual([true, '0.125']);
      const { hash } = await service.followTransaction(walletId, withdrawal.id);
      await service.post('/networks/rescan-transaction', { tx_hash: hash, network_id });
    },
    MINUTE_MS,
  );
});

describe('Solana', () => {
  let from: SolanaAddress;
  let to: SolanaAddress;
  beforeAll(async () => {
    await pay('SOL', 'SOL_SANDBOX', '2');
    from = toSolanaAddress(await sol.getAddress());
    to = solanaClient.payer.address;
  }, MINUTE_MS);

  const lamportsOf = async (owner: SolanaAddress) => (await solanaClient.rpc.getBalance(owner).send()).value as bigint;

  async function transferOf(amount: bigint, version: 0 | 'legacy' = 0) {
    const { value: lifetime } = await solanaClient.rpc.getLatestBlockhash().send();
    const transfer = getTransferSolInstruction({ source: createNoopSigner(from), destination: to, amount });
    return pipe(
      createTransactionMessage({ version }),
      (empty) => setTransactionMessageFeePayer(from, empty),
      (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
      (timed) => appendTransactionMessageInstructions([transfer], timed),
      compileTransaction,
    );
  }

  const keyOf = (owner: string) =>
    crypto.subtle.importKey('raw', Uint8Array.from(base58.decode(owner)), 'Ed25519', true, ['verify']);

  test(
    'signTransaction: the hash is the signature, which the chain takes',
    async () => {
      const transaction = await transferOf(SOL / 4n);
      const signature = await sol.signTransaction(getBase64EncodedWireTransaction(transaction));
      const bytes = base58.decode(signature) as unknown as SignatureBytes;
      expect(await verifySignature(await keyOf(from), bytes, transaction.messageBytes)).toBe(true);
      const before = await lamportsOf(to);
      const signed = { ...transaction, signatures: { ...transaction.signatures, [from]: bytes } };
      const wire: Base64EncodedWireTransaction = getBase64EncodedWireTransaction(signed);
      const sent = await solanaClient.rpc.sendTransaction(wire, { encoding: 'base64' }).send();
      expect(sent).toBe(signature);
      await solanaClient.confirm(sent);
      expect((await lamportsOf(to)) - before).toBe(SOL / 4n);
    },
    MINUTE_MS,
  );

  test(
    'signAndSendTransaction: sent, followed to its signature, and booked, in either form',
    async () => {
      const { id } = await assetOf('SOL', 'SOL_SANDBOX');
      const before = await lamportsOf(to);
      for (const version of [0, 'legacy'] as const) {
        const transaction = await transferOf(SOL / 8n, version);
        const hash = await sol.signAndSendTransaction(getBase64EncodedWireTransaction(transaction));
        const landed = await solanaClient.confirm(hash as Signature);
        expect(landed.meta.err).toBeNull();
      }
      expect((await lamportsOf(to)) - before).toBe(SOL / 4n);
      const withdrawals: { amount: string; method: string; asset_id: string; fee_paid: string }[] = await service.get(
        `/workspaces/${stack.workspaceId}/withdrawals?asset_id=${id}`,
      );
      const booked = { method: 'contract_call', amount: '0.125', fee_paid: '0.000005', status: 'completed' };
      expect(withdrawals).toMatchObject([booked, booked]);
    },
    MINUTE_MS,
  );

  test(
    'two equal ones at once are two transactions',
    async () => {
      const before = await lamportsOf(to);
      const wire = getBase64EncodedWireTransaction(await transferOf(1_000_000n));
      const hashes = await Promise.all([sol.signAndSendTransaction(wire), sol.signAndSendTransaction(wire)]);
      expect(new Set(hashes).size).toBe(2);
      for (const hash of hashes) await solanaClient.confirm(hash as Signature);
      expect((await lamportsOf(to)) - before).toBe(2_000_000n);
    },
    MINUTE_MS,
  );

  test(
    'signMessage: of text and of text in base64, followed as a transaction',
    async () => {
      const text = 'Sign in to example.com, Bob: 4711';
      const key = await keyOf(from);
      for (const message of [text, Buffer.from(text).toString('base64')]) {
        const signature = base58.decode(await sol.signMessage(message)) as unknown as SignatureBytes;
        expect(await verifySignature(key, signature, Buffer.from(text))).toBe(true);
      }
      const transaction = Buffer.from((await transferOf(1n)).messageBytes).toString('base64');
      await expect(sol.signMessage(transaction)).rejects.toMatchObject({ status: 400 });
    },
    MINUTE_MS,
  );

  test('another wallet’s address, and a transaction that is none, are refused', async () => {
    const transaction = getBase64EncodedWireTransaction(await transferOf(1n));
    const path = `/web3/transaction/${walletId}/signRaw`;
    const meta = { tx_method: 'solana_signTransaction' };
    await expect(service.post(path, { data: transaction, from: to, meta })).rejects.toThrow(/from is not the address/);
    const sending = { transaction, from: to, method: 'solana_signAndSendTransaction' };
    await expect(service.post(path, sending)).rejects.toThrow(/from is not who pays and signs/);
    await expect(service.post(path, { data: 'AAAA', from, meta })).rejects.toMatchObject({ status: 400 });
    await expect(service.post(path, { data: transaction, from, meta: {} })).rejects.toThrow(/This route takes /);
  });
});
