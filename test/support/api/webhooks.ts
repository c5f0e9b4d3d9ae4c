// What tests of webhooks share: receivers that answer as the test says, workers that deliver, and events that are
// recorded as a change would record them.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'drizzle-orm';
import { createWebhookActivities, type WebhookDependencies } from '../../../activities/webhooks/deliver-webhooks.ts';
import type { EventType } from '../../../domain/events/event-types.ts';
import { webhookQueueOf } from '../../../workflows/task-queues.ts';
import { testTemporal } from '../processes/temporal.ts';
import { startTestWorker } from '../processes/worker.ts';
import { keyEncryptionKey } from '../rows/seals.ts';
import { type TestApi } from './api.ts';
import { recordAnyEvent, sequenceOnce } from './events.ts';

export interface Received {
  headers: Record<string, string>;
  body: string;
  atMs: number;
}

/** A status, an answer of the test's own, or none at all. */
export type Answering = (request: Received, place: number, response: ServerResponse) => number | 'own' | 'none';

export interface Receiver {
  url: string;
  received: Received[];
  answer: Answering;
  stop(): Promise<void>;
}

/** On this machine, on a free port unless one is given. 200 unless the test says otherwise. */
export async function startReceiver(answer: Answering = () => 200, port = 0): Promise<Receiver> {
  const receiver: Receiver = { url: '', received: [], answer, stop: async () => {} };
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const headers = request.headers as Record<string, string>;
      const received = { headers, body, atMs: Date.now() };
      const place = receiver.received.push(received) - 1;
      const status = receiver.answer(received, place, response);
      if (typeof status === 'number') response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  receiver.stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return receiver;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

export const pathsOf = ({ workspaceId }: { workspaceId: string }) => ({
  webhooks: `/api/v1/workspaces/${workspaceId}/webhooks`,
  verificationKey: `/api/v1/workspaces/${workspaceId}/webhook-verification-key`,
});

let made = 0;
/** Two equal writes in one second would be a replay. */
export const anotherSecond = () => ({ timestamp: Math.floor(Date.now() / 1000) - 250 + (made++ % 500) });

export interface TestWebhook {
  id: string;
  secret: string;
}

export async function makeWebhook(api: TestApi, url: string, events: EventType[] = []): Promise<TestWebhook> {
  const { status, body } = await api.call('POST', pathsOf(api).webhooks, { url, events }, anotherSecond());
  if (status !== 201) throw new Error(`the webhook was not made: ${JSON.stringify(body)}`);
  return body.data;
}

/** As the worker of the product: one queue for workflows, one for what sends. */
export async function startDelivering(api: TestApi, options: Partial<WebhookDependencies> = {}) {
  const activities = createWebhookActivities({
    db: api.db,
    keyEncryptionKeys: [Buffer.from(keyEncryptionKey, 'hex')],
    targets: { allowPrivate: true, httpsOnly: false },
    ...options,
  });
  const temporal = { ...testTemporal('webhooks'), taskQueue: api.taskQueue };
  const workflows = await startTestWorker({ temporal, activities: {} });
  const sending = await startTestWorker({
    temporal: { ...temporal, taskQueue: webhookQueueOf(api.taskQueue) },
    activities: activities as object,
  });
  return {
    client: workflows.client,
    stop: async () => {
      await sending.stop();
      await workflows.stop();
    },
  };
}

/**
 * Records events about nothing in particular, numbered from `from`, and gives them their places, as the sequencer does.
 * Returns their ids in the order of the feed.
 */
export async function recordEvents(
  api: TestApi,
  count: number,
  { type = 'wallet.frozen', from = 0 }: { type?: EventType; from?: number } = {},
): Promise<string[]> {
  const says = sql`jsonb_build_object('number', number, 'name', 'née “Ωmega”')`;
  const recorded = await api.db.execute<{ id: string }>(sql`
    select ${recordAnyEvent(api.workspaceId, type, says)} as id
    from generate_series(${from}::int, ${from + count - 1}::int) as number`);
  await placeEvents(api);
  return recorded.map(({ id }) => id);
}

/** One round of the sequencer after another, until nothing waits. */
export async function placeEvents(api: TestApi): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const round = await sequenceOnce(api.db);
    for (const entry of round.entries) api.starter.enqueue(entry);
    ids.push(...round.sequenced.map(({ id }) => id));
    if (!round.isFull) return ids;
  }
}

/** Short, and often none at all: a timer of Temporal takes about a second, however short it is. */
export const quickly = {
  schedule: { delaysMs: [50, 0, 0, 200, 0, 0, 0, 0, 100], jitter: 0 },
  timeoutMs: 5_000,
  restMaxMs: 100,
};
