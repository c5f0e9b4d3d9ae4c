// From a row to what the wire shows of it.
import { formatAmount } from '../../domain/money.ts';
import type { ShownBalance } from './balance-pages.ts';

export function toBalance(row: ShownBalance) {
  const amount = (baseUnits: bigint) => formatSigned(baseUnits, row.decimals);
  return {
    wallet_id: row.walletId,
    asset_id: row.assetId,
    network_id: row.networkId,
    symbol: row.symbol,
    total: amount(row.available + row.held),
    available: amount(row.available),
    held: amount(row.held),
    pending_in: amount(row.pendingIn),
    pending_out: amount(row.pendingOut),
    as_of_block: row.nextBlock === null ? null : Math.max(0, row.nextBlock - 1),
    updated_at: row.updatedAt.toISOString(),
  };
}

const formatSigned = (baseUnits: bigint, decimals: number) =>
  baseUnits < 0n ? `-${formatAmount(-baseUnits, decimals)}` : formatAmount(baseUnits, decimals);
