// Waits for an operation: the service holds each read until the operation is final (`Prefer: wait`), so a wait is a few
// requests, not many.
import { OperationOpenError } from './errors.ts';
import { isTransient, pause } from './retry.ts';
import type { Answer, Transport } from './transport.ts';

const WAIT_MS = 120_000;
/** The longest that the service holds one read. */
export const HELD_MAX_SECONDS = 30;
const ANSWER_MARGIN_MS = 15_000;
/** Between reads that the service answers at once, as it does when too many wait. */
const PAUSE_MS = 500;

export interface WaitOptions {
  /** Two minutes when absent. The operation itself goes on. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** An operation that was asked for: awaited, it is what the service accepted; `wait` resolves with its end. */
export type Pending<Accepted, Final> = Promise<Accepted> & { wait(options?: WaitOptions): Promise<Final> };

export function pending<Accepted, Final>(
  accepted: Promise<Accepted>,
  wait: (accepted: Accepted, options?: WaitOptions) => Promise<Final>,
): Pending<Accepted, Final> {
  return Object.assign(accepted, { wait: async (options?: WaitOptions) => wait(await accepted, options) });
}

/**
 * Reads `path` until it shows a final state. Outlives a service that is away for a while. Throws OperationOpenError
 * when the time is up.
 */
export async function untilFinal<State>(
  transport: Transport,
  { id, path, isFinal }: { id: string; path: string; isFinal: (state: State) => boolean },
  { timeoutMs = WAIT_MS, signal }: WaitOptions = {},
): Promise<State> {
  const deadline = Date.now() + timeoutMs;
  let seen: State | undefined;
  for (;;) {
    const leftMs = deadline - Date.now();
    if (leftMs <= 0) throw new OperationOpenError(id, timeoutMs, seen as object | undefined);
    const answer = await readHeld(transport, path, leftMs, signal);
    if (answer !== undefined) seen = answer.data as State;
    if (answer !== undefined && isFinal(answer.data as State)) return answer.data as State;
    if (answer?.headers.get('preference-applied') !== 'wait')
      await pause(Math.min(PAUSE_MS, Math.max(0, deadline - Date.now())), signal);
  }
}

/** Undefined when the service cannot answer now. */
export async function readHeld(
  transport: Transport,
  path: string,
  leftMs: number,
  signal: AbortSignal | undefined,
): Promise<Answer | undefined> {
  const seconds = Math.min(HELD_MAX_SECONDS, Math.ceil(leftMs / 1000));
  const headers = { Prefer: `wait=${seconds}` };
  const answerWithinMs = seconds * 1000 + ANSWER_MARGIN_MS;
  try {
    return await transport.send({ method: 'GET', path, headers, answerWithinMs, signal });
  } catch (error) {
    if (isTransient(error)) return undefined;
    throw error;
  }
}
