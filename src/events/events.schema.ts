// The wire shapes of events: in the feed, and as they are sent to webhooks.
import Type from 'typebox';
import { type EventType, eventTypes } from '../../domain/events/event-types.ts';
import { commaList, LIMIT_DEFAULT, LIMIT_MAX } from '../http/paging.ts';
import { eventDescriptions } from './event-data.ts';

export interface Event {
  seq: number;
  id: string;
  type: EventType;
  timestamp: string;
  data: Readonly<Record<string, unknown>>;
}

/** Types whose data has one shape are one shape. */
const shapes = [...new Set(eventTypes.map((type) => eventDescriptions[type].name))].map((dataName) =>
  Type.Object(
    {
      seq: Type.Integer({
        description: 'Its place in the feed of the workspace: 1, 2, 3 and so on. Deliveries may come out of order.',
      }),
      id: Type.String({
        format: 'uuid',
        description: 'The same in the feed and in each attempt of a delivery: its `webhook-id`.',
      }),
      type: Type.Enum(eventTypes.filter((type) => eventDescriptions[type].name === dataName)),
      timestamp: Type.String({ format: 'date-time', description: 'When it happened.' }),
      data: Type.Ref(dataName),
    },
    { title: eventName(dataName) },
  ),
);

export const event = Type.Unsafe<Event>({
  type: 'object',
  title: 'Event',
  required: ['type'],
  discriminator: { propertyName: 'type' },
  oneOf: shapes,
});

export const eventsQuery = Type.Object(
  {
    after_seq: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          'Only events after this place: the `seq` of the last one that was read. Without it from the oldest that is kept.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: LIMIT_MAX, description: `Events in a page; ${LIMIT_DEFAULT} when absent.` }),
    ),
    type: commaList(Type.Enum([...eventTypes]), 'Only of these types.'),
  },
  { additionalProperties: false, explode: false },
);

/** The `webhooks` of the OpenAPI document: what an endpoint is sent. */
export const webhookDescriptions = Object.fromEntries(
  eventTypes.map((type) => [type, { post: describeWebhook(type) }]),
);

function describeWebhook(type: EventType) {
  const { description, name } = eventDescriptions[type];
  const words = type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const schema = { $ref: `#/components/schemas/${eventName(name)}` };
  return {
    operationId: `on${words}`,
    tags: ['webhooks'],
    summary: description,
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { '2XX': { description: 'It was taken. Any other answer has it sent again.' } },
  };
}

/** The `DepositEvent` has `DepositEventData`. */
function eventName(dataName: string): string {
  return dataName.replace(/Data$/, '');
}
