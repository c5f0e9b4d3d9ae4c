// One round of deliveries to one endpoint: what is due is sent, several at once, and each attempt is recorded when the
// round is over. It ends early when the endpoint asks for time, is gone, or does not answer at all.
import type { KeyObject } from 'node:crypto';
import type { Database } from '../../drizzle/database/connection.ts';
import { decryptSecret } from '../../drizzle/secrets/encrypted-secret.ts';
import { type Attempt, type DueDelivery, noteProbed } from '../../drizzle/webhooks/webhook-deliveries.ts';
import type { WebhookRow } from '../../drizzle/webhooks/webhooks.ts';
import { AttemptLog } from './attempt-log.ts';
import { type Answer, describeFailure, type Sender } from './post-event.ts';
import { readRetryAfter, type Schedule, untilNextAttempt } from './retry-schedule.ts';
import { bodyOf, type SigningKeys, signedHeaders } from './signature.ts';

export const AT_ONCE_MAX = 8;
const GONE = 410;

export interface RoundDependencies {
  db: Database;
  sender: Sender;
  schedule: Schedule;
  /** Nothing new is sent once it is; what is under way is given up and counts as never made. */
  signal: AbortSignal;
  untilMs: number;
  /** What is sent is not due yet: only what is taken counts as an attempt. */
  isProbe: boolean;
}

/** What was seen of the endpoint. */
export interface Seen {
  delivered: number;
  failed: number;
  answered: number;
  isGone: boolean;
  /** What it asked for by `Retry-After`. */
  retryAfterMs: number;
}

export async function deliverRound(
  dependencies: RoundDependencies,
  { url, keys }: { url: string; keys: SigningKeys },
  due: readonly DueDelivery[],
): Promise<Seen> {
  const { db, sender, schedule, signal, untilMs, isProbe } = dependencies;
  const seen: Seen = { delivered: 0, failed: 0, answered: 0, isGone: false, retryAfterMs: 0 };
  const log = new AttemptLog(db);
  const isOver = () =>
    signal.aborted ||
    Date.now() >= untilMs ||
    seen.isGone ||
    seen.retryAfterMs > 0 ||
    (seen.answered === 0 && seen.failed >= AT_ONCE_MAX);
  const rest = due.values();
  const sendRest = async () => {
    for (const delivery of rest) {
      const startedAt = new Date();
      const result = await send(sender, { url, keys, delivery, startedAt }, signal);
      if (result === undefined) return;
      const attempt = judge(schedule, delivery, startedAt, result);
      note(seen, result, attempt);
      if (isProbe && attempt.status !== 'delivered') await noteProbed(db, delivery.id);
      else await log.record(attempt);
      if (isOver()) return;
    }
  };
  const runs = await Promise.allSettled(Array.from({ length: AT_ONCE_MAX }, sendRest));
  await log.flush();
  for (const run of runs) if (run.status === 'rejected') throw run.reason;
  return seen;
}

interface Result {
  answer: Answer | undefined;
  error: string | null;
  retryAfterMs: number;
}

/** Undefined when this process gave it up. */
async function send(
  sender: Sender,
  { url, keys, delivery, startedAt }: { url: string; keys: SigningKeys; delivery: DueDelivery; startedAt: Date },
  signal: AbortSignal,
): Promise<Result | undefined> {
  const body = bodyOf(delivery.event);
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': 'Countersign-Webhooks',
    ...signedHeaders(keys, { id: delivery.event.id, at: startedAt, body }),
  };
  try {
    const answer = await sender.post({ url, headers, body }, signal);
    const retryAfterMs = isSuccess(answer) ? 0 : readRetryAfter(answer.retryAfter, Date.now());
    return { answer, error: isSuccess(answer) ? null : describeAnswer(answer), retryAfterMs };
  } catch (error) {
    if (signal.aborted) return undefined;
    return { answer: undefined, error: describeFailure(error), retryAfterMs: 0 };
  }
}

const isSuccess = ({ statusCode }: Answer) => statusCode >= 200 && statusCode < 300;

function describeAnswer({ statusCode }: Answer): string {
  const isRedirect = statusCode >= 300 && statusCode < 400;
  return `it answered ${statusCode}${isRedirect ? ', and redirects are not followed' : ''}`;
}

function judge(schedule: Schedule, delivery: DueDelivery, startedAt: Date, result: Result): Attempt {
  const attempt = delivery.attempts + 1;
  const againInMs = result.error === null ? null : untilNextAttempt(schedule, attempt, result.retryAfterMs);
  const failed = againInMs === null ? ('failed' as const) : ('pending' as const);
  return {
    deliveryId: delivery.id,
    attempt,
    startedAt,
    durationMs: Date.now() - startedAt.getTime(),
    statusCode: result.answer?.statusCode ?? null,
    error: result.error,
    status: result.error === null ? 'delivered' : failed,
    againInMs,
  };
}

function note(seen: Seen, { answer, retryAfterMs }: Result, { status }: Attempt): void {
  if (status === 'delivered') seen.delivered += 1;
  else seen.failed += 1;
  if (answer !== undefined) seen.answered += 1;
  if (answer?.statusCode === GONE) seen.isGone = true;
  seen.retryAfterMs = Math.max(seen.retryAfterMs, retryAfterMs);
}

/** Decrypted for one round. */
export function signingKeysOf(
  webhook: WebhookRow,
  keyEncryptionKeys: readonly Buffer[],
  serviceKey: KeyObject,
): SigningKeys {
  const { id, encryptedSecret, encryptedFormerSecret, formerSecretUntil } = webhook;
  const signsToo =
    encryptedFormerSecret !== null && formerSecretUntil !== null && formerSecretUntil.getTime() > Date.now();
  const encrypted = signsToo ? [encryptedSecret, encryptedFormerSecret] : [encryptedSecret];
  return { secrets: encrypted.map((one) => decryptSecret(keyEncryptionKeys, id, one).secret), serviceKey };
}
