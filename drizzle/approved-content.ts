// The digest that an approval is of: SHA-256 over the canonical JSON (RFC 8785) of what was asked, as the row has it. Every column that says what will be done
// is in it and none that moves with the status, so that it can be computed anew at any time. Decides nothing.
import { digestOf, type Json } from './canonical-json.ts';
import type { AddressBookRow, PolicyRow } from './policies.ts';
import type { SigningRequestRow } from './signing-requests.ts';
import type { WithdrawalRow } from './withdrawals.ts';

export function withdrawalDigest(row: WithdrawalRow): string {
  return digestOf({
    kind: 'withdrawal',
    id: row.id,
    workspace_id: row.workspaceId,
    wallet_id: row.walletId,
    asset_id: row.assetId,
    network_id: row.networkId,
    fee_asset_id: row.feeAssetId,
    method: row.method,
    amount_base_units: row.amountBaseUnits.toString(),
    decimals: row.decimals,
    from_address: row.fromAddress,
    derivation_path: row.derivationPath,
    recipient_address: row.recipientAddress,
    call: row.call as Json,
    notes: row.notes,
    fee_level: row.feeLevel,
    max_fee_base_units: row.maxFeeBaseUnits?.toString() ?? null,
    external_id: row.externalId,
    requested_by: row.requestedBy,
  });
}

export function signingDigest(row: SigningRequestRow): string {
  return digestOf({
    kind: 'signing_request',
    id: row.id,
    workspace_id: row.workspaceId,
    wallet_id: row.walletId,
    operation_type: row.operationType,
    withdrawal_id: row.withdrawalId,
    network_internal_code: row.networkInternalCode,
    key_type: row.keyType,
    signing_hash: row.signingHash,
    unsigned_tx: row.unsignedTx,
    derivation_path: row.derivationPath,
    payload_kind: row.payloadKind,
    external_id: row.externalId,
    typed_data: row.typedData as Json,
  });
}

export function policyDigest(row: PolicyRow): string {
  return digestOf({
    kind: 'policy',
    id: row.id,
    workspace_id: row.workspaceId,
    version: row.version,
    document: row.document as Json,
    created_by: row.createdBy,
  });
}

export function addressDigest(row: AddressBookRow): string {
  return digestOf({
    kind: 'address',
    id: row.id,
    workspace_id: row.workspaceId,
    network_id: row.networkId,
    address: row.address,
    label: row.label,
    created_by: row.createdBy,
  });
}
