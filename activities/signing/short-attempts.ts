// The short attempt at a signature, in the worker that is asked for it: of an operation that came alone, of the members
// of a group, and of what a withdrawal has signed. How many are made side by side, and for how long one goes on, is
// said here alone. What becomes of an operation that is still open then, or is refused, is for those who ask.
import { cancellationSignal } from '@temporalio/activity';
import { AT_ONCE_MAX_MS } from '../../domain/time-limits.ts';
import { isForGood, openAfter, type SigningOpen } from './attempt-failure.ts';
import { AttemptPlaces } from './attempt-places.ts';
import type { AskedAttempt, SignatureAttempts, SigningEnd } from './attempt-signature.ts';

/**
 * So many are made at once in a worker. More would not be signed sooner, and all of them might run out of their time.
 * The others wait, in turn.
 */
const SIDE_BY_SIDE_MAX = 40;

export interface AskedShortly extends Omit<AskedAttempt, 'numberMin' | 'abort'> {
  /** Those of one line come one after the other, and lines take turns. */
  line: string;
  /** Ends the wait for a place. */
  mayWait: AbortSignal;
}

export class ShortAttempts {
  readonly #attempts: SignatureAttempts;
  readonly #places = new AttemptPlaces(SIDE_BY_SIDE_MAX);

  constructor(attempts: SignatureAttempts) {
    this.#attempts = attempts;
  }

  /**
   * Idempotent by signing id (attempt-signature.ts). What was not done, and may be done later, is open; throws what is
   * of no use to try again.
   */
  async make({ line, mayWait, ...asked }: AskedShortly): Promise<SigningEnd | SigningOpen> {
    if (!(await this.#places.wait(line, mayWait))) return { status: 'open', code: 'cluster_busy', afterMs: 0 };
    try {
      return await this.#attempts.make({ ...asked, numberMin: 1, abort: within(AT_ONCE_MAX_MS) });
    } catch (error) {
      if (isForGood(error)) throw error;
      return openAfter(error);
    } finally {
      this.#places.leave();
    }
  }
}

/** Aborts when the time is over, or the activity that asks is cancelled. */
export const within = (ms: number): AbortSignal => AbortSignal.any([cancellationSignal(), AbortSignal.timeout(ms)]);
