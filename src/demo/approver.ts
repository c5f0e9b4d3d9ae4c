// The second pair of eyes: while it is there, withdrawals from one wallet need the approval of a key of its own. Leaves the policy and the keys as they were.
import { CountersignClient } from '../client/client.ts';

export interface Approver {
  client: CountersignClient;
  /** Puts the former policy back and revokes the key. */
  leave(): Promise<void>;
}

const POLICY = '/api/v1/workspaces/{workspace_id}/policy';
const KEY_ENDS_AFTER_MS = 60 * 60 * 1000;

export async function installApprover(client: CountersignClient, baseUrl: string, walletId: string): Promise<Approver> {
  const { active } = await client.get(POLICY);
  const { document } = active;
  if (document.changes !== undefined)
    throw new Error('Changes of this policy need approvals, so the demo cannot try one: use another workspace.');
  const key = await client.post('/api/v1/workspaces/{workspace_id}/api-keys', {
    body: {
      name: 'demo approver',
      scopes: ['withdrawals:read', 'withdrawals:approve'],
      expires_at: new Date(Date.now() + KEY_ENDS_AFTER_MS).toISOString(),
    },
  });
  if (key.api_secret === undefined) throw new Error('A new key comes with its secret.');
  const revoke = () => client.delete('/api/v1/api-keys/{api_key_id}', { path: { api_key_id: key.id } });
  try {
    await client.put(POLICY, {
      body: {
        ...document,
        rules: [
          {
            name: `demo ${walletId}`,
            when: { operations: ['withdrawal'], wallet_ids: [walletId] },
            then: { action: 'require_approvals', approvals: 1, approvers: [key.id] },
          },
          ...document.rules,
        ],
      },
    });
  } catch (error) {
    await revoke();
    throw error;
  }
  const leave = async () => {
    await client.put(POLICY, { body: document });
    await revoke();
  };
  return {
    client: new CountersignClient({ baseUrl, apiKey: key.api_key, apiSecret: key.api_secret }),
    leave,
  };
}
