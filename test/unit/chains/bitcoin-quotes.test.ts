// Goal: a raised quote pays what nodes ask of a replacement, for the same transfer and for a drop, and never more than
// it says. Method: any coins, amounts, rates and raises (fast-check) against the rules of BIP-125 written anew here.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bitcoinChain } from '../../../activities/chains/bitcoin/bitcoin-chain.ts';
import { planSpend, type Spend } from '../../../activities/chains/bitcoin/coin-selection.ts';
import { priceOf, quoteOf, raiseBitcoinFee } from '../../../activities/chains/bitcoin/fee-quotes.ts';
import { ChainError, ImpossibleTransfer } from '../../../activities/chains/port/chain-error.ts';
import type { Coin } from '../../../activities/chains/port/transactions.ts';

const P2WPKH = 22;
const P2WSH = 34;
const coinsOf = (amounts: readonly bigint[]): Coin[] =>
  amounts.map((amount, index) => ({ txHash: '00'.repeat(32), index, amount, confirmations: 1 }));

const cases = fc
  .record({
    coins: fc.array(fc.bigInt({ min: 1_000n, max: 200_000n }), { minLength: 1, maxLength: 5 }).map(coinsOf),
    share: fc.nat({ max: 1_000 }),
    scriptBytes: fc.constantFrom(P2WPKH, P2WSH),
    rate: fc.bigInt({ min: 1n, max: 60n }),
    percents: fc.tuple(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 100 })),
  })
  .map(({ coins, share, ...rest }) => {
    const held = coins.reduce((sum, { amount }) => sum + amount, 0n);
    return { coins, payment: { amount: (held * BigInt(share)) / 1_000n, scriptBytes: rest.scriptBytes }, ...rest };
  });

/** BIP-125, rules 3 and 4, and Bitcoin Core's own, that the rate is higher. */
function isTaken(replacement: Spend, replaced: Spend): boolean {
  const paysBoth = replacement.fee >= replaced.fee + BigInt(replacement.vsize);
  return paysBoth && replacement.fee * BigInt(replaced.vsize) > replaced.fee * BigInt(replacement.vsize);
}

test('what it pays for the same transfer and for a drop is taken in the place of the one before, twice over', () => {
  let [speedUps, drops, foldings] = [0, 0, 0];
  fc.assert(
    fc.property(cases, ({ coins, payment, rate, percents }) => {
      const first = planSpend(coins, payment, { rate, feeMin: 0n });
      fc.pre(first !== undefined);
      let before: Spend = first;
      let quote = quoteOf('low', rate, before);
      for (const percent of percents) {
        quote = raiseBitcoinFee(quote, percent);
        const drop = planSpend(coins, undefined, priceOf(quote));
        if (drop !== undefined) {
          drops++;
          expect(drop.fee).toBeLessThanOrEqual(quote.maxFee);
          expect(drop.fee + drop.change).toBe(coins.reduce((sum, { amount }) => sum + amount, 0n));
          expect(isTaken(drop, before)).toBe(true);
        }
        const faster = planSpend(coins, payment, priceOf(quote));
        if (faster === undefined) return;
        speedUps++;
        expect(faster.fee).toBe(quote.maxFee);
        expect(isTaken(faster, before)).toBe(true);
        expect(faster.fee * 100n).toBeGreaterThanOrEqual(before.fee * BigInt(100 + percent));
        if (before.change !== 0n && faster.change === 0n) foldings++;
        before = faster;
      }
    }),
    { numRuns: 6_000 },
  );
  expect(Math.min(speedUps, drops, foldings)).toBeGreaterThan(10);
});

test('fails for the same transfer only when the change does not suffice, and a drop then still works', () => {
  const coins = coinsOf([100_000n]);
  const payment = (amount: bigint) => ({ amount, scriptBytes: P2WPKH });
  const plan = (amount: bigint) => planSpend(coins, payment(amount), { rate: 10n, feeMin: 0n });
  const exact = plan(100_000n - 1_100n); // 110 vB without change
  expect(exact).toMatchObject({ fee: 1_100n, change: 0n });
  const raised = raiseBitcoinFee(quoteOf('low', 10n, exact), 10);
  expect(planSpend(coins, payment(98_900n), priceOf(raised))).toBeUndefined();
  expect(planSpend(coins, undefined, priceOf(raised))).toMatchObject({ fee: 1_210n });
});

test.each([0, -1, 1.5, Number.NaN])('no raise by %s percent', (percent) => {
  expect(() => raiseBitcoinFee(quoteOf('low', 1n), percent)).toThrow('at least 1 whole percent');
});

describe('through the port', () => {
  const chain = bitcoinChain({ rpcUrl: 'http://127.0.0.1:1', network: 'mainnet' });
  const from = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
  const to = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';
  const transfer = (amount: bigint) => ({ from, to, asset: { contract: null, decimals: 8 }, amount });
  const select = (amounts: bigint[], amount: bigint) =>
    chain.selectCoins(coinsOf(amounts), transfer(amount), quoteOf('medium', 5n));

  test('coins are chosen, the largest first and no more than suffice', () => {
    expect(select([5_000n, 20_000n, 9_000n, 700n], 25_000n)?.map(({ amount }) => amount)).toEqual([20_000n, 9_000n]);
  });

  test('what the coins cannot pay now is told from what can never be paid', () => {
    expect(() => select([5_000n], 5_000n)).toThrow(ChainError);
    expect(() => select([], 5_000n)).toThrow(expect.objectContaining({ code: 'insufficient_funds' }));
    expect(() => select([5_000n], 545n)).toThrow(ImpossibleTransfer);
  });

  test('a contract call can never be made', async () => {
    const call = { from, to, value: 1n, data: '0x' };
    await expect(chain.estimateFee(call, 'low')).rejects.toThrow(ImpossibleTransfer);
    await expect(chain.build(call, quoteOf('low', 1n), {})).rejects.toThrow(ImpossibleTransfer);
  });

  test.each([
    ['an address of another network', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'],
    ['no address', 'somewhere'],
  ])('to %s nothing is ever sent', async (_case, elsewhere) => {
    const lost = { ...transfer(1_000n), to: elsewhere };
    await expect(chain.estimateFee(lost, 'low')).rejects.toThrow(ImpossibleTransfer);
  });
});
