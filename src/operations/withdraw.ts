// A withdrawal: how it is started, and what becomes of it when its workflow is lost. One of which something is signed
// is not ended but goes on in a new run, and one that may have been paid in what a restore has lost is held.
import type { FailureCode } from '../../domain/failures.ts';
import type { WithdrawInput } from '../../domain/workflow-inputs.ts';
import { abandonWithdrawal } from '../../drizzle/withdrawal-repair/abandon-withdrawal.ts';
import { dropUnsignedReplacements } from '../../drizzle/withdrawal-repair/drop-unsigned.ts';
import { holdWhileUnknown } from '../../drizzle/withdrawal-repair/hold-unknown.ts';
import { findWithdrawalContext } from '../../drizzle/withdrawals/withdrawal-context.ts';
import type { OperationWorkflow } from './started-workflow.ts';

/** Of a workflow that went to its end, or may have: what it did may be more than the record knows. */
const maybePaid: readonly FailureCode[] = ['workflow_completed', 'workflow_not_found'];

export const withdraw: OperationWorkflow<WithdrawInput> = {
  summary: ({ walletId, networkCode }) => `Withdraw from wallet ${walletId} on ${networkCode}`,
  details: () =>
    'Once it is approved: builds its transaction, has it signed, broadcasts it, and follows it until it is final.',
  async endLost({ db, seals, starter, log }, { id, workflowId, failure }) {
    if (maybePaid.includes(failure.errorCode)) {
      const standing = await db.transaction((tx) => holdWhileUnknown(tx, id));
      if (standing === 'held')
        log.warn(
          { id, workflowId, code: failure.errorCode },
          'withdrawal waits: it is not certain whether it was paid',
        );
      if (standing !== 'known') return false;
    }
    const { outcome } = await db.transaction(async (tx) => {
      const abandoned = await abandonWithdrawal(tx, seals, id, failure);
      if (abandoned.outcome === 'signed') await dropUnsignedReplacements(tx, seals, id, failure);
      return abandoned;
    });
    if (outcome === 'ended') return true;
    const context = await findWithdrawalContext(db, id);
    if (context === undefined) throw new Error('a withdrawal that goes on is not there');
    const { workspaceId, walletId } = context.withdrawal;
    const input = { withdrawalId: id, workspaceId, walletId, networkCode: context.network.internalCode };
    await starter.startAgain({ workflow: 'withdraw', workflowId, input });
    log.warn({ id, code: failure.errorCode }, 'withdrawal goes on in a new run');
    return false;
  },
};
