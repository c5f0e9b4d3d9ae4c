// From a row to what the wire shows of it.
import { base58 } from '@scure/base';
import { formatAmount } from '../../domain/money.ts';
import { aliasStatusOf } from '../../domain/signing/alias-status.ts';
import type { ApprovalView } from '../../drizzle/approvals/approvals.ts';
import type { SigningRequestView } from '../../drizzle/signing-requests/signing-approvals.ts';
import type { TransactionRow } from '../../drizzle/transactions/transactions.ts';
import { activityStatus } from '../../drizzle/withdrawals/withdrawal-steps.ts';
import type { WithdrawalRow } from '../../drizzle/withdrawals/withdrawals.ts';
import { toVotes } from '../approvals/approvals.response.ts';
import { present } from '../http/envelope.ts';
import type { AssetUnits } from './asset-units.ts';

/** `units`: those of its asset; undefined for an asset that the catalogue no longer has. */
export function toTransactionRecord(row: TransactionRow, units: AssetUnits | undefined) {
  const fee = units === undefined || row.feeBaseUnits === null ? null : units.formatFee(row.feeBaseUnits);
  return {
    id: row.id,
    transaction_id: row.transactionId,
    wallet_id: row.walletId,
    asset_id: row.assetId,
    network_id: row.networkId,
    direction: row.direction,
    method: row.method,
    amount: formatAmount(row.amountBaseUnits, row.decimals),
    status: row.status,
    ...present('tx_hash', row.txHash),
    ...present('from_address', row.fromAddress),
    ...present('to_address', row.toAddress),
    ...present('recipient_address', row.recipientAddress),
    ...present('block_number', row.blockNumber),
    ...present('block_hash', row.blockHash),
    ...present('gas_used', row.gasUsed?.toString() ?? null),
    ...present('effective_gas_price_wei', row.effectiveGasPriceWei?.toString() ?? null),
    ...present('confirmed_at', row.confirmedAt?.toISOString() ?? null),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    ...present('symbol', units?.symbol ?? null),
    ...present('network_internal_code', units?.networkCode ?? null),
    ...present('fee', fee),
    ...present('fee_symbol', fee === null ? null : (units?.feeSymbol ?? null)),
    ...present('withdrawal_status', row.withdrawalStatus),
    ...present('external_id', row.externalId),
    ...present('notes', row.notes),
  };
}

/** As the activity of the workspace calls it. */
export function toTransactionStatus(row: WithdrawalRow, approval: ApprovalView | undefined) {
  return {
    transaction_id: row.id,
    status: activityStatus[row.status],
    method: row.method,
    approvals: toVotes(approval),
    ...present('hash', row.txHash),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    ...present('failed_reason', row.errorReason),
  };
}

/** Of a signature that SDK callers follow as a transaction: on Solana its text names the transaction that it is of. */
export function toSignatureStatus(row: SigningRequestView) {
  const { signature, keyType } = row;
  const hash =
    signature === null || keyType !== 'ed25519' ? null : base58.encode(Buffer.from(signature.slice(2), 'hex'));
  return {
    transaction_id: row.id,
    status: aliasStatusOf(row),
    approvals: toVotes(row.approval),
    ...present('hash', hash),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    ...present('failed_reason', row.errorReason),
  };
}
