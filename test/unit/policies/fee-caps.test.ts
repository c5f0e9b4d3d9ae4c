// Goal: every network has a cap of fees, which an operator's setting replaces part by part. Method: the whole
// catalogue, and values on either side of a cap.
import { describe, expect, test } from 'vitest';
import { networkSeed } from '../../../domain/catalog/networks.ts';
import { aboveFeeCap, feeCapOf } from '../../../domain/withdrawals/fee-caps.ts';
import { parseFeeCaps } from '../../../src/process/config.ts';

const network = (code: string) => {
  const found = networkSeed.find(({ internalCode }) => internalCode === code);
  if (found === undefined) throw new Error(`no network ${code}`);
  return found;
};
const ethereum = network('ETHEREUM_MAINNET');

test.each(networkSeed.map((row) => [row.internalCode, row] as const))('%s has a cap', (_, row) => {
  const { feeBaseUnits, price } = feeCapOf(row);
  expect(feeBaseUnits).toBeGreaterThan(0n);
  expect(price).toBeGreaterThan(0n);
});

describe('an operator', () => {
  test('sets the fee alone, or the price too', () => {
    const settings = parseFeeCaps('ETHEREUM_MAINNET=0.5,BTC_MAINNET=0.001@50');
    expect(feeCapOf(ethereum, settings)).toEqual({ feeBaseUnits: 5n * 10n ** 17n, price: 1_000n * 10n ** 9n });
    expect(feeCapOf(network('BTC_MAINNET'), settings)).toEqual({ feeBaseUnits: 100_000n, price: 50n });
    expect(feeCapOf(network('BASE_MAINNET'), settings)).toEqual(feeCapOf(network('BASE_MAINNET')));
  });

  test('sets nothing', () => {
    expect(parseFeeCaps('')).toEqual({});
  });
});

test('the cap itself may be paid, and a unit more not', () => {
  const { feeBaseUnits, price } = feeCapOf(ethereum);
  expect(aboveFeeCap(ethereum, { feeBaseUnits, price })).toBeUndefined();
  expect(aboveFeeCap(ethereum, {})).toBeUndefined();
  expect(aboveFeeCap(ethereum, { feeBaseUnits: feeBaseUnits + 1n })).toBe(
    'a fee of up to 0.100000000000000001 ETH is above the cap of 0.1 on ETHEREUM_MAINNET',
  );
  expect(aboveFeeCap(ethereum, { price: price + 10n ** 9n })).toBe(
    'a price of 1001 gwei (1001000000000 wei) is above the cap of 1000 on ETHEREUM_MAINNET',
  );
});
