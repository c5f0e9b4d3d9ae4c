// Waits until what an operation asks for is decided: approved, or ended by a rejection, a cancellation or its time. The
// row decides, and a signal says that it may have changed. Of one that a caller ended the signal says that as well, so
// that the history knows it, and a row that says otherwise is not believed.
//
// 1. checkApproval reads the round, and ends it with its operation when its time is over; retried until the database is
//   back
// 2. wait             for the signal `changed` or the time; then again
import {
  condition,
  defineQuery,
  defineSignal,
  proxyLocalActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { ENDED_QUERY, type OperationChange, type RunFacts } from '../domain/workflow-runs.ts';
import { rowOptions } from './activity-options.ts';

const { checkApproval } = proxyLocalActivities<Activities>(rowOptions);

export const changedSignal = defineSignal<[OperationChange?]>('changed');
const endedQuery = defineQuery<boolean>(ENDED_QUERY);

/** Hears the signal from its making on: one for a workflow, made before anything is awaited. */
export class Changes {
  #received = false;
  #ended: boolean;

  /** `ended`: as the input of the workflow says. */
  constructor({ ended }: OperationChange = {}) {
    this.#ended = ended === true;
    setHandler(changedSignal, (change) => {
      this.#received = true;
      this.#ended ||= change?.ended === true;
    });
    setHandler(endedQuery, () => this.#ended);
  }

  /** A caller has ended the operation. */
  get ended(): boolean {
    return this.#ended;
  }

  /** What activities are told of this run. */
  get facts(): RunFacts {
    const { workflowId, startTime, parent } = workflowInfo();
    return {
      startedAt: startTime.toISOString(),
      workflowId,
      ...(this.#ended ? { ended: true } : {}),
      ...(parent === undefined ? {} : { parentId: parent.workflowId }),
    };
  }

  /** What is read after this is newer than every signal before it. */
  reset(): void {
    this.#received = false;
  }

  get received(): boolean {
    return this.#received;
  }

  /** False when the time is up. */
  waitFor(timeoutMs: number): Promise<boolean> {
    return condition(() => this.#received, timeoutMs);
  }
}

/** A timer that is early by the database's clock waits a little more. */
const SHORTEST_WAIT_MS = 1_000;

export interface Decision {
  /** `contradicted`: its row waits for approvals although a caller has ended it. Whatever goes on by it is refused. */
  outcome: 'approved' | 'ended' | 'contradicted';
  /** Why it ended, where the row says it. */
  reason?: string;
}

export async function untilDecided(subjectId: string, changes: Changes): Promise<Decision> {
  for (;;) {
    changes.reset();
    const { standing, expiresInMs, reason } = await checkApproval(subjectId);
    if (standing === 'approved') return { outcome: 'approved' };
    if (standing === 'ended') return { outcome: 'ended', ...(reason === undefined ? {} : { reason }) };
    if (changes.ended) return { outcome: 'contradicted' };
    await changes.waitFor(Math.max(expiresInMs, SHORTEST_WAIT_MS));
  }
}
