// Amounts between the two forms that they have: whole base units inside, a decimal text in the asset's unit on the
// wire. Exact: no floating point anywhere, nothing rounded. Imports nothing, so that any layer may read it.

/** As many digits as 2^256 − 1, the largest amount that a chain can hold. */
const DIGITS_MAX = 78;

export class AmountError extends Error {
  override name = 'AmountError';
}

/** The shortest text of an amount: `1500000` of 6 decimals is `1.5`. */
export function formatAmount(baseUnits: bigint, decimals: number): string {
  if (baseUnits < 0n) throw new AmountError('An amount is never negative.');
  const digits = baseUnits.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/**
 * Base units of an amount as a caller writes it. Throws an AmountError, whose message says what to change, rather than
 * round or guess.
 */
export function parseAmount(text: string, decimals: number): bigint {
  if (text.length > DIGITS_MAX + 1) throw new AmountError(`An amount has at most ${DIGITS_MAX} digits.`);
  const [, whole, fraction = ''] = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/.exec(text) ?? [];
  if (whole === undefined) throw new AmountError('An amount is digits with at most one point, like 1.5.');
  if (fraction.length > decimals) throw new AmountError(`An amount of this asset has at most ${decimals} decimals.`);
  const baseUnits = BigInt(whole + fraction.padEnd(decimals, '0'));
  if (baseUnits.toString().length > DIGITS_MAX)
    throw new AmountError(`An amount of this asset has at most ${DIGITS_MAX - decimals} digits before the point.`);
  return baseUnits;
}
