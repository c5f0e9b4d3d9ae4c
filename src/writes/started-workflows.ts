// The workflows that writes start, each in one place: what it takes, how it is started, and what an operator reads of
// it in the Temporal UI before it says anything itself. A further one is one entry. Starts none.
import type { SigningTask, WorkflowInput, WorkflowInputs, WorkflowName } from '../../domain/workflow-inputs.ts';

interface StartedWorkflow<Input> {
  /** `pending` when absent. */
  firstStatus?: string;
  /** Not one run for ever: it ends when nothing is left to do, and begins again. */
  repeatable?: true;
  /** Nobody waits for it as for a signature (paced-starts.ts). */
  paced?: true;
  summary(input: Input): string;
  details(input: Input): string;
}

const signed: Record<SigningTask['kind'], string> = {
  raw_digest: 'a digest',
  evm_transaction: 'an EVM transaction',
  evm_message: 'a message (EIP-191)',
  evm_typed_data: 'typed data (EIP-712)',
  solana_transaction: 'a Solana transaction',
  bitcoin_input: 'an input of a Bitcoin transaction',
  solana_message: 'a message (Solana)',
};

/** By registered type. */
const registry: { readonly [Name in WorkflowName]: StartedWorkflow<WorkflowInputs[Name]> } = {
  createWallet: {
    firstStatus: 'creating',
    summary: ({ walletId }) => `Create wallet ${walletId}`,
    details: () =>
      'Generates a key on both curves at all nodes, has every quorum sign a test, then publishes the addresses.',
  },
  sign: {
    summary: ({ walletId, networkCode }) => `Sign with wallet ${walletId} on ${networkCode}`,
    details: ({ kind }) => `Has two nodes sign ${signed[kind]} as its row says, verifies the signature and records it.`,
  },
  withdraw: {
    summary: ({ walletId, networkCode }) => `Withdraw from wallet ${walletId} on ${networkCode}`,
    details: () =>
      'Once it is approved: builds its transaction, has it signed, broadcasts it, and follows it until it is final.',
  },
  fundFromFaucet: {
    summary: ({ walletId, networkCode }) => `Pay wallet ${walletId} from the faucet on ${networkCode}`,
    details: ({ amount, contract, address }) =>
      `Sends ${amount} base units of ${contract ?? 'the native currency'} to ${address}, by a real transaction.`,
  },
  mineBlocks: {
    summary: ({ blocks, networkCode }) => `Mine ${blocks} blocks on ${networkCode}`,
    details: () => 'Has the chain of the sandbox mine, and no more of it when it is repeated.',
  },
  rescanTransaction: {
    paced: true,
    summary: ({ txHash, networkCode }) => `Look again at ${txHash} on ${networkCode}`,
    details: () => 'Asks the node for the transaction, and records those deposits of it that are missing.',
  },
  deliverWebhooks: {
    repeatable: true,
    summary: ({ webhookId }) => `Deliver to webhook ${webhookId}`,
    details: () =>
      'Sends what is due to one endpoint, until nothing is left; waits while the endpoint does not answer.',
  },
};

export const startedWorkflows: Readonly<Record<WorkflowName, StartedWorkflow<WorkflowInput>>> = registry;

export const startedWorkflowNames = Object.keys(registry) as WorkflowName[];

export const pacedWorkflows: readonly WorkflowName[] = startedWorkflowNames.filter(
  (name) => startedWorkflows[name].paced === true,
);
