// Goal: an MPC wallet is an ordinary account of viem, ethers and @solana/kit: what they send with it, real chains take.
// Method: the whole service with three real nodes, the sandbox's own anvil and Solana, and the libraries' own ways of
// sending.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lamports, address as toAddress } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { JsonRpcProvider, toQuantity, verifyMessage, verifyTypedData } from 'ethers';
import { type Address, createPublicClient, createTestClient, createWalletClient, http, parseEther } from 'viem';
import { foundry } from 'viem/chains';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toEthersSigner } from '../../src/client/ethers-signer.ts';
import { toSolanaSigner } from '../../src/client/solana-signer.ts';
import { toViemAccount } from '../../src/client/viem-account.ts';
import { startTestEthereum, startTestSolana, type TestChain } from '../support/chains/chains.ts';
import { fundedSolanaClient, SOL, signFor } from '../support/chains/solana.ts';
import { type Stack, startStack } from '../support/processes/stack.ts';

const MINUTE_MS = 60_000;
const recipient = '0x00000000000000000000000000000000000000aa';

let stack: Stack;
let ethereum: TestChain;
let solana: TestChain;
let walletId: string;
let directory: string;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-on-chain-'));
  [stack, ethereum, solana] = await Promise.all([
    startStack(),
    startTestEthereum(join(directory, 'ethereum')),
    startTestSolana(join(directory, 'solana')),
  ]);
  const creating = stack.client.createWallet({ name: 'on chain' });
  walletId = (await creating.wait({ timeoutMs: 5 * MINUTE_MS })).wallet_id;
}, 8 * MINUTE_MS);
afterAll(async () => {
  await Promise.all([stack?.stop(), ethereum?.stop(), solana?.stop()]);
  rmSync(directory, { recursive: true, force: true });
});

async function addressOf(address_type: 'evm' | 'sol'): Promise<string> {
  const path = { wallet_id: walletId };
  return (await stack.client.get('/api/v1/wallets/{wallet_id}/address', { path, query: { address_type } })).address;
}

test('viem: walletClient.sendTransaction moves ether', async () => {
  const address = (await addressOf('evm')) as Address;
  const transport = http(ethereum.address);
  const reader = createPublicClient({ chain: foundry, transport, pollingInterval: 100 });
  const operator = createTestClient({ mode: 'anvil', chain: foundry, transport });
  await operator.setBalance({ address, value: parseEther('2') });
  const account = toViemAccount({ client: stack.client, walletId, network: 'ETHEREUM_SANDBOX', address });
  const wallet = createWalletClient({ account, chain: foundry, transport });
  for (const nonce of [0, 1]) {
    const hash = await wallet.sendTransaction({ to: recipient, value: parseEther('0.5') });
    const receipt = await reader.waitForTransactionReceipt({ hash, timeout: 60_000 });
    expect(receipt).toMatchObject({ status: 'success', from: address.toLowerCase() });
    expect((await reader.getTransaction({ hash })).nonce).toBe(nonce);
  }
  expect(await reader.getBalance({ address: recipient })).toBe(parseEther('1'));
});

test('ethers: signer.sendTransaction moves ether, and what it signs is by the wallet', async () => {
  const provider = new JsonRpcProvider(ethereum.address, 31337, { staticNetwork: true, pollingInterval: 100 });
  const path = { wallet_id: walletId };
  const { address } = await stack.client.get('/api/v1/wallets/{wallet_id}/address', { path });
  await provider.send('anvil_setBalance', [address, toQuantity(parseEther('2'))]);
  const options = { client: stack.client, walletId, network: 'ETHEREUM_SANDBOX', address };
  const signer = toEthersSigner(options, provider);
  const to = '0x00000000000000000000000000000000000000bb';
  const receipt = await (await signer.sendTransaction({ to, value: parseEther('0.5') })).wait();
  expect(receipt).toMatchObject({ status: 1, from: address });
  expect(await provider.getBalance(to)).toBe(parseEther('0.5'));
  const text = await signer.signMessage('Zahlung über 5 €');
  expect(verifyMessage('Zahlung über 5 €', text)).toBe(address);
  const bytes = Uint8Array.of(0, 255, 7);
  expect(verifyMessage(bytes, await signer.signMessage(bytes))).toBe(address);
  const types = { Mail: [{ name: 'contents', type: 'string' }] };
  const [domain, mail] = [{ name: 'Mail', version: '1', chainId: 31337 }, { contents: 'Hello' }];
  expect(verifyTypedData(domain, types, mail, await signer.signTypedData(domain, types, mail))).toBe(address);
  await expect(signer.sendTransaction({ from: to, to, value: 1n })).rejects.toThrow(/from/);
  provider.destroy();
});

test('@solana/kit: a transfer signed by the wallet moves SOL', async () => {
  const address = toAddress(await addressOf('sol'));
  const { rpc, send, payer } = await fundedSolanaClient(solana.address);
  await rpc.requestAirdrop(address, lamports(2n * SOL)).send();
  const signer = toSolanaSigner({ client: stack.client, walletId, network: 'SOL_SANDBOX', address });
  const before = (await rpc.getBalance(payer.address).send()).value;
  const { value: lifetime } = await rpc.getLatestBlockhash().send();
  const transfer = getTransferSolInstruction({ source: signer, destination: payer.address, amount: SOL });
  await send(await signFor(signer, [transfer], lifetime));
  expect((await rpc.getBalance(payer.address).send()).value - before).toBe(SOL);
});
