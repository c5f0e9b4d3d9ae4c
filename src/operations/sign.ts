// A signing operation: how it is started, and how it ends when its workflow is lost.
import { openSigningStatuses } from '../../domain/statuses.ts';
import type { SigningTask } from '../../domain/workflow-inputs.ts';
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
  async endLost({ db, seals }, lost) {
    if (await isStillToBeStarted(db, lost)) return false;
    const { id, failure: fields } = lost;
    for (const from of openSigningStatuses)
      if (await db.transaction((tx) => endSigningRequest(tx, seals, id, { from, fields }))) return true;
    return false;
  },
};

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
