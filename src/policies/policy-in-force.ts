// The policy that a workspace has now: the one it has set, or the one that is built in. Decides nothing.
import type { Database, Transaction } from '../../drizzle/database.ts';
import { findActivePolicy, type PolicyRow } from '../../drizzle/policies.ts';
import { builtInPolicy } from './built-in.ts';
import type { PolicyDocument } from './policies.schema.ts';

export interface PolicyInForce {
  /** Undefined while it is the one that is built in. */
  row: PolicyRow | undefined;
  document: PolicyDocument;
}

export async function findPolicyInForce(
  db: Database | Transaction,
  workspaceId: string,
  isProduction: boolean,
): Promise<PolicyInForce> {
  const row = await findActivePolicy(db, workspaceId);
  return { row, document: row === undefined ? builtInPolicy(isProduction) : (row.document as PolicyDocument) };
}
