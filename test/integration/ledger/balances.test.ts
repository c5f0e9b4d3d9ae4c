// Goal: a balance is what the ledger says, to the last base unit, for whoever may see it. Method: events posted to a
// real ledger, then every line, filter and page against what was posted; a workspace in which most wallets hold
// nothing.

import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listBalances, listWalletPlaces } from '../../../drizzle/ledger/balances.ts';
import { type LedgerEvent, postLedgerEvent } from '../../../drizzle/ledger/ledger.ts';
import { networkStates } from '../../../drizzle/networks/network-states.ts';
import { insertWallet } from '../../../drizzle/wallets/wallet-steps.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { testSeals } from '../../support/rows/seals.ts';
import { makeAsset, type TestAsset } from '../../support/rows/transactions.ts';

const UNKNOWN = '01900000-0000-7000-8000-000000000000';

let api: TestApi;
let [first, second, third] = ['', '', ''];
let dollar: TestAsset;
let solana: TestAsset;

const post = (event: Omit<LedgerEvent, 'subjectId'> & { subjectId?: string }) =>
  api.db.transaction((tx) => postLedgerEvent(tx, { subjectId: uuidv7(), ...event }));
const deposit = (walletId: string, { assetId }: TestAsset, amount: bigint) =>
  post({
    kind: 'deposit_confirmed',
    walletId,
    movements: [{ assetId, from: 'outside', to: 'available', amount }],
  });

beforeAll(async () => {
  api = await startApi();
  [first, second, third] = [await api.makeActiveWallet(), await api.makeActiveWallet(), await api.makeActiveWallet()];
  [dollar, solana] = [await makeAsset(api.db), await makeAsset(api.db, 'SOL_SANDBOX')];
  await deposit(first, dollar, 10n ** 60n + 1n);
  await post({
    kind: 'withdrawal_held',
    walletId: first,
    movements: [{ assetId: dollar.assetId, from: 'available', to: 'held', amount: 1_500_000n }],
  });
  await post({
    kind: 'deposit_seen',
    walletId: first,
    movements: [{ assetId: dollar.assetId, from: 'outside', to: 'pending_in', amount: 250_000n }],
  });
  await deposit(first, solana, 7n);
  await deposit(second, solana, 1_000_000n);
  await api.db.insert(networkStates).values({ networkId: dollar.networkId, nextBlock: 101, headBlock: 105 });
  const other = await api.makeWorkspace();
  await deposit(await api.makeActiveWallet(other.workspaceId), dollar, 5n);
}, 120_000);
afterAll(() => api.stop());

const get = (url: string, key = api.admin) => api.call('GET', url, undefined, { key });
const ofWallet = (walletId: string, query = '', key = api.admin) =>
  get(`/api/v1/wallets/${walletId}/balances${query}`, key);
const ofWorkspace = (query = '', key = api.admin) => get(`/api/v1/workspaces/${api.workspaceId}/balances${query}`, key);

type Line = { wallet_id: string; asset_id: string };
const namesOf = (lines: Line[]) => lines.map((line) => `${line.wallet_id} ${line.asset_id}`);
/** In the order of the list. */
const every = () =>
  [
    ...[dollar.assetId, solana.assetId].sort().map((assetId) => `${first} ${assetId}`),
    `${second} ${solana.assetId}`,
  ] as const;

describe('GET /wallets/{wallet_id}/balances', () => {
  test('200: exact amounts, what is held, what is not final yet, and the block', async () => {
    const { status, body } = await ofWallet(first, `?asset_id=${dollar.assetId}`);
    expect(status).toBe(200);
    const [{ updated_at, ...line }] = body.data;
    expect(line).toEqual({
      wallet_id: first,
      asset_id: dollar.assetId,
      network_id: dollar.networkId,
      symbol: 'TST',
      total: `1${'0'.repeat(54)}.000001`,
      available: `${'9'.repeat(53)}8.500001`,
      held: '1.5',
      pending_in: '0.25',
      pending_out: '0',
      as_of_block: 100,
    });
    expect(new Date(updated_at).toISOString()).toBe(updated_at);
  });

  test('200: nothing of other wallets, and no block where no node is read', async () => {
    const { body } = await ofWallet(second);
    expect(body.data).toMatchObject([{ wallet_id: second, total: '1', held: '0', pending_in: '0', as_of_block: null }]);
    expect((await ofWallet(third)).body.data).toEqual([]);
  });

  test('200: below zero after the chain took back what was spent', async () => {
    const walletId = await api.makeActiveWallet();
    await post({
      kind: 'deposit_reversed',
      walletId,
      movements: [{ assetId: dollar.assetId, from: 'available', to: 'outside', amount: 1_500_000n }],
    });
    expect((await ofWallet(walletId)).body.data).toMatchObject([{ total: '-1.5', available: '-1.5', held: '0' }]);
  });

  test('200: by asset, by network, page by page', async () => {
    expect(namesOf((await ofWallet(first, `?network_id=${solana.networkId}`)).body.data)).toEqual([
      `${first} ${solana.assetId}`,
    ]);
    expect((await ofWallet(first, `?asset_id=${UNKNOWN}`)).body.data).toEqual([]);
    const page = await ofWallet(first, '?limit=1');
    expect(page.headers['link']).toBe(
      `</api/v1/wallets/${first}/balances?limit=1&cursor=${String(page.headers['x-next-cursor'])}>; rel="next"`,
    );
    const rest = await ofWallet(first, `?limit=1&cursor=${String(page.headers['x-next-cursor'])}`);
    expect(rest.headers).not.toHaveProperty('x-next-cursor');
    expect(namesOf([...page.body.data, ...rest.body.data])).toEqual(every().slice(0, 2));
  });

  test.each(['?limit=0', '?asset_id=1', '?sort_by=created_at', '?wallet_id=1'])('400: %s', async (query) => {
    expect(await ofWallet(first, query)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });

  test('400 invalid_cursor: made up, or of another list', async () => {
    const { headers } = await ofWallet(first, '?limit=1');
    const cursor = String(headers['x-next-cursor']);
    const [position = '', list] = cursor.split('.');
    const encode = (value: unknown) => `${Buffer.from(JSON.stringify(value)).toString('base64url')}.${list}`;
    const values = [
      [],
      {},
      ['now', first, first],
      [1, first, 'x'],
      [9e15, first, first],
      [1.5, first, first],
      [1, 2, 3],
    ];
    const INVALID = { status: 400, body: { code: 'invalid_cursor' } };
    expect((await ofWallet(first, `?limit=5&cursor=${cursor}`)).status).toBe(200);
    for (const made of ['x', position, `${position}.`, `x.${list}`, ...values.map(encode)])
      expect(await ofWallet(first, `?cursor=${made}`)).toMatchObject(INVALID);
    expect(await ofWallet(second, `?cursor=${cursor}`)).toMatchObject(INVALID);
    expect(await ofWallet(first, `?asset_id=${solana.assetId}&cursor=${cursor}`)).toMatchObject(INVALID);
    expect(await ofWorkspace(`?cursor=${cursor}`)).toMatchObject(INVALID);
  });

  test('403 and 404: no scope, another wallet than the key is bound to, of another workspace, no such wallet', async () => {
    const key = await api.makeKey({ scopes: ['wallets:read'] });
    expect(await ofWallet(first, '', key)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    const bound = await api.makeKey({ scopes: ['balances:read'], walletIds: [second] });
    expect(await ofWallet(first, '', bound)).toMatchObject({ status: 403, body: { code: 'wallet_not_allowed' } });
    expect(await ofWallet(second, '', bound)).toMatchObject({ status: 200 });
    const other = await api.makeWorkspace();
    expect(await ofWallet(first, '', other.key)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await ofWallet(UNKNOWN)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});

describe('GET /workspaces/{workspace_id}/balances', () => {
  const named = () => `wallet_id=${first},${second},${third}`;

  test('200: wallet by wallet, and none of another workspace', async () => {
    const { status, body } = await ofWorkspace();
    expect(status).toBe(200);
    expect(namesOf(body.data).slice(0, 3)).toEqual(every());
    expect(body.data.every((line: Line) => line.wallet_id !== UNKNOWN)).toBe(true);
    expect(namesOf((await ofWorkspace(`?${named()}`)).body.data)).toEqual(every());
    expect(namesOf((await ofWorkspace(`?${named()}&asset_id=${solana.assetId}`)).body.data)).toEqual([
      `${first} ${solana.assetId}`,
      `${second} ${solana.assetId}`,
    ]);
  });

  test('200: pages of one make up the list', async () => {
    const seen: Line[] = [];
    for (let query: string | undefined = `?${named()}&limit=1`; query !== undefined; ) {
      const { body, headers } = await ofWorkspace(query);
      seen.push(...body.data);
      const cursor = headers['x-next-cursor'];
      query = cursor === undefined ? undefined : `?${named()}&limit=1&cursor=${String(cursor)}`;
    }
    expect(namesOf(seen)).toEqual(every());
  });

  test('200: a key bound to wallets sees only theirs, 403 when it asks for others', async () => {
    const key = await api.makeKey({ scopes: ['balances:read'], walletIds: [second, third] });
    expect(namesOf((await ofWorkspace('', key)).body.data)).toEqual([`${second} ${solana.assetId}`]);
    expect(await ofWorkspace(`?wallet_id=${second},${first}`, key)).toMatchObject({
      status: 403,
      body: { code: 'wallet_not_allowed' },
    });
  });

  test("404: another's workspace", async () => {
    const { key } = await api.makeWorkspace();
    expect(await ofWorkspace('', key)).toMatchObject({ status: 404 });
  });

  test('200: a thousand empty wallets between two that hold something: short pages, and both are found', async () => {
    const { workspaceId, key } = await api.makeWorkspace();
    const make = (count: number) =>
      api.db.transaction(async (tx) => {
        for (let made = 0; made < count; made += 1)
          await insertWallet(tx, testSeals, { id: uuidv7(), workspaceId, name: 'empty', walletType: 'mpc' });
      });
    const before = await api.makeActiveWallet(workspaceId);
    await make(1_000);
    const after = await api.makeActiveWallet(workspaceId);
    await deposit(before, dollar, 1n);
    await deposit(after, dollar, 1n);
    const lengths: number[] = [];
    const seen: Line[] = [];
    for (let query: string | undefined = ''; query !== undefined; ) {
      const { body, headers } = await get(`/api/v1/workspaces/${workspaceId}/balances${query}`, key);
      lengths.push(body.data.length);
      seen.push(...body.data);
      const cursor = headers['x-next-cursor'];
      query = cursor === undefined ? undefined : `?cursor=${String(cursor)}`;
    }
    expect(seen.map(({ wallet_id }) => wallet_id)).toEqual([before, after]);
    expect(lengths).toEqual([1, 0, 1]);
  });
});

test('wallets that were made in the same millisecond are walked each once', async () => {
  const { workspaceId } = await api.makeWorkspace();
  const createdAt = new Date();
  const ids = Array.from({ length: 5 }, () => uuidv7()).sort();
  await api.db.transaction(async (tx) => {
    for (const id of ids)
      await insertWallet(tx, testSeals, { id, workspaceId, name: '', walletType: 'mpc', createdAt });
  });
  for (const id of ids) await deposit(id, dollar, 1n);
  const seen: string[] = [];
  let after: Awaited<ReturnType<typeof listBalances>>[number] | undefined;
  do {
    const places = await listWalletPlaces(api.db, { workspaceId, walletIds: undefined }, after, 2);
    [after] = await listBalances(api.db, places, {}, { after, limit: 1 });
    if (after !== undefined) seen.push(after.walletId);
  } while (after !== undefined);
  expect(seen).toEqual(ids);
});
