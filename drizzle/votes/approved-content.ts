// The digest that an approval is of: SHA-256 over the canonical JSON (RFC 8785) of what was asked, as the row has it.
// Every column that says what will be done is in it and none that moves with the status, so that it can be computed
// anew at any time. Decides nothing.

import { digestOf } from '../../domain/canonical-json.ts';
import type { AddressBookRow } from '../policies/address-book.ts';
import type { PolicyRow } from '../policies/policies.ts';
import { signingContent, withdrawalContent } from '../seals/operation-content.ts';
import type { SigningRequestRow } from '../signing-requests/signing-requests.ts';
import { type AuthorityChangeRow, authorityChangeContent } from '../users/authority-changes.ts';
import type { WithdrawalRow } from '../withdrawals/withdrawals.ts';

export const withdrawalDigest = (row: WithdrawalRow): string =>
  digestOf({ kind: 'withdrawal', ...withdrawalContent(row) });

export const signingDigest = (row: SigningRequestRow): string =>
  digestOf({ kind: 'signing_request', ...signingContent(row) });

export function policyDigest(row: PolicyRow): string {
  return digestOf({
    kind: 'policy',
    id: row.id,
    workspace_id: row.workspaceId,
    version: row.version,
    document: row.document,
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

export const authorityChangeDigest = (row: AuthorityChangeRow): string => digestOf(authorityChangeContent(row));
