// Goal: the OpenAPI document describes every type of event once, in the feed and as a webhook, by the same data.
// Method: the document as it is made.
import { expect, test } from 'vitest';
import { bodyOf } from '../../../activities/webhooks/signature.ts';
import { eventTypes } from '../../../domain/events/event-types.ts';
import { describeApi } from '../../../src/describe-api.ts';

interface Reference {
  $ref: string;
}
interface EventShape {
  required: string[];
  properties: { type: { const?: string; enum?: string[] }; data: Reference };
}
interface Described {
  components: {
    schemas: Record<string, object> & {
      Event: { oneOf: Reference[]; discriminator: { mapping: Record<string, string> } };
    };
  };
  webhooks: Record<string, { post: { requestBody: { content: { 'application/json': { schema: Reference } } } } }>;
}

const { components, webhooks } = (await describeApi()) as Described;
const schemaAt = ({ $ref }: Reference) => components.schemas[$ref.replace('#/components/schemas/', '')] as EventShape;
const sentOf = (type: string) => webhooks[type]?.post.requestBody.content['application/json'].schema ?? { $ref: '' };

test('each type has its webhook, and the same shape in the feed', () => {
  const { oneOf, discriminator } = components.schemas.Event;
  expect(Object.keys(webhooks)).toEqual(eventTypes);
  expect(Object.keys(discriminator.mapping).toSorted()).toEqual(eventTypes.toSorted());
  for (const type of eventTypes) {
    expect(discriminator.mapping[type]).toBe(sentOf(type).$ref);
    expect(oneOf).toContainEqual(sentOf(type));
    const { properties } = schemaAt(sentOf(type));
    expect(properties.type.enum ?? [properties.type.const]).toContain(type);
    expect(schemaAt(properties.data)).toBeDefined();
  }
});

test('what an endpoint is sent is described with every name that its body has', () => {
  const sent = { id: '', seq: 1, type: eventTypes[0], data: {}, createdAt: new Date() };
  const names = Object.keys(JSON.parse(bodyOf(sent)) as object).toSorted();
  for (const type of eventTypes) {
    const { required, properties } = schemaAt(sentOf(type));
    expect([Object.keys(properties).toSorted(), required.toSorted()]).toEqual([names, names]);
  }
});
