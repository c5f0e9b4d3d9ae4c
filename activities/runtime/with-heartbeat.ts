// Tells Temporal, while an activity works, that its worker is alive: one that dies is noticed by its silence, however
// long the work may take.
import { heartbeat } from '@temporalio/activity';
import { HEARTBEAT_EVERY_MS } from '../../domain/time-limits.ts';

/** `details`: how far the work has come, for an attempt after this one. */
export async function withHeartbeat<Result>(work: () => Promise<Result>, details?: () => unknown): Promise<Result> {
  const stillHere = setInterval(() => heartbeat(details?.()), HEARTBEAT_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(stillHere);
  }
}
