// The second pair of eyes: while it is there, withdrawals from one wallet need the approval of another user, whose key
// lies beside the first in the credentials. Leaves the policy as it was.
import { CountersignClient, type PolicyDocument } from '../client/client.ts';

export interface Approver {
  client: CountersignClient;
  /** Puts the former policy back. */
  leave(): Promise<void>;
}

export interface ApproverCredentials {
  baseUrl: string;
  apiKey: string;
  apiSecret: string;
}

const POLICY = '/api/v1/workspaces/{workspace_id}/policy';

export async function installApprover(
  client: CountersignClient,
  credentials: ApproverCredentials,
  walletId: string,
): Promise<Approver> {
  const { active } = await client.get(POLICY);
  const { document } = active;
  if (document.changes !== undefined)
    throw new Error('Changes of this policy need approvals, so the demo cannot try one: use another workspace.');
  const approver = new CountersignClient(credentials);
  const { user_id } = await approver.get('/api/v1/api-keys/self');
  await client.put(POLICY, { body: withApproval(document, walletId, user_id) });
  const leave = async () => {
    await client.put(POLICY, { body: document });
  };
  return { client: approver, leave };
}

const withApproval = (document: PolicyDocument, walletId: string, approverId: string): PolicyDocument => ({
  ...document,
  rules: [
    {
      name: `demo ${walletId}`,
      when: { operations: ['withdrawal'], wallet_ids: [walletId] },
      then: { action: 'require_approvals', approvals: 1, approvers: [approverId] },
    },
    ...document.rules,
  ],
});
