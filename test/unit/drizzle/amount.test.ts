// Goal: an amount never changes between wire and storage, and what is not exactly an amount is refused (controls A6).
// Method: any amount there and back (fast-check), then every form that must not pass.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AmountError, formatAmount, parseAmount } from '../../../domain/money.ts';

const MAX = 2n ** 256n - 1n;
const decimals = fc.integer({ min: 0, max: 36 });

describe('formatAmount', () => {
  test.each([
    [0n, 18, '0'],
    [0n, 0, '0'],
    [1n, 0, '1'],
    [100n, 0, '100'],
    [1n, 18, '0.000000000000000001'],
    [1_500_000n, 6, '1.5'],
    [10_000_000n, 6, '10'],
    [999_999n, 6, '0.999999'],
    [MAX, 18, '115792089237316195423570985008687907853269984665640564039457.584007913129639935'],
  ])('%s of %s decimals is %s', (baseUnits, places, text) => {
    expect(formatAmount(baseUnits, places)).toBe(text);
  });

  test('refuses a negative amount', () => {
    expect(() => formatAmount(-1n, 6)).toThrow(AmountError);
  });
});

describe('A6: parseAmount', () => {
  test('any amount comes back as it was', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: MAX }), decimals, (baseUnits, places) => {
        expect(parseAmount(formatAmount(baseUnits, places), places)).toBe(baseUnits);
      }),
    );
  });

  test('any text of digits within the decimals is that number, whatever zeros follow', () => {
    const cases = decimals.chain((places) =>
      fc.tuple(
        fc.constant(places),
        fc.bigInt({ min: 0n, max: 10n ** 30n }),
        fc.stringMatching(/^[0-9]*$/, { maxLength: places }),
      ),
    );
    fc.assert(
      fc.property(cases, ([places, whole, fraction]) => {
        const text = fraction === '' ? String(whole) : `${whole}.${fraction}`;
        const expected = whole * 10n ** BigInt(places) + BigInt(fraction.padEnd(places, '0') || '0');
        expect(parseAmount(text, places)).toBe(expected);
      }),
    );
  });

  test('any text is either refused or means exactly what it says', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[-+ 0-9.e]{1,12}$/)), decimals, (text, places) => {
        let baseUnits: bigint;
        try {
          baseUnits = parseAmount(text, places);
        } catch (error) {
          expect(error).toBeInstanceOf(AmountError);
          return;
        }
        expect(text).toMatch(/^[0-9]+(\.[0-9]+)?$/);
        expect(formatAmount(baseUnits, places)).toBe(text.includes('.') ? text.replace(/\.?0+$/, '') : text);
      }),
    );
  });

  test.each([
    '',
    ' ',
    '.',
    '1.',
    '.5',
    '-1',
    '+1',
    '-0',
    '1e3',
    '1E3',
    '0x10',
    '1,5',
    '1_000',
    '1 000',
    ' 1',
    '1 ',
    '1\n',
    '01',
    '00',
    '1.5.0',
    'NaN',
    'Infinity',
    '१',
    '１',
    '1.2n',
    '1.5555',
  ])('refuses %j of 3 decimals', (text) => {
    expect(() => parseAmount(text, 3)).toThrow(AmountError);
  });

  test('takes all the decimals of the asset and refuses one more, also when it is a zero', () => {
    expect(parseAmount('1.55', 2)).toBe(155n);
    expect(() => parseAmount('1.550', 2)).toThrow('at most 2 decimals');
    expect(() => parseAmount('1.0', 0)).toThrow('at most 0 decimals');
  });

  test('78 digits in base units pass, 79 do not', () => {
    expect(parseAmount('9'.repeat(78), 0)).toBe(10n ** 78n - 1n);
    expect(parseAmount(`${'9'.repeat(60)}.${'9'.repeat(18)}`, 18)).toBe(10n ** 78n - 1n);
    for (const [text, places, said] of [
      ['9'.repeat(79), 0, 'at most 78 digits'],
      ['9'.repeat(61), 18, 'at most 60 digits before the point'],
      ['9'.repeat(1_000_000), 0, 'at most 78 digits'],
    ] as const)
      expect(() => parseAmount(text, places)).toThrow(said);
  });
});
