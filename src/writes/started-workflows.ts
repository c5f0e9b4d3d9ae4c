// The workflows that writes start, each in one place: what it takes, how it is started, and what an operator reads of
// it in the Temporal UI before it says anything itself. A further one is one entry. Starts none.
import type { CreateWalletInput } from '../../workflows/create-wallet.ts';
import type { DeliverWebhooksInput } from '../../workflows/deliver-webhooks.ts';
import type { FundFromFaucetInput } from '../../workflows/fund-from-faucet.ts';
import type { MineBlocksInput } from '../../workflows/mine-blocks.ts';
import type { RescanTransactionInput } from '../../workflows/rescan-transaction.ts';
import type { SignInput } from '../../workflows/sign.ts';
import type { WithdrawInput } from '../../workflows/withdraw.ts';

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

const takes = <Input>(workflow: StartedWorkflow<Input>) => workflow;

const signed: Record<SignInput['kind'], string> = {
  raw_digest: 'a digest',
  evm_transaction: 'an EVM transaction',
  evm_message: 'a message (EIP-191)',
  evm_typed_data: 'typed data (EIP-712)',
  solana_transaction: 'a Solana transaction',
  bitcoin_input: 'an input of a Bitcoin transaction',
};

/** By registered type. */
const registry = {
  createWallet: takes<CreateWalletInput>({
    firstStatus: 'creating',
    summary: ({ walletId }) => `Create wallet ${walletId}`,
    details: () =>
      'Generates a key on both curves at all nodes, has every quorum sign a test, then publishes the addresses.',
  }),
  sign: takes<SignInput>({
    summary: ({ walletId, networkCode }) => `Sign with wallet ${walletId} on ${networkCode}`,
    details: ({ kind }) => `Has two nodes sign ${signed[kind]} as its row says, verifies the signature and records it.`,
  }),
  withdraw: takes<WithdrawInput>({
    summary: ({ walletId, networkCode }) => `Withdraw from wallet ${walletId} on ${networkCode}`,
    details: () =>
      'Once it is approved: builds its transaction, has it signed, broadcasts it, and follows it until it is final.',
  }),
  fundFromFaucet: takes<FundFromFaucetInput>({
    summary: ({ walletId, networkCode }) => `Pay wallet ${walletId} from the faucet on ${networkCode}`,
    details: ({ amount, contract, address }) =>
      `Sends ${amount} base units of ${contract ?? 'the native currency'} to ${address}, by a real transaction.`,
  }),
  mineBlocks: takes<MineBlocksInput>({
    summary: ({ blocks, networkCode }) => `Mine ${blocks} blocks on ${networkCode}`,
    details: () => 'Has the chain of the sandbox mine, and no more of it when it is repeated.',
  }),
  rescanTransaction: takes<RescanTransactionInput>({
    paced: true,
    summary: ({ txHash, networkCode }) => `Look again at ${txHash} on ${networkCode}`,
    details: () => 'Asks the node for the transaction, and records those deposits of it that are missing.',
  }),
  deliverWebhooks: takes<DeliverWebhooksInput>({
    repeatable: true,
    summary: ({ webhookId }) => `Deliver to webhook ${webhookId}`,
    details: () =>
      'Sends what is due to one endpoint, until nothing is left; waits while the endpoint does not answer.',
  }),
};

type Registry = typeof registry;
type Started = { [Name in keyof Registry]: { workflow: Name; input: Parameters<Registry[Name]['summary']>[0] } };

/** What each workflow takes. With a `signal`, a workflow that runs hears of a change of its row. */
export type WorkflowStart = { workflowId: string; signal?: 'changed' } & Started[keyof Registry];

export const startedWorkflows: Readonly<Record<keyof Registry, StartedWorkflow<WorkflowStart['input']>>> = registry;

export const pacedWorkflows: readonly string[] = Object.entries(startedWorkflows).flatMap(([name, { paced }]) =>
  paced === true ? [name] : [],
);
