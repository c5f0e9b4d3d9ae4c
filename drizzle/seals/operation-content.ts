// What an operation will do, column by column: what its approval is of (approved-content.ts), and what its seal is of.
// Every column that says what will be done is in it and none that moves with the status, so that both can be computed
// anew at any time. Pure; columns that were left out have what the table has by default.
import type { StoredQuote } from '../../domain/networks/stored-fees.ts';
import type { TypedData } from '../../domain/payloads/typed-data.ts';
import type { SigningPayload } from '../../domain/signing/signing-payload.ts';
import type { StoredCall } from '../../domain/withdrawals/stored-call.ts';
import type { SealedContent } from './seals.ts';

type Left<Value> = Value | null | undefined;

export interface SigningColumns {
  id: string;
  workspaceId: string;
  walletId: string;
  operationType: string;
  withdrawalId?: Left<string>;
  networkInternalCode: string;
  keyType: string;
  signingHash: string;
  unsignedTx: string;
  derivationPath: string;
  payloadKind?: string | undefined;
  externalId?: Left<string>;
  typedData?: Left<TypedData>;
  approvalsRequired?: number | undefined;
  workflowId?: Left<string>;
}

export const signingContent = (row: SigningColumns): SealedContent => ({
  id: row.id,
  workspace_id: row.workspaceId,
  wallet_id: row.walletId,
  operation_type: row.operationType,
  withdrawal_id: row.withdrawalId ?? null,
  network_internal_code: row.networkInternalCode,
  key_type: row.keyType,
  signing_hash: row.signingHash,
  unsigned_tx: row.unsignedTx,
  derivation_path: row.derivationPath,
  payload_kind: row.payloadKind ?? 'raw_digest',
  external_id: row.externalId ?? null,
  typed_data: row.typedData ?? null,
});

export interface WithdrawalColumns {
  id: string;
  workspaceId: string;
  walletId: string;
  assetId: string;
  networkId: string;
  feeAssetId: string;
  method?: string | undefined;
  amountBaseUnits: bigint;
  decimals: number;
  fromAddress: string;
  derivationPath: string;
  recipientAddress: string;
  call?: Left<StoredCall>;
  notes?: Left<string>;
  feeLevel?: string | undefined;
  maxFeeBaseUnits?: Left<bigint>;
  feeBoundBaseUnits?: Left<bigint>;
  externalId?: Left<string>;
  requestedBy: string;
  approvalsRequired?: number | undefined;
  workflowId?: Left<string>;
}

export const withdrawalContent = (row: WithdrawalColumns): SealedContent => ({
  id: row.id,
  workspace_id: row.workspaceId,
  wallet_id: row.walletId,
  asset_id: row.assetId,
  network_id: row.networkId,
  fee_asset_id: row.feeAssetId,
  method: row.method ?? 'transfer',
  amount_base_units: row.amountBaseUnits.toString(),
  decimals: row.decimals,
  from_address: row.fromAddress,
  derivation_path: row.derivationPath,
  recipient_address: row.recipientAddress,
  call: row.call ?? null,
  notes: row.notes ?? null,
  fee_level: row.feeLevel ?? 'medium',
  max_fee_base_units: row.maxFeeBaseUnits?.toString() ?? null,
  // Left out where there is none: seals and digests of before there were bounds stay what they are.
  ...(row.feeBoundBaseUnits == null ? {} : { fee_bound_base_units: row.feeBoundBaseUnits.toString() }),
  external_id: row.externalId ?? null,
  requested_by: row.requestedBy,
});

/**
 * What is sealed besides: how many approvals it needs, since a round that is taken away must not make it one that needs
 * none; and which workflow is its own, since another one would be a second run of what has ended. It is left out where
 * there is none, so that seals of before ids carried the type stay what they are.
 */
export const sealedOperation = (
  content: SealedContent,
  { approvalsRequired, workflowId }: { approvalsRequired?: number | undefined; workflowId?: Left<string> },
): SealedContent => ({
  ...content,
  approvals_required: approvalsRequired ?? 0,
  ...(workflowId == null ? {} : { workflow_id: workflowId }),
});

export interface ChainTransactionColumns {
  id: string;
  withdrawalId: string;
  ordinal: number;
  kind: string;
  networkId: string;
  fromAddress: string;
  nonce?: Left<number>;
  fee: StoredQuote;
  maxFeeBaseUnits: bigint;
  unsigned: string;
  payloads: readonly SigningPayload[];
  signingIds: readonly string[];
  validUntil?: Left<number>;
}

export const chainTransactionContent = (row: ChainTransactionColumns): SealedContent => ({
  id: row.id,
  withdrawal_id: row.withdrawalId,
  ordinal: row.ordinal,
  kind: row.kind,
  network_id: row.networkId,
  from_address: row.fromAddress,
  nonce: row.nonce ?? null,
  fee: row.fee,
  max_fee_base_units: row.maxFeeBaseUnits.toString(),
  unsigned: row.unsigned,
  payloads: row.payloads,
  signing_ids: [...row.signingIds],
  valid_until: row.validUntil ?? null,
});

/** Null until it is signed. */
export const signedTransactionContent = (row: {
  id: string;
  withdrawalId: string;
  signed: string | null;
  txHash: string | null;
}): SealedContent | null =>
  row.signed === null ? null : { id: row.id, withdrawal_id: row.withdrawalId, signed: row.signed, tx_hash: row.txHash };
