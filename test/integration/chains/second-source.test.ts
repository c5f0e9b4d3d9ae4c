// Goal: D8: one node that lies or lags credits nothing above the threshold: the second node must read the same inbound
// transfer in the same block. Method: an anvil of its own, and a proxy in front of it as the node that is not believed.
import { type Address, getAddress, type Hex, pad } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { evmChain } from '../../../activities/chains/evm/evm-chain.ts';
import type { Chain } from '../../../activities/chains/port/chain.ts';
import type { Block, InboundTransfer } from '../../../activities/chains/port/movements.ts';
import { seenBySecond } from '../../../activities/chains/second-source.ts';
import { type AnsweringProxy, alters, says, startAnsweringProxy } from '../../support/chains/answering-proxy.ts';
import { type Anvil, startAnvil } from '../../support/chains/anvil.ts';
import { deploy } from '../../support/chains/evm-contracts.ts';
import { watching } from '../../support/chains/watching.ts';

const ours: Address = '0x00000000000000000000000000000000000000AA';

/** It keeps every state, so nobody asks. */
const promisesNothing = async () => undefined;

let anvil: Anvil;
let proxy: AnsweringProxy;
let first: Chain;
let second: Chain;
let block: Block;
let native: InboundTransfer;
let token: InboundTransfer;

beforeAll(async () => {
  anvil = await startAnvil();
  proxy = await startAnsweringProxy(anvil.url);
  first = evmChain({ rpcUrl: anvil.url, chainId: 31_337 });
  const contract = getAddress(await deploy(anvil, 'honestToken'));
  await anvil.client.sendTransaction({ to: ours, value: 1_000n });
  await anvil.client.sendTransaction({ to: contract, data: `0xa9059cbb${pad(ours).slice(2)}${pad('0x07').slice(2)}` });
  await anvil.client.mine({ blocks: 1 });
  block = await first.head();
  [native, token] = (await first.inboundTransfers(block, watching([ours], [contract]))) as [
    InboundTransfer,
    InboundTransfer,
  ];
  expect([native.amount, token.amount]).toEqual([1_000n, 7n]);
});
beforeEach(() => {
  second = evmChain({ rpcUrl: `http://${proxy.host}`, chainId: 31_337 });
});
afterEach(() => proxy.answers.clear());
afterAll(async () => {
  proxy.stop();
  await anvil.stop();
});

test('what both nodes read is seen, of either kind', async () => {
  expect(await seenBySecond(second, native, promisesNothing)).toBe(true);
  expect(await seenBySecond(second, token, promisesNothing)).toBe(true);
});

test('what the first node made up is not', async () => {
  const lies: [InboundTransfer, Partial<InboundTransfer>][] = [
    [native, { amount: 1_001n }],
    [native, { txHash: token.txHash }],
    [native, { to: '0x00000000000000000000000000000000000000bb' }],
    [native, { index: 'trace:0' }],
    [native, { contract: token.contract }],
    [native, { block: { ...block, hash: `0x${'1'.repeat(64)}` } }],
    [native, { block: { ...block, number: block.number - 1 } }],
    [native, { block: { ...block, number: block.number + 1 } }],
    [token, { amount: 8n }],
    [token, { contract: null }],
    [token, { contract: ours }],
  ];
  for (const [inboundTransfer, lie] of lies)
    expect(await seenBySecond(second, { ...inboundTransfer, ...lie }, promisesNothing)).toBe(false);
});

test('a second node that lags, or reads otherwise, withholds it', async () => {
  proxy.answers.set('eth_getBlockByNumber', says(null));
  expect(await seenBySecond(second, native, promisesNothing)).toBe(false);
  proxy.answers.clear();
  const poorer = (found: { transactions: { hash: Hex }[] }) => ({
    ...found,
    transactions: found.transactions.map((each) => (each.hash === native.txHash ? { ...each, value: '0x1' } : each)),
  });
  proxy.answers.set('eth_getBlockByHash', alters(poorer));
  expect(await seenBySecond(second, native, promisesNothing)).toBe(false);
  proxy.answers.set('eth_getLogs', says([]));
  expect(await seenBySecond(second, token, promisesNothing)).toBe(false);
});

test('a second node that is away or on another chain says nothing either way', async () => {
  proxy.answers.set('eth_chainId', says('0x1'));
  await expect(seenBySecond(second, native, promisesNothing)).rejects.toMatchObject({ code: 'wrong_chain' });
  proxy.answers.set('eth_chainId', (response) => void response.destroy());
  await expect(seenBySecond(second, native, promisesNothing)).rejects.toMatchObject({ code: 'unavailable' });
});
