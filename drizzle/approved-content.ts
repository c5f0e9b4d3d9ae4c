// The digest that an approval is of: SHA-256 over the canonical JSON (RFC 8785) of what was asked, as the row has it. Every column that says what will be done
// is in it and none that moves with the status, so that it can be computed anew at any time. Decides nothing.
import { createHash } from 'node:crypto';
import type { AddressBookRow, PolicyRow } from './policies.ts';
import type { SigningRequestRow } from './signing-requests.ts';
import type { WithdrawalRow } from './withdrawals.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** 64 hex digits. */
export function digestOf(value: Json): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}

/**
 * RFC 8785: names in the order of their UTF-16 code units, no space, numbers and texts as ECMAScript writes them. Throws at what is no JSON, a number that
 * is not finite or a lone surrogate, which has no UTF-8.
 */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value as { readonly [name: string]: Json });
    const texts = members
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, member]) => `${canonicalJson(name)}:${canonicalJson(member)}`);
    return `{${texts.join(',')}}`;
  }
  if (typeof value === 'string' && !/\p{Surrogate}/u.test(value)) return JSON.stringify(value);
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value);
  if (value === null || typeof value === 'boolean') return JSON.stringify(value);
  throw new Error('a value that is no JSON cannot be approved');
}

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
