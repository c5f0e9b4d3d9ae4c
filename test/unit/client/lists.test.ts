// Goal: a list is walked to its end by its cursors, no page is asked for before its rows are wanted, and paths and
// queries are written as the service reads them. Method: a scripted service with three pages.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ok, refusal, type ScriptedService, startScriptedService } from './scripted-service.ts';

let service: ScriptedService;
beforeAll(async () => {
  service = await startScriptedService();
});
afterAll(() => service.stop());

const self = ok({ workspace_id: 'ws 1' });
const rows = (...ids: string[]) => ids.map((id) => ({ id }));
const pages = [
  ok(rows('a', 'b'), { 'x-next-cursor': 'one+/=' }),
  ok(rows('c', 'd'), { 'x-next-cursor': 'two' }),
  ok(rows('e')),
];
const paths = () => service.received.map(({ path }) => path);

test('every row once, in order, with the filters on every page', async () => {
  service.script(self, ...pages);
  const seen: string[] = [];
  for await (const { id } of service.client.wallets({ status: ['active', 'frozen'], limit: 2 })) seen.push(id);
  expect(seen).toEqual(['a', 'b', 'c', 'd', 'e']);
  const list = '/api/v1/workspaces/ws%201/wallets?status=active%2Cfrozen&limit=2';
  expect(paths()).toEqual(['/api/v1/api-keys/self', list, `${list}&cursor=one%2B%2F%3D`, `${list}&cursor=two`]);
});

test('who stops early asks for no further page; the workspace is asked for once', async () => {
  service.script(...pages);
  for await (const { id } of service.client.wallets()) if (id === 'b') break;
  expect(paths()).toEqual(['/api/v1/workspaces/ws%201/wallets']);
});

test('a page that is refused ends the walk', async () => {
  service.script(pages[0] ?? 'cut', refusal(400, 'invalid_cursor'));
  const walk = async () => {
    for await (const row of service.client.signingRequests()) void row;
  };
  await expect(walk()).rejects.toMatchObject({ status: 400, code: 'invalid_cursor' });
});

test('an empty list has no rows', async () => {
  service.script(ok([]));
  for await (const row of service.client.transactions()) throw new Error(`a row: ${JSON.stringify(row)}`);
});

test('what stands in a path is escaped, and a missing part of it is an error', async () => {
  service.script(ok({}));
  await service.client.get('/api/v1/wallets/{wallet_id}/address', {
    path: { wallet_id: 'a/b?c' },
    query: { address_type: 'sol' },
  });
  expect(paths()).toEqual(['/api/v1/wallets/a%2Fb%3Fc/address?address_type=sol']);
  await expect(service.client.get('/api/v1/wallets/{wallet_id}/address', { path: {} as never })).rejects.toThrow(
    '/api/v1/wallets/{wallet_id}/address needs wallet_id.',
  );
});
