// Amounts in errors, in the unit in which the caller sent them: the asset's own in a withdrawal, base units in a
// transaction that he has written himself.
import { formatAmount } from '../../domain/money.ts';
import type { AssetRow } from '../../drizzle/networks/assets.ts';
import type { NetworkRow } from '../../drizzle/networks/networks.ts';

/** How an error writes base units. */
export type AmountWriter = (asset: Pick<AssetRow, 'symbol' | 'decimals' | 'isNative'>, baseUnits: bigint) => string;

export const inUnits: AmountWriter = ({ symbol, decimals }, baseUnits) =>
  `${formatAmount(baseUnits, decimals)} ${symbol}`;

/** With the asset's own unit behind it, for who reads it. */
export const inBaseUnits =
  ({ addressType }: Pick<NetworkRow, 'addressType'>): AmountWriter =>
  (asset, baseUnits) => {
    const native = addressType === 'sol' ? 'lamports' : 'wei';
    return `${baseUnits} ${asset.isNative ? native : 'base units'} (${inUnits(asset, baseUnits)})`;
  };
