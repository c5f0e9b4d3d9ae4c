// Goal: a contract call goes out as its author wrote it, with the rest estimated, and what can never be sent is told at
// once. Method: the port on an anvil of its own, tokens of our own, and keys that sign the port's payloads.
import { type Hex, pad, parseTransaction, toHex } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { evmChain } from '../../../activities/chains/evm/evm-chain.ts';
import type { AccountChain } from '../../../activities/chains/port/chain.ts';
import { ImpossibleTransfer } from '../../../activities/chains/port/chain-error.ts';
import type { Call } from '../../../activities/chains/port/transactions.ts';
import { type AnsweringProxy, alters, startAnsweringProxy } from '../../support/chains/answering-proxy.ts';
import { type Anvil, startAnvil } from '../../support/chains/anvil.ts';
import { deploy } from '../../support/chains/evm-contracts.ts';
import { type EvmSender, evmSender } from '../../support/chains/evm-sender.ts';

const recipient = '0x00000000000000000000000000000000000000AA';

let anvil: Anvil;
let proxy: AnsweringProxy;
let chain: AccountChain;
let sender: EvmSender;
let token: Hex;

beforeAll(async () => {
  anvil = await startAnvil();
  proxy = await startAnsweringProxy(anvil.url);
  chain = evmChain({ rpcUrl: `http://${proxy.host}`, chainId: 31_337 });
  token = await deploy(anvil, 'honestToken');
});
beforeEach(async () => {
  proxy.answers.clear();
  sender = await evmSender(chain, anvil);
  await anvil.client.sendTransaction({ to: token, data: transferOf(sender.address, 100n) });
  await anvil.client.mine({ blocks: 1 });
});
afterAll(async () => {
  proxy.stop();
  await anvil.stop();
});

const transferOf = (to: string, amount: bigint): Hex =>
  `0xa9059cbb${pad(to as Hex)
    .slice(2)
    .toLowerCase()}${toHex(amount, { size: 32 }).slice(2)}`;
const callOf = (more: Partial<Call> = {}): Call => ({
  from: sender.address,
  to: token,
  value: 0n,
  data: transferOf(recipient, 40n),
  ...more,
});
const slot = pad(recipient.toLowerCase() as Hex);

test('is estimated, built, signed and executed, with an access list too', async () => {
  const accessList = [{ address: token, storageKeys: [slot] }];
  for (const [nonce, call] of [callOf(), callOf({ accessList })].entries()) {
    const { raw, txHash } = await sender.prepare(call, nonce);
    expect(parseTransaction(raw as Hex)).toMatchObject({ to: token.toLowerCase(), data: call.data, nonce });
    expect(parseTransaction(raw as Hex).accessList).toEqual(call.accessList);
    expect(await chain.broadcast(raw)).toEqual({ outcome: 'accepted' });
    await anvil.client.mine({ blocks: 1 });
    expect(await chain.follow(txHash)).toMatchObject({ state: 'included', succeeded: true });
  }
  expect(await chain.balance(sender.address, { contract: token, decimals: 0 })).toBe(20n);
});

test('what it says itself is used as it is, and nothing is asked for that', async () => {
  const given = { gasLimit: 123_456n, maxFeePerGas: 9_000_000_000n, maxPriorityFeePerGas: 3_000_000_000n };
  const before = proxy.asked.length;
  const quote = await chain.estimateFee(callOf(given), 'high');
  const asked = proxy.asked.slice(before).map(({ method }) => method);
  expect(asked.filter((method) => /estimateGas|feeHistory|gasPrice|PriorityFee|getCode/.test(method))).toEqual([]);
  expect(quote.maxFee).toBe(123_456n * 9_000_000_000n);
  const { unsigned } = await chain.build(callOf(given), quote, { nonce: 5 });
  const { gas, maxFeePerGas, maxPriorityFeePerGas } = parseTransaction(unsigned as Hex);
  expect({ gasLimit: gas, maxFeePerGas, maxPriorityFeePerGas }).toEqual(given);
});

test('one price alone is used as it is, and the other fits to it', async () => {
  const usual = (await chain.estimateFee(callOf(), 'medium')).parameters;
  const [usualMax, usualTip] = [BigInt(usual['maxFeePerGas'] ?? ''), BigInt(usual['maxPriorityFeePerGas'] ?? '')];
  const priced = async (more: Partial<Call>) => {
    const { maxFeePerGas, maxPriorityFeePerGas } = (await chain.estimateFee(callOf(more), 'medium')).parameters;
    return [BigInt(maxFeePerGas ?? ''), BigInt(maxPriorityFeePerGas ?? '')];
  };
  expect(await priced({ maxFeePerGas: 5n })).toEqual([5n, 5n]);
  expect(await priced({ maxFeePerGas: usualMax * 2n })).toEqual([usualMax * 2n, usualTip]);
  expect(await priced({ maxPriorityFeePerGas: usualTip + 7n })).toEqual([usualMax + 7n, usualTip + 7n]);
});

test('raised, it is the same call at higher prices', async () => {
  const quote = await chain.estimateFee(callOf({ gasLimit: 90_000n, maxFeePerGas: 4_000_000_000n }), 'low');
  const raised = chain.raiseFee(quote, 25);
  expect(raised.parameters).toMatchObject({ gasLimit: '90000', maxFeePerGas: '5000000000' });
});

test('on a chain without a base fee it has a gas price, with the access list', async () => {
  proxy.answers.set(
    'eth_getBlockByNumber',
    alters((block: object) => ({ ...block, baseFeePerGas: undefined })),
  );
  const call = callOf({ accessList: [{ address: token, storageKeys: [slot] }] });
  const quote = await chain.estimateFee(call, 'medium');
  const { raw, txHash } = await sender.prepare(call, 0, quote);
  expect(parseTransaction(raw as Hex)).toMatchObject({ type: 'eip2930', accessList: call.accessList });
  await chain.broadcast(raw);
  await anvil.client.mine({ blocks: 1 });
  expect(await chain.follow(txHash)).toMatchObject({ state: 'included', succeeded: true });
  await expect(chain.estimateFee(callOf({ maxFeePerGas: 1n }), 'low')).rejects.toThrow(ImpossibleTransfer);
});

test('without data it is a plain payment', async () => {
  const { parameters } = await chain.estimateFee(callOf({ to: recipient, value: 5n, data: '0x' }), 'low');
  expect(parameters['gasLimit']).toBe('21000');
});

describe('can never be sent', () => {
  test.each<[string, Partial<Call>]>([
    ['half a byte', { data: '0x123' }],
    ['data without its prefix', { data: '1234' }],
    ['the zero address', { to: `0x${'0'.repeat(40)}` }],
    ['a wrong checksum', { to: '0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }],
    ['a negative value', { value: -1n }],
    ['a short storage key', { accessList: [{ address: recipient, storageKeys: ['0x01'] }] }],
    ['an access list of no address', { accessList: [{ address: '0x01', storageKeys: [] }] }],
    ['a tip above the maximum', { maxFeePerGas: 1n, maxPriorityFeePerGas: 2n }],
  ])('%s', async (_case, more) => {
    await expect(chain.estimateFee(callOf(more), 'low')).rejects.toThrow(ImpossibleTransfer);
  });
});
