// A signing operation: how it is started, and how it ends when its workflow is lost.
import { openSigningStatuses } from '../../domain/statuses.ts';
import type { SigningTask, WorkflowStart } from '../../domain/workflow-inputs.ts';
import { isStartedTooLate } from '../../domain/workflow-runs.ts';
import { endSigningRequest } from '../../drizzle/operations/end-operations.ts';
import { readSigningRequest } from '../../drizzle/signing-requests/signing-queries.ts';
import { hasOpenWithdrawal } from '../../drizzle/withdrawals/withdrawals.ts';
import type { LostDependencies, LostOperation, OperationWorkflow } from './started-workflow.ts';

const signed: Record<SigningTask['kind'], string> = {
  raw_digest: 'a digest',
  evm_transaction: 'an EVM transaction',
  evm_message: 'a message (EIP-191)',
  evm_typed_data: 'typed data (EIP-712)',
  solana_transaction: 'a Solana transaction',
  bitcoin_input: 'an input of a Bitcoin transaction',
  solana_message: 'a message (Solana)',
};

export const sign: OperationWorkflow<SigningTask> = {
  summary: ({ walletId, networkCode }) => `Sign with wallet ${walletId} on ${networkCode}`,
  details: ({ kind }) => `Has two nodes sign ${signed[kind]} as its row says, verifies the signature and records it.`,
  async endLost({ db, seals, starter, log }, lost) {
    if (await isStillToBeStarted(db, lost)) return false;
    const { id, failure: fields } = lost;
    const start = await ownStartOf(db, lost);
    if (start !== undefined) {
      await starter.startAgain(start);
      log.warn({ id, workflowId: start.workflowId }, 'operation of a lost group goes on in its own workflow');
      return false;
    }
    for (const from of openSigningStatuses)
      if (await db.transaction((tx) => endSigningRequest(tx, seals, id, { from, fields }))) return true;
    return false;
  },
};

/**
 * A group tries operations before they have workflows of their own. One that it neither signed nor started is open, and
 * Temporal knows nothing of its workflow although it cannot have forgotten it yet: it is started now.
 */
async function ownStartOf(
  db: LostDependencies['db'],
  { id, workflowId, failure: { errorCode } }: LostOperation,
): Promise<WorkflowStart | undefined> {
  if (errorCode !== 'workflow_not_found' || isStartedTooLate(id, { startedAt: new Date().toISOString() }))
    return undefined;
  const row = await readSigningRequest(db, id);
  if (row === undefined || row.withdrawalId !== null || row.approvalsRequired > 0) return undefined;
  const { workspaceId, walletId, networkInternalCode: networkCode, payloadKind: kind } = row;
  return { workflow: 'sign', workflowId, input: { signingId: id, workspaceId, walletId, networkCode, kind } };
}

/**
 * That of a withdrawal is started by the withdrawal's own workflow, however long no worker was there to go on with it.
 * Whatever ends that one, or begins a new run of it, closes what nobody will start (withdraw.ts).
 */
async function isStillToBeStarted(
  db: LostDependencies['db'],
  { id, failure: { errorCode } }: LostOperation,
): Promise<boolean> {
  if (errorCode !== 'workflow_not_found') return false;
  const withdrawalId = (await readSigningRequest(db, id))?.withdrawalId ?? null;
  return withdrawalId !== null && (await hasOpenWithdrawal(db, withdrawalId));
}
