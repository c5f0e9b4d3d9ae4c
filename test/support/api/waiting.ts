// Callers who wait (`Prefer: wait`) for operations of the API in this process: it listens on a real port, and its
// queries are seen where the driver sends them.

import { once } from 'node:events';
import { Agent, type IncomingMessage, request as startRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { expect } from 'vitest';
import { advanceSigningRequest, insertSigningRequest } from '../../../drizzle/signing-requests/signing-steps.ts';
import { signRequest } from '../../../src/client/sign-request.ts';
import { testSeals } from '../rows/seals.ts';
import { startApi, type TestApi, type TestKey } from './api.ts';

export interface Heard {
  status: number;
  headers: IncomingMessage['headers'];
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
  afterMs: number;
}

export interface ReadOptions {
  prefer?: string;
  at?: string;
  key?: TestKey;
  signal?: AbortSignal;
  /** Signed for the path without its query. */
  legacy?: boolean;
}

export interface WaitedApi {
  api: TestApi;
  walletId: string;
  /** A signing operation on its way. */
  makeSubmitted(): Promise<string>;
  succeed(id: string): Promise<boolean>;
  /** Sends now; resolves with the whole answer. */
  read(path: string, options?: ReadOptions): Promise<Heard>;
  /** The texts of the queries that the API sends from now on, without its own notes on which key was used when. */
  recordQueries(): Recorded;
  stop(): Promise<void>;
}

interface Recorded {
  texts: string[];
  /** How many callers' reads of signing requests were sent, of which one query may have several. */
  reads: number;
  stop(): void;
}

export async function startWaitedApi(): Promise<WaitedApi> {
  const api = await startApi();
  const [address, walletId] = [await listen(api.app), await api.makeActiveWallet()];
  const agent = new Agent({ keepAlive: true });
  return {
    api,
    walletId,
    makeSubmitted: () => makeSubmitted(api, walletId),
    succeed: (id) =>
      advanceSigningRequest(api.db, id, { from: 'submitted', to: 'success', fields: { signature: '0x5160' } }),
    read: (path, options) => read(agent, path, { at: address, key: api.admin, ...options }),
    recordQueries: () => recordQueries(api),
    stop: async () => {
      agent.destroy();
      await api.stop();
    },
  };
}

async function makeSubmitted(api: TestApi, walletId: string): Promise<string> {
  const id = uuidv7();
  const signing_hash = `0x${'1b'.repeat(32)}`;
  await api.db.transaction((tx) =>
    insertSigningRequest(tx, testSeals, {
      id,
      workspaceId: api.workspaceId,
      walletId,
      operationType: 'generic',
      networkInternalCode: 'ETHEREUM_SANDBOX',
      keyType: 'secp256k1',
      signingHash: signing_hash,
      unsignedTx: signing_hash,
      derivationPath: 'm/44/60/0/0/0',
    }),
  );
  await advanceSigningRequest(api.db, id, { from: 'pending', to: 'submitted' });
  return id;
}

export async function listen(app: FastifyInstance): Promise<string> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

async function read(
  agent: Agent,
  path: string,
  { prefer, at, key, signal, legacy }: ReadOptions & { at: string; key: TestKey },
): Promise<Heard> {
  const startedMs = performance.now();
  const full = `/api/v1${path}`;
  const signedPath = legacy ? full.replace(/[?].*/, '') : full;
  const signed = signRequest(key, { method: 'GET', path: signedPath, body: '' }, Math.floor(Date.now() / 1000));
  const headers = { ...signed, ...(prefer === undefined ? {} : { prefer }) };
  // As a URL, an empty query would lose its question mark.
  const sent = startRequest(at, { path: full, agent, headers, ...(signal === undefined ? {} : { signal }) }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  const { statusCode: status = 0, headers: received } = response;
  return { status, headers: received, body: JSON.parse(text), afterMs: performance.now() - startedMs };
}

function recordQueries(api: TestApi): Recorded {
  const client = api.db.$client;
  const unsafe = client.unsafe.bind(client);
  const recorded: Recorded = { texts: [], reads: 0, stop: () => (client.unsafe = unsafe) };
  client.unsafe = ((text: string, ...rest: [values: readonly unknown[]]) => {
    if (!text.includes('set last_used_at')) recorded.texts.push(text);
    // `{id,id}`, one for each caller.
    if (isRead(text)) recorded.reads += String(rest[0][0]).split(',').length;
    return (unsafe as (...all: unknown[]) => unknown)(text, ...rest);
  }) as typeof unsafe;
  return recorded;
}

export const isRead = (text: string) => text.includes('from "signing_requests"');

/** Resolves once so many reads have been sent: each waiter is registered before its own. */
export async function untilReads(recorded: Pick<Recorded, 'reads'>, count: number): Promise<void> {
  await expect.poll(() => recorded.reads, { timeout: 60_000 }).toBeGreaterThanOrEqual(count);
  await pause(100);
}

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
