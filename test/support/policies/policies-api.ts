// An API whose workspace sets policies, with a user who asks for them and two who approve.
import { eq } from 'drizzle-orm';
import type { PolicyDocument } from '../../../domain/policies/policy-document.ts';
import { policies } from '../../../drizzle/policies/policies.ts';
import { startApi, type TestApi, type TestKey } from '../api/api.ts';
import { ApprovalStage, type KnownKey } from '../rows/approvals.ts';

export const COW = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826';

export const open: PolicyDocument = { rules: [], default: { action: 'allow' } };
export const closed: PolicyDocument = { rules: [], default: { action: 'deny' } };
export const guarded: PolicyDocument = { ...open, changes: { approvals: 2, expires_in_seconds: 60 } };

/** Its workspace has an active wallet and chains. */
export async function startPolicies() {
  const api: TestApi = await startApi({ temporalAddress: '127.0.0.1:1' });
  const stage = new ApprovalStage(api);
  await stage.connect();
  const walletId = await api.makeActiveWallet();
  const setter: KnownKey = await stage.makeApprover();
  const approvers = (await stage.makeApprovers(2)) as [KnownKey, KnownKey];
  const path = `/api/v1/workspaces/${api.workspaceId}`;
  return {
    api,
    stage,
    walletId,
    setter,
    approvers,
    path,
    read: async () => (await stage.call('GET', `${path}/policy`)).body.data,
    put: (document: unknown, key: TestKey = setter, headers = {}) =>
      stage.call('PUT', `${path}/policy`, document, { key, headers }),
    decide: (verb: 'approve' | 'reject', digest: string, key: TestKey) =>
      stage.call('POST', `${path}/policy/${verb}`, { digest }, { key }),
    /** As if it had never set one. */
    forget: () => api.db.delete(policies).where(eq(policies.workspaceId, api.workspaceId)),
  };
}

export type PoliciesApi = Awaited<ReturnType<typeof startPolicies>>;
