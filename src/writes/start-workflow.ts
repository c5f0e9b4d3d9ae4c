// Starts workflows for operations that are already committed. The outbox row goes only after a confirmed start; what
// this process does not get done, the reconciler does.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Span, SpanKind } from '@opentelemetry/api';
import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import type { Logger } from '../../domain/logger.ts';
import { SILENCE_MAX_MS } from '../../domain/time-limits.ts';
import { rowIdOf } from '../../domain/workflow-ids.ts';
import type { SigningGroup, WorkflowStart } from '../../domain/workflow-inputs.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { listenForFinals } from '../../drizzle/database/notifications.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import { deleteOutboxEntries, type OutboxEntry } from '../../drizzle/writes/workflow-outbox.ts';
import {
  networkCodeAttribute,
  operationStatusAttribute,
  walletIdAttribute,
  walletIdsAttribute,
  workspaceIdAttribute,
} from '../../workflows/search-attributes.ts';
import { startedWorkflows } from '../operations/started-workflows.ts';
import { endSpan, type Tracing, traceparentOf } from '../process/tracing.ts';
import { FairQueue } from './fair-queue.ts';
import { GroupedStarts, isPlainSigning } from './grouped-starts.ts';
import { PacedStarts } from './paced-starts.ts';

const STARTS_AT_ONCE_MAX = 32;
const QUEUE_MAX = 2_000;
/** Temporal answers within a few milliseconds. */
const END_DELIVERED_WITHIN_MS = 500;

type Started = Omit<OutboxEntry, 'id'>;

export interface StarterDependencies {
  client: Client;
  taskQueue: string;
  db: Database;
  log: Pick<Logger, 'warn'>;
  tracing?: Tracing | undefined;
  /** With which groups of signing operations are sealed: none are formed without. */
  seals?: Seals;
}

/** Whether a caller ends the operation by it. */
export const isEnd = ({ input }: Pick<OutboxEntry, 'input'>): boolean => 'ended' in input && input.ended;

export class WorkflowStarter {
  readonly #dependencies: StarterDependencies;
  readonly #queue = new FairQueue<OutboxEntry>(QUEUE_MAX);
  readonly #paced = new PacedStarts();
  readonly #grouped: GroupedStarts | undefined;
  #starting = 0;
  #confirmed: bigint[] = [];
  #deletion: Promise<void> | undefined;

  constructor(dependencies: StarterDependencies) {
    this.#dependencies = dependencies;
    const { seals } = dependencies;
    if (seals === undefined) return;
    this.#grouped = new GroupedStarts({
      seals,
      listen: (onFinal) => listenForFinals(dependencies.db, { onFinal, onListening: () => {} }),
      startOne: (entry) => this.#tried(entry, [entry.id]),
      startGroup: (group, entries) =>
        this.#tried(
          group,
          entries.map(({ id }) => id),
        ),
    });
  }

  /** Takes an entry whose transaction has committed. What its limit or its pace keeps out the reconciler finds. */
  enqueue(entry: OutboxEntry): void {
    const { workflow, input } = entry;
    if (!this.#paced.mayStart(workflow, input.workspaceId)) return;
    if (this.#grouped !== undefined && isPlainSigning(entry)) return this.#grouped.push(entry);
    this.#queue.push(input.workspaceId, entry);
    this.#next();
  }

  /**
   * The same for an entry by which a caller ends an operation, before he reads that it has ended: Temporal knows it
   * then, whatever becomes of the row. Without Temporal it goes on beside the answer, as any other.
   */
  async deliverEnd(entry: OutboxEntry): Promise<void> {
    await Promise.race([this.#run(entry), sleep(END_DELIVERED_WITHIN_MS, undefined, { ref: false })]);
  }

  /** Starts one workflow and waits for Temporal to confirm it; the outbox row is deleted soon after. */
  async start(entry: OutboxEntry): Promise<void> {
    await this.#startOnce(entry);
    this.#confirm([entry.id]);
  }

  async #startOnce(entry: Started): Promise<void> {
    const { client } = this.#dependencies;
    const { workflow } = entry;
    const span = this.#spanOf(entry);
    const options = this.#optionsOf(
      entry,
      startedWorkflows[workflow].repeatable ? 'ALLOW_DUPLICATE' : 'REJECT_DUPLICATE',
      span,
    );
    try {
      // A signal starts the workflow that it is for, when nobody has yet.
      if (entry.signal) {
        const signalArgs = isEnd(entry) ? [{ ended: true }] : [];
        await client.workflow.signalWithStart(workflow, { ...options, signal: entry.signal, signalArgs });
      } else await client.workflow.start(workflow, options);
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    } finally {
      if (span !== undefined) endSpan(span);
    }
  }

  /**
   * For a workflow that can go on by its rows: starts it anew when it was ended from outside, and never beside one that
   * runs.
   */
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
  #spanOf({ workflow, workflowId, traceContext }: Started): Span | undefined {
    if (!traceContext) return undefined;
    const attributes = { 'temporal.workflow_id': workflowId };
    const { tracing } = this.#dependencies;
    return tracing?.start({ name: `start ${workflow}`, kind: SpanKind.PRODUCER, parent: traceContext, attributes });
  }

  #optionsOf(
    start: Started,
    workflowIdReusePolicy: 'REJECT_DUPLICATE' | 'ALLOW_DUPLICATE' | 'ALLOW_DUPLICATE_FAILED_ONLY',
    span?: Span,
  ) {
    const { workflow, workflowId, input } = start;
    const id = rowIdOf(workflow, workflowId);
    return {
      workflowId,
      taskQueue: this.#dependencies.taskQueue,
      args: [input] as [typeof input],
      workflowIdConflictPolicy: 'USE_EXISTING' as const,
      workflowIdReusePolicy,
      // A worker that dies while it signs at once is noticed by this, as by a missing heartbeat.
      ...(workflow === 'sign' || workflow === 'signGroup' ? { workflowTaskTimeout: SILENCE_MAX_MS } : {}),
      // Its activities inherit it: a worker gives each workspace its turn by it (workspace-turns.ts), and so does a
      // server that knows fairness.
      priority: { fairnessKey: start.input.workspaceId },
      memo: { id, ...(span === undefined ? {} : { traceparent: traceparentOf(span) }) },
      ...describe(start),
    };
  }

  /**
   * Waits until what is being started was tried and the confirmed rows are gone. What still waits for its turn is left
   * to the reconciler.
   */
  async drain(): Promise<void> {
    this.#queue.clear();
    this.#grouped?.clear();
    while (this.#starting + (this.#grouped?.starting ?? 0) > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await this.#deletion;
  }

  #next(): void {
    while (this.#starting < STARTS_AT_ONCE_MAX) {
      const entry = this.#queue.shift();
      if (entry === undefined) return;
      void this.#run(entry);
    }
  }

  /** Never rejects: what fails is left to the reconciler. */
  async #run(entry: OutboxEntry): Promise<void> {
    this.#starting += 1;
    await this.#tried(entry, [entry.id]);
    this.#starting -= 1;
    this.#next();
  }

  /** The rows of the outbox go when it is confirmed. False when it was not. */
  async #tried(start: Started, outboxIds: readonly bigint[]): Promise<boolean> {
    try {
      await this.#startOnce(start);
      this.#confirm(outboxIds);
      return true;
    } catch (error) {
      this.#dependencies.log.warn({ err: error, workflowId: start.workflowId }, 'workflow not started yet');
      return false;
    }
  }

  /** Rows go in batches: one statement for all that were confirmed while the last one ran. */
  #confirm(ids: readonly bigint[]): void {
    this.#confirmed.push(...ids);
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

const walletsOf = ({ members }: SigningGroup) => [...new Set(members.map(({ walletId }) => walletId))];

/** What the operator sees in the Temporal UI before the workflow says anything itself. */
function describe(start: Started) {
  const { firstStatus = 'pending', ...shown } = startedWorkflows[start.workflow];
  const { workspaceId } = start.input;
  const walletId = 'walletId' in start.input ? start.input.walletId : undefined;
  const networkCode = 'networkCode' in start.input ? start.input.networkCode : undefined;
  const attributes = new TypedSearchAttributes([
    { key: workspaceIdAttribute, value: workspaceId },
    { key: operationStatusAttribute, value: firstStatus },
    ...(walletId === undefined ? [] : [{ key: walletIdAttribute, value: walletId }]),
    ...('members' in start.input ? [{ key: walletIdsAttribute, value: walletsOf(start.input) }] : []),
    ...(networkCode === undefined ? [] : [{ key: networkCodeAttribute, value: networkCode }]),
  ]);
  const { input } = start;
  return {
    typedSearchAttributes: attributes,
    staticSummary: shown.summary(input),
    staticDetails: shown.details(input),
  };
}
