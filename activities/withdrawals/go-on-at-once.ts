// Goes on with a transaction in the activity that prepared it: signs, broadcasts and waits a few seconds for its block,
// as the workflow would have it done step by step. Each step is the workflow's own, and repeated by it where it was not
// done or nobody knows: so what goes well costs Temporal one activity, and what does not has its long retries.
import { activityInfo, getClient } from '@temporalio/activity';
import { AT_ONCE_MAX_MS, TOLD_WITHIN_MS } from '../../domain/time-limits.ts';
import { ENDED_QUERY } from '../../domain/workflow-runs.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import { assertRunMaySign } from '../signing/assert-run-may-sign.ts';
import { failedBy, failSigning, isForGood, isNotForRun, openAfter } from '../signing/attempt-failure.ts';
import { type ShortAttempts, within } from '../signing/short-attempts.ts';
import { type MemberEnd, openMember } from '../signing/sign-group.ts';
import type { FollowResult } from './follow-withdrawal.ts';
import type { SigningChild } from './withdrawal-signing.ts';
import type { TransactionAttempt } from './withdrawal-transfer.ts';

/** What came of a signature that was tried; its network is what metrics count by. */
type TriedSignature = MemberEnd & Pick<SigningChild, 'networkCode'>;

interface DoneAtOnce {
  tried?: TriedSignature[];
}

export type Prepared = DoneAtOnce &
  (
    | {
        outcome: 'prepared';
        /** What is left to be signed. */
        tasks: SigningChild[];
      }
    | {
        /** The withdrawal has ended, and nothing is to be signed. */
        outcome: 'ended';
        /** By this very transaction: how. */
        end?: Pick<Extract<FollowResult, { next: 'end' }>, 'status' | 'details'>;
      }
  );

/** `refused`: the node does not take the bytes, which might land all the same. `dead`: they never can. */
export type Sent = { outcome: 'sent' } | { outcome: 'refused' | 'dead'; reason: string };

export interface StepsAtOnce {
  /** Answers in the order of the children. */
  sign: (children: readonly SigningChild[]) => Promise<TriedSignature[]>;
  broadcast: (sending: TransactionAttempt) => Promise<Sent>;
  follow: (withdrawalId: string) => Promise<FollowResult>;
}

/** Answers how far it came. */
export async function goOnAtOnce(
  steps: StepsAtOnce,
  sending: TransactionAttempt,
  prepared: Prepared,
): Promise<Prepared> {
  if (prepared.outcome === 'ended' || (sending.ordinal === 0 && (await mayBeTold()))) return prepared;
  const tried = await steps.sign(prepared.tasks);
  const left = prepared.tasks.filter((_, index) => tried[index]?.status === 'open');
  const signed = { ...prepared, tasks: left, tried };
  if (tried.some(({ status }) => status !== 'success')) return signed;
  try {
    const sent = await steps.broadcast(sending);
    // What takes the place of another is followed beside it.
    if (sent.outcome !== 'sent' || sending.ordinal > 0) return signed;
    const followed = await steps.follow(sending.withdrawalId);
    return followed.next === 'end' ? { ...signed, outcome: 'ended', end: followed } : signed;
  } catch {
    // The workflow's own step finds the same, says why and tries again.
    return signed;
  }
}

interface SignDependencies {
  db: Database;
  seals: Seals;
  shortAttempts: ShortAttempts;
}

/** One short attempt at each, as a workflow of its own makes at first (activities/signing/signing-requests.ts). */
export function signSideBySide({ db, seals, shortAttempts }: SignDependencies): StepsAtOnce['sign'] {
  return async (children) => {
    const { workflowExecution, scheduledTimestampMs } = activityInfo();
    const groupWorkflowId = workflowExecution?.workflowId ?? '';
    const run = { startedAt: new Date(scheduledTimestampMs).toISOString(), parentId: groupWorkflowId };
    const asked = { mayWait: within(AT_ONCE_MAX_MS), assertCounts: assertRunMaySign(seals, run), groupWorkflowId };
    const tryOne = async ({ signingId, workspaceId }: SigningChild): Promise<MemberEnd> => {
      try {
        const end = await shortAttempts.make({ ...asked, signingId, line: workspaceId });
        return end.status === 'open' ? openMember(signingId, end) : { signingId, ...end };
      } catch (error) {
        // A run that does not count ends nothing of those that do.
        if (!isForGood(error) || isNotForRun(error)) return openMember(signingId, openAfter(error));
        const status = await failSigning({ db, seals }, signingId, failedBy(error));
        return { signingId, status: status === 'success' ? 'success' : 'failed' };
      }
    };
    return Promise.all(children.map(async (child) => ({ ...(await tryOne(child)), networkCode: child.networkCode })));
  };
}

/**
 * Whether the workflow that scheduled this activity may have been told meanwhile that a caller has ended the operation,
 * which no row takes back. One that was scheduled a moment ago knew it then. False when it says that it was not.
 */
async function mayBeTold(): Promise<boolean> {
  const { workflowExecution, scheduledTimestampMs } = activityInfo();
  if (workflowExecution === undefined) return true;
  if (Date.now() - scheduledTimestampMs < TOLD_WITHIN_MS) return false;
  const { workflowId, runId } = workflowExecution;
  try {
    return await getClient().workflow.getHandle(workflowId, runId).query<boolean>(ENDED_QUERY);
  } catch {
    // Of a worker of a former version, which knows no such question, or one that is late.
    return true;
  }
}
