// Sets the policy of a workspace: at once, or, where the policy in force asks for it and always in production, as a
// change that waits for approvals. Every version is kept.

import type { FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import type { PolicyDocument } from '../../domain/policies/policy-document.ts';
import { closeApprovalRound } from '../../drizzle/approvals/approvals.ts';
import type { Transaction } from '../../drizzle/database/connection.ts';
import { advancePolicy, findActivePolicyId, findPendingPolicy, insertPolicy } from '../../drizzle/policies/policies.ts';
import { type Sealing, sealingOf } from '../../drizzle/seals/sealing.ts';
import { policyDigest } from '../../drizzle/votes/approved-content.ts';
import { lockWorkspace } from '../../drizzle/workspaces/workspaces.ts';
import { openApprovalRound } from '../approvals/open-approval-round.ts';
import { assertDecidesForWorkspace } from '../authentication/decides-for-workspace.ts';
import { acceptWrite, type WriteDependencies } from '../writes/accept-write.ts';
import { assertDocument } from './assert-document.ts';
import { asDecision } from './needed-approvals.ts';
import { readPolicyRecord } from './policies.response.ts';
import { approvalsOfChanges, findPolicyInForce } from './policy-in-force.ts';

export interface PolicyDependencies extends WriteDependencies {
  production: boolean;
}

export async function setPolicy(
  dependencies: PolicyDependencies,
  request: FastifyRequest,
  document: PolicyDocument,
): Promise<Awaited<ReturnType<typeof readPolicyRecord>>> {
  const { key } = request.caller;
  const { workspaceId } = key;
  const id = uuidv7();
  assertDecidesForWorkspace(key);
  const { result } = await acceptWrite(dependencies, request, {
    id,
    target: '',
    make: async (tx, _start, note) => {
      // Who sets and who approves a policy wait for each other.
      await lockWorkspace(tx, workspaceId);
      await assertDocument(tx, workspaceId, document);
      note({ before: await readPolicyRecord(tx, dependencies, workspaceId) });
      const sealing = sealingOf(dependencies.seals, note);
      await withdrawPending(tx, sealing, workspaceId);
      const { document: inForce } = await findPolicyInForce(tx, dependencies, workspaceId);
      const policy = { id, workspaceId, document, createdBy: key.userId };
      const needed = approvalsOfChanges(inForce, dependencies.production);
      if (needed === undefined) {
        const active = await findActivePolicyId(tx, workspaceId);
        if (active !== undefined) await advancePolicy(tx, sealing, active, { from: 'active', to: 'superseded' });
        await insertPolicy(tx, sealing, { ...policy, status: 'active' });
      } else {
        const row = await insertPolicy(tx, sealing, { ...policy, status: 'pending' });
        const about = {
          subject: 'policy',
          subjectId: id,
          workspaceId,
          walletId: null,
          requestedBy: key.userId,
        } as const;
        const decision = asDecision(needed, 'Changes of the policy need the approval of another user.');
        await openApprovalRound(tx, dependencies.seals, { ...about, decision, digest: policyDigest(row) });
      }
      return readPolicyRecord(tx, dependencies, workspaceId);
    },
  });
  return result;
}

/** A newer change takes the place of one that waits. */
async function withdrawPending(tx: Transaction, sealing: Sealing, workspaceId: string): Promise<void> {
  const pending = await findPendingPolicy(tx, workspaceId);
  if (pending === undefined) return;
  await advancePolicy(tx, sealing, pending.id, { from: 'pending', to: 'superseded' });
  await closeApprovalRound(tx, pending.id, 'cancelled');
}
