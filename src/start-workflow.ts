// Starts workflows for operations that are already committed. The outbox row goes only after a confirmed start; what this process does not
// get done, the reconciler does.
import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import type { Database } from '../drizzle/database.ts';
import { deleteOutboxEntries, type OutboxEntry } from '../drizzle/outbox.ts';
import type { CreateWalletInput } from '../workflows/create-wallet.ts';
import {
  networkCodeAttribute,
  operationStatusAttribute,
  walletIdAttribute,
  workspaceIdAttribute,
} from '../workflows/search-attributes.ts';
import type { SignInput } from '../workflows/sign.ts';

/** What each workflow takes. The names are the registered types. */
export type WorkflowStart =
  | { workflow: 'createWallet'; workflowId: string; input: CreateWalletInput }
  | { workflow: 'sign'; workflowId: string; input: SignInput };

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
}

export class WorkflowStarter {
  readonly #dependencies: StarterDependencies;
  readonly #queue: OutboxEntry[] = [];
  #starting = 0;
  #confirmed: bigint[] = [];
  #deletion: Promise<void> | undefined;

  constructor(dependencies: StarterDependencies) {
    this.#dependencies = dependencies;
  }

  /** Takes an entry whose transaction has committed. Past its limit it takes none: the reconciler finds the row. */
  enqueue(entry: OutboxEntry): void {
    if (this.#queue.length >= QUEUE_MAX) return;
    this.#queue.push(entry);
    this.#next();
  }

  /** Starts one workflow and waits for Temporal to confirm it; the outbox row is deleted soon after. */
  async start(entry: OutboxEntry): Promise<void> {
    const { client, taskQueue } = this.#dependencies;
    const { workflow, workflowId, input } = entry as WorkflowStart;
    try {
      await client.workflow.start(workflow, {
        workflowId,
        taskQueue,
        args: [input],
        workflowIdConflictPolicy: 'USE_EXISTING',
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        memo: { id: workflowId },
        ...describe(entry as WorkflowStart),
      });
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
    this.#confirm(entry.id);
  }

  /** Waits until everything taken was tried and the confirmed rows are gone. */
  async drain(): Promise<void> {
    while (this.#starting > 0 || this.#queue.length > 0) await new Promise((resolve) => setTimeout(resolve, 10));
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
  const { workspaceId, walletId } = start.input;
  const attributes = new TypedSearchAttributes([
    { key: workspaceIdAttribute, value: workspaceId },
    { key: walletIdAttribute, value: walletId },
    { key: operationStatusAttribute, value: start.workflow === 'sign' ? 'pending' : 'creating' },
    ...(start.workflow === 'sign' ? [{ key: networkCodeAttribute, value: start.input.networkCode }] : []),
  ]);
  const staticSummary =
    start.workflow === 'sign'
      ? `Sign with wallet ${walletId} on ${start.input.networkCode}`
      : `Create wallet ${walletId}`;
  return { typedSearchAttributes: attributes, staticSummary };
}
