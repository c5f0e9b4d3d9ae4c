// Tries signing operations together that waited to be started, so that Temporal keeps one workflow for all of them.
//
// 1. signGroupAtOnce each member pending → submitted → success, by itself; one attempt in the worker itself. A closed
//   row is left as it is, and so is a member that has a workflow of its own
// 2. sign            one child under the operation's own id for each member that is open after that. It is not waited
//   for: it goes on with the long retries, and ends the operation. Nothing to compensate
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  CancellationScope,
  isCancellation,
  ParentClosePolicy,
  proxyLocalActivities,
  startChild,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { MemberEnd } from '../activities/signing/sign-group.ts';
import type { GroupMember, SigningGroup } from '../domain/workflow-inputs.ts';
import { groupOptions } from './activity-options.ts';
import { describeFailure, isForGood } from './failure.ts';
import { report } from './report.ts';
import type { sign } from './sign.ts';
import { signingChild } from './signing-child.ts';

const { signGroupAtOnce } = proxyLocalActivities<Activities>(groupOptions);

export async function signGroup(group: SigningGroup): Promise<void> {
  const ends = new Map<string, MemberEnd>();
  try {
    for (const end of await signGroupAtOnce(group)) ends.set(end.signingId, end);
  } catch (error) {
    if (!isCancellation(error) && isForGood(error)) {
      const { code, reason } = describeFailure(error);
      return report('failed', `Nothing was tried: ${reason} (${code}).`);
    }
    // Nobody knows what came of it: each goes on by itself. An operator who cancels stops nothing but the group.
  }
  const isOpen = ({ signingId }: GroupMember) => (ends.get(signingId)?.status ?? 'open') === 'open';
  const open = group.members.filter(isOpen);
  await CancellationScope.nonCancellable(() => Promise.all(open.map((member) => startOwn(group, member))));
  const lines = group.members.map(({ signingId }) => `${signingId}: ${sentenceOf(ends.get(signingId))}`);
  const signed = [...ends.values()].filter(({ status }) => status === 'success').length;
  const summary = `${signed} of ${group.members.length} are signed and verified.`;
  report(open.length === 0 ? 'success' : 'handed_on', [summary, ...lines].join('\n'));
}

/** One that has a workflow already goes on by that. */
async function startOwn({ workspaceId, networkCode }: SigningGroup, member: GroupMember): Promise<void> {
  const { signingId, workflowId, walletId, kind } = member;
  const child = signingChild(
    { signingId, workspaceId, walletId, networkCode, kind },
    {
      workflowId,
      staticSummary: `Sign with wallet ${walletId} on ${networkCode}`,
      staticDetails: 'Has two nodes sign what its row says, verifies the signature and records it.',
    },
  );
  try {
    await startChild<typeof sign>('sign', {
      ...child,
      parentClosePolicy: ParentClosePolicy.ABANDON,
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

function sentenceOf(end: MemberEnd | undefined): string {
  switch (end?.status) {
    case 'success':
      return `Signed as ${end.mpcCorrelationId}.`;
    case 'failed':
      return `Closed before: ${end.reason ?? 'see its row'}.`;
    case 'elsewhere':
      return 'Left to its own workflow, which is there already.';
    default:
      return `Goes on in its own workflow${end?.code === undefined ? '' : ` (${end.code})`}.`;
  }
}
