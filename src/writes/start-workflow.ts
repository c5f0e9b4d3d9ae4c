// Starts workflows for operations that are already committed. The outbox row goes only after a confirmed start; what this process does not
// get done, the reconciler does.
import { type Span, SpanKind } from '@opentelemetry/api';
import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import type { Database } from '../../drizzle/database/connection.ts';
import { deleteOutboxEntries, type OutboxEntry } from '../../drizzle/writes/workflow-outbox.ts';
import type { CreateWalletInput } from '../../workflows/create-wallet.ts';
import type { DeliverWebhooksInput } from '../../workflows/deliver-webhooks.ts';
import type { FundFromFaucetInput } from '../../workflows/fund-from-faucet.ts';
import type { MineBlocksInput } from '../../workflows/mine-blocks.ts';
import type { RescanTransactionInput } from '../../workflows/rescan-transaction.ts';
import {
  networkCodeAttribute,
  operationStatusAttribute,
  walletIdAttribute,
  workspaceIdAttribute,
} from '../../workflows/search-attributes.ts';
import type { SignInput } from '../../workflows/sign.ts';
import type { WithdrawInput } from '../../workflows/withdraw.ts';
import { endSpan, type Tracing, traceparentOf } from '../process/tracing.ts';
import { FairQueue } from './fair-queue.ts';
import { PacedStarts } from './paced-starts.ts';

/** What each workflow takes. The names are the registered types. With a `signal`, a workflow that runs hears of a change of its row. */
export type WorkflowStart = { workflowId: string; signal?: 'changed' } & (
  | { workflow: 'createWallet'; input: CreateWalletInput }
  | { workflow: 'sign'; input: SignInput }
  | { workflow: 'withdraw'; input: WithdrawInput }
  | { workflow: 'fundFromFaucet'; input: FundFromFaucetInput }
  | { workflow: 'mineBlocks'; input: MineBlocksInput }
  | { workflow: 'rescanTransaction'; input: RescanTransactionInput }
  | { workflow: 'deliverWebhooks'; input: DeliverWebhooksInput }
);

/** Not one run for ever: they end when nothing is left to do, and begin again. */
const repeatable: ReadonlySet<string> = new Set<WorkflowStart['workflow']>(['deliverWebhooks']);

const STARTS_AT_ONCE_MAX = 32;
const QUEUE_MAX = 2_000;

interface Logger {
  warn(details: object, message: string): void;
}

export interface StarterDependencies {
  client: Client;
  taskQueue: string;
  db: Database;
  log: Logger;
  tracing?: Tracing | undefined;
}

export class WorkflowStarter {
  readonly #dependencies: StarterDependencies;
  readonly #queue = new FairQueue<OutboxEntry>(QUEUE_MAX);
  readonly #paced = new PacedStarts();
  #starting = 0;
  #confirmed: bigint[] = [];
  #deletion: Promise<void> | undefined;

  constructor(dependencies: StarterDependencies) {
    this.#dependencies = dependencies;
  }

  /** Takes an entry whose transaction has committed. What its limit or its pace keeps out the reconciler finds. */
  enqueue(entry: OutboxEntry): void {
    const { workflow, input } = entry as WorkflowStart;
    if (!this.#paced.mayStart(workflow, input.workspaceId)) return;
    this.#queue.push(input.workspaceId, entry);
    this.#next();
  }

  /** Starts one workflow and waits for Temporal to confirm it; the outbox row is deleted soon after. */
  async start(entry: OutboxEntry): Promise<void> {
    const { client } = this.#dependencies;
    const { workflow } = entry as WorkflowStart;
    const span = this.#spanOf(entry);
    const options = this.#optionsOf(
      entry as WorkflowStart,
      repeatable.has(workflow) ? 'ALLOW_DUPLICATE' : 'REJECT_DUPLICATE',
      span,
    );
    try {
      // A signal starts the workflow that it is for, when nobody has yet.
      if (entry.signal) await client.workflow.signalWithStart(workflow, { ...options, signal: entry.signal });
      else await client.workflow.start(workflow, options);
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    } finally {
      if (span !== undefined) endSpan(span);
    }
    this.#confirm(entry.id);
  }

  /** For a workflow that can go on by its rows: starts it anew when it was ended from outside, and never beside one that runs. */
  async startAgain(start: WorkflowStart): Promise<void> {
    await this.#dependencies.client.workflow.start(
      start.workflow,
      this.#optionsOf(start, 'ALLOW_DUPLICATE_FAILED_ONLY'),
    );
  }

  get taskQueue(): string {
    return this.#dependencies.taskQueue;
  }

  /** Only of what was asked for by a request that is traced. */
  #spanOf({ workflow, workflowId, traceContext }: OutboxEntry): Span | undefined {
    if (!traceContext) return undefined;
    const attributes = { 'temporal.workflow_id': workflowId };
    const { tracing } = this.#dependencies;
    return tracing?.start({ name: `start ${workflow}`, kind: SpanKind.PRODUCER, parent: traceContext, attributes });
  }

  #optionsOf(
    start: WorkflowStart,
    workflowIdReusePolicy: 'REJECT_DUPLICATE' | 'ALLOW_DUPLICATE' | 'ALLOW_DUPLICATE_FAILED_ONLY',
    span?: Span,
  ) {
    const { workflowId, input } = start;
    return {
      workflowId,
      taskQueue: this.#dependencies.taskQueue,
      args: [input] as [typeof input],
      workflowIdConflictPolicy: 'USE_EXISTING' as const,
      workflowIdReusePolicy,
      // Its activities inherit it: a worker gives each workspace its turn by it (workspace-turns.ts), and so does a server that knows fairness.
      priority: { fairnessKey: start.input.workspaceId },
      memo: { id: workflowId, ...(span === undefined ? {} : { traceparent: traceparentOf(span) }) },
      ...describe(start),
    };
  }

  /** Waits until what is being started was tried and the confirmed rows are gone. What still waits for its turn is left to the reconciler. */
  async drain(): Promise<void> {
    this.#queue.clear();
    while (this.#starting > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await this.#deletion;
  }

  #next(): void {
    while (this.#starting < STARTS_AT_ONCE_MAX) {
      const entry = this.#queue.shift();
      if (entry === undefined) return;
      this.#starting += 1;
      this.start(entry)
        .catch((error: unknown) =>
          this.#dependencies.log.warn({ err: error, workflowId: entry.workflowId }, 'workflow not started yet'),
        )
        .finally(() => {
          this.#starting -= 1;
          this.#next();
        });
    }
  }

  /** Rows go in batches: one statement for all that were confirmed while the last one ran. */
  #confirm(id: bigint): void {
    this.#confirmed.push(id);
    this.#deletion ??= this.#deleteConfirmed().finally(() => {
      this.#deletion = undefined;
    });
  }

  async #deleteConfirmed(): Promise<void> {
    while (this.#confirmed.length > 0) {
      const ids = this.#confirmed;
      this.#confirmed = [];
      try {
        await deleteOutboxEntries(this.#dependencies.db, ids);
      } catch (error) {
        // Harmless: the reconciler starts it again, which Temporal refuses as a duplicate, and deletes the row then.
        this.#dependencies.log.warn({ err: error, rows: ids.length }, 'outbox rows not deleted yet');
        return;
      }
    }
  }
}

/** What the operator sees in the Temporal UI before the workflow says anything itself. */
function describe(start: WorkflowStart) {
  const { workspaceId } = start.input;
  const walletId = 'walletId' in start.input ? start.input.walletId : undefined;
  const networkCode = 'networkCode' in start.input ? start.input.networkCode : undefined;
  const attributes = new TypedSearchAttributes([
    { key: workspaceIdAttribute, value: workspaceId },
    { key: operationStatusAttribute, value: start.workflow === 'createWallet' ? 'creating' : 'pending' },
    ...(walletId === undefined ? [] : [{ key: walletIdAttribute, value: walletId }]),
    ...(networkCode === undefined ? [] : [{ key: networkCodeAttribute, value: networkCode }]),
  ]);
  return { typedSearchAttributes: attributes, staticSummary: summarize(start), staticDetails: explain(start) };
}

function summarize({ workflow, input }: WorkflowStart): string {
  switch (workflow) {
    case 'createWallet':
      return `Create wallet ${input.walletId}`;
    case 'sign':
      return `Sign with wallet ${input.walletId} on ${input.networkCode}`;
    case 'withdraw':
      return `Withdraw from wallet ${input.walletId} on ${input.networkCode}`;
    case 'fundFromFaucet':
      return `Pay wallet ${input.walletId} from the faucet on ${input.networkCode}`;
    case 'mineBlocks':
      return `Mine ${input.blocks} blocks on ${input.networkCode}`;
    case 'deliverWebhooks':
      return `Deliver to webhook ${input.webhookId}`;
    case 'rescanTransaction':
      return `Look again at ${input.txHash} on ${input.networkCode}`;
  }
}

function explain({ workflow, input }: WorkflowStart): string {
  switch (workflow) {
    case 'createWallet':
      return 'Generates a key on both curves at all nodes, has every quorum sign a test, then publishes the addresses.';
    case 'sign':
      return `Has two nodes sign ${signed[input.kind]} as its row says, verifies the signature and records it.`;
    case 'withdraw':
      return 'Once it is approved: builds its transaction, has it signed, broadcasts it, and follows it until it is final.';
    case 'fundFromFaucet':
      return `Sends ${input.amount} base units of ${input.contract ?? 'the native currency'} to ${input.address}, by a real transaction.`;
    case 'mineBlocks':
      return 'Has the chain of the sandbox mine, and no more of it when it is repeated.';
    case 'deliverWebhooks':
      return 'Sends what is due to one endpoint, until nothing is left; waits while the endpoint does not answer.';
    case 'rescanTransaction':
      return 'Asks the node for the transaction, and records those deposits of it that are missing.';
  }
}

const signed: Record<SignInput['kind'], string> = {
  raw_digest: 'a digest',
  evm_transaction: 'an EVM transaction',
  evm_message: 'a message (EIP-191)',
  evm_typed_data: 'typed data (EIP-712)',
  solana_transaction: 'a Solana transaction',
  bitcoin_input: 'an input of a Bitcoin transaction',
};
