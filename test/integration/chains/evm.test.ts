// Goal: what is written for an EVM chain is exactly what was asked for, at a price that covers it, and signed by nobody
// else. Method: the port on an anvil of its own that mines on command, and keys that sign the port's payloads.
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { decodeFunctionData, erc20Abi, type Hex, keccak256, parseTransaction, toHex } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { evmChain } from '../../../activities/chains/evm/evm-chain.ts';
import { raiseEvmFee } from '../../../activities/chains/evm/fees.ts';
import { ChainError, ImpossibleTransfer } from '../../../activities/chains/port/chain-error.ts';
import type { Asset } from '../../../activities/chains/port/transactions.ts';
import { feeLevels } from '../../../domain/withdrawals/fee-levels.ts';
import { type Anvil, dev, startAnvil } from '../../support/chains/anvil.ts';
import { deploy } from '../../support/chains/evm-contracts.ts';
import { type EvmSender, evmSender } from '../../support/chains/evm-sender.ts';

const CHAIN_ID = 31_337;
const ETHER: Asset = { contract: null, decimals: 18 };
const recipient = '0x00000000000000000000000000000000000000AA';

let anvil: Anvil;
let chain: ReturnType<typeof evmChain>;
let sender: EvmSender;
const mine = (blocks = 1) => anvil.client.mine({ blocks });

beforeAll(async () => {
  anvil = await startAnvil();
  chain = evmChain({ rpcUrl: anvil.url, chainId: CHAIN_ID });
});
beforeEach(async () => {
  sender = await evmSender(chain, anvil);
});
afterAll(() => anvil.stop());

const ether = (amount: bigint) => ({ to: recipient, asset: ETHER, amount });

describe('addresses', () => {
  test.each([
    ['lower case', dev.address.toLowerCase(), dev.address],
    ['upper case', `0x${dev.address.slice(2).toUpperCase()}`, dev.address],
    ['its checksum', dev.address, dev.address],
    ['a wrong checksum', dev.address.replace('f', 'F'), undefined],
    ['the zero address', `0x${'0'.repeat(40)}`, undefined],
    ['too short', dev.address.slice(0, -1), undefined],
    ['no prefix', dev.address.slice(2), undefined],
    ['a space', `${dev.address} `, undefined],
  ])('%s', (_case, text, canonical) => expect(chain.canonicalAddress(text)).toBe(canonical));
});

describe('fees', () => {
  test('levels cost more in order, and a quote covers what is paid', async () => {
    const transfer = { from: sender.address, ...ether(1n) };
    const quotes = await Promise.all(feeLevels.map((level) => chain.estimateFee(transfer, level)));
    const [low, medium, high] = quotes.map(({ maxFee }) => maxFee) as [bigint, bigint, bigint];
    expect(low < medium && medium < high).toBe(true);
    for (const { maxFee, parameters } of quotes) {
      expect(Object.values(parameters).every((text) => /^\d+$/.test(text))).toBe(true);
      expect(maxFee).toBe(BigInt(parameters['gasLimit'] ?? '') * BigInt(parameters['maxFeePerGas'] ?? ''));
    }
    const { raw, txHash } = await sender.prepare(ether(1n), 0, quotes[0]);
    await chain.broadcast(raw);
    await mine();
    const status = await chain.follow(txHash);
    if (status.state !== 'included') throw new Error('not mined');
    expect(status.feePaid).toBeLessThanOrEqual(low);
  });

  test('an account without funds gets a quote for a plain transfer; a transfer that would revert gets none', async () => {
    const poor = { from: '0x00000000000000000000000000000000000000bb', ...ether(10n ** 30n) };
    expect((await chain.estimateFee(poor, 'low')).parameters['gasLimit']).toBe('21000');
    const refuser = await deploy(anvil, 'refuser');
    await expect(
      chain.estimateFee({ from: sender.address, to: refuser, asset: ETHER, amount: 1n }, 'low'),
    ).rejects.toThrow(ChainError);
  });

  test('who lacks the amount is told from a transfer that reverts for another reason', async () => {
    const [token, refuser] = [await deploy(anvil, 'honestToken'), await deploy(anvil, 'refuser')];
    const asset = { contract: token, decimals: 0 };
    const poor = { code: 'insufficient_funds' };
    const from = sender.address;
    const estimate = (what: Parameters<typeof chain.estimateFee>[0]) => chain.estimateFee(what, 'low');
    await expect(estimate({ from, to: recipient, asset, amount: 1n })).rejects.toMatchObject(poor);
    await expect(estimate({ from, to: refuser, asset: ETHER, amount: 11n * 10n ** 18n })).rejects.toMatchObject(poor);
    await expect(estimate({ from, to: refuser, value: 11n * 10n ** 18n, data: '0x' })).rejects.toMatchObject(poor);
    const reverting = { name: 'NodeRefusal', code: undefined };
    await expect(estimate({ from, to: refuser, asset: ETHER, amount: 1n })).rejects.toMatchObject(reverting);
    await expect(estimate({ from, to: token, value: 0n, data: '0x12345678' })).rejects.toMatchObject(reverting);
  });

  test('a raise is 10 whole percent or more, and moves a tip of 0 too', () => {
    const quoteOf = (parameters: Record<string, string>) => ({ level: 'low', maxFee: 0n, parameters }) as const;
    const { parameters } = raiseEvmFee(quoteOf({ gasLimit: '1', maxFeePerGas: '10', maxPriorityFeePerGas: '0' }), 10);
    expect(parameters).toEqual({ gasLimit: '1', maxFeePerGas: '11', maxPriorityFeePerGas: '1' });
    expect(raiseEvmFee(quoteOf({ gasLimit: '2', gasPrice: '100' }), 50).maxFee).toBe(300n);
    for (const percent of [9, 10.5, -20, Number.NaN])
      expect(() => raiseEvmFee(quoteOf({ gasLimit: '1', gasPrice: '1' }), percent)).toThrow(/at least 10/);
  });

  test('a raised quote raises both prices by at least so much, and no gas', async () => {
    const parameters = { gasLimit: '21000', maxFeePerGas: '1000000001', maxPriorityFeePerGas: '1' };
    expect(raiseEvmFee({ level: 'low', maxFee: 0n, parameters }, 10)).toEqual({
      level: 'low',
      maxFee: 21_000n * 1_100_000_002n,
      parameters: { gasLimit: '21000', maxFeePerGas: '1100000002', maxPriorityFeePerGas: '2' },
    });
  });
});

describe('building and assembling', () => {
  const parameters = { gasLimit: '60000', maxFeePerGas: '3000000000', maxPriorityFeePerGas: '1000000000' };
  const fee = { level: 'low', maxFee: 180_000_000_000_000n, parameters } as const;

  test('the same input gives the same bytes: native', async () => {
    const transfer = { from: sender.address, ...ether(5n) };
    const first = await chain.build(transfer, fee, { nonce: 7 });
    expect(await chain.build(transfer, structuredClone(fee), { nonce: 7 })).toEqual(first);
    expect(first.payloads).toEqual([{ kind: 'evm_transaction', hex: first.unsigned }]);
    const read = parseTransaction(first.unsigned as Hex);
    expect(read).toMatchObject({ type: 'eip1559', chainId: CHAIN_ID, nonce: 7, value: 5n, gas: 60_000n });
    expect(read).toMatchObject({ maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n });
    expect([read.to, read.data]).toEqual([recipient.toLowerCase(), undefined]);
  });

  test('a token transfer calls the contract and carries no value', async () => {
    const asset = { contract: dev.address, decimals: 6 };
    const { unsigned } = await chain.build({ from: sender.address, to: recipient, asset, amount: 5n }, fee, {
      nonce: 0,
    });
    const { to, value, data } = parseTransaction(unsigned as Hex);
    expect([to, value]).toEqual([dev.address.toLowerCase(), undefined]);
    const call = decodeFunctionData({ abi: erc20Abi, data: data ?? '0x' });
    expect([call.functionName, call.args]).toEqual(['transfer', [expect.stringMatching(/aa$/i), 5n]]);
  });

  test('a chain without a base fee gets a legacy transaction of that chain', async () => {
    const legacy = { level: 'low', maxFee: 1n, parameters: { gasLimit: '21000', gasPrice: '2000000000' } } as const;
    const { raw, txHash } = await sender.prepare(ether(1n), 0, legacy);
    expect(parseTransaction(raw as Hex)).toMatchObject({ type: 'legacy', chainId: CHAIN_ID, gasPrice: 2_000_000_000n });
    expect(await chain.broadcast(raw)).toEqual({ outcome: 'accepted' });
    await mine();
    expect(await chain.follow(txHash)).toMatchObject({ state: 'included', succeeded: true });
  });

  test.each([
    ['no nonce', {}, {}],
    ['a nonce below zero', {}, { nonce: -1 }],
  ])('refuses %s', async (_case, change, reservation) => {
    await expect(chain.build({ from: sender.address, ...ether(1n), ...change }, fee, reservation)).rejects.toThrow();
  });

  test.each([
    ['the zero address', { to: `0x${'0'.repeat(40)}` }],
    ['a negative amount', { amount: -1n }],
    ['an amount of more than 256 bits', { amount: 2n ** 256n }],
    ['a contract that is no address', { asset: { contract: '0x12', decimals: 0 } }],
  ])('%s can never be sent', async (_case, change) => {
    const transfer = { from: sender.address, ...ether(1n), ...change };
    await expect(chain.build(transfer, fee, { nonce: 0 })).rejects.toThrow(ImpossibleTransfer);
    await expect(chain.estimateFee(transfer, 'low')).rejects.toThrow(ImpossibleTransfer);
  });

  test('takes only a signature of this key over these bytes, in its only form', async () => {
    const unsigned = await chain.build({ from: sender.address, ...ether(1n) }, fee, { nonce: 0 });
    const other = await chain.build({ from: sender.address, ...ether(2n) }, fee, { nonce: 0 });
    const good = await sender.signPayload(unsigned);
    const assemble = (signatures: string[], publicKey = sender.publicKey as string) =>
      chain.assemble(unsigned.unsigned, signatures, publicKey);
    const { raw, txHash } = assemble([good], sender.publicKey.slice(2));
    expect(txHash).toBe(keccak256(raw as Hex));
    expect(assemble([good])).toEqual({ raw, txHash });

    const stranger = await evmSender(chain, anvil);
    expect(() => assemble([good], stranger.publicKey)).toThrow(/another key/);
    const ofOther = await sender.signPayload(other);
    expect(() => assemble([ofOther])).toThrow(/another key/);
    expect(() => assemble([highS(good)])).toThrow(/high s/);
    const flipped = good.slice(0, -2) + (good.endsWith('1b') ? '1c' : '1b');
    expect(() => assemble([flipped])).toThrow();
    for (const v of ['00', '01', '1d', '']) expect(() => assemble([good.slice(0, -2) + v])).toThrow(/v = 27 or 28/);
    expect(() => assemble([])).toThrow(/one signature/);
    expect(() => assemble([good, good])).toThrow(/one signature/);
    const elsewhere = evmChain({ rpcUrl: anvil.url, chainId: 1 });
    expect(() => elsewhere.assemble(unsigned.unsigned, [good], sender.publicKey)).toThrow(/another chain/);
    expect(() => chain.assemble(raw, [good], sender.publicKey)).toThrow(/unsigned/);
  });
});

/** The same signature in its other form, which Ethereum refuses since EIP-2. */
function highS(signature: string): string {
  const s = secp256k1.Point.Fn.ORDER - BigInt(`0x${signature.slice(66, 130)}`);
  const v = signature.endsWith('1b') ? '1c' : '1b';
  return `${signature.slice(0, 66)}${toHex(s, { size: 32 }).slice(2)}${v}`;
}
