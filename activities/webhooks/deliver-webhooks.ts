// Sends webhooks. What is to be sent, and when, stands in rows: an activity that is repeated goes on where the rows
// are, so that an event may arrive twice (with the same `webhook-id`) and is never left out.
import { cancellationSignal } from '@temporalio/activity';
import { DELIVERY_ATTEMPT_MAX_MS, DELIVERY_ROUND_MS } from '../../domain/time-limits.ts';
import type { TargetRules } from '../../domain/webhook-target.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { findOrCreateServiceKey, type ServiceKey } from '../../drizzle/secrets/service-keys.ts';
import {
  type DueDelivery,
  failPendingDeliveries,
  listDueDeliveries,
  listProbes,
  type ProbeRules,
  untilNextDelivery,
  untilNextProbe,
} from '../../drizzle/webhooks/webhook-deliveries.ts';
import { disableWebhook, noteDelivered, noteFailing, readWebhook } from '../../drizzle/webhooks/webhooks.ts';
import { withHeartbeat } from '../runtime/with-heartbeat.ts';
import { AT_ONCE_MAX, deliverRound, type Seen, signingKeysOf } from './delivery-round.ts';
import type { Resolve } from './guarded-lookup.ts';
import { Sender } from './post-event.ts';
import { PROBED_AFTER_ATTEMPT, probedWaitMs, type Schedule, standardSchedule } from './retry-schedule.ts';

export interface DeliveryPace {
  schedule: Schedule;
  /** Between probes of an endpoint that did not take what was sent twice. */
  probeEveryMs: number;
  /** For the whole of an attempt. */
  timeoutMs: number;
  /** An endpoint that takes nothing for so long is disabled. */
  disableAfterMs: number;
  /** How long one activity goes on. */
  runForMs: number;
  /** The longest pause after a round in which nothing was answered. */
  restMaxMs: number;
}

const usualPace: DeliveryPace = {
  schedule: standardSchedule,
  probeEveryMs: 10_000,
  timeoutMs: DELIVERY_ATTEMPT_MAX_MS,
  disableAfterMs: 5 * 24 * 60 * 60_000,
  runForMs: DELIVERY_ROUND_MS,
  restMaxMs: 30_000,
};

export interface WebhookDependencies {
  db: Database;
  /** The one of today, then those that still decrypt. */
  keyEncryptionKeys: readonly Buffer[];
  targets: TargetRules;
  /** Where names lead; DNS when absent. */
  resolve?: Resolve;
  pace?: Partial<DeliveryPace>;
}

/**
 * What comes next: nothing for `restMs`, whatever happens; then the next attempt in `nextInMs` from now, or as soon as
 * there is more. Null: nothing is left.
 */
export interface Progress {
  restMs: number;
  nextInMs: number | null;
}

const BATCH_SIZE = 256;
/** After so long the endpoint is looked at again: it may be deleted, or have another secret. */
const ROUND_MAX_MS = 2_000;
const REST_SHORTEST_MS = 1_000;
/** A day on which an endpoint asks for a year is a day all the same. */
const RETRY_AFTER_REST_MAX_MS = 60 * 60_000;

export function createWebhookActivities({ pace: changed, ...dependencies }: WebhookDependencies) {
  const pace = { ...usualPace, ...changed };
  const serviceKey = remembered(() =>
    findOrCreateServiceKey(dependencies.db, 'webhooks', dependencies.keyEncryptionKeys),
  );
  return {
    /**
     * Idempotent by (delivery, attempt): an attempt that was recorded is not made again. One that was cut off before
     * that is, with the same `webhook-id`, and so is what was sent as a probe.
     */
    async deliverDue(webhookId: string): Promise<Progress> {
      const signal = cancellationSignal();
      return withHeartbeat(() => deliver({ ...dependencies, pace, serviceKey }, webhookId, signal));
    },
  };
}

export type WebhookActivities = ReturnType<typeof createWebhookActivities>;

type Delivering = Omit<WebhookDependencies, 'pace'> & { pace: DeliveryPace; serviceKey: () => Promise<ServiceKey> };

async function deliver(dependencies: Delivering, webhookId: string, signal: AbortSignal): Promise<Progress> {
  const { db, pace, targets, resolve } = dependencies;
  const sender = new Sender(targets, { timeoutMs: pace.timeoutMs, atOnceMax: AT_ONCE_MAX, resolve });
  const untilMs = Date.now() + pace.runForMs;
  let hasTaken = false;
  try {
    for (;;) {
      const webhook = await readWebhook(db, webhookId);
      if (webhook?.status !== 'active') {
        await failPendingDeliveries(db, webhookId);
        return { restMs: 0, nextInMs: null };
      }
      const { isProbe, deliveries } = await listNext(db, pace, webhookId, hasTaken);
      if (deliveries.length === 0) return await proceed(db, pace, webhookId, 0);
      const { privateKey } = await dependencies.serviceKey();
      const keys = signingKeysOf(webhook, dependencies.keyEncryptionKeys, privateKey);
      const roundUntilMs = Math.min(untilMs, Date.now() + ROUND_MAX_MS);
      const round = { db, sender, schedule: pace.schedule, signal, untilMs: roundUntilMs, isProbe };
      const seen = await deliverRound(round, { url: webhook.url, keys }, deliveries);
      hasTaken = seen.delivered > 0;
      const restMs = await conclude(db, pace, webhookId, seen);
      if (restMs > 0 || signal.aborted || Date.now() >= untilMs) return await proceed(db, pace, webhookId, restMs);
    }
  } finally {
    sender.close();
  }
}

interface Next {
  isProbe: boolean;
  deliveries: DueDelivery[];
}

/** What is due; else what the endpoint is probed with: one delivery, and once it has taken something, all that wait. */
async function listNext(db: Database, pace: DeliveryPace, webhookId: string, hasTaken: boolean): Promise<Next> {
  const due = await listDueDeliveries(db, webhookId, BATCH_SIZE);
  if (due.length > 0) return { isProbe: false, deliveries: due };
  const untilProbeMs = hasTaken ? 0 : await untilNextProbe(db, webhookId, probeRules(pace));
  if (untilProbeMs === undefined || untilProbeMs > 0) return { isProbe: true, deliveries: [] };
  return { isProbe: true, deliveries: await listProbes(db, webhookId, probeRules(pace), hasTaken ? BATCH_SIZE : 1) };
}

const probeRules = ({ schedule, probeEveryMs }: DeliveryPace): ProbeRules => ({
  afterAttempt: PROBED_AFTER_ATTEMPT,
  waitMaxMs: probedWaitMs(schedule),
  everyMs: probeEveryMs,
});

async function proceed(db: Database, pace: DeliveryPace, webhookId: string, restMs: number): Promise<Progress> {
  const dueInMs = await untilNextDelivery(db, webhookId);
  if (dueInMs === undefined) return { restMs: 0, nextInMs: null };
  const probeInMs = await untilNextProbe(db, webhookId, probeRules(pace));
  return { restMs, nextInMs: Math.min(dueInMs, probeInMs ?? dueInMs) };
}

/** What follows for the endpoint itself. Answers how long it is left alone. */
async function conclude(db: Database, pace: DeliveryPace, webhookId: string, seen: Seen): Promise<number> {
  if (seen.isGone) {
    await disable(db, webhookId, 'gone');
    return 0;
  }
  if (seen.delivered > 0) await noteDelivered(db, webhookId);
  else if (seen.failed > 0) {
    const failingMs = await noteFailing(db, webhookId);
    if (failingMs >= pace.disableAfterMs) {
      await disable(db, webhookId, 'failing');
      return 0;
    }
    if (seen.answered === 0) return Math.min(Math.max(failingMs / 4, REST_SHORTEST_MS), pace.restMaxMs);
  }
  return Math.min(seen.retryAfterMs, RETRY_AFTER_REST_MAX_MS);
}

async function disable(db: Database, webhookId: string, reason: 'gone' | 'failing'): Promise<void> {
  await db.transaction(async (tx) => {
    if (await disableWebhook(tx, webhookId, reason)) await failPendingDeliveries(tx, webhookId);
  });
}

/** Asked once; a failure is not remembered. */
function remembered<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let known: Promise<Value> | undefined;
  return () => {
    known ??= read().catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}
