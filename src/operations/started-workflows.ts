// The workflows that writes start, each in one place: what it takes, how it is started, what an operator reads of it in
// the Temporal UI before it says anything itself, and what becomes of an operation whose workflow is lost. A further
// one is one entry. Starts none.
import {
  type OperationKind,
  operationWorkflows,
  type WorkflowInput,
  type WorkflowInputs,
  type WorkflowName,
} from '../../domain/workflow-inputs.ts';
import { createWallet } from './create-wallet.ts';
import { sign } from './sign.ts';
import type { LostDependencies, LostOperation, OperationWorkflow, StartedWorkflow } from './started-workflow.ts';
import { withdraw } from './withdraw.ts';
import { writeExport } from './write-export.ts';

type Entry<Name extends WorkflowName> = Name extends (typeof operationWorkflows)[OperationKind]
  ? OperationWorkflow<WorkflowInputs[Name]>
  : StartedWorkflow<WorkflowInputs[Name]>;

/** By registered type. */
const registry: { readonly [Name in WorkflowName]: Entry<Name> } = {
  createWallet,
  sign,
  withdraw,
  writeExport,
  signGroup: {
    summary: ({ members, networkCode }) => `Sign ${members.length} operations on ${networkCode}`,
    details: () =>
      'Has two nodes sign each as its row says, side by side. What is not done at once goes on in a workflow of its own.',
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

/** Of the workflow that carries out operations of this kind. */
export const endLost = (kind: OperationKind, dependencies: LostDependencies, lost: LostOperation): Promise<boolean> =>
  registry[operationWorkflows[kind]].endLost(dependencies, lost);
