// The wire shapes of webhooks. The secret is part of two answers only: those that show it once.
import Type, { type Static } from 'typebox';
import { eventTypes } from '../../domain/events/event-types.ts';
import { deliveryStatuses, webhookStatuses, webhookStatusReasons } from '../../drizzle/webhooks/webhooks.ts';
import { commaList, listQuery } from '../http/paging.ts';

const dateTime = (description: string) => Type.String({ format: 'date-time', description });
const webhookId = Type.String({ format: 'uuid', description: 'Webhook id.' });
const deliveryId = Type.String({ format: 'uuid', description: 'Id of a delivery.' });
const eventId = Type.String({ format: 'uuid', description: 'Id of the event: the `webhook-id` of each attempt.' });
const eventType = Type.Enum([...eventTypes]);

export const webhookParams = Type.Object({ webhook_id: webhookId });
export const deliveryParams = Type.Object({ delivery_id: deliveryId });

const url = Type.String({
  minLength: 1,
  maxLength: 2_000,
  description:
    'Where events are posted to: https, without user name and password. Private and loopback targets are refused, also by what their name leads to, unless the deployment allows them; link-local, multicast, unspecified and reserved ones always are; and a sandbox takes http.',
});
const events = Type.Array(eventType, {
  uniqueItems: true,
  maxItems: eventTypes.length,
  description: 'Types of events that are delivered; all of them when empty.',
});
const description = Type.String({ maxLength: 500 });

export const createWebhookBody = Type.Object(
  { url, events, description: Type.Optional(description) },
  {
    additionalProperties: false,
    examples: [{ url: 'https://example.com/countersign', events: ['withdrawal.completed', 'deposit.confirmed'] }],
  },
);
export type CreateWebhookBody = Static<typeof createWebhookBody>;

export const changeWebhookBody = Type.Object(
  {
    url: Type.Optional(url),
    events: Type.Optional(events),
    description: Type.Optional(Type.Union([description, Type.Null()], { description: 'null takes it away.' })),
    status: Type.Optional(
      Type.Enum(['active', 'disabled'], {
        description:
          'What waits for an endpoint that is disabled is sent no more, and events meanwhile are not kept for it: `replay` brings both back.',
      }),
    ),
  },
  { additionalProperties: false, minProperties: 1, examples: [{ events: [], description: 'Everything' }] },
);
export type ChangeWebhookBody = Static<typeof changeWebhookBody>;

export const replayBody = Type.Object(
  {
    from: dateTime('Events of this moment or later.'),
    to: dateTime('Events before this moment.'),
    types: Type.Optional(
      Type.Array(eventType, {
        minItems: 1,
        uniqueItems: true,
        maxItems: eventTypes.length,
        description: 'Only of these types; those of the webhook when absent.',
      }),
    ),
  },
  { additionalProperties: false, examples: [{ from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }] },
);
export type ReplayBody = Static<typeof replayBody>;

const statusReason = Type.Optional(
  Type.Enum([...webhookStatusReasons], {
    description:
      'Why it is disabled: a caller asked for it, it answered 410, or nothing was taken for five days. Absent unless disabled.',
  }),
);

export const webhookEventData = Type.Object({ webhook_id: webhookId, status_reason: statusReason });

const webhookFields = {
  id: webhookId,
  workspace_id: Type.String({ format: 'uuid' }),
  url: Type.String(),
  events: Type.Array(Type.String(), { description: 'All types when empty.' }),
  description: Type.Optional(Type.String()),
  status: Type.Enum([...webhookStatuses]),
  status_reason: statusReason,
  failing_since: Type.Optional(dateTime('Since when every attempt has failed; absent while they do not.')),
  previous_secret_expires_at: Type.Optional(
    dateTime('Until when the secret before the last rotation still signs too.'),
  ),
  created_at: dateTime('When it was made.'),
  updated_at: dateTime('When it was last changed.'),
};

export const webhookRecord = Type.Object(webhookFields, { title: 'Webhook' });

export const webhookWithSecret = Type.Object(
  {
    ...webhookFields,
    secret: Type.Optional(
      Type.String({
        description:
          '`whsec_` and base64: what verifies `v1` signatures. Shown once, to who makes the webhook or rotates its secret, and in no list: a repeat of the request under its X-Idempotency-Key answers the record without it.',
      }),
    ),
  },
  { title: 'Webhook' },
);

const attemptRecord = Type.Object({
  attempt: Type.Integer({ description: '1 for the first, 10 for the last.' }),
  started_at: dateTime('When it began.'),
  duration_ms: Type.Integer(),
  status_code: Type.Optional(Type.Integer({ description: 'Absent when there was no answer.' })),
  error: Type.Optional(Type.String({ description: 'Why it failed, in a sentence; absent when it was taken.' })),
});

export const deliveryRecord = Type.Object(
  {
    id: deliveryId,
    webhook_id: webhookId,
    event_id: eventId,
    event_type: eventType,
    event_seq: Type.Integer({ description: 'The number of the event in the feed of its workspace.' }),
    status: Type.Enum([...deliveryStatuses], {
      description: '`failed`: ten attempts failed, or the webhook was disabled or deleted. It is sent no more.',
    }),
    replayed: Type.Boolean({ description: 'Somebody asked for it again.' }),
    next_attempt_at: Type.Optional(
      dateTime('By the schedule; a probe may come sooner while it waits for its third attempt. Absent unless pending.'),
    ),
    attempts: Type.Array(attemptRecord),
    created_at: dateTime('When it was to be delivered first.'),
    updated_at: dateTime('When it was last tried.'),
  },
  { title: 'WebhookDelivery' },
);

export const deliveryQuery = listQuery({
  status: commaList(Type.Enum([...deliveryStatuses]), 'Only deliveries with these statuses.'),
  event_type: commaList(eventType, 'Only deliveries of events of these types.'),
});

export const pingAnswer = Type.Object({ event_id: eventId });

export const replayAnswer = Type.Object({
  deliveries: Type.Integer({
    description: 'How many were made. Events of which a delivery is pending already are not among them.',
  }),
});

export const verificationKey = Type.Object({
  public_key: Type.String({
    description:
      'Raw 32 bytes of the Ed25519 key, base64: what verifies `v1a` signatures of every webhook of the service. Libraries of the Standard Webhooks specification take it with `whpk_` before it.',
  }),
});
