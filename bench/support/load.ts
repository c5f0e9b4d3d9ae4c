// Sends prepared requests as fast as they are answered: a fixed number, over a fixed number of kept-alive connections,
// each request once. Fails when a single answer has another status than the expected one: a fast refusal is no result.
import autocannon from 'autocannon';
import type { Round } from './rounds.ts';
import type { PreparedRequest } from './signed-requests.ts';

const REQUEST_TIMEOUT_SECONDS = 30;
const LOOK_EVERY_MS = 50;

export interface Load {
  baseUrl: string;
  connections: number;
  requests: readonly PreparedRequest[];
  expectedStatus: number;
}

export async function applyLoad({ baseUrl, connections, requests, expectedStatus }: Load): Promise<Round> {
  const perConnection = Math.floor(requests.length / connections);
  const amount = perConnection * connections;
  let taken = 0;
  const options: autocannon.Options = {
    url: baseUrl,
    connections,
    amount,
    timeout: REQUEST_TIMEOUT_SECONDS,
    sampleInt: LOOK_EVERY_MS,
    // Each connection gets requests of its own; autocannon writes them out as bytes here, before the first is sent.
    setupClient: (client) => {
      client.setRequests(requests.slice(taken, taken + perConnection).map((request) => ({ ...request })));
      taken += perConnection;
    },
  };
  let startedMs = 0;
  let endedMs = 0;
  let unexpected = 0;
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const running = autocannon(options, (error: Error | null, done) => (error ? reject(error) : resolve(done)));
    running.on('start', () => {
      startedMs = performance.now();
    });
    running.on('response', (_client, status) => {
      endedMs = performance.now();
      if (status !== expectedStatus) unexpected += 1;
    });
  });
  if (unexpected > 0 || result.errors > 0 || result['2xx'] !== amount)
    throw new Error(
      `${amount} requests to ${requests[0]?.path}: ${result['2xx']} succeeded, ${unexpected} not with ${expectedStatus}.`,
    );
  return { operations: amount, seconds: (endedMs - startedMs) / 1000 };
}
