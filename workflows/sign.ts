// Signs one payload with a wallet's key, exactly once as far as anybody can see.
//
// 0. untilDecided of one that must be approved: waits for that; one that is rejected, expired or cancelled meanwhile
//   ends so
// 1. signAtOnce     pending → submitted → success: two of three nodes sign, the answer is verified and recorded; one
//   attempt in the worker itself, which costs Temporal next to nothing; a closed row is left as it is
// 2. fulfilSigningRequest the same of what is open after that; retried with a fresh session for as long as signOptions
//   allows or failSigningRequest to failed, with why; nothing to compensate: a signature that nobody stored is never
//   shown
import {
  CancellationScope,
  condition,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  sleep,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { SigningOpen } from '../activities/signing/attempt-failure.ts';
import type { SigningEnd } from '../activities/signing/attempt-signature.ts';
import type { AtOnceInput } from '../activities/signing/signing-requests.ts';
import { type FailedSigning, statusReasonOf } from '../domain/failures.ts';
import type { SigningTask } from '../domain/workflow-inputs.ts';
import { atOnceOptions, rowOptions, signOptions } from './activity-options.ts';
import { Changes, untilDecided } from './await-approval.ts';
import { describeFailure, isForGood } from './failure.ts';
import { report } from './report.ts';

const { fulfilSigningRequest } = proxyActivities<Activities>(signOptions);
const { signAtOnce } = proxyLocalActivities<Activities>(atOnceOptions);
const { failSigningRequest } = proxyLocalActivities<Activities>(rowOptions);

export async function sign(task: SigningTask): Promise<void> {
  const changes = new Changes(task);
  try {
    if (task.approvalUntil !== undefined && !(await mayGoOn(task.signingId, task.approvalUntil, changes))) return;
    const { status, mpcCorrelationId, reason } = await fulfil(task, changes);
    if (status === 'success') report('success', `Signed and verified as ${mpcCorrelationId}.`);
    else report('failed', `Nothing was signed: ${reason ?? 'the request was closed before, see its row'}.`);
  } catch (error) {
    const failure = explain(error);
    // Also when an operator cancelled: the row must end.
    const standing = await CancellationScope.nonCancellable(() => failSigningRequest(task.signingId, failure));
    if (standing === 'success') report('success', 'Signed before it could be stopped: see its row.');
    else report('failed', `Not signed: ${failure.errorReason} (${failure.errorCode}).`);
  }
}

async function fulfil(task: SigningTask, changes: Changes): Promise<SigningEnd> {
  const { signingId, workspaceId, networkCode } = task;
  // One that a former version has started goes on as that did.
  if (task.atOnce === true) {
    const first = await tryAtOnce({ signingId, workspaceId, networkCode, run: changes.facts });
    if (first !== undefined && first.status !== 'open') return first;
    if (first !== undefined && first.afterMs > 0) await sleep(first.afterMs);
  }
  return untilFulfilled(task, changes);
}

/** Undefined when nobody knows what came of it. */
async function tryAtOnce(input: AtOnceInput): Promise<SigningEnd | SigningOpen | undefined> {
  try {
    return await signAtOnce(input);
  } catch (error) {
    if (isCancellation(error) || isForGood(error)) throw error;
    return undefined;
  }
}

/** Stops when a caller ends the operation meanwhile: nobody may have begun it then, whatever its row says later. */
async function untilFulfilled({ signingId, networkCode }: SigningTask, changes: Changes): Promise<SigningEnd> {
  const scope = new CancellationScope();
  const work = scope.run(() => fulfilSigningRequest({ signingId, networkCode, run: changes.facts }));
  if (changes.ended) return work;
  const ended = condition(() => changes.ended).then(() => scope.cancel());
  return Promise.race([work, ended.then(() => work)]);
}

async function mayGoOn(signingId: string, until: string, changes: Changes): Promise<boolean> {
  report('pending_approval', `Waits for approvals, at most until ${until}.`);
  const { outcome, reason } = await untilDecided(signingId, changes);
  if (outcome !== 'ended') return true;
  report('failed', `Nothing was signed: ${reason ?? 'it was not approved, or was cancelled before; see its row'}.`);
  return false;
}

function explain(error: unknown): FailedSigning {
  const { code, reason, timedOut } = describeFailure(error);
  return { statusReason: statusReasonOf(code, timedOut), errorCode: code, errorReason: reason };
}
