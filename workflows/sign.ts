// Signs one digest with a wallet's key, exactly once as far as anybody can see.
//
// 1. submitSigningRequest     pending → submitted, with the correlation id of the first attempt; a row that is already closed ends the workflow
// 2. signWithCluster          two of three nodes sign, the answer is verified; retried with a fresh session for as long as signOptions allows
// 3. completeSigningRequest   submitted → success with the signature; retried until the database is back
// or failSigningRequest       submitted → failed, with why; nothing to compensate: a signature that nobody stored is never shown
import { CancellationScope, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { SigningFailure, SigningTask } from '../activities/signing-requests.ts';
import { rowOptions, signOptions } from './activity-options.ts';
import { gaveUp } from './failure.ts';
import { report } from './report.ts';

const { signWithCluster } = proxyActivities<Activities>(signOptions);
const { submitSigningRequest, completeSigningRequest, failSigningRequest } =
  proxyLocalActivities<Activities>(rowOptions);

/** The task as it was frozen when the request was accepted. */
export type SignInput = SigningTask;

export async function sign(task: SignInput): Promise<void> {
  const { signingId } = task;
  const status = await submitSigningRequest(signingId);
  if (status !== 'submitted')
    return report(status, `Nothing to sign: the request was ${status} before it reached the cluster.`);
  try {
    const result = await signWithCluster(task);
    await completeSigningRequest(signingId, result);
    report('success', `Signed and verified as ${result.mpcCorrelationId}.`);
  } catch (error) {
    const failure = explain(error);
    // Also when an operator cancelled: the row must end.
    await CancellationScope.nonCancellable(() => failSigningRequest(signingId, failure));
    report('failed', `Not signed: ${failure.errorReason} (${failure.errorCode}).`);
  }
}

function explain(error: unknown): SigningFailure {
  const { code, reason, timedOut } = gaveUp(error);
  const statusReason =
    code === 'signature_invalid' || code === 'cancelled' ? code : timedOut ? 'mpc_timeout' : 'mpc_error';
  return { statusReason, errorCode: code, errorReason: reason };
}
