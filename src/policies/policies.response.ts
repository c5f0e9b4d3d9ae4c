// From the rows of policies and addresses to what the wire shows of them.

import { differencesOf } from '../../domain/policies/policy-differences.ts';
import type { PolicyDocument } from '../../domain/policies/policy-document.ts';
import type { ApprovalView } from '../../drizzle/approvals/approvals.ts';
import { listApprovals } from '../../drizzle/approvals/approvals.ts';
import type { Database, Transaction } from '../../drizzle/database/connection.ts';
import type { AddressBookRow } from '../../drizzle/policies/address-book.ts';
import { findPendingPolicy, type PolicyRow, sealedPolicies } from '../../drizzle/policies/policies.ts';
import { findFormerPolicies } from '../../drizzle/policies/policy-history.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import { toApproval } from '../approvals/approvals.response.ts';
import { builtInPolicy } from './built-in.ts';
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
  updated_at: row.updatedAt.toISOString(),
  ...(approval === undefined ? {} : { approval: toApproval(approval) }),
});

/** How versions are shown beside the one that was in force when each was asked for. */
export async function readPolicyHistory(
  db: Database,
  { seals, production }: { seals: Seals; production: boolean },
  rows: readonly PolicyRow[],
) {
  const former = await findFormerPolicies(db, rows);
  const approvals = await listApprovals(
    db,
    rows.map(({ id }) => id),
  );
  return (row: PolicyRow) => {
    const before = former.get(row.id);
    return {
      ...toVersion(row, approvals.get(row.id)),
      ...(sealedPolicies.counts(seals, row) ? {} : { altered: true as const }),
      compared_with: before?.version ?? 0,
      differences: differencesOf(before?.document ?? builtInPolicy(production), row.document),
    };
  };
}

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
