// Waits until what an operation asks for is decided: approved, or ended by a rejection, a cancellation or its time. The
// row decides; a signal only says that it may have changed.
//
// 1. checkApproval reads the round, and ends it with its operation when its time is over; retried until the database is
//   back
// 2. wait             for the signal `changed` or the time; then again
import { condition, defineSignal, proxyLocalActivities, setHandler } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { rowOptions } from './activity-options.ts';

const { checkApproval } = proxyLocalActivities<Activities>(rowOptions);

export const changedSignal = defineSignal('changed');

/** Hears the signal from its making on: one for a workflow, made before anything is awaited. */
export class Changes {
  #received = false;

  constructor() {
    setHandler(changedSignal, () => {
      this.#received = true;
    });
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
  approved: boolean;
  /** Why it ended, where the row says it. */
  reason?: string;
}

export async function untilDecided(subjectId: string, changes: Changes): Promise<Decision> {
  for (;;) {
    changes.reset();
    const { standing, expiresInMs, reason } = await checkApproval(subjectId);
    if (standing === 'approved') return { approved: true };
    if (standing === 'ended') return { approved: false, ...(reason === undefined ? {} : { reason }) };
    await changes.waitFor(Math.max(expiresInMs, SHORTEST_WAIT_MS));
  }
}
