// Goal: a status that came in time is the answer, whatever its body does afterwards. Method: the sender of the product,
// and a receiver whose body drips and never ends.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Sender } from '../../../activities/webhooks/post-event.ts';

let server: Server;
let url: string;
const drips = new Set<NodeJS.Timeout>();

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume();
    response.writeHead(Number(request.headers['x-status']), { 'retry-after': '7' });
    drips.add(setInterval(() => response.write('.'), 50));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  for (const drip of drips) clearInterval(drip);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test.concurrent.each([200, 201, 500, 503])('%i, and a body without an end', async (statusCode) => {
  const rules = { allowPrivate: true, httpsOnly: false };
  const sender = new Sender(rules, { timeoutMs: 2_000, atOnceMax: 1 });
  const message = { url, headers: { 'x-status': String(statusCode) }, body: '' };
  const answer = sender.post(message, new AbortController().signal);
  await expect(answer).resolves.toEqual({ statusCode, retryAfter: '7' });
  sender.close();
});
