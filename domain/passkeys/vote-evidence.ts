// The evidence of a vote by a passkey: what was said, and the assertion that says it. It verifies by itself, years
// later and by anybody.
import { type Assertion, findAssertionFault } from './assertions.ts';
import { challengeOf, type VoteStatement } from './statements.ts';

/** As it is stored with the vote, and as it is exported. */
export interface VoteEvidence extends Assertion {
  statement: VoteStatement;
  origin: string;
  relying_party_id: string;
  /** SubjectPublicKeyInfo, DER, base64. */
  public_key: string;
}

/** What a vote says of itself, outside its evidence. */
export type EvidencedVote = Omit<VoteStatement, 'purpose' | 'nonce' | 'expires_at'>;

const voteFields = ['workspace_id', 'user_id', 'subject', 'subject_id', 'digest', 'decision'] as const;

/** Undefined when the evidence proves exactly this vote, or else one clause that says what it does not prove. */
export function findEvidenceFault(evidence: VoteEvidence, vote: EvidencedVote): string | undefined {
  const { statement, origin, relying_party_id: relyingPartyId, public_key: publicKey } = evidence;
  if (statement.purpose !== 'vote') return 'what was signed is no vote';
  const other = voteFields.find((field) => statement[field] !== vote[field]);
  if (other !== undefined) return `what was signed has another ${other.replaceAll('_', ' ')}`;
  return findAssertionFault(evidence, { challenge: challengeOf(statement), origin, relyingPartyId, publicKey });
}
