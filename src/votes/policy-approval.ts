// A change of the policy as what is approved: approved it is in force at once, in place of the one before; rejected it
// never is.

import type { Transaction } from '../../drizzle/database/connection.ts';
import {
  advancePolicy,
  findActivePolicyId,
  findPendingPolicy,
  type PolicyRow,
} from '../../drizzle/policies/policies.ts';
import type { Sealing } from '../../drizzle/seals/sealing.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import { policyDigest } from '../../drizzle/votes/approved-content.ts';
import { lockWorkspace } from '../../drizzle/workspaces/workspaces.ts';
import { assertDecidesForWorkspace } from '../authentication/decides-for-workspace.ts';
import type { UsableKey } from '../authentication/key-ring.ts';
import { ApiError } from '../http/errors.ts';
import { readPolicyRecord } from '../policies/policies.response.ts';
import type { ApprovalSubject } from './record-vote.ts';

type Shown = Awaited<ReturnType<typeof readPolicyRecord>>;

export function policySubject(
  key: UsableKey,
  basis: { seals: Seals; production: boolean },
): ApprovalSubject<PolicyRow, Shown> {
  const { workspaceId } = key;
  return {
    find: async () => assertDecidesForWorkspace(key),
    lock: async (tx) => {
      await lockWorkspace(tx, workspaceId);
      return requirePending(tx, workspaceId);
    },
    idOf: (row) => row.id,
    digestOf: policyDigest,
    approve: async (tx, row, { sealing }) => {
      const active = await findActivePolicyId(tx, workspaceId);
      if (active !== undefined) await advancePolicy(tx, sealing, active, { from: 'active', to: 'superseded' });
      await leave(tx, sealing, row, 'active');
    },
    reject: (tx, row, { sealing }) => leave(tx, sealing, row, 'rejected'),
    show: (tx) => readPolicyRecord(tx, basis, workspaceId),
  };
}

async function requirePending(tx: Transaction, workspaceId: string): Promise<PolicyRow> {
  const pending = await findPendingPolicy(tx, workspaceId);
  if (pending === undefined) throw new ApiError('invalid_state', 'No change of the policy waits for approval.');
  return pending;
}

async function leave(tx: Transaction, sealing: Sealing, { id }: PolicyRow, to: 'active' | 'rejected'): Promise<void> {
  if (!(await advancePolicy(tx, sealing, id, { from: 'pending', to })))
    throw new Error('a policy that waits for approval has moved');
}
