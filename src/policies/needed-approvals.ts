// The approvals that a policy demands of its own changes and of those of users and keys, in the form of a decision.
import type { Decision } from '../../domain/policies/decision.ts';
import type { NeededApprovals } from '../../domain/policies/policy-document.ts';
import { EXPIRY_DEFAULT_SECONDS } from './policies.schema.ts';

export function asDecision(
  { approvals, approvers, approve_with, expires_in_seconds }: NeededApprovals,
  reason: string,
): Pick<Decision, 'required' | 'approvers' | 'approveWith' | 'expiresInSeconds' | 'reasons'> {
  return {
    required: approvals,
    approvers: approvers ?? [],
    approveWith: approve_with ?? null,
    expiresInSeconds: expires_in_seconds ?? EXPIRY_DEFAULT_SECONDS,
    reasons: [reason],
  };
}
