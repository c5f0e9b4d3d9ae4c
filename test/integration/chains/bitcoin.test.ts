// Goal: a transfer of Bitcoin goes through once, can be replaced and followed, and costs what was quoted. Method: a
// real btcd of its own, mined by the test; a local key signs the digests as the cluster would.
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { p2pkh, p2sh, p2tr, p2wpkh, p2wsh, TEST_NETWORK } from '@scure/btc-signer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FeeQuote, ReservedCoin } from '../../../activities/chains/port/transactions.ts';
import { btc, newWallet, startBitcoin, type TestBitcoin } from '../../support/chains/bitcoin-wallets.ts';

const BUILD_MS = 300_000;
const COINBASE = 5_000_000_000n;

const atRate = (quote: FeeQuote, rate: bigint): FeeQuote => ({
  ...quote,
  maxFee: 10n ** 8n,
  parameters: { rate: `${rate}` },
});

let bitcoin: TestBitcoin;
beforeAll(async () => {
  bitcoin = await startBitcoin();
}, BUILD_MS);
afterAll(() => bitcoin.node.stop());

describe('coins and balance', () => {
  test('only what is in a block counts, and what waits to be spent does not', async () => {
    const wallet = newWallet();
    const balance = () => bitcoin.chain.balance(wallet.address, btc);
    expect([await bitcoin.coinsOf(wallet.address), await balance()]).toEqual([[], 0n]);
    const { txHash } = await bitcoin.pay(bitcoin.miner, wallet.address, 123_456_789n);
    expect([await bitcoin.coinsOf(wallet.address), await balance()]).toEqual([[], 0n]);
    await bitcoin.mine();
    const [coin] = await bitcoin.coinsOf(wallet.address);
    expect([coin, await balance()]).toEqual([
      { txHash, index: coin?.index, amount: 123_456_789n, confirmations: 1 },
      123_456_789n,
    ]);

    const spend = await bitcoin.pay(wallet, bitcoin.miner.address, 23_456_789n);
    expect([await bitcoin.coinsOf(wallet.address), await balance()]).toEqual([[], 0n]);
    await bitcoin.mine();
    expect(await balance()).toBe(100_000_000n - spend.fee.maxFee);
    await bitcoin.mine(2);
    expect(await bitcoin.coinsOf(wallet.address)).toMatchObject([{ confirmations: 3 }]);
    await expect(bitcoin.chain.balance(wallet.address, { contract: 'x', decimals: 8 })).rejects.toThrow('one asset');
  });

  test('what a block pays its miner is a coin from the block on in which it can be spent', async () => {
    const { number } = await bitcoin.chain.head();
    const heights = await Promise.all(
      (await bitcoin.coinsOf(bitcoin.miner.address))
        .filter(({ amount }) => amount === COINBASE)
        .map(async ({ txHash }) => {
          const status = await bitcoin.chain.follow(txHash);
          return status.state === 'included' ? status.blockNumber : 0;
        }),
    );
    expect(Math.max(...heights)).toBe(number - 99);
    const paidAt = async (height: number): Promise<ReservedCoin> => {
      const block = await bitcoin.node.ask<{ tx: string[] }>(
        'getblock',
        await bitcoin.node.ask('getblockhash', height),
        1,
      );
      return { txHash: block.tx[0] ?? '', index: 0, amount: COINBASE };
    };
    const transfer = { from: bitcoin.miner.address, to: newWallet().address, asset: btc, amount: COINBASE / 2n };
    const early = await bitcoin.sign(bitcoin.miner, transfer, [await paidAt(number - 98)]);
    expect(await bitcoin.chain.broadcast(early.raw)).toMatchObject({
      outcome: 'rejected',
      reason: expect.stringContaining('coinbase'),
    });
    const mature = await bitcoin.sign(bitcoin.miner, transfer, [await paidAt(number - 99)]);
    expect(await bitcoin.chain.broadcast(mature.raw)).toEqual({ outcome: 'accepted' });
    await bitcoin.mine();
  });
});

describe('a transfer', () => {
  test('is pending, then included with the fee that was quoted, and sends to every kind of address', async () => {
    const key = secp256k1.getPublicKey(newWallet().secret, true);
    const network = { ...TEST_NETWORK, bech32: 'bcrt' };
    const scripts = [p2pkh(key, network), p2wpkh(key, network), p2tr(key.subarray(1), undefined, network)];
    const wrapped = [p2sh(p2wpkh(key, network), network), p2wsh(p2pkh(key, network), network)];
    for (const { address = '' } of [...scripts, ...wrapped]) {
      const { txHash, fee, coins } = await bitcoin.pay(bitcoin.miner, address, 10_000n);
      expect(await bitcoin.chain.follow(txHash)).toEqual({ state: 'pending' });
      await bitcoin.mine();
      const { number, hash } = await bitcoin.chain.head();
      const included = { state: 'included', blockNumber: number, blockHash: hash, succeeded: true };
      expect(await bitcoin.chain.follow(txHash)).toEqual({ ...included, confirmations: 1, feePaid: fee.maxFee });
      await bitcoin.mine(2);
      expect(await bitcoin.chain.follow(txHash)).toMatchObject({ confirmations: 3 });
      expect(coins).toHaveLength(1);
      expect(await bitcoin.chain.balance(address, btc)).toBe(10_000n);
    }
  });

  test('of several coins pays for each, and takes change that would be dust into the fee', async () => {
    const wallet = newWallet();
    for (const amount of [40_000n, 50_000n, 60_000n]) await bitcoin.pay(bitcoin.miner, wallet.address, amount);
    await bitcoin.mine();
    const coins = await bitcoin.coinsOf(wallet.address);
    const transfer = (amount: bigint) => ({ from: wallet.address, to: bitcoin.miner.address, asset: btc, amount });
    const { maxFee } = await bitcoin.chain.estimateFee(transfer(1_000n), 'medium', { coins });
    const all = await bitcoin.sign(wallet, transfer(150_000n - maxFee - 293n), coins);
    expect(all.fee.maxFee).toBe(maxFee + 293n);
    expect(await bitcoin.chain.broadcast(all.raw)).toEqual({ outcome: 'accepted' });
    await bitcoin.mine();
    expect(await bitcoin.chain.follow(all.txHash)).toMatchObject({ feePaid: maxFee + 293n });
    expect(await bitcoin.coinsOf(wallet.address)).toEqual([]);
  });

  test('a quote without coins covers a typical transaction, at no lower rate the more urgent it is', async () => {
    const transfer = { from: bitcoin.miner.address, to: bitcoin.miner.address, asset: btc, amount: 1_000n };
    const quotes = await Promise.all(
      (['low', 'medium', 'high'] as const).map((level) => bitcoin.chain.estimateFee(transfer, level)),
    );
    const rates = quotes.map(({ parameters }) => BigInt(parameters['rate'] ?? ''));
    expect(rates).toEqual(rates.toSorted((low, high) => Number(low - high))); // btcd estimates from what the tests have paid
    const two = (await bitcoin.coinsOf(bitcoin.miner.address)).slice(0, 2);
    for (const [at, { level, maxFee }] of quotes.entries()) {
      const exact = await bitcoin.chain.estimateFee(transfer, level, { coins: two });
      expect(exact.parameters['rate']).toBe(`${rates[at]}`);
      expect(maxFee).toBeGreaterThanOrEqual(exact.maxFee);
      expect(maxFee).toBeLessThan(exact.maxFee * 2n);
    }
  });
});

describe('T5: a replacement', () => {
  test('spends the same coins: it is accepted, the first is gone for good, and only one pays', async () => {
    const wallet = await bitcoin.newFundedWallet();
    const [first, second] = [newWallet().address, newWallet().address];
    const transfer = { from: wallet.address, to: first, asset: btc, amount: 400_000n };
    const stuck = await bitcoin.sign(wallet, transfer, wallet.coins);
    expect(await bitcoin.chain.broadcast(stuck.raw)).toEqual({ outcome: 'accepted' });

    const rate = BigInt(stuck.fee.parameters['rate'] ?? '');
    const same = await bitcoin.sign(wallet, { ...transfer, to: second }, wallet.coins, atRate(stuck.fee, rate));
    const tooLow = 'The fee is too low for the node to take the transaction.';
    expect(await bitcoin.chain.broadcast(same.raw)).toEqual({ outcome: 'rejected', reason: tooLow });
    expect(await bitcoin.chain.follow(stuck.txHash)).toEqual({ state: 'pending' });

    const faster = await bitcoin.sign(wallet, transfer, wallet.coins, atRate(stuck.fee, rate * 2n));
    expect(await bitcoin.chain.broadcast(faster.raw)).toEqual({ outcome: 'accepted' });
    expect(await bitcoin.chain.follow(stuck.txHash)).toEqual({ state: 'unknown' });
    expect(await bitcoin.chain.follow(faster.txHash)).toEqual({ state: 'pending' });
    await bitcoin.mine();
    expect(await bitcoin.chain.broadcast(stuck.raw)).toEqual({
      outcome: 'rejected',
      reason: 'An input of the transaction is spent, or unknown to the chain.',
    });
    expect(await bitcoin.chain.balance(first, btc)).toBe(400_000n);
  });

  const raise = (quote: FeeQuote, percent: number): FeeQuote => bitcoin.chain.raiseFee(quote, percent);

  test('raised by the least that nodes ask for is taken, again and again, and pays what was quoted', async () => {
    const wallet = await bitcoin.newFundedWallet();
    const to = newWallet().address;
    const transfer = { from: wallet.address, to, asset: btc, amount: 400_000n };
    const quote = await bitcoin.chain.estimateFee(transfer, 'low', { coins: wallet.coins });
    let last = await bitcoin.sign(wallet, transfer, wallet.coins, quote);
    expect(await bitcoin.chain.broadcast(last.raw)).toEqual({ outcome: 'accepted' });
    for (let times = 0; times < 3; times++) {
      const next = await bitcoin.sign(wallet, transfer, wallet.coins, raise(last.fee, 1));
      expect(await bitcoin.chain.broadcast(next.raw)).toEqual({ outcome: 'accepted' });
      expect(await bitcoin.chain.follow(last.txHash)).toEqual({ state: 'unknown' });
      last = next;
    }
    await bitcoin.mine();
    expect(await bitcoin.chain.follow(last.txHash)).toMatchObject({ state: 'included', feePaid: last.fee.maxFee });
    expect(await bitcoin.chain.balance(to, btc)).toBe(400_000n);
    expect(await bitcoin.chain.balance(wallet.address, btc)).toBe(600_000n - last.fee.maxFee);
  });

  test('that drops it brings everything back but the fee, also where nothing was left to raise the fee with', async () => {
    for (const leaves of [600_000n, 0n]) {
      const wallet = await bitcoin.newFundedWallet();
      const to = newWallet().address;
      const reservation = { coins: wallet.coins };
      const sample = { from: wallet.address, to, asset: btc, amount: 300_000n };
      const { parameters, maxFee } = await bitcoin.chain.estimateFee(sample, 'medium', reservation);
      // Without the change there are 31 vB less.
      const all = 1_000_000n - maxFee + 31n * BigInt(parameters['rate'] ?? '');
      const transfer = { ...sample, amount: leaves === 0n ? all : 1_000_000n - leaves };
      const stuck = await bitcoin.sign(wallet, transfer, wallet.coins);
      expect(await bitcoin.chain.broadcast(stuck.raw)).toEqual({ outcome: 'accepted' });
      const raised = raise(stuck.fee, 10);
      if (leaves === 0n)
        await expect(bitcoin.chain.build(transfer, raised, reservation)).rejects.toMatchObject({
          code: 'insufficient_funds',
        });
      const nothing = { from: wallet.address, to: wallet.address, asset: btc, amount: 0n };
      const drop = await bitcoin.sign(wallet, nothing, wallet.coins, raised);
      expect(await bitcoin.chain.broadcast(drop.raw)).toEqual({ outcome: 'accepted' });
      await bitcoin.mine();
      const status = await bitcoin.chain.follow(drop.txHash);
      if (status.state !== 'included') throw new Error('the drop was not mined');
      expect(status.feePaid).toBeLessThanOrEqual(raised.maxFee);
      expect(await bitcoin.chain.follow(stuck.txHash)).toEqual({ state: 'unknown' });
      expect(await bitcoin.chain.balance(to, btc)).toBe(0n);
      expect(await bitcoin.coinsOf(wallet.address)).toEqual([
        { txHash: drop.txHash, index: 0, amount: 1_000_000n - status.feePaid, confirmations: 1 },
      ]);
    }
  });
});

describe('T1: the same bytes again', () => {
  test('are accepted while they wait, once they are mined, and when what they paid is spent', async () => {
    const wallet = await bitcoin.newFundedWallet();
    const next = newWallet();
    const { raw } = await bitcoin.pay(wallet, next.address, 900_000n);
    expect(await bitcoin.chain.broadcast(raw)).toEqual({ outcome: 'accepted' });
    await bitcoin.mine();
    expect(await bitcoin.chain.broadcast(raw)).toEqual({ outcome: 'accepted' });
    await bitcoin.pay(next, bitcoin.miner.address, 800_000n);
    await bitcoin.pay(wallet, bitcoin.miner.address, 50_000n);
    await bitcoin.mine();
    expect(await bitcoin.chain.broadcast(raw)).toEqual({ outcome: 'accepted' });
  });

  test('that are no transaction are rejected', async () => {
    expect(await bitcoin.chain.broadcast('0x00')).toMatchObject({ outcome: 'rejected' });
  });

  test('of a transaction unknown to the node are unknown', async () => {
    expect(await bitcoin.chain.follow('ab'.repeat(32))).toEqual({ state: 'unknown' });
  });
});
