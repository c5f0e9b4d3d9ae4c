// The wire shapes of events: in the feed, and as they are sent to webhooks.
import Type from 'typebox';
import { type EventType, eventTypes } from '../../domain/events/event-types.ts';
import { commaList, LIMIT_DEFAULT, LIMIT_MAX } from '../http/paging.ts';
import { eventDescriptions } from './event-data.ts';

const moment = (description: string) => Type.String({ format: 'date-time', description });
const dataOf = (type: EventType) => Type.Ref(eventDescriptions[type].name);

export interface Event {
  seq: number;
  id: string;
  type: EventType;
  timestamp: string;
  data: Readonly<Record<string, unknown>>;
}

/** One shape a type. */
export const event = Type.Unsafe<Event>({
  type: 'object',
  title: 'Event',
  required: ['type'],
  discriminator: { propertyName: 'type' },
  oneOf: eventTypes.map((type) =>
    Type.Object(
      {
        seq: Type.Integer({ description: 'Its place in the feed of the workspace: 1, 2, 3 and so on.' }),
        id: Type.String({ format: 'uuid', description: 'The same as the `webhook-id` of its deliveries.' }),
        type: Type.Literal(type),
        timestamp: moment('When it happened.'),
        data: dataOf(type),
      },
      { description: eventDescriptions[type].description },
    ),
  ),
});

export const eventsQuery = Type.Object(
  {
    after_seq: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Only events after this place: the `seq` of the last one that was read.',
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
  const schema = {
    type: 'object' as const,
    required: ['type', 'timestamp', 'data', 'id', 'seq'],
    properties: {
      type: Type.Literal(type),
      timestamp: moment('When it happened.'),
      data: { $ref: `#/components/schemas/${name}` },
      id: Type.String({ format: 'uuid', description: 'The same in each attempt, and in the feed: the `webhook-id`.' }),
      seq: Type.Integer({ description: 'Its place in the feed of the workspace: deliveries may come out of order.' }),
    },
  };
  return {
    tags: ['webhooks'],
    summary: description,
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { '2XX': { description: 'It was taken. Any other answer has it sent again.' } },
  };
}
