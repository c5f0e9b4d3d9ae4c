// Goal: the CSV export is whole, of one moment and safe to open, or visibly broken off; and it gives back what it took,
// however it ends. Method: the API behind a real socket, read by a strict RFC 4180 parser; callers that stall and
// leave, and a server that cuts the query off, seen in pg_stat_activity.
import { createHmac } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ROW_STREAM_NAME } from '../../../drizzle/database/row-stream.ts';
import { transactions } from '../../../drizzle/transactions/transactions.ts';
import { startApi, type TestApi, type TestKey } from '../../support/api/api.ts';
import { parseCsv } from '../../support/rows/parse-csv.ts';
import { writeKey } from '../../support/rows/seals.ts';
import {
  insertManyTransactions,
  insertTransaction,
  makeAsset,
  type TestAsset,
} from '../../support/rows/transactions.ts';

/** Some 17 MB: more than the sockets between the database and a caller who does not read take up. */
const MANY = 8_000;
const BLOCK_HASH_LENGTH = 1_600;

const UNKNOWN = '01900000-0000-7000-8000-000000000000';

const HEADER =
  'id,transaction_id,wallet_id,asset_id,network_id,direction,method,amount,status,tx_hash,from_address,to_address,recipient_address,' +
  'block_number,block_hash,gas_used,effective_gas_price_wei,confirmed_at,created_at,updated_at';

let api: TestApi;
let asset: TestAsset;
let walletId: string;
/** A workspace with many transactions; the one of `api` has few. */
let big: { workspaceId: string; key: TestKey };

beforeAll(async () => {
  api = await startApi();
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  asset = await makeAsset(api.db);
  walletId = await api.makeActiveWallet();
  big = await api.makeWorkspace();
  const wallets = [await api.makeActiveWallet(big.workspaceId), await api.makeActiveWallet(big.workspaceId)];
  await insertManyTransactions(api.db, { ...asset, workspaceId: big.workspaceId }, wallets, {
    rows: MANY,
    blockHashLength: BLOCK_HASH_LENGTH,
  });
});
afterAll(() => api.stop());

async function open(path: string, key: TestKey, signal?: AbortSignal): Promise<IncomingMessage> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const canonical = `method=GET&path=${path}&timestamp=${timestamp}&body=`;
  const sign = createHmac('sha256', key.apiSecret).update(canonical).digest('hex');
  const { port } = api.app.server.address() as AddressInfo;
  const request = httpRequest({
    host: '127.0.0.1',
    port,
    path,
    agent: false,
    ...(signal === undefined ? {} : { signal }),
    headers: { 'access-api-key': key.apiKey, 'access-timestamp': timestamp, 'access-sign': sign },
  });
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

const exportPath = (workspaceId: string, query = '') => `/api/v1/workspaces/${workspaceId}/transactions/export${query}`;
const openBig = (query = '') => open(exportPath(big.workspaceId, query), big.key);
const exported = (query = '', key = api.admin) =>
  api.call('GET', exportPath(api.workspaceId, query), undefined, { key });

const sessions = async () =>
  Number(
    (
      await api.db.execute(sql`select count(*) as n from pg_stat_activity where application_name = ${ROW_STREAM_NAME} and
      datname = current_database()`)
    )[0]?.['n'],
  );
const cutOff = () =>
  api.db.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${ROW_STREAM_NAME} and
    datname = current_database()`);
const untilSessions = (count: number) =>
  vi.waitFor(async () => expect(await sessions()).toBe(count), { timeout: 60_000, interval: 20 });

describe('the file', () => {
  test('a header row, then the record of the list, field by field', async () => {
    const row = await insertTransaction(api.db, {
      ...asset,
      workspaceId: api.workspaceId,
      walletId,
      txHash: '0x01',
      blockNumber: 7,
      createdAt: new Date(0),
    });
    const { status, headers, body } = await exported('?tx_hash=0x01');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(headers['content-disposition']).toMatch(/^attachment; filename="transactions-\d{4}-\d\d-\d\d\.csv"$/);
    expect(headers['x-request-id']).toBeDefined();
    expect(body).toBe(
      `${HEADER}\r\n${row.id},${row.id},${walletId},${asset.assetId},${asset.networkId},in,transfer,1.5,completed,0x01,,,,7,,,,,` +
        `1970-01-01T00:00:00.000Z,${row.updatedAt.toISOString()}\r\n`,
    );
  });

  test('only the header when nothing matches', async () => {
    expect((await exported('?status=rejected')).body).toBe(`${HEADER}\r\n`);
  });

  test('quotes what needs quotes, and disarms what a spreadsheet would run', async () => {
    const armed = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1'];
    const plain = ['a,b', 'say "hi"', 'two\r\nlines', 'a=b', "'", '0x-1'];
    const { workspaceId, key } = await api.makeWorkspace();
    const owner = await api.makeActiveWallet(workspaceId);
    for (const [number, toAddress] of [...armed, ...plain].entries())
      await insertTransaction(api.db, {
        ...asset,
        workspaceId,
        walletId: owner,
        toAddress,
        createdAt: new Date(number),
      });
    const { body } = await api.call('GET', exportPath(workspaceId, '?sort=asc'), undefined, { key });
    const cells = parseCsv(body)
      .slice(1)
      .map((row) => row[11]);
    expect(cells).toEqual([...armed.map((cell) => `'${cell}`), ...plain]);
  });

  test('every row of the list once, in either order, under both names of the order', async () => {
    const lines = async (query: string) => parseCsv(await text(await openBig(query))).slice(1);
    const ascending = await lines('?sort_order=asc');
    expect(ascending.map((row) => row[13])).toEqual(Array.from({ length: MANY }, (_, n) => String(n + 1)));
    expect(ascending.at(-1)?.[7]).toBe('0.008');
    expect(new Set(ascending.map(([id]) => id)).size).toBe(MANY);
    const descending = ascending.toReversed();
    expect(await lines('')).toEqual(descending);
    expect(await lines('?sort=desc&sort_order=desc')).toEqual(descending);
  });

  test("the list's filters, and a key bound to wallets", async () => {
    const ofWallet = parseCsv(await text(await openBig('?direction=out&to=2026-01-01T00:01:00Z'))).slice(1);
    expect(ofWallet.map((row) => row[13])).toEqual(Array.from({ length: 14 }, (_, n) => String(4 * (14 - n))));
    const key = await api.makeKey({ scopes: ['transactions:read'], walletIds: [await api.makeActiveWallet()] });
    expect((await exported('', key)).body).toBe(`${HEADER}\r\n`);
    expect(await exported(`?wallet_id=${walletId}`, key)).toMatchObject({ status: 403 });
  });
});

describe('refusals, in the error envelope', () => {
  test('400: aliases that differ', async () => {
    const answer = await exported('?sort=asc&sort_order=desc');
    expect(answer).toMatchObject({ status: 400, body: { code: 'conflicting_aliases', data: null } });
  });

  test.each(['?sort=up', '?limit=1', '?cursor=x', '?sort_by=updated_at', '?status=lost', '?to=0000-01-01T00:00:00Z'])(
    '400: %s',
    async (query) => {
      expect(await exported(query)).toMatchObject({ status: 400, body: { code: 'invalid_request', data: null } });
    },
  );

  test('401, 403 and 404', async () => {
    const unsigned = await exported('', { ...api.admin, apiSecret: 'wrong' });
    expect(unsigned).toMatchObject({ status: 401, body: { success: false, code: 'unauthorized', data: null } });
    expect(unsigned.headers['content-type']).toMatch(/^application\/json/);
    const key = await api.makeKey({ scopes: ['wallets:read'] });
    expect(await exported('', key)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    expect(await exported('', big.key)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  test('HEAD does not run an export', () => {
    const url = '/api/v1/workspaces/:workspace_id/transactions/export';
    expect(api.app.hasRoute({ method: 'GET', url })).toBe(true);
    expect(api.app.hasRoute({ method: 'HEAD', url })).toBe(false);
  });

  test('503: the query fails before the first line', async () => {
    const unlock = await lockTransactions();
    const answer = exported();
    await untilSessions(1);
    await cutOff();
    expect(await answer).toMatchObject({ status: 503, body: { code: 'dependency_unavailable', data: null } });
    await unlock();
    expect(await exported('?status=rejected')).toMatchObject({ status: 200 });
  });
});

/** Nobody reads or writes transactions until what this returns is called. */
async function lockTransactions(): Promise<() => Promise<void>> {
  const events = new EventEmitter();
  const locked = once(events, 'locked');
  const held = api.db.transaction(async (tx) => {
    await tx.execute(sql`lock table transactions in access exclusive mode`);
    events.emit('locked');
    await once(events, 'unlock');
  });
  await locked;
  return async () => {
    events.emit('unlock');
    await held;
  };
}

describe('while it runs', () => {
  test('shows one moment: what changes meanwhile is not in it', async () => {
    const response = await openBig();
    response.pause();
    await sleep(300);
    const { workspaceId } = big;
    const [wallet] = await api.db.select().from(transactions).where(eq(transactions.workspaceId, workspaceId)).limit(1);
    const late = { ...asset, workspaceId, walletId: wallet?.walletId ?? '', createdAt: new Date('2025-01-01Z') };
    const added = await insertTransaction(api.db, { ...late, blockNumber: 999_999 });
    await api.db.execute(
      sql`update transactions set status = 'failed' where workspace_id = ${workspaceId} and block_number <= 10`,
    );
    const rows = parseCsv(await text(response)).slice(1);
    await api.db.execute(
      sql`update transactions set status = 'completed' where workspace_id = ${workspaceId} and block_number <= 10`,
    );
    await api.db.delete(transactions).where(eq(transactions.id, added.id));
    expect(rows).toHaveLength(MANY);
    expect(new Set(rows.map((row) => row[8]))).toEqual(new Set(['completed']));
  });

  test('a caller who does not read stops it, and one who leaves ends its session', async () => {
    const response = await openBig();
    response.pause();
    await sleep(300);
    await vi.waitFor(
      async () => {
        const found = await api.db.execute(
          sql`select state from pg_stat_activity where application_name = ${ROW_STREAM_NAME} and datname = current_database()`,
        );
        expect(found).toEqual([{ state: 'idle in transaction' }]);
      },
      { timeout: 60_000 },
    );
    response.destroy();
    await untilSessions(0);
  });

  test.each([
    ['all of its power', { revokedAt: new Date() }],
    ['its scope', { scopes: ['wallets:read'] }],
    ['some of its wallets', { walletIds: [UNKNOWN] }],
    ['its address', { ipAllowlist: ['192.0.2.1'] }],
  ])('K4: a key that loses %s meanwhile gets no more of it: the connection breaks off', async (_name, change) => {
    const key = await api.makeKey({ workspaceId: big.workspaceId, scopes: ['transactions:read'] });
    const response = await open(exportPath(big.workspaceId), key);
    response.pause();
    await sleep(300);
    await writeKey(api.db, key.apiKey, change);
    await sleep(1_000);
    await expect(text(response)).rejects.toThrow('aborted');
    expect(response.complete).toBe(false);
    await untilSessions(0);
    expect(await exported('?status=rejected')).toMatchObject({ status: 200 });
  });

  test('K4: 401 when it is revoked before the first line', async () => {
    const key = await api.makeKey({ scopes: ['transactions:read'] });
    const unlock = await lockTransactions();
    const answer = exported('', key);
    await untilSessions(1);
    await writeKey(api.db, key.apiKey, { revokedAt: new Date() });
    await sleep(1_000);
    await unlock();
    expect(await answer).toMatchObject({ status: 401, body: { code: 'unauthorized', data: null } });
    await untilSessions(0);
  });

  test('a caller who leaves while the query runs ends the query', async () => {
    const unlock = await lockTransactions();
    const left = new AbortController();
    const answer = open(exportPath(big.workspaceId), big.key, left.signal);
    await untilSessions(1);
    left.abort();
    await expect(answer).rejects.toThrow();
    await untilSessions(0);
    await unlock();
  });

  test('a query that fails in the middle breaks the connection off, and the process goes on', async () => {
    const response = await openBig();
    response.pause();
    await sleep(300);
    await cutOff();
    await expect(text(response)).rejects.toThrow('aborted');
    expect(response.complete).toBe(false);
    await untilSessions(0);
    expect(await exported('?status=rejected')).toMatchObject({ status: 200 });
  });

  test('503 with Retry-After: two of one workspace and four in all at once, given back when they end', async () => {
    const other = await api.makeWorkspace();
    const otherWallet = await api.makeActiveWallet(other.workspaceId);
    await insertManyTransactions(api.db, { ...asset, workspaceId: other.workspaceId }, [otherWallet], {
      rows: MANY,
      blockHashLength: BLOCK_HASH_LENGTH,
    });
    const stalled: IncomingMessage[] = [];
    const stall = async ({ workspaceId, key }: typeof big) => {
      const response = await open(exportPath(workspaceId), key);
      response.pause();
      stalled.push(response);
    };
    await stall(big);
    await stall(big);
    const third = await openBig();
    expect(third).toMatchObject({ statusCode: 503, headers: { 'retry-after': '30' } });
    expect(JSON.parse(await text(third))).toMatchObject({ code: 'dependency_unavailable', data: null });
    await stall(other);
    await stall(other);
    expect(await exported()).toMatchObject({ status: 503 });
    expect(await sessions()).toBe(4);
    for (const response of stalled) response.destroy();
    await untilSessions(0);
    expect(await exported('?status=rejected')).toMatchObject({ status: 200 });
  });
});
