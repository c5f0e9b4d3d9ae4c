// When a delivery that failed is tried again. Pure.
// Source: Standard Webhooks, "Deliverability and reliability": ten attempts within more than 75 hours, with jitter.

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

export interface Schedule {
  /** From each attempt but the last to the next one. */
  delaysMs: readonly number[];
  /**
   * What is added at random, as a part of the delay: never taken away, so that all of them last as long as they say.
   */
  jitter: number;
}

export const standardSchedule: Schedule = {
  delaysMs: [5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS)],
  jitter: 0.1,
};

/**
 * While deliveries wait for the attempt after this one, for minutes, the endpoint is probed: so what a receiver missed
 * while it was away for a moment arrives soon after it has come back. A probe that fails counts as no attempt.
 */
export const PROBED_AFTER_ATTEMPT = 2;

/** The longest that a delivery waits for the attempt after that one, unless the receiver asks for later. */
export const probedWaitMs = ({ delaysMs, jitter }: Schedule): number =>
  (delaysMs[PROBED_AFTER_ATTEMPT - 1] ?? 0) * (1 + jitter);

/** The receiver may ask for later than the schedule, within this bound. */
export const RETRY_AFTER_MAX_MS = 24 * HOUR_MS;

/** Milliseconds after attempt number `attempt`, which is 1 for the first. Null when it was the last. */
export function untilNextAttempt(schedule: Schedule, attempt: number, retryAfterMs: number): number | null {
  const delayMs = schedule.delaysMs[attempt - 1];
  if (delayMs === undefined) return null;
  return Math.max(delayMs * (1 + Math.random() * schedule.jitter), retryAfterMs);
}

/**
 * A `Retry-After` in seconds or as a date (RFC 9110, 10.2.3), in milliseconds from now. 0 for none, and for what is
 * neither.
 */
export function readRetryAfter(value: string | undefined, nowMs: number): number {
  if (value === undefined) return 0;
  const ms = /^\d{1,10}$/.test(value) ? Number(value) * SECOND_MS : Date.parse(value) - nowMs;
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), RETRY_AFTER_MAX_MS);
}
