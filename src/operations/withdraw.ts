// A withdrawal: how it is started, and what becomes of it when its workflow is lost. One of which something is signed
// is not ended but goes on in a new run.
import type { WithdrawInput } from '../../domain/workflow-inputs.ts';
import { abandonWithdrawal } from '../../drizzle/withdrawal-repair/abandon-withdrawal.ts';
import { dropUnsignedReplacements } from '../../drizzle/withdrawal-repair/drop-unsigned.ts';
import { findWithdrawalContext } from '../../drizzle/withdrawals/withdrawal-context.ts';
import type { OperationWorkflow } from './started-workflow.ts';

export const withdraw: OperationWorkflow<WithdrawInput> = {
  summary: ({ walletId, networkCode }) => `Withdraw from wallet ${walletId} on ${networkCode}`,
  details: () =>
    'Once it is approved: builds its transaction, has it signed, broadcasts it, and follows it until it is final.',
  async endLost({ db, seals, starter, log }, { id, workflowId, failure }) {
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
