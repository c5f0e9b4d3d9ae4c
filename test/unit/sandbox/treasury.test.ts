// Goal: two equal payments of the faucet are two transactions, however long the node takes to hear of the first.
// Method: the treasury over the real code of Bitcoin, coins that no node has spent yet, and a clock that is put on.
import { sha256 } from '@noble/hashes/sha2.js';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { bitcoinChain } from '../../../activities/chains/bitcoin/bitcoin-chain.ts';
import type { Coin } from '../../../activities/chains/port/transactions.ts';
import { Treasury } from '../../../activities/sandbox/treasury.ts';
import { startScriptedNode } from '../chains/scripted-bitcoin-node.ts';

const RECIPIENT = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
const btc = { contract: null, decimals: 8 };
const coins = [1, 2].map(
  (seed): Coin => ({
    txHash: Buffer.from(sha256(Uint8Array.of(seed))).toString('hex'),
    index: 0,
    amount: 100_000_000n,
    confirmations: 200,
  }),
);

let node: Awaited<ReturnType<typeof startScriptedNode>>;
let treasury: Treasury;
beforeEach(async () => {
  node = await startScriptedNode({ estimatesmartfee: () => ({ feerate: 0.00002 }) });
  const chain = {
    ...bitcoinChain({ rpcUrl: node.rpcUrl, network: 'regtest' }),
    coins: async () => ({ free: coins, spentByWaiting: [] }),
  };
  treasury = new Treasury('BTC_SANDBOX', chain);
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  node.stop();
});

const pay = (key: string) => treasury.sign(key, RECIPIENT, btc, 50_000_000n);

test('a coin is given out once, also when the first payment has not been sent for a minute', async () => {
  const first = await pay('one/1');
  vi.setSystemTime(Date.now() + 60_000);
  const second = await pay('two/1');
  expect(second.txHash).not.toBe(first.txHash);
  expect(await pay('one/1')).toEqual(first);
});

test('a coin that was given back, or never sent for long, is given out again', async () => {
  const first = await pay('one/1');
  treasury.giveBack('one/1');
  expect((await pay('two/1')).txHash).toBe(first.txHash);
  await pay('three/1');
  await expect(pay('four/1')).rejects.toThrow();
  vi.setSystemTime(Date.now() + 5 * 60_000);
  expect((await pay('five/1')).txHash).toBe(first.txHash);
});
