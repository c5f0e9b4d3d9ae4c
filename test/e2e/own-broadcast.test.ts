// Goal: who lets viem and @solana/kit send with a wallet sees in the balances of the service what the chains have, to
// the last base unit, and what he has signed and not sent yet as pending_out; the reconciliation has nothing to say.
// Method: the whole service with three real nodes, which reads the sandbox's own anvil and Solana.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { lamports, address as toAddress } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import {
  type Address,
  createPublicClient,
  createTestClient,
  formatEther,
  http,
  keccak256,
  parseEther,
  parseGwei,
  walletActions,
} from 'viem';
import { foundry } from 'viem/chains';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toSolanaSigner } from '../../src/client/solana-signer.ts';
import { toViemAccount } from '../../src/client/viem-account.ts';
import { dev } from '../support/chains/anvil.ts';
import { startTestEthereum, startTestSolana, type TestChain } from '../support/chains/chains.ts';
import { fundedSolanaClient, SOL, signFor } from '../support/chains/solana.ts';
import { type Stack, startStack } from '../support/processes/stack.ts';

const MINUTE_MS = 60_000;
const [ETHEREUM, SOLANA] = ['ETHEREUM_SANDBOX', 'SOL_SANDBOX'];
const recipient = '0x00000000000000000000000000000000000000aa';

let stack: Stack;
let ethereum: TestChain;
let solana: TestChain;
let walletId: string;
let directory: string;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-own-broadcast-'));
  [ethereum, solana] = await Promise.all([
    startTestEthereum(join(directory, 'ethereum')),
    startTestSolana(join(directory, 'solana')),
  ]);
  const RPC_URLS = `${ETHEREUM}=${ethereum.address},${SOLANA}=${solana.address}`;
  stack = await startStack({ environment: { RPC_URLS } });
  walletId = (await stack.client.createWallet({ name: 'own broadcast' }).wait({ timeoutMs: 5 * MINUTE_MS })).wallet_id;
}, 8 * MINUTE_MS);
afterAll(async () => {
  await Promise.all([stack?.stop(), ethereum?.stop(), solana?.stop()]);
  rmSync(directory, { recursive: true, force: true });
});

async function addressOf(address_type: 'evm' | 'sol'): Promise<string> {
  const path = { wallet_id: walletId };
  return (await stack.client.get('/api/v1/wallets/{wallet_id}/address', { path, query: { address_type } })).address;
}

async function balanceOf(symbol: string) {
  const lines = await stack.client.get('/api/v1/wallets/{wallet_id}/balances', { path: { wallet_id: walletId } });
  const { available, pending_out } = lines.find((line) => line.symbol === symbol) ?? {};
  return { available, pending_out };
}
const untilBalance = (symbol: string, balance: { available: string; pending_out: string }) =>
  expect.poll(() => balanceOf(symbol), { timeout: MINUTE_MS }).toEqual(balance);

async function lineOf(tx_hash: string) {
  const query = { tx_hash: [tx_hash] };
  const [line, ...more] = await stack.client.get('/api/v1/workspaces/{workspace_id}/transactions', { query });
  expect(more).toEqual([]);
  return line;
}

async function reconcile(): Promise<string> {
  const { address, taskQueue } = stack.temporal;
  const env = { PATH: process.env['PATH'], TEMPORAL_ADDRESS: address, TEMPORAL_TASK_QUEUE: taskQueue };
  return (await promisify(execFile)(process.execPath, ['dist/reconcile-balances.js'], { env })).stdout;
}

test(
  'viem',
  async () => {
    const address = (await addressOf('evm')) as Address;
    const transport = http(ethereum.address);
    const reader = createPublicClient({ chain: foundry, transport, pollingInterval: 100 });
    const payer = createTestClient({ mode: 'anvil', account: dev, chain: foundry, transport }).extend(walletActions);
    await payer.sendTransaction({ to: address, value: parseEther('1') });
    await untilBalance('ETH', { available: '1', pending_out: '0' });

    const account = toViemAccount({ client: stack.client, walletId, network: ETHEREUM, address });
    const serializedTransaction = await account.signTransaction({
      chainId: foundry.id,
      type: 'eip1559',
      nonce: 0,
      to: recipient,
      value: parseEther('0.03'),
      gas: 21_000n,
      maxFeePerGas: parseGwei('1000'),
      maxPriorityFeePerGas: parseGwei('2'),
    });
    await untilBalance('ETH', { available: '1', pending_out: '0.051' });
    const hash = await reader.sendRawTransaction({ serializedTransaction: serializedTransaction });
    expect(hash).toBe(keccak256(serializedTransaction));
    await reader.waitForTransactionReceipt({ hash, timeout: MINUTE_MS });
    const left = await reader.getBalance({ address });
    expect(left).toBeLessThan(parseEther('0.97'));
    await untilBalance('ETH', { available: formatEther(left), pending_out: '0' });
    expect(await lineOf(hash)).toMatchObject({ direction: 'out', amount: '0.03', to_address: expect.any(String) });
    expect(await reconcile()).toContain('The ledger agrees with itself and with the chains.');

    // A withdrawal is judged by what is really there.
    const withdrawal = { asset_id: (await lineOf(hash))?.asset_id ?? '', recipient_address: recipient };
    const ask = (amount: string) => stack.client.requestWithdrawal(walletId, { ...withdrawal, amount });
    await expect(ask('1')).rejects.toMatchObject({ code: 'insufficient_funds' });
    expect(await ask('0.9').wait()).toMatchObject({ status: 'completed' });
  },
  5 * MINUTE_MS,
);

test(
  '@solana/kit',
  async () => {
    const address = toAddress(await addressOf('sol'));
    const { rpc, send, payer } = await fundedSolanaClient(solana.address);
    await rpc.requestAirdrop(address, lamports(2n * SOL)).send();
    await untilBalance('SOL', { available: '2', pending_out: '0' });
    const signer = toSolanaSigner({ client: stack.client, walletId, network: SOLANA, address });
    const { value: lifetime } = await rpc.getLatestBlockhash().send();
    const transfer = getTransferSolInstruction({ source: signer, destination: payer.address, amount: SOL });
    const signed = await signFor(signer, [transfer], lifetime);
    await untilBalance('SOL', { available: '2', pending_out: '1.000005' });
    await send(signed);
    await untilBalance('SOL', { available: '0.999995', pending_out: '0' });
    expect(await reconcile()).toContain('The ledger agrees with itself and with the chains.');
  },
  5 * MINUTE_MS,
);
