// The proof of a vote in a session: a passkey of the same user has answered a statement that says exactly this vote.
// What it answered is kept with the vote, so that anybody can verify it later.
import type { Static } from 'typebox';
import type { VoteStatement } from '../../domain/passkeys/statements.ts';
import type { VoteEvidence } from '../../domain/passkeys/vote-evidence.ts';
import type { ApprovalRoundRow, ApprovalRow } from '../../drizzle/approvals/approvals.ts';
import type { Transaction } from '../../drizzle/database/connection.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import type { answeredTicket } from '../approvals/passkey-answer.schema.ts';
import type { UsableKey } from '../authentication/key-ring.ts';
import type { ConsoleOrigin } from '../authentication/own-page.ts';
import { ApiError, AuthenticationError } from '../http/errors.ts';
import { openTicket } from '../passkeys/tickets.ts';
import { verifyPasskey } from '../passkeys/verify-passkey.ts';

export type PasskeyVote = Static<typeof answeredTicket>;

export interface ProvenVote {
  passkeyId: string;
  evidence: VoteEvidence;
}

interface AskedVote {
  key: UsableKey;
  round: ApprovalRoundRow;
  decision: ApprovalRow['decision'];
  passkey: PasskeyVote;
}

/** Throws 403 for what does not prove the vote: the caller is who the session says, and the vote is not. */
export async function proveVote(
  tx: Transaction,
  { seals, console }: { seals: Seals; console: ConsoleOrigin | undefined },
  { key, round, decision, passkey: answer }: AskedVote,
): Promise<ProvenVote> {
  if (console === undefined) throw unproven();
  try {
    const statement = openTicket(seals, answer.ticket, 'vote');
    assertSame(statement, { key, round, decision });
    const { ticket: _ticket, ...assertion } = answer;
    const passkey = await verifyPasskey(tx, { seals, console }, { statement, assertion });
    if (passkey.userId !== key.userId || passkey.workspaceId !== key.workspaceId) throw unproven();
    const { origin, relyingPartyId: relying_party_id } = console;
    const about = { statement, origin, relying_party_id, public_key: passkey.publicKeySpki };
    return { passkeyId: passkey.id, evidence: { ...about, ...assertion } };
  } catch (error) {
    throw error instanceof AuthenticationError ? unproven() : error;
  }
}

function assertSame(statement: VoteStatement, { key, round, decision }: Omit<AskedVote, 'passkey'>): void {
  const isSame =
    statement.workspace_id === round.workspaceId &&
    statement.user_id === key.userId &&
    statement.subject === round.subject &&
    statement.subject_id === round.subjectId &&
    statement.digest === round.digest &&
    statement.decision === decision;
  if (!isSame) throw unproven();
}

const unproven = () =>
  new ApiError('policy_denied', 'Your passkey has not said exactly this, or has said it before: vote once more.');
