// What a policy answers about an operation.
import type { ApproveWith } from '../votes/vote-rules.ts';

export interface Decision {
  action: 'allow' | 'deny' | 'require_approvals';
  /** How many approvals; 0 unless they are required. */
  required: number;
  /** The users who may approve; empty for any whose key has the scope. */
  approvers: readonly string[];
  /** What every approval must be given with; null for any key that has the scope. */
  approveWith: ApproveWith | null;
  /** 0 unless approvals are required. */
  expiresInSeconds: number;
  /** In plain sentences. */
  reasons: readonly string[];
  /** The name of the rule that decided, or `default`. */
  rule: string;
}
