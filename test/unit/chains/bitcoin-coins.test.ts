// Goal: no satoshi is lost or made when coins are chosen, the fee is what was asked for and no dust is made. Method:
// any coins, amounts and rates (fast-check) against sums made here, and against the one condition under which coins
// suffice.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import * as port from '../../../activities/chains/bitcoin/coin-selection.ts';
import { ChainError } from '../../../activities/chains/port/chain-error.ts';
import type { Coin } from '../../../activities/chains/port/transactions.ts';

// From BIP-141 and the sizes of P2WPKH: 68 vB an input, 31 the change, 54 the rest with the longest recipient.
const INPUT = 68n;
const CHANGE = 31n;
const REST = 54n;
const DUST = 294n;
const LONGEST = 34;
const { INPUTS_MAX } = port;

const paying = (amount: bigint) => ({ amount, scriptBytes: LONGEST });
const selectCoins = (coins: readonly Coin[], amount: bigint, rate: bigint) =>
  port.selectCoins(coins, paying(amount), { rate, feeMin: 0n });
const planSpend = (coins: readonly Coin[], amount: bigint, rate: bigint) =>
  port.planSpend(coins, paying(amount), { rate, feeMin: 0n });

const amounts = fc.oneof(
  fc.bigInt({ min: 1n, max: 3_000n }),
  fc.bigInt({ min: 1n, max: 100_000n }),
  fc.bigInt({ min: 1n, max: 21n * 10n ** 14n }),
);
const toCoins = (list: bigint[]): Coin[] =>
  list.map((amount, index) => ({
    txHash: (index >> 1).toString(16).padStart(64, '0'),
    index,
    amount,
    confirmations: 1,
  }));
const coinLists = fc.array(amounts, { maxLength: 130, size: 'large' }).map(toCoins);
const wanted = fc.oneof(fc.bigInt({ min: 546n, max: 400_000n }), fc.bigInt({ min: 546n, max: 21n * 10n ** 14n }));
const rates = fc.bigInt({ min: 1n, max: 500n });
/** Half of them just within reach of some of the coins, where the change is about to become dust. */
const cases = fc.tuple(coinLists, rates).chain(([coins, rate]) => {
  const near = fc.tuple(fc.nat({ max: coins.length }), fc.bigInt({ min: -300n, max: 20_000n })).map(([count, left]) => {
    const held = sum(largestFirst(coins).slice(0, count));
    const amount = held - rate * (REST + INPUT * BigInt(count)) - left;
    return amount < 546n ? 546n : amount;
  });
  return fc.tuple(fc.constant(coins), fc.oneof(wanted, near), fc.constant(rate));
});
const largestFirst = (coins: readonly Coin[]) => coins.map((coin) => coin.amount).sort((a, b) => (a < b ? 1 : -1));
const sum = (list: readonly bigint[]) => list.reduce((total, each) => total + each, 0n);

function trySelect(coins: Coin[], amount: bigint, rate: bigint): Coin[] | undefined {
  try {
    return selectCoins(coins, amount, rate);
  } catch (error) {
    expect(error).toMatchObject({ name: 'ChainError', code: 'insufficient_funds' });
    return undefined;
  }
}

test('what is chosen is ours, once each, and is paid out to the last satoshi', () => {
  let [chosenCount, changeCount] = [0, 0];
  fc.assert(
    fc.property(cases, ([coins, amount, rate]) => {
      const chosen = trySelect(coins, amount, rate);
      if (chosen === undefined) return;
      chosenCount++;
      expect(coins).toEqual(expect.arrayContaining(chosen));
      expect(new Set(chosen).size).toBe(chosen.length);
      const spend = planSpend(chosen, amount, rate);
      if (spend === undefined) throw new Error('what was chosen does not suffice');
      expect(amount + spend.fee + spend.change).toBe(sum(chosen.map((coin) => coin.amount)));
      const least = rate * (REST + INPUT * BigInt(chosen.length));
      if (spend.change > 0n) {
        changeCount++;
        expect(spend.change).toBeGreaterThanOrEqual(DUST);
        expect(spend.fee).toBe(rate * BigInt(spend.vsize));
        expect(spend.fee - least).toBeGreaterThanOrEqual(rate * (CHANGE - 1n));
        expect(spend.fee - least).toBeLessThanOrEqual(rate * CHANGE);
      } else {
        expect(spend.fee).toBeGreaterThanOrEqual(least);
        expect(spend.fee).toBeLessThan(least + rate * CHANGE + DUST);
      }
    }),
    { numRuns: 1_000 },
  );
  expect(Math.min(changeCount, chosenCount - changeCount)).toBeGreaterThan(0);
});

test('it fails exactly when no choice suffices, and never takes more coins than needed', () => {
  let failed = 0;
  fc.assert(
    fc.property(cases, ([coins, amount, rate]) => {
      const best = largestFirst(coins);
      const worth = (count: number) => sum(best.slice(0, count).map((each) => each - rate * INPUT));
      const counts = Array.from({ length: Math.min(best.length, INPUTS_MAX) }, (_, index) => index + 1);
      const fewest = counts.find((count) => worth(count) >= amount + rate * REST);
      const chosen = trySelect(coins, amount, rate);
      if (chosen === undefined) failed++;
      expect(chosen?.length).toBe(fewest);
    }),
    { numRuns: 1_000 },
  );
  expect(failed).toBeGreaterThan(0);
});

test('the order in which a node lists the coins changes nothing', () => {
  const alike = fc.array(fc.constantFrom(20_000n, 21_000n), { minLength: 5, maxLength: 20 }).map(toCoins);
  const shuffled = alike.chain((coins) =>
    fc.tuple(fc.constant(coins), fc.shuffledSubarray(coins, { minLength: coins.length })),
  );
  fc.assert(
    fc.property(shuffled, fc.bigInt({ min: 546n, max: 80_000n }), ([coins, others], amount) => {
      expect(selectCoins(others, amount, 5n)).toEqual(selectCoins(coins, amount, 5n));
    }),
  );
});

test('the error says what is there and what was wanted', () => {
  const coins = [{ txHash: '00'.repeat(32), index: 0, amount: 1_000n, confirmations: 1 }];
  expect(() => selectCoins(coins, 5_000n, 2n)).toThrow(
    '1 coins of 1000 satoshis in all do not pay 5000 satoshis and the fee at 2 sat/vB.',
  );
  expect(() => selectCoins([], 5_000n, 2n)).toThrow(ChainError);
  const many = Array.from({ length: 101 }, (_, index) => ({
    txHash: `${index}`,
    index,
    amount: 1_000n,
    confirmations: 1,
  }));
  expect(() => selectCoins(many, 98_000n, 1n)).toThrow('at most 100');
});
