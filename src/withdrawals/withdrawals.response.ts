// From a row to what the wire shows of it.
import type { EventData } from '../../domain/events/event-data.ts';
import { formatAmount } from '../../domain/money.ts';
import type { Shortage } from '../../domain/withdrawals/shortage.ts';
import type { StoredCall } from '../../domain/withdrawals/stored-call.ts';
import type { ApprovalView } from '../../drizzle/approvals/approvals.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import type { WithdrawalEventRow } from '../../drizzle/withdrawals/withdrawal-history.ts';
import type { WithdrawalView } from '../../drizzle/withdrawals/withdrawal-views.ts';
import type { RecordedWithdrawal } from '../../drizzle/withdrawals/withdrawals.ts';
import { toVotes } from '../approvals/approvals.response.ts';
import type { DecodedContent } from '../decoding/decoded.schema.ts';
import { SHOWN_BYTES_MAX } from '../decoding/shown-bytes.ts';
import { present } from '../http/envelope.ts';
import { decodedOfRow } from './decoded-call.ts';

/** What its record and events say of it. */
function fieldsOf(row: RecordedWithdrawal) {
  const fee = (baseUnits: bigint | null) => (baseUnits === null ? null : formatAmount(baseUnits, row.feeDecimals));
  return {
    id: row.id,
    transaction_id: row.id,
    workspace_id: row.workspaceId,
    wallet_id: row.walletId,
    asset_id: row.assetId,
    network_id: row.networkId,
    network_internal_code: row.networkCode,
    method: row.method,
    amount: formatAmount(row.amountBaseUnits, row.decimals),
    recipient_address: row.recipientAddress,
    from_address: row.fromAddress,
    fee_level: row.feeLevel,
    ...present('max_fee', fee(row.maxFeeBaseUnits)),
    ...present('fee_paid', fee(row.feePaidBaseUnits)),
    ...present('external_id', row.externalId),
    status: row.status,
    ...present('sub_status', row.subStatus),
    ...present('shortage', row.subStatus === 'insufficient_funds' ? toShortage(row.shortage) : null),
    ...present('error_code', row.errorCode),
    ...present('error_reason', row.errorReason),
    ...present('reason', row.reason),
    ...present('tx_hash', row.txHash),
    ...present('signed_by_nodes', row.signedByNodes),
    ...present('block_number', row.blockNumber),
    ...present('confirmations', row.confirmations),
    requested_by: row.requestedBy,
    policy_reasons: [...row.policyReasons],
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    ...present('completed_at', row.completedAt?.toISOString() ?? null),
  };
}

/** `decoded`: of a call that is to be approved, as it was when that was asked for (decoded-call.ts). */
export const toWithdrawalEventData = (row: RecordedWithdrawal & { decoded: EventData | null }) => ({
  ...fieldsOf(row),
  ...present('decoded', row.decoded as DecodedContent | null),
});

export function toWithdrawal({ row, networkCode, feeDecimals, approval }: WithdrawalView, decoded?: DecodedContent) {
  return {
    ...fieldsOf({ ...row, networkCode, feeDecimals }),
    ...present('decoded', decoded ?? null),
    ...present('call', row.call === null ? null : toCall(row.call)),
    ...present('notes', row.notes),
    auto_approved: approval === undefined,
    withdrawal_approvals: toVotes(approval),
    approval: approval === undefined ? null : toRound(approval),
  };
}

export const toWithdrawalAnswer = (view: WithdrawalView) => ({
  auto_approved: view.approval === undefined,
  withdrawal: toWithdrawal(view),
});

export const toContractCallAnswer = (seals: Seals, view: WithdrawalView, created: boolean) => ({
  created,
  transaction_id: view.row.id,
  auto_approved: view.approval === undefined,
  withdrawal: toWithdrawal(view, decodedOfRow(seals, view.row, SHOWN_BYTES_MAX)),
});

export const toWithdrawalEvent = (row: WithdrawalEventRow) => ({
  status: row.status,
  ...present('sub_status', row.subStatus),
  ...present('tx_hash', row.txHash),
  ...present('details', row.details),
  ...present('reason', row.reason),
  created_at: row.createdAt.toISOString(),
});

/** Null also of one that a former version has said to wait. */
const toShortage = (shortage: Shortage | null) =>
  shortage === null
    ? null
    : {
        asset_id: shortage.assetId,
        asset: shortage.symbol,
        ...present('missing', shortage.missing),
        ...present('waits_until', shortage.waitsUntil),
      };

const toRound = ({ round: { digest, required, approveWith, expiresAt } }: ApprovalView) => ({
  digest,
  ...(approveWith === null ? {} : { approve_with: approveWith }),
  required,
  expires_at: expiresAt.toISOString(),
});

const toCall = ({ data, nonce, gasLimit, maxFeePerGas, maxPriorityFeePerGas, accessList }: StoredCall) => ({
  data,
  ...present('nonce', nonce ?? null),
  ...present('gas_limit', gasLimit ?? null),
  ...present('max_fee_per_gas', maxFeePerGas ?? null),
  ...present('max_priority_fee_per_gas', maxPriorityFeePerGas ?? null),
  ...present(
    'access_list',
    accessList?.map(({ address, storageKeys }) => ({ address, storage_keys: [...storageKeys] })) ?? null,
  ),
});
