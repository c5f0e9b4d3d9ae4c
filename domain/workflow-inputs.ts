// Which workflows a write starts, which of them carry out an operation, and what each takes: ids, and what operators
// read in its history; all else it reads from rows. Such an input waits in the outbox until Temporal has confirmed the
// start.
import type { PayloadKind } from './statuses.ts';

export interface CreateWalletInput {
  walletId: string;
  workspaceId: string;
}

/**
 * Which operation is signed. Nothing that is signed, and nothing that decides: that is in the row. Older ones carried
 * all that was to be signed, and nothing of that is believed.
 */
export interface SigningTask {
  signingId: string;
  workspaceId: string;
  walletId: string;
  networkCode: string;
  kind: PayloadKind;
  /** Of one that must be approved: until when, RFC 3339. */
  approvalUntil?: string;
  /** The first attempt is in the worker itself. Absent from tasks of a former version, which have none of that kind. */
  atOnce?: true;
  /** A caller has ended it. */
  ended?: true;
}

/** An operation that a group tries, with the id of its own workflow, and with what operators read of it. */
export type GroupMember = Pick<SigningTask, 'signingId' | 'walletId' | 'kind'> & { workflowId: string };

/** Signing operations of one workspace on one network that waited to be started and are tried together. */
export interface SigningGroup {
  groupId: string;
  workspaceId: string;
  networkCode: string;
  members: readonly GroupMember[];
  /** By the API that formed it, over who its members are (drizzle/signing-requests/signing-groups.ts). */
  seal: string;
}

export interface WithdrawInput {
  withdrawalId: string;
  workspaceId: string;
  walletId: string;
  networkCode: string;
  /** Of a workflow that goes on after another: its transactions are out. */
  sent?: true;
  /** A caller has ended it. */
  ended?: true;
}

export interface FundFromFaucetInput {
  faucetId: string;
  workspaceId: string;
  walletId: string;
  networkCode: string;
  address: string;
  /** Null for the native currency. */
  contract: string | null;
  decimals: number;
  /** Base units. */
  amount: string;
}

export interface MineBlocksInput {
  workspaceId: string;
  networkCode: string;
  blocks: number;
}

export interface RescanTransactionInput {
  workspaceId: string;
  networkCode: string;
  txHash: string;
}

export interface DeliverWebhooksInput {
  webhookId: string;
  workspaceId: string;
}

export interface WriteExportInput {
  exportId: string;
  workspaceId: string;
}

/** Of the schedule that starts it. What is due, and whether, its row says. */
export interface RunExportScheduleInput {
  scheduleId: string;
  workspaceId: string;
}

/** By registered type. */
export interface WorkflowInputs {
  createWallet: CreateWalletInput;
  sign: SigningTask;
  signGroup: SigningGroup;
  withdraw: WithdrawInput;
  fundFromFaucet: FundFromFaucetInput;
  mineBlocks: MineBlocksInput;
  rescanTransaction: RescanTransactionInput;
  deliverWebhooks: DeliverWebhooksInput;
  writeExport: WriteExportInput;
}

export type WorkflowName = keyof WorkflowInputs;
export type WorkflowInput = WorkflowInputs[WorkflowName];

/** What callers ask for, each a row with an end of its own: by kind, the type of the workflow that carries it out. */
export const operationWorkflows = {
  wallet: 'createWallet',
  signing_request: 'sign',
  withdrawal: 'withdraw',
  export: 'writeExport',
} as const satisfies Readonly<Record<string, WorkflowName>>;

export type OperationKind = keyof typeof operationWorkflows;
export const operationKinds = Object.keys(operationWorkflows) as OperationKind[];

/** With a `signal`, a workflow that runs hears of a change of its row. */
export type WorkflowStart = { workflowId: string; signal?: 'changed' } & {
  [Name in WorkflowName]: { workflow: Name; input: WorkflowInputs[Name] };
}[WorkflowName];
