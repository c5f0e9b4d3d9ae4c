// Goal: a file reaches a caller of the client whole, piece by piece, or visibly broken off; and other HTTP code can
// sign its own requests. Method: the API on a real port with more rows than one piece holds; answers that break off are
// broken off by the `fetch` that is handed in.
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CountersignClient, CountersignError, signRequest, UnreachableError } from '../../../src/client/client.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { insertManyTransactions, makeAsset } from '../../support/rows/transactions.ts';

const ROWS = 3_000;

let api: TestApi;
let baseUrl: string;
let client: CountersignClient;

beforeAll(async () => {
  api = await startApi();
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  baseUrl = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`;
  client = new CountersignClient({ baseUrl, ...api.admin });
  const wallets = [await api.makeActiveWallet()];
  const asset = await makeAsset(api.db);
  await insertManyTransactions(api.db, { ...asset, workspaceId: api.workspaceId }, wallets, { rows: ROWS });
});
afterAll(() => api.stop());

const exportPath = () => `/api/v1/workspaces/${api.workspaceId}/transactions/export`;

async function collect(pieces: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const piece of pieces) all.push(piece);
  return all;
}

const isExport = (input: Parameters<typeof fetch>[0]) => typeof input === 'string' && input.includes('/export');

/** Tears the body off after its first piece. */
const tornOff: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (response.body === null || !isExport(input)) return response;
  const reader = response.body.getReader();
  let pulled = 0;
  const body = new ReadableStream({
    pull: async (controller) => {
      pulled += 1;
      if (pulled > 1) {
        await reader.cancel();
        return controller.error(new TypeError('terminated'));
      }
      controller.enqueue((await reader.read()).value);
    },
  });
  return new Response(body, response);
};

test('the export comes in pieces, and is the file that the API answers', async () => {
  const pieces = await collect(client.exportTransactions({ sort_order: 'asc', columns: 'all' }));
  expect(pieces.length).toBeGreaterThan(1);
  const { body } = await api.call('GET', `${exportPath()}?sort_order=asc&columns=all`);
  expect(pieces.join('')).toBe(body);
  expect(pieces.join('').split('\r\n')).toHaveLength(ROWS + 2);
});

test('who takes no more ends it: the next exports have room', async () => {
  for (let time = 0; time < 6; time += 1) for await (const piece of client.exportTransactions()) if (piece) break;
  expect((await collect(client.exportTransactions({ status: ['rejected'] }))).join('')).toMatch(/^id,[^\r]*\r\n$/);
});

test('what breaks off throws, and is not asked for again: a part is not taken for the whole', async () => {
  let calls = 0;
  const counted: typeof fetch = (input, init) => {
    if (isExport(input)) calls += 1;
    return tornOff(input, init);
  };
  const torn = new CountersignClient({ baseUrl, ...api.admin, fetch: counted });
  await expect(collect(torn.exportTransactions())).rejects.toBeInstanceOf(UnreachableError);
  expect(calls).toBe(1);
});

test('a refusal is what it is elsewhere', async () => {
  const key = await api.makeKey({ scopes: ['wallets:read'] });
  const poor = new CountersignClient({ baseUrl, ...key });
  const refused = collect(poor.exportTransactions());
  await expect(refused).rejects.toBeInstanceOf(CountersignError);
  await expect(refused).rejects.toMatchObject({ status: 403, code: 'insufficient_scope' });
});

test('a caller who gives up hears of it', async () => {
  const abort = new AbortController();
  const pieces = client.exportTransactions({ signal: abort.signal });
  await pieces.next();
  abort.abort(new Error('enough'));
  await expect(collect(pieces)).rejects.toThrow('enough');
});

test('the audit log comes in the same way', async () => {
  const lines = (await collect(client.exportAuditLogs())).join('').split('\r\n');
  expect(lines[0]).toContain('action');
});

test('other HTTP code signs its own requests', async () => {
  const body = JSON.stringify({ name: 'Own code', wallet_type: 'mpc' });
  const request = { method: 'POST', path: '/api/v1/wallets', body };
  const signed = signRequest(api.admin, request, Math.floor(Date.now() / 1000));
  const headers = { ...signed, 'content-type': 'application/json' };
  const answer = await fetch(baseUrl + request.path, { method: 'POST', headers, body });
  expect(answer.status).toBe(202);
});
