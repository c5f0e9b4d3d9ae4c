// The digest that an approval is of: SHA-256 over the canonical JSON (RFC 8785) of what was asked, as the row has it.
// Every column that says what will be done is in it and none that moves with the status, so that it can be computed
// anew at any time. Decides nothing.

import { digestOf, type Json } from '../../domain/canonical-json.ts';
import type { AddressBookRow } from '../policies/address-book.ts';
import type { PolicyRow } from '../policies/policies.ts';
import { signingContent, withdrawalContent } from '../seals/operation-content.ts';
import type { SigningRequestRow } from '../signing-requests/signing-requests.ts';
import { type AuthorityChangeRow, authorityChangeContent } from '../users/authority-changes.ts';
import type { WithdrawalRow } from '../withdrawals/withdrawals.ts';

type Content = { readonly [name: string]: Json };

export const approvedWithdrawal = (row: WithdrawalRow): Content => ({ kind: 'withdrawal', ...withdrawalContent(row) });

export const approvedSigning = (row: SigningRequestRow): Content => ({
  kind: 'signing_request',
  ...signingContent(row),
});

export const approvedPolicy = (row: PolicyRow): Content => ({
  kind: 'policy',
  id: row.id,
  workspace_id: row.workspaceId,
  version: row.version,
  document: row.document,
  created_by: row.createdBy,
});

export const approvedAddress = (row: AddressBookRow): Content => ({
  kind: 'address',
  id: row.id,
  workspace_id: row.workspaceId,
  network_id: row.networkId,
  address: row.address,
  label: row.label,
  created_by: row.createdBy,
});

export const approvedAuthorityChange = (row: AuthorityChangeRow): Content => authorityChangeContent(row);

export const withdrawalDigest = (row: WithdrawalRow): string => digestOf(approvedWithdrawal(row));
export const signingDigest = (row: SigningRequestRow): string => digestOf(approvedSigning(row));
export const policyDigest = (row: PolicyRow): string => digestOf(approvedPolicy(row));
export const addressDigest = (row: AddressBookRow): string => digestOf(approvedAddress(row));
export const authorityChangeDigest = (row: AuthorityChangeRow): string => digestOf(approvedAuthorityChange(row));
