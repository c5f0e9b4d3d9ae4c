// Goal: the sandbox's Ethereum takes transactions, confirms them by itself and loses none of them. Method: the real
// anvil as `npm start` supervises it, asked through viem.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPublicClient, createWalletClient, type Hex, http, parseEther } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askNode } from '../../../src/local/json-rpc.ts';
import { identifyProcess } from '../../../src/local/processes/process-identity.ts';
import { startTestEthereum, type TestChain } from '../../support/chains/chains.ts';

const recipient = '0x00000000000000000000000000000000000000aa';
/** The dev account that every anvil has. */
const dev = mnemonicToAccount('test test test test test test test test test test test junk');

let directory: string;
let chain: TestChain;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-ethereum-'));
  chain = await startTestEthereum(directory);
});
afterAll(async () => {
  await chain.stop();
  rmSync(directory, { recursive: true, force: true });
});

const reader = () => createPublicClient({ chain: foundry, transport: http(chain.address), pollingInterval: 100 });

async function transfer(value: bigint): Promise<Hex> {
  const wallet = createWalletClient({ account: dev, chain: foundry, transport: http(chain.address) });
  return wallet.sendTransaction({ to: recipient, value });
}

test('a transfer is mined and becomes final without anyone asking for blocks', async () => {
  expect(await reader().getChainId()).toBe(31_337);
  const hash = await transfer(parseEther('1'));
  const receipt = await reader().waitForTransactionReceipt({ hash, confirmations: 3, timeout: 60_000 });
  expect(receipt.status).toBe('success');
  await expect
    .poll(async () => (await reader().getBlock({ blockTag: 'finalized' })).number, { timeout: 60_000 })
    .toBeGreaterThanOrEqual(receipt.blockNumber);
});

test('a transaction waits for the next block, and one with a higher fee takes its nonce', async () => {
  const wallet = createWalletClient({ account: dev, chain: foundry, transport: http(chain.address) });
  const nonce = await reader().getTransactionCount({ address: dev.address });
  const fees = await reader().estimateFeesPerGas();
  const more = { maxFeePerGas: fees.maxFeePerGas * 2n, maxPriorityFeePerGas: fees.maxPriorityFeePerGas * 2n };
  const start = await reader().getBlockNumber();
  await expect
    .poll(() => reader().getBlockNumber({ cacheTime: 0 }), { interval: 20, timeout: 60_000 })
    .toBeGreaterThan(start); // a fresh second
  const request = { to: recipient, nonce, gas: 21_000n } as const;
  const first = await wallet.sendTransaction({ ...request, value: 1n, ...fees });
  const second = await wallet.sendTransaction({ ...request, value: 2n, ...more });
  const receipt = await reader().waitForTransactionReceipt({ hash: second });
  expect(receipt.status).toBe('success');
  await expect(reader().getTransaction({ hash: first })).rejects.toThrow(/could not be found/);
});

test('killed, it comes back at the same address with what was mined', async () => {
  const hash = await transfer(parseEther('2'));
  const { blockNumber } = await reader().waitForTransactionReceipt({ hash });
  const balance = await reader().getBalance({ address: recipient });
  await expect.poll(() => reader().getBlockNumber({ cacheTime: 0 }), { timeout: 60_000 }).toBeGreaterThan(blockNumber);
  const killed = chain.part();
  killed.kill('SIGKILL');
  await killed.exited;
  const asked = () =>
    reader()
      .getBalance({ address: recipient })
      .catch(() => 'away');
  await expect.poll(asked, { timeout: 60_000 }).toBe(balance);
  expect(chain.part().pid).not.toBe(killed.pid);
  expect((await reader().getTransactionReceipt({ hash })).blockNumber).toBe(blockNumber);
});

test('killed, it comes back with what somebody else asked it to mine', { timeout: 60_000 }, async () => {
  const hash = await transfer(parseEther('3'));
  await askNode(chain.address)('evm_mine');
  const { blockNumber } = await reader().getTransactionReceipt({ hash });
  const state = () => readFileSync(join(directory, 'state.json'), 'utf8');
  await expect.poll(state, { timeout: 60_000 }).toContain(hash); // a round of the miner
  const killed = chain.part();
  killed.kill('SIGKILL');
  await killed.exited;
  const mined = () =>
    reader()
      .getTransactionReceipt({ hash })
      .then((receipt) => receipt.blockNumber)
      .catch(() => 'away');
  await expect.poll(mined, { timeout: 60_000 }).toBe(blockNumber);
});

test('stopped, it leaves no process, and the next start goes on where it was', async () => {
  const balance = await reader().getBalance({ address: recipient });
  const nonce = await reader().getTransactionCount({ address: dev.address });
  const { pid } = chain.part();
  await chain.stop();
  expect(identifyProcess(pid)).toBeUndefined();
  chain = await startTestEthereum(directory);
  expect(await reader().getBalance({ address: recipient })).toBe(balance);
  expect(await reader().getTransactionCount({ address: dev.address })).toBe(nonce);
});
