// Goal: who closes the connection to Temporal while a call waits to be tried again gets that call's error, and no
// exception that nobody can catch. Method: a port at which nobody listens, so that each attempt fails and is tried
// again.
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporalClient } from '../../../src/process/temporal.ts';

let port: number;
beforeEach(async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  port = address.port;
  await new Promise((resolve) => server.close(resolve));
});

const uncaught: Error[] = [];
const others = process.listeners('uncaughtException');
beforeEach(() => {
  uncaught.length = 0;
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', (error) => uncaught.push(error));
});
afterEach(() => {
  process.removeAllListeners('uncaughtException');
  for (const listener of others) process.on('uncaughtException', listener);
});

const newClient = () => temporalClient({ address: `127.0.0.1:${port}`, namespace: 'none', taskQueue: 'none' });

test('a call that waits to be tried again ends with the connection', async () => {
  const client = newClient();
  const call = client.workflowService.getSystemInfo({}).catch((error: unknown) => error);
  await sleep(50);
  await client.connection.close();
  const error = await Promise.race([call, sleep(5_000)]);
  expect([error, uncaught]).toEqual([expect.objectContaining({ code: 1 }), []]);
});

test('a call on a closed connection fails', async () => {
  const client = newClient();
  await client.connection.close();
  await expect(client.workflowService.getSystemInfo({})).rejects.toThrow('shut down');
  expect(uncaught).toEqual([]);
});
