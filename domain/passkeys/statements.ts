// What a passkey is asked to sign: a statement that says what for, by whom and until when, whose digest is the
// challenge of the ceremony. So an assertion is of one purpose, and one that votes is of exactly one decision about one
// thing.
import { createHash } from 'node:crypto';
import { canonicalJson, type Json } from '../canonical-json.ts';
import type { ApprovalSubject } from '../votes/vote-rules.ts';

interface AnyStatement {
  /** 16 random bytes, base64url: no two statements are alike. */
  nonce: string;
  /** RFC 3339. */
  expires_at: string;
}

interface SignInStatement extends AnyStatement {
  purpose: 'sign_in';
}

/** Makes a passkey by an enrolment link, or, with the link null, in a session. */
export interface EnrolStatement extends AnyStatement {
  purpose: 'enrol';
  workspace_id: string;
  user_id: string;
  link_id: string | null;
}

/** Allows a session to add a passkey of its own user. */
interface AddPasskeyStatement extends AnyStatement {
  purpose: 'add_passkey';
  workspace_id: string;
  user_id: string;
  session_id: string;
}

export interface VoteStatement extends AnyStatement {
  purpose: 'vote';
  workspace_id: string;
  user_id: string;
  subject: ApprovalSubject;
  subject_id: string;
  /** Of exactly what is approved or rejected: the digest of the round. */
  digest: string;
  decision: 'approved' | 'rejected';
}

export type Statement = SignInStatement | EnrolStatement | AddPasskeyStatement | VoteStatement;

const FORMAT = 'countersign passkey statement 1';

/** The challenge of the ceremony, base64url: SHA-256 over the canonical JSON (RFC 8785) of the statement. */
export function challengeOf(statement: Statement): string {
  const content = { format: FORMAT, ...statement } as unknown as Json;
  return createHash('sha256').update(canonicalJson(content)).digest('base64url');
}
