// Rows of webhooks and deliveries as the wire shows them. No secret is part of them.
import type { AttemptRow, DeliveryRow, RecordedWebhook, WebhookRow } from '../../drizzle/webhooks/webhooks.ts';

export function toWebhookRecord(row: WebhookRow) {
  const { description, statusReason, failingSince, formerSecretUntil } = row;
  const overlaps = formerSecretUntil !== null && formerSecretUntil.getTime() > Date.now();
  return {
    id: row.id,
    workspace_id: row.workspaceId,
    url: row.url,
    events: row.events,
    ...(description === null ? {} : { description }),
    status: row.status,
    ...(statusReason === null ? {} : { status_reason: statusReason }),
    ...(failingSince === null ? {} : { failing_since: failingSince.toISOString() }),
    ...(overlaps ? { previous_secret_expires_at: formerSecretUntil.toISOString() } : {}),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

export const toWebhookEventData = ({ id, statusReason }: RecordedWebhook) => ({
  webhook_id: id,
  ...(statusReason === null ? {} : { status_reason: statusReason }),
});

export function toDeliveryRecord(row: DeliveryRow, attempts: readonly AttemptRow[] = []) {
  return {
    id: row.id,
    webhook_id: row.webhookId,
    event_id: row.eventId,
    event_type: row.eventType,
    event_seq: row.eventSeq,
    status: row.status,
    replayed: row.replayed,
    ...(row.nextAttemptAt === null ? {} : { next_attempt_at: row.nextAttemptAt.toISOString() }),
    attempts: attempts.map(toAttempt),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

const toAttempt = ({ attempt, startedAt, durationMs, statusCode, error }: AttemptRow) => ({
  attempt,
  started_at: startedAt.toISOString(),
  duration_ms: durationMs,
  ...(statusCode === null ? {} : { status_code: statusCode }),
  ...(error === null ? {} : { error }),
});
