// When a request that failed is sent again, and after how long. Sends nothing itself.
import { CountersignError, UnreachableError } from './errors.ts';

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;
/** A service that wants to be left alone for longer is left to the caller. */
const LONGEST_RETRY_AFTER_MS = 30_000;

const TRANSIENT_STATUSES: readonly number[] = [429, 500, 502, 503, 504];

/**
 * True for what may be gone a moment later: no answer, an overload, a part of the service that is away, or that another
 * client with this key signed an equal write in the same second: nothing was done for this one, and the next attempt is
 * signed at another second.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof UnreachableError) return true;
  if (!(error instanceof CountersignError)) return false;
  if (error.code === 'request_replayed') return true;
  return TRANSIENT_STATUSES.includes(error.status) && error.code !== 'route_disabled';
}

/** How long to pause after this attempt failed, the first being 1; undefined when there should be no other. */
export function pauseAfterMs(attempt: number, error: unknown): number | undefined {
  if (!isTransient(error)) return undefined;
  const asked = error instanceof CountersignError ? readRetryAfterMs(error.retryAfter ?? '') : undefined;
  if (asked !== undefined) return asked <= LONGEST_RETRY_AFTER_MS ? asked : undefined;
  const longest = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS);
  return longest * (0.5 + Math.random() / 2); // callers that failed together do not come back together
}

/** Seconds or a date (RFC 9110, section 10.2.3). */
function readRetryAfterMs(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

export async function pause(forMs: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, forMs);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
