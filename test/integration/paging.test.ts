// Goal: every list pages the same way: whole, in order, steady while rows are added, with clear refusals. Method: the list of wallets on a real
// database, walked page by page in both orders and by both columns.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { advanceWallet } from '../../drizzle/wallets.ts';
import { startApi, type TestApi } from '../support/api.ts';

let api: TestApi;
let walletIds: string[];
beforeAll(async () => {
  api = await startApi();
  walletIds = [];
  for (let made = 0; made < 7; made += 1) walletIds.push(await api.makeActiveWallet());
});
afterAll(() => api.stop());

const list = (query: string, key?: { apiKey: string; apiSecret: string }) =>
  api.call('GET', `/api/v1/workspaces/${api.workspaceId}/wallets${query}`, undefined, key === undefined ? {} : { key });
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);

async function walk(query: string): Promise<string[][]> {
  const pages: string[][] = [];
  for (let path: string | undefined = query; path !== undefined; ) {
    const { status, body, headers } = await list(path);
    expect(status).toBe(200);
    pages.push(idsOf(body.data));
    const cursor = headers['x-next-cursor'] as string | undefined;
    if (cursor !== undefined) expect(headers.link).toMatch(/^<\/api\/v1\/.*cursor=.*>; rel="next"$/);
    path = cursor === undefined ? undefined : `${query}&cursor=${cursor}`;
  }
  return pages;
}

describe.each(['created_at', 'updated_at'])('sort_by=%s', (sortBy) => {
  test.each([
    ['asc', (ids: string[]) => ids],
    ['desc', (ids: string[]) => ids.toReversed()],
  ] as const)('%s: pages of three make up the whole list, once each', async (order, arrange) => {
    const pages = await walk(`?limit=3&sort_by=${sortBy}&sort_order=${order}`);
    expect(pages.map(({ length }) => length)).toEqual([3, 3, 1]);
    expect(pages.flat()).toEqual(arrange(walletIds));
  });
});

test('newest first when nothing is asked for, and no cursor on the last page', async () => {
  const { body, headers } = await list('');
  expect(idsOf(body.data)).toEqual(walletIds.toReversed());
  expect(headers).not.toHaveProperty('x-next-cursor');
  expect(headers).not.toHaveProperty('link');
});

test('a row added while a caller pages neither repeats nor hides another', async () => {
  const first = await list('?limit=2');
  const added = await api.makeActiveWallet();
  const second = await list(`?limit=2&cursor=${String(first.headers['x-next-cursor'])}`);
  expect(idsOf(second.body.data)).toEqual(walletIds.toReversed().slice(2, 4));
  await advanceWallet(api.db, added, 'active', 'archived');
});

test('filters: by status, and by the time of creation', async () => {
  const [oldest] = (await list('?sort_order=asc&limit=1')).body.data;
  expect(idsOf((await list('?status=archived')).body.data)).toHaveLength(1);
  expect(idsOf((await list('?status=active,archived')).body.data)).toHaveLength(8);
  expect(idsOf((await list(`?to=${oldest.created_at}`)).body.data)).toEqual([]);
  expect(idsOf((await list(`?from=${oldest.created_at}`)).body.data)).toHaveLength(8);
});

test('a key bound to wallets lists only these', async () => {
  const bound = walletIds.slice(2, 4);
  const key = await api.makeKey({ scopes: ['wallets:read'], walletIds: bound });
  expect(idsOf((await list('?sort_order=asc', key)).body.data)).toEqual(bound);
});

test("404: another workspace's list", async () => {
  const { workspaceId } = await api.makeWorkspace();
  const answer = await api.call('GET', `/api/v1/workspaces/${workspaceId}/wallets`);
  expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
});

test.each([
  '?limit=0',
  '?limit=201',
  '?limit=1e2',
  '?limit=0x10',
  '?limit=%205',
  '?limit=',
  '?limit=5&limit=6',
  '?sort_by=name',
  '?sort_order=up',
  '?from=yesterday',
  '?status=lost',
  '?status=active,',
  '?colour=red',
])('400 invalid_request: %s', async (query) => {
  expect(await list(query)).toMatchObject({ status: 400, body: { code: 'invalid_request', data: null } });
});

test('400 invalid_cursor: of another order, or made up', async () => {
  const cursor = String((await list('?limit=1&sort_order=asc')).headers['x-next-cursor']);
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const made = [
    cursor,
    'x',
    encode([]),
    encode(['created_at', 'desc', 9e15, walletIds[0]]),
    // The years 10000 and 0, which PostgreSQL does not read.
    encode(['created_at', 'desc', 253_402_300_800_000, walletIds[0]]),
    encode(['created_at', 'desc', -62_135_596_800_001, walletIds[0]]),
    encode(['created_at', 'desc', 1, "'"]),
  ];
  for (const text of made)
    expect(await list(`?cursor=${text}`)).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } });
});
