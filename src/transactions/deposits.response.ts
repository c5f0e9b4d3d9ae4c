// From a row of a deposit to what events say of it. Its record is its line in the activity (transactions.response.ts).
import { formatAmount } from '../../domain/money.ts';
import type { RecordedDeposit } from '../../drizzle/deposits/deposits.ts';

export const toDepositEventData = (row: RecordedDeposit) => ({
  id: row.id,
  transaction_id: row.id,
  workspace_id: row.workspaceId,
  wallet_id: row.walletId,
  asset_id: row.assetId,
  network_id: row.networkId,
  amount: formatAmount(row.amountBaseUnits, row.decimals),
  status: row.status,
  tx_hash: row.txHash,
  ...(row.fromAddress === null ? {} : { from_address: row.fromAddress }),
  to_address: row.toAddress,
  block_number: row.blockNumber,
  ...(row.blockHash === '' ? {} : { block_hash: row.blockHash }),
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
});
