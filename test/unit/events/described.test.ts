// Goal: the OpenAPI document describes every type of event once, in the feed and as a webhook, by the same data. Method: the document as it is made.
import { expect, test } from 'vitest';
import { bodyOf } from '../../../activities/webhooks/signature.ts';
import { eventTypes } from '../../../domain/events/event-types.ts';
import { describeApi } from '../../../src/describe-api.ts';

interface EventShape {
  required: string[];
  properties: { type: { const?: string; enum?: string[] }; data: { $ref: string } };
}
interface Json<Schema> {
  content: { 'application/json': { schema: Schema } };
}
interface Described {
  components: { schemas: Record<string, object> };
  paths: Record<
    string,
    { get: { responses: { 200: Json<{ properties: { data: { items: { oneOf: EventShape[] } } } }> } } }
  >;
  webhooks: Record<string, { post: { requestBody: Json<EventShape> } }>;
}

test('each type has its webhook, and the same data in the feed', async () => {
  const { components, paths, webhooks } = (await describeApi()) as Described;
  const read = ({ properties: { type, data } }: EventShape) => [type.const ?? type.enum?.join(), data.$ref];
  const answer = paths['/api/v1/workspaces/{workspace_id}/events']?.get.responses[200].content['application/json'];
  const inFeed = answer?.schema.properties.data.items.oneOf.map(read) ?? [];
  const sent = Object.values(webhooks).map(({ post }) => read(post.requestBody.content['application/json'].schema));
  expect(Object.keys(webhooks)).toEqual(eventTypes);
  expect(sent.map(([type]) => type)).toEqual(eventTypes);
  expect(inFeed).toEqual(sent);
  const known = Object.keys(components.schemas).map((name) => `#/components/schemas/${name}`);
  for (const [, ref] of sent) expect(known).toContain(ref);
});

test('what an endpoint is sent is described with every name that its body has', async () => {
  const { webhooks } = (await describeApi()) as Described;
  const sent = { id: '', seq: 1, type: eventTypes[0], data: {}, createdAt: new Date() };
  const names = Object.keys(JSON.parse(bodyOf(sent)) as object);
  for (const { post } of Object.values(webhooks)) {
    const { required, properties } = post.requestBody.content['application/json'].schema;
    expect([Object.keys(properties).toSorted(), required.toSorted()]).toEqual([names.toSorted(), names.toSorted()]);
  }
});
