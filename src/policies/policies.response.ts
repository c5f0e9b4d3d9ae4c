// From the rows of policies and addresses to what the wire shows of them.

import type { PolicyDocument } from '../../domain/policies/policy-document.ts';
import type { ApprovalView } from '../../drizzle/approvals/approvals.ts';
import { listApprovals } from '../../drizzle/approvals/approvals.ts';
import type { Database, Transaction } from '../../drizzle/database/connection.ts';
import type { AddressBookRow } from '../../drizzle/policies/address-book.ts';
import { findPendingPolicy, type PolicyRow } from '../../drizzle/policies/policies.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import { toApproval } from '../approvals/approvals.response.ts';
import { findPolicyInForce } from './policy-in-force.ts';

/** The policy in force and the change that waits, as they are now. */
export async function readPolicyRecord(
  db: Database | Transaction,
  basis: { seals: Seals; production: boolean },
  workspaceId: string,
) {
  const { row: active, document } = await findPolicyInForce(db, basis, workspaceId);
  const pending = await findPendingPolicy(db, workspaceId);
  const rows = [active, pending].flatMap((row) => (row === undefined ? [] : [row.id]));
  const approvals = await listApprovals(db, rows);
  return {
    active: active === undefined ? toBuiltIn(document) : toVersion(active, approvals.get(active.id)),
    pending: pending === undefined ? null : toVersion(pending, approvals.get(pending.id)),
  };
}

const toBuiltIn = (document: PolicyDocument) => ({
  id: null,
  version: 0,
  status: 'active' as const,
  document,
});

const toVersion = (row: PolicyRow, approval: ApprovalView | undefined) => ({
  id: row.id,
  version: row.version,
  status: row.status,
  document: row.document,
  created_by: row.createdBy,
  created_at: row.createdAt.toISOString(),
  ...(approval === undefined ? {} : { approval: toApproval(approval) }),
});

export const toAddress = (row: AddressBookRow, approval: ApprovalView | undefined) => ({
  id: row.id,
  network_id: row.networkId,
  address: row.address,
  label: row.label,
  status: row.status,
  created_by: row.createdBy,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
  ...(approval === undefined ? {} : { approval: toApproval(approval) }),
});
