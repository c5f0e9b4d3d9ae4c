// Takes what an approver says of an operation: once a user, of exactly what is stored, in time. The last approval that
// is needed lets the operation go in the same transaction; one rejection ends it.
import type { FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import type { VoteEvidence } from '../../domain/passkeys/vote-evidence.ts';
import { type ApproveWith, mayVoteOn, needsProof } from '../../domain/votes/vote-rules.ts';
import type { WorkflowStart } from '../../domain/workflow-inputs.ts';
import {
  type ApprovalRoundRow,
  type ApprovalRow,
  closeApprovalRound,
  findRoundStatus,
  lockApprovalRound,
  recordApproval,
  sealedApprovalRounds,
} from '../../drizzle/approvals/approvals.ts';
import type { Transaction } from '../../drizzle/database/connection.ts';
import { type Sealing, sealingOf } from '../../drizzle/seals/sealing.ts';
import { findCountedVotes, hasEnoughApprovals } from '../../drizzle/votes/counted-votes.ts';
import type { Caller } from '../authentication/authenticate.ts';
import type { UsableKey } from '../authentication/key-ring.ts';
import type { ConsoleOrigin } from '../authentication/own-page.ts';
import { ApiError } from '../http/errors.ts';
import { acceptWrite, type WriteDependencies } from '../writes/accept-write.ts';
import { findDemandedProof } from './demanded-proof.ts';
import { type PasskeyVote, type ProvenVote, proveVote } from './prove-vote.ts';

type Start = (workflow: WorkflowStart) => void;

/** What follows from a decision: the workflows that start, and how the rows that it changes are sealed. */
export interface Consequences {
  start: Start;
  sealing: Sealing;
}

/** What is approved: how it is found, held, shown, and what becomes of it. Each is called within the transaction. */
export interface ApprovalSubject<Row, Shown> {
  /** Throws when this caller may not see it. */
  find(tx: Transaction): Promise<unknown>;
  /** The row, held against other changes until the transaction ends. */
  lock(tx: Transaction): Promise<Row>;
  idOf(row: Row): string;
  /** Of the row as it is stored now. */
  digestOf(row: Row): string;
  /** Notes that this user has approved it, where its history shows that. */
  noteApproval?(tx: Transaction, row: Row): Promise<void>;
  /** Throws what keeps it from being approved now, such as a freeze. */
  assertMayGo?(tx: Transaction, row: Row): Promise<void>;
  approve(tx: Transaction, row: Row, consequences: Consequences): Promise<void>;
  /** `reason`: what the approver gave as the reason, where its record shows one. */
  reject(tx: Transaction, row: Row, consequences: Consequences, reason: string | null): Promise<void>;
  show(tx: Transaction, row: Row): Promise<Shown>;
}

export interface Vote {
  decision: ApprovalRow['decision'];
  /** What the approver has seen; that of the round when absent. */
  digest: string | undefined;
  /** Of a rejection, in the approver's own words. */
  reason?: string | undefined;
  /** Of who votes in a session. */
  passkey?: PasskeyVote | undefined;
}

export interface VoteDependencies extends WriteDependencies {
  production: boolean;
  /** Undefined where nobody signs in at the console. */
  console: ConsoleOrigin | undefined;
}

export async function recordDecision<Row, Shown extends object>(
  dependencies: VoteDependencies,
  request: FastifyRequest,
  { target, subject, vote }: { target: string; subject: ApprovalSubject<Row, Shown>; vote: Vote },
): Promise<Shown> {
  const { key } = request.caller;
  const { result } = await acceptWrite(dependencies, request, {
    id: target,
    target,
    isVote: true,
    admit: (tx) => subject.find(tx),
    make: async (tx, start, note) => {
      const row = await subject.lock(tx);
      const round = await lockApprovalRound(tx, subject.idOf(row));
      if (round === undefined) throw new ApiError('invalid_state', 'It needs no approval.');
      assertMayVote(key, round);
      if (!sealedApprovalRounds.counts(dependencies.seals, round))
        throw new ApiError(
          'invalid_state',
          'Its round of approvals was changed by somebody else: it is decided no more.',
        );
      const approveWith = await findDemandedProof(tx, dependencies, round);
      assertProof(request.caller, approveWith, vote);
      note({ before: await subject.show(tx, row), walletId: round.walletId ?? undefined });
      if (await recordVote(tx, dependencies, { key, round, vote })) {
        await assertOpen(tx, round);
        const consequences = { start, sealing: sealingOf(dependencies.seals, note) };
        await act(tx, consequences, { subject, row, round, vote, approveWith });
      }
      return subject.show(tx, row);
    },
  });
  return result;
}

function assertMayVote({ userId, scopes }: UsableKey, { subject, requestedBy, approvers }: ApprovalRoundRow): void {
  if (!mayVoteOn(subject, scopes))
    throw new ApiError(
      'insufficient_scope',
      'This key cannot approve: it lacks withdrawals:approve or signing:approve.',
    );
  if (userId === requestedBy)
    throw new ApiError('policy_denied', 'The user who asked for it cannot approve or reject it: another user must.');
  if (approvers.length > 0 && !approvers.includes(userId))
    throw new ApiError('policy_denied', 'The user of this key is not among the approvers that the policy names.');
}

/**
 * Whoever votes in a session says so by a passkey, each time anew; and where the policy demands it nobody else
 * approves.
 */
function assertProof({ session }: Caller, approveWith: ApproveWith | null, { decision, passkey }: Vote): void {
  if (session !== undefined && passkey === undefined)
    throw new ApiError('invalid_request', 'body.passkey must be the answer of your passkey to exactly this vote.');
  if (session === undefined && passkey !== undefined)
    throw new ApiError('policy_denied', 'body.passkey is for who has signed in at the console.');
  if (session === undefined && needsProof({ approveWith }, decision))
    throw new ApiError('policy_denied', 'The policy takes approvals by passkey only: sign in at the console.');
}

/**
 * Records the vote. False when the key has given the same before: then nothing changes. A vote that no longer counts,
 * because its passkey was removed, is none: a fresh one is recorded beside it.
 */
async function recordVote(
  tx: Transaction,
  { seals, console }: Pick<VoteDependencies, 'seals' | 'console'>,
  { key, round, vote }: { key: UsableKey; round: ApprovalRoundRow; vote: Vote },
): Promise<boolean> {
  const { subjectId, digest } = round;
  if (vote.digest !== undefined && vote.digest !== digest)
    throw new ApiError('invalid_state', 'The digest is not that of what waits for approval: read it again.');
  const id = uuidv7();
  const { id: apiKeyId, userId } = key;
  const { passkey, decision } = vote;
  const proof = passkey && (await proveVote(tx, { seals, console }, { key, round, decision, passkey }));
  const counted = await findCountedVotes(tx, seals, round, userId);
  if (counted.some((earlier) => earlier.decision !== decision)) throw votedOtherwise(decision);
  if (counted.some((earlier) => earlier.apiKeyId === apiKeyId)) return false;
  const recorded = await recordApproval(tx, seals, {
    id,
    subjectId,
    apiKeyId,
    userId,
    decision,
    digest,
    ...storedProof(proof),
  });
  if (recorded.decision !== decision) throw votedOtherwise(decision);
  return recorded.id === id;
}

const votedOtherwise = (decision: ApprovalRow['decision']) =>
  new ApiError(
    'invalid_state',
    `This user has ${decision === 'approved' ? 'rejected' : 'approved'} it already, and each user votes once.`,
  );

const storedProof = (proof: ProvenVote | undefined): { passkeyId: string | null; evidence: VoteEvidence | null } =>
  proof ?? { passkeyId: null, evidence: null };

async function assertOpen(tx: Transaction, { subjectId, status }: ApprovalRoundRow): Promise<void> {
  if (status !== 'pending') throw new ApiError('invalid_state', `It is ${status} already: there is nothing to decide.`);
  const round = await findRoundStatus(tx, subjectId);
  if (!round?.awaited) throw new ApiError('invalid_state', 'It does not wait for approval any more.');
  if (round.leftMs <= 0) throw tooLate();
}

interface Decided<Row, Shown> {
  subject: ApprovalSubject<Row, Shown>;
  row: Row;
  round: ApprovalRoundRow;
  vote: Vote;
  approveWith: ApproveWith | null;
}

async function act<Row, Shown>(
  tx: Transaction,
  consequences: Consequences,
  { subject, row, round, vote, approveWith }: Decided<Row, Shown>,
): Promise<void> {
  const id = round.subjectId;
  if (vote.decision === 'rejected') {
    if (!(await closeApprovalRound(tx, id, 'rejected'))) throw new Error('a round that is locked has moved');
    return subject.reject(tx, row, consequences, vote.reason ?? null);
  }
  // A rejection needs no such look: what was altered is the better ended.
  if (subject.digestOf(row) !== round.digest)
    throw new ApiError('invalid_state', 'What is stored is not what was asked for: it can only be rejected.');
  await subject.assertMayGo?.(tx, row);
  await subject.noteApproval?.(tx, row);
  if (!(await hasEnoughApprovals(tx, consequences.sealing.seals, round, approveWith))) return;
  if (!(await closeApprovalRound(tx, id, 'approved'))) throw tooLate();
  await subject.approve(tx, row, consequences);
}

const tooLate = () => new ApiError('invalid_state', 'Its time for approval is over: ask for it again.');
