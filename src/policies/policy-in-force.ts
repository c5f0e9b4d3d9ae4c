// The policy that a workspace has now: the one it has set, or the one that is built in. Where somebody else has written
// it, nothing is allowed. Decides nothing.

import type { NeededApprovals, PolicyDocument } from '../../domain/policies/policy-document.ts';
import type { Database, Transaction } from '../../drizzle/database/connection.ts';
import { hasPasskeys } from '../../drizzle/passkeys/passkeys.ts';
import { findActivePolicy, type PolicyRow } from '../../drizzle/policies/policies.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import { builtInPolicy } from './built-in.ts';

export interface PolicyInForce {
  /** Undefined while it is the one that is built in, or one that does not count. */
  row: PolicyRow | undefined;
  document: PolicyDocument;
}

/**
 * In the place of one that was not written by this service, or was changed since. It can be replaced with the approval
 * of another user, by passkey where there are any: what is lost may have demanded that.
 */
const nothingAllowed = (changes: NeededApprovals): PolicyDocument => ({
  rules: [{ name: 'the policy was written by somebody else', when: {}, then: { action: 'deny' } }],
  default: { action: 'deny' },
  changes,
});

/**
 * In production one approval where the policy asks for none: else one key could take the policy away, or make itself a
 * second voter.
 */
const inProduction: NeededApprovals = { approvals: 1 };

/**
 * What a change of the policy, of the address book, of users and keys, and unfreezing needs. Undefined where it goes
 * through at once.
 */
export const approvalsOfChanges = ({ changes }: PolicyDocument, production: boolean): NeededApprovals | undefined =>
  changes ?? (production ? inProduction : undefined);

export async function findPolicyInForce(
  db: Database | Transaction,
  { seals, production }: { seals: Seals; production: boolean },
  workspaceId: string,
): Promise<PolicyInForce> {
  const row = await findActivePolicy(db, seals, workspaceId);
  if (row === 'broken') {
    const proof = (await hasPasskeys(db, workspaceId)) ? ({ approve_with: 'passkey' } as const) : {};
    return { row: undefined, document: nothingAllowed({ approvals: 1, ...proof }) };
  }
  return { row, document: row === undefined ? builtInPolicy(production) : row.document };
}
