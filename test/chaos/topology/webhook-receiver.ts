// Receives the webhooks of the run: verifies each as the client's documentation says, and remembers which events came.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook } from '../../../src/client/client.ts';

export interface WebhookReceiver {
  url: string;
  /** Set once the webhook is made; before, every delivery is answered 503. */
  secret: string | undefined;
  /** Ids of the events that arrived and verified. */
  events: Set<string>;
  deliveries: number;
  /** Sentences about what came and did not verify. */
  refused: string[];
  stop: () => void;
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const receiver: WebhookReceiver = {
    url: '',
    secret: undefined,
    events: new Set(),
    deliveries: 0,
    refused: [],
    stop: () => {},
  };
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const body = Buffer.concat(await request.toArray()).toString('utf8');
    if (receiver.secret === undefined) return void response.writeHead(503).end();
    receiver.deliveries += 1;
    try {
      const event = await verifyWebhook({ body, headers: request.headers }, { secret: receiver.secret });
      receiver.events.add(event.id);
      response.writeHead(200).end();
    } catch (error) {
      receiver.refused.push((error as Error).message);
      response.writeHead(400).end();
    }
  };
  const server = createServer((request, response) => void take(request, response).catch(() => response.destroy()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  receiver.stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return receiver;
}
