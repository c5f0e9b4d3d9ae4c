// What a group of signing operations does to the world: has one short attempt made at each member, side by side, each
// by itself. Ends no member but with success: what was not done here is done by the member's own workflow, which
// Temporal then remembers.
import { activityInfo, getClient } from '@temporalio/activity';
import { ApplicationFailure, WorkflowNotFoundError } from '@temporalio/common';
import type { FailureCode } from '../../domain/failures.ts';
import { GROUP_MEMBERS_MAX } from '../../domain/signing-groups.ts';
import { GROUP_BEGINS_WITHIN_MS } from '../../domain/time-limits.ts';
import { workflowIdOf } from '../../domain/workflow-ids.ts';
import type { SigningGroup } from '../../domain/workflow-inputs.ts';
import { isStartedTooLate } from '../../domain/workflow-runs.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import { assertSealedGroup } from '../../drizzle/signing-requests/signing-groups.ts';
import type { SigningRequestRow } from '../../drizzle/signing-requests/signing-requests.ts';
import { isNotForRun, openAfter, type SigningOpen } from './attempt-failure.ts';
import type { SigningEnd } from './attempt-signature.ts';
import { type ShortAttempts, within } from './short-attempts.ts';

/** How one member stands after its attempt. */
export interface MemberEnd extends Pick<SigningEnd, 'reason'> {
  signingId: string;
  /** `open`: to be done by its own workflow. `elsewhere`: its own workflow is there already, and does it. */
  status: SigningEnd['status'] | 'open' | 'elsewhere';
  /** Of one that is signed. */
  mpcCorrelationId?: string | null;
  /** Of one that is open: why. */
  code?: FailureCode;
}

export interface GroupDependencies {
  seals: Seals;
  shortAttempts: ShortAttempts;
}

export function createGroupActivities({ seals, shortAttempts }: GroupDependencies) {
  return {
    /**
     * Idempotent by the ids of the members (attempt-signature.ts). Each begins in time or not at all, and then has as
     * long as one that is tried alone. Not retried: a group that no API formed, or that
     * another workflow than its own brings. A member harms no other: whatever fails is the end of its own attempt.
     */
    async signGroupAtOnce(group: SigningGroup): Promise<MemberEnd[]> {
      const groupWorkflowId = activityInfo().workflowExecution?.workflowId;
      if (groupWorkflowId !== workflowIdOf('signGroup', group.groupId) || group.members.length > GROUP_MEMBERS_MAX)
        throw notFormed();
      assertSealed(seals, group);
      const mayWait = within(GROUP_BEGINS_WITHIN_MS);
      const assertCounts = (row: SigningRequestRow) => assertGroupMay(row, group);
      const asked = { line: group.workspaceId, mayWait, assertCounts, groupWorkflowId };
      const tryOne = async (signingId: string): Promise<MemberEnd> => {
        try {
          const end = await shortAttempts.make({ ...asked, signingId });
          return end.status === 'open' ? openMember(signingId, end) : { signingId, ...end };
        } catch (error) {
          return isNotForRun(error) ? { signingId, status: 'elsewhere' } : openMember(signingId, openAfter(error));
        }
      };
      return Promise.all(group.members.map(({ signingId }) => tryOne(signingId)));
    },
  };
}

export const openMember = (signingId: string, { code }: SigningOpen): MemberEnd => ({
  signingId,
  status: 'open',
  code,
});

const notFormed = () => ApplicationFailure.nonRetryable('the group was not formed by this service', 'row_not_sealed');

function assertSealed(seals: Seals, group: SigningGroup): void {
  try {
    assertSealedGroup(seals, group);
  } catch {
    throw notFormed();
  }
}

/**
 * For a member that is open by its row: whether its group may carry it out in the place of its own workflow. Only what
 * asks for nobody's approval, belongs to no withdrawal, and has no workflow of its own in Temporal. Whatever ended
 * without a signature has one: it failed there, or its caller ended it, which was told there before he heard of it. So
 * a row that was set back is refused as it is by its own workflow.
 */
async function assertGroupMay(row: SigningRequestRow, { workspaceId }: SigningGroup): Promise<void> {
  const ownWorkflowId = workflowIdOf('sign', row.id);
  const isPlain = row.withdrawalId === null && row.approvalsRequired === 0 && row.workflowId === ownWorkflowId;
  if (!isPlain || row.workspaceId !== workspaceId)
    throw ApplicationFailure.nonRetryable('no group carries out such an operation', 'not_due');
  // By the clock of now: a group may have waited for a worker until Temporal has forgotten what ended meanwhile.
  if (isStartedTooLate(row.id, { startedAt: new Date().toISOString() }))
    throw ApplicationFailure.nonRetryable('it was accepted too long ago', 'started_too_late');
  if (await isKnown(ownWorkflowId))
    throw ApplicationFailure.nonRetryable('the operation has a workflow of its own', 'not_due');
}

async function isKnown(workflowId: string): Promise<boolean> {
  try {
    await getClient().workflow.getHandle(workflowId).describe();
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
