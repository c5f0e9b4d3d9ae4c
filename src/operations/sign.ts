// A signing operation: how it is started, and how it ends when its workflow is lost.
import { openSigningStatuses } from '../../domain/statuses.ts';
import type { SigningTask } from '../../domain/workflow-inputs.ts';
import { endSigningRequest } from '../../drizzle/operations/end-operations.ts';
import type { OperationWorkflow } from './started-workflow.ts';

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
  async endLost({ db, seals }, { id, failure: fields }) {
    for (const from of openSigningStatuses)
      if (await db.transaction((tx) => endSigningRequest(tx, seals, id, { from, fields }))) return true;
    return false;
  },
};
