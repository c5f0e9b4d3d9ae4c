// Carries out a withdrawal: one transaction at most on its chain, and an end that the ledger agrees with.
//
// 1. beginWithdrawal approved → processing; while it must be approved, waits for the signal `changed`
//   (await-approval.ts)
// 2. prepareTransaction quotes and holds the fee, takes nonce or coins, builds: one commit; retried while the wallet
//   lacks the fee. Then 3 to 5 at once, for as long as all goes well
// 3. sign                   one child for each signature that is open after that
// 4. broadcastTransaction verifies and stores the bytes, then broadcasts these and no others, for as long as the node
//   cannot be asked
// 5. followWithdrawal to the network's confirmations, and settles the ledger; a speed-up, a drop or a renewal is 2 to 4
//   again under the next ordinal or abandonWithdrawal before anything is signed: failed, and money, nonce and coins
//   given back. When others stand behind the nonce, it is used up first by a transaction that moves nothing (2 to 5),
//   and so it is when a node may have a signature. What is signed is never abandoned
import {
  CancellationScope,
  ChildWorkflowFailure,
  continueAsNew,
  executeChild,
  isCancellation,
  patched,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { FollowResult } from '../activities/withdrawals/follow-withdrawal.ts';
import type { SigningChild } from '../activities/withdrawals/withdrawal-signing.ts';
import type { TransactionAttempt } from '../activities/withdrawals/withdrawal-transfer.ts';
import type { SigningTask, WithdrawInput } from '../domain/workflow-inputs.ts';
import {
  broadcastOptions,
  followOptions,
  PAUSE_WHILE_HINDERED,
  PAUSE_WHILE_UNCLEAR,
  prepareOptions,
  rowOptions,
} from './activity-options.ts';
import { Changes, untilDecided } from './await-approval.ts';
import { describeFailure } from './failure.ts';
import { report } from './report.ts';
import type { sign } from './sign.ts';
import { signingChild } from './signing-child.ts';

const { prepareTransaction } = proxyActivities<Activities>(prepareOptions);
const { broadcastTransaction } = proxyActivities<Activities>(broadcastOptions);
const { followWithdrawal } = proxyActivities<Activities>(followOptions);
const { beginWithdrawal, abandonWithdrawal, noteReplacementFailed } = proxyLocalActivities<Activities>(rowOptions);

export async function withdraw(input: WithdrawInput): Promise<void> {
  const { withdrawalId } = input;
  const changes = new Changes(input);
  if (!goesOn(input) && !(await sendInitial(withdrawalId, changes))) return;
  // An operator's cancellation cannot take back what is out: it is followed to its end.
  await CancellationScope.nonCancellable(() => follow(input, changes));
}

/** Only the run before says that its transactions are out. */
const goesOn = ({ sent }: WithdrawInput) => sent === true && workflowInfo().continuedFromExecutionRunId !== undefined;

/** False when the withdrawal has ended: before anything was sent, or at once. */
async function sendInitial(withdrawalId: string, changes: Changes): Promise<boolean> {
  try {
    if (!(await untilBegun(withdrawalId, changes))) return false;
    const outcome = await send({ withdrawalId, ordinal: 0, kind: 'transfer' }, changes);
    if (outcome === 'closed' && patched('reports-closed')) await reportClosed(withdrawalId, changes);
    return outcome === 'sent';
  } catch (error) {
    return CancellationScope.nonCancellable(() => compensate(withdrawalId, error));
  }
}

/** It was closed while its transaction was to be made, by a caller who cancelled it: its row says how it ended. */
async function reportClosed(withdrawalId: string, changes: Changes): Promise<void> {
  const { standing, status, reason } = await beginWithdrawal(withdrawalId, changes.facts);
  if (standing === 'ended') reportEnd(status, reason);
}

const reportEnd = (status: string | undefined, reason: string | undefined) =>
  report(status ?? 'ended', `Nothing was sent: ${reason ?? 'it was closed before, see its row'}.`);

async function untilBegun(withdrawalId: string, changes: Changes): Promise<boolean> {
  for (;;) {
    const { standing, status, reason } = await beginWithdrawal(withdrawalId, changes.facts);
    if (standing === 'ready') return true;
    if (standing === 'ended') {
      reportEnd(status, reason);
      return false;
    }
    report('pending_approval', 'It waits for approvals.');
    await untilDecided(withdrawalId, changes);
  }
}

/**
 * `closed`: the withdrawal was closed meanwhile, and nothing is sent. `over`: its transaction is on the chain for good.
 * `changes`: of the first transaction, which a caller may have kept from being made.
 */
async function send(sending: TransactionAttempt, changes?: Changes): Promise<'sent' | 'closed' | 'over'> {
  report('processing', `Transaction ${sending.ordinal + 1} (${sending.kind}) is made.`);
  // Only the histories that have it are asked for it. A patch after a local activity may be lost to a query: when the
  // query of an operator cuts the task of that activity short, Temporal replays the task together with the next one,
  // and looks for patches in the first alone.
  if (workflowInfo().unsafe.isReplaying) patched('named-children');
  const prepared = await prepareTransaction({ ...sending, namesChildren: true, goesOnAtOnce: true });
  if (prepared.outcome === 'ended') {
    if (prepared.end === undefined) return 'closed';
    report(prepared.end.status, prepared.end.details);
    return 'over';
  }
  // Refuses what was prepared by a row that says otherwise.
  if (changes?.ended === true) await beginWithdrawal(sending.withdrawalId, changes.facts);
  await Promise.all(prepared.tasks.map(signWithChild));
  await broadcastTransaction(sending);
  return 'sent';
}

/** What came of it stands in its row, also when an operator ended the child. */
const signWithChild = (task: SigningChild) =>
  startSigning(task).catch((error: unknown) => {
    if (isCancellation(error) || !(error instanceof ChildWorkflowFailure)) throw error;
  });

const startSigning = (task: SigningChild) =>
  executeChild<typeof sign>(
    'sign',
    signingChild(idsOf(task), {
      workflowId: task.workflowId ?? task.signingId,
      staticSummary: `Sign for a withdrawal from wallet ${task.walletId} on ${task.networkCode}`,
      staticDetails: `Has two nodes sign what the transaction needs, verifies the signature and records it.`,
    }),
  );

/** Of an older task, which had the payload in it, no more than these either. */
const idsOf = ({ signingId, workspaceId, walletId, networkCode, kind }: SigningTask): SigningTask => ({
  signingId,
  workspaceId,
  walletId,
  networkCode,
  kind,
});

/**
 * True when something is out after all, and is to be followed. What hinders, a freeze or a cluster that is away,
 * passes.
 */
async function compensate(withdrawalId: string, error: unknown): Promise<boolean> {
  const { code, reason } = describeFailure(error);
  for (;;) {
    const left = await abandonWithdrawal(withdrawalId, { errorCode: code, errorReason: reason });
    if (left.outcome === 'ended') {
      report('failed', `Not sent: ${reason} (${code}).`);
      return false;
    }
    if (left.outcome === 'unclear') {
      setCurrentDetails(
        `Not sent: ${reason} (${code}). Before its money is given back it must be sure that no node has its signature.`,
      );
      await sleep(PAUSE_WHILE_UNCLEAR);
      continue;
    }
    const { ordinal } = left;
    try {
      if (left.outcome === 'signed') await broadcastTransaction({ withdrawalId, ordinal, kind: 'transfer' });
      else await send({ withdrawalId, ordinal, kind: 'fill' });
      return true;
    } catch (hindrance) {
      setCurrentDetails(`Tried again in a minute: ${describeFailure(hindrance).reason}.`);
      await sleep(PAUSE_WHILE_HINDERED);
    }
  }
}

async function follow(input: WithdrawInput, changes: Changes): Promise<void> {
  const { withdrawalId } = input;
  report('confirming', 'Its transaction is out and waits for confirmations.');
  for (;;) {
    changes.reset();
    const followed = await followWithdrawal(withdrawalId);
    if (followed.next === 'end') return report(followed.status, followed.details);
    if (followed.next === 'replace') await replace(withdrawalId, followed);
    else await changes.waitFor(followed.afterMs);
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof withdraw>({ ...input, sent: true });
  }
}

/**
 * A replacement that cannot be made changes nothing for what is out already; without a renewal, what has expired ends
 * the withdrawal.
 */
async function replace(withdrawalId: string, followed: Extract<FollowResult, { next: 'replace' }>): Promise<void> {
  const { kind, ordinal, feeLevel } = followed;
  const sending = { withdrawalId, ordinal, kind, ...(feeLevel === undefined ? {} : { feeLevel }) };
  try {
    await send(sending);
  } catch (error) {
    const { code, reason } = describeFailure(error);
    await noteReplacementFailed(sending, { errorCode: code, errorReason: reason });
  }
}
