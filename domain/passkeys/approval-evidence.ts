// What was approved, by whom, and what proves it, as one document that anybody verifies without the service: the digest
// is computed anew from the content, and each vote from its assertion. What it cannot say is whose a passkey is: for
// that the keys are compared with those that the workspace is known to have enrolled.
import { createHash } from 'node:crypto';
import { digestOf, type Json } from '../canonical-json.ts';
import type { ApprovalSubject } from '../votes/vote-rules.ts';
import { findEvidenceFault, type VoteEvidence } from './vote-evidence.ts';

export const EVIDENCE_FORMAT = 'countersign approval evidence 1';

export interface ExportedVote {
  user_id: string;
  decision: 'approved' | 'rejected';
  created_at: string;
  /** Null for a vote that an API key signed. */
  evidence: VoteEvidence | null;
}

export interface ApprovalEvidence {
  format: typeof EVIDENCE_FORMAT;
  workspace_id: string;
  subject: ApprovalSubject;
  subject_id: string;
  digest: string;
  /** What the digest is of, as the service has it; null where that is no longer kept. */
  content: Json;
  requested_by: string;
  required: number;
  votes: readonly ExportedVote[];
}

export interface JudgedVote {
  userId: string;
  decision: ExportedVote['decision'];
  /** `unproven`: an API key has given it, which leaves nothing to verify. */
  verdict: 'proven' | 'unproven' | 'false';
  /** One clause: by which key, or what is wrong. */
  because: string;
}

export interface JudgedEvidence {
  /** Whether nothing in it is false. */
  holds: boolean;
  /** Undefined where there is no content to compute it from. */
  digestMatches: boolean | undefined;
  votes: readonly JudgedVote[];
  /** Users other than who asked, with a proven approval and no later rejection. */
  provenApprovals: number;
}

/** `trusted`: the public keys (SubjectPublicKeyInfo, base64) that are known to be of each user, by the user's id. */
export function judgeEvidence(
  document: ApprovalEvidence,
  trusted?: Readonly<Record<string, readonly string[]>>,
): JudgedEvidence {
  const { content, digest, requested_by: requester } = document;
  const digestMatches = content === null ? undefined : digestOf(content) === digest;
  const votes = document.votes.map((vote) => judgeVote(document, vote, trusted));
  // Whoever lost a passkey may have voted twice, of which the later vote counts; a rejection is the last of a round.
  const rejecters = votes.filter(({ decision }) => decision === 'rejected').map(({ userId }) => userId);
  const approvers = votes.filter(
    ({ verdict, decision, userId }) =>
      verdict === 'proven' && decision === 'approved' && userId !== requester && !rejecters.includes(userId),
  );
  return {
    holds: digestMatches !== false && votes.every(({ verdict }) => verdict !== 'false'),
    digestMatches,
    votes,
    provenApprovals: new Set(approvers.map(({ userId }) => userId)).size,
  };
}

function judgeVote(
  { workspace_id, subject, subject_id, digest }: ApprovalEvidence,
  { user_id, decision, evidence }: ExportedVote,
  trusted: Readonly<Record<string, readonly string[]>> | undefined,
): JudgedVote {
  const about = { userId: user_id, decision };
  if (evidence === null) return { ...about, verdict: 'unproven', because: 'an API key has signed it' };
  const fault = findEvidenceFault(evidence, { workspace_id, user_id, subject, subject_id, digest, decision });
  if (fault !== undefined) return { ...about, verdict: 'false', because: fault };
  if (trusted !== undefined && trusted[user_id]?.includes(evidence.public_key) !== true)
    return { ...about, verdict: 'false', because: 'its key is none that is known to be of this user' };
  const { origin, public_key } = evidence;
  return { ...about, verdict: 'proven', because: `at ${origin}, by the key ${fingerprintOf(public_key)}` };
}

/** SHA-256 of the key's DER, hex. */
const fingerprintOf = (publicKey: string) =>
  createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex');
