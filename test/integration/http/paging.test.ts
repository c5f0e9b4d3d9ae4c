// Goal: every list pages the same way: whole, in order, steady while rows are added, with clear refusals. Method: the
// list of wallets on a real database, walked page by page in both orders and by both columns.

import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { advanceWallet } from '../../../drizzle/wallets/wallet-steps.ts';
import { wallets } from '../../../drizzle/wallets/wallets.ts';
import { type Answer, startApi, type TestApi } from '../../support/api/api.ts';

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
const INVALID = { status: 400, body: { code: 'invalid_cursor', data: null } };
const cursorOf = ({ headers }: Answer) => String(headers['x-next-cursor']);
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
  await advanceWallet(api.db, added, { from: 'active', to: 'archived' });
});

test('filters: by status, and by the time of creation', async () => {
  const [oldest] = (await list('?sort_order=asc&limit=1')).body.data;
  expect(idsOf((await list('?status=archived')).body.data)).toHaveLength(1);
  expect(idsOf((await list('?status=active,archived')).body.data)).toHaveLength(8);
  expect(idsOf((await list(`?to=${oldest.created_at}`)).body.data)).toEqual([]);
  expect(idsOf((await list(`?from=${oldest.created_at}`)).body.data)).toHaveLength(8);
});

test('from and to are of the column that sorts: what changed since, not what was made since', async () => {
  const changed = walletIds[1] ?? '';
  const before = new Date().toISOString();
  await api.db.update(wallets).set({ updatedAt: sql`now() + interval '1 second'` }).where(eq(wallets.id, changed));
  const since = async (sortBy: string) => idsOf((await list(`?sort_by=${sortBy}&from=${before}`)).body.data);
  expect(await since('updated_at')).toEqual([changed]);
  expect(await since('created_at')).toEqual([]);
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
  const ascending = cursorOf(await list('?limit=1&sort_order=asc'));
  const cursor = cursorOf(await list('?limit=1'));
  expect((await list(`?cursor=${cursor}`)).status).toBe(200);
  const [position = '', ofThisList] = cursor.split('.');
  const encode = (value: unknown) => `${Buffer.from(JSON.stringify(value)).toString('base64url')}.${ofThisList}`;
  const made = [
    ascending,
    'x',
    position,
    `${position}.`,
    `x.${ofThisList}`,
    encode([]),
    encode(['created_at', 'desc', 9e15, walletIds[0]]),
    // The years 10000 and 0, which PostgreSQL does not read.
    encode(['created_at', 'desc', 253_402_300_800_000, walletIds[0]]),
    encode(['created_at', 'desc', -62_135_596_800_001, walletIds[0]]),
    encode(['created_at', 'desc', 1, "'"]),
  ];
  for (const text of made) expect(await list(`?cursor=${text}`)).toMatchObject(INVALID);
});

describe('a cursor belongs to its list', () => {
  const attached = (walletId: string, query: string) => api.call('GET', `/api/v1/wallets/${walletId}/assets${query}`);
  let usual: string;
  beforeAll(async () => {
    usual = cursorOf(await list('?limit=2'));
    const { data } = (await api.call('GET', '/api/v1/assets')).body;
    for (const walletId of walletIds.slice(0, 2))
      for (const { id } of (data as { id: string }[]).slice(0, 2))
        await api.call('POST', `/api/v1/wallets/${walletId}/assets`, { asset_id: id });
  });

  test('200: with another page size, what is usual said aloud, and an id in capitals', async () => {
    const next = idsOf((await list(`?limit=2&cursor=${usual}`)).body.data);
    for (const query of ['?limit=2&sort_by=created_at', '?limit=2&sort_order=desc', '?limit=5'])
      expect(idsOf((await list(`${query}&cursor=${usual}`)).body.data).slice(0, 2)).toEqual(next);
    const capitals = `/api/v1/workspaces/${api.workspaceId.toUpperCase()}/wallets?limit=2&cursor=${usual}`;
    expect(idsOf((await api.call('GET', capitals)).body.data)).toEqual(next);
  });

  test('200: with the same filters, in any order of the parameters', async () => {
    const filters = 'status=active,archived&from=2020-01-01T00:00:00Z';
    const all = idsOf((await list(`?${filters}`)).body.data);
    const first = await list(`?limit=2&${filters}`);
    const next = await list(`?from=2020-01-01T00:00:00Z&cursor=${cursorOf(first)}&status=active,archived`);
    expect([...idsOf(first.body.data), ...idsOf(next.body.data)]).toEqual(all);
  });

  test.each(['?status=active', '?status=active,archived', '?from=2020-01-01T00:00:00Z', '?to=2120-01-01T00:00:00Z'])(
    '400 invalid_cursor: from the list without filters, or to it: %s',
    async (filters) => {
      const filtered = cursorOf(await list(`${filters}&limit=2`));
      expect((await list(`${filters}&cursor=${filtered}`)).status).toBe(200);
      expect(await list(`${filters}&cursor=${usual}`)).toMatchObject(INVALID);
      expect(await list(`?cursor=${filtered}`)).toMatchObject(INVALID);
    },
  );

  test('400 invalid_cursor: of another kind of thing', async () => {
    for (const name of ['api-keys', 'signing-requests', 'transactions'])
      expect(await api.call('GET', `/api/v1/workspaces/${api.workspaceId}/${name}?cursor=${usual}`)).toMatchObject(
        INVALID,
      );
  });

  test('400 invalid_cursor: of the same list of another wallet', async () => {
    const [one = '', other = ''] = walletIds;
    const cursor = cursorOf(await attached(one, '?limit=1'));
    expect((await attached(one, `?cursor=${cursor}`)).body.data).toHaveLength(1);
    expect(await attached(other, `?cursor=${cursor}`)).toMatchObject(INVALID);
  });
});
