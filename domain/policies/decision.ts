// What a policy answers about an operation.
export interface Decision {
  action: 'allow' | 'deny' | 'require_approvals';
  /** How many approvals; 0 unless they are required. */
  required: number;
  /** The users who may approve; empty for any whose key has the scope. */
  approvers: readonly string[];
  /** 0 unless approvals are required. */
  expiresInSeconds: number;
  /** In plain sentences. */
  reasons: readonly string[];
  /** The name of the rule that decided, or `default`. */
  rule: string;
}
