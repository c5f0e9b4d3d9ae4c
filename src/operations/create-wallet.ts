// The creation of a wallet: how it is started, and how it ends when its workflow is lost.
import type { CreateWalletInput } from '../../domain/workflow-inputs.ts';
import { advanceWallet } from '../../drizzle/wallets/wallet-steps.ts';
import type { OperationWorkflow } from './started-workflow.ts';

export const createWallet: OperationWorkflow<CreateWalletInput> = {
  firstStatus: 'creating',
  summary: ({ walletId }) => `Create wallet ${walletId}`,
  details: () =>
    'Generates a key on both curves at all nodes, has every quorum sign a test, then publishes the addresses.',
  endLost: ({ db }, { id, failure: { errorCode, errorReason } }) =>
    advanceWallet(db, id, { from: 'creating', to: 'failed', fields: { errorCode, errorReason } }),
};
