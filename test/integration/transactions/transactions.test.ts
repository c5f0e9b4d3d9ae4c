// Goal: the transaction routes show exactly what the caller asks for and may see, in the shape of the specification.
// Method: rows as the service will write them, on a real database; every filter against the rows that it must leave
// out.

import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WithdrawalStatus } from '../../../domain/statuses.ts';
import { insertApprovalRound, recordApproval } from '../../../drizzle/approvals/approvals.ts';
import type { TransactionRow } from '../../../drizzle/transactions/transactions.ts';
import {
  advanceWithdrawal,
  insertWithdrawal,
  type WithdrawalFields,
} from '../../../drizzle/withdrawals/withdrawal-steps.ts';
import { type WithdrawalRow, withdrawals } from '../../../drizzle/withdrawals/withdrawals.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { credit, sandbox } from '../../support/rows/funded.ts';
import { testSeals } from '../../support/rows/seals.ts';
import { insertTransaction, makeAsset, type TestAsset } from '../../support/rows/transactions.ts';

const UNKNOWN = '01900000-0000-7000-8000-000000000000';
const HASH = '0xAbCdEf0000000000000000000000000000000000000000000000000000000001';
const SENDER = '0xAAAAaaaa00000000000000000000000000000001';
const CONTRACT = '0xBBBBbbbb00000000000000000000000000000002';
const RECIPIENT = '0xCCCCcccc00000000000000000000000000000003';

let api: TestApi;
let wallets: string[];
let ethereum: TestAsset;
let solana: TestAsset;
let deposit: TransactionRow;
let withdrawal: TransactionRow;
let call: TransactionRow;

beforeAll(async () => {
  api = await startApi();
  wallets = [await api.makeActiveWallet(), await api.makeActiveWallet()];
  [ethereum, solana] = [await makeAsset(api.db), await makeAsset(api.db, 'SOL_SANDBOX')];
  const { workspaceId } = api;
  const [first = '', second = ''] = wallets;
  deposit = await insertTransaction(api.db, {
    ...ethereum,
    workspaceId,
    walletId: first,
    amountBaseUnits: 10n ** 77n,
    decimals: 18,
    txHash: HASH,
    fromAddress: SENDER,
    toAddress: CONTRACT,
    recipientAddress: RECIPIENT,
    blockNumber: 4_000_000_000,
    blockHash: '0x01',
    gasUsed: 21_000n,
    effectiveGasPriceWei: 10n ** 20n,
    confirmedAt: new Date(1_700_000_000_123),
    createdAt: new Date('2026-01-01T00:00:00.001Z'),
  });
  withdrawal = await insertTransaction(api.db, {
    ...solana,
    workspaceId,
    walletId: second,
    transactionId: '01900000-0000-7000-8000-00000000aaaa',
    direction: 'out',
    status: 'pending',
    createdAt: new Date('2026-01-02T00:00:00Z'),
  });
  call = await insertTransaction(api.db, {
    ...ethereum,
    workspaceId,
    walletId: second,
    direction: 'out',
    method: 'contract_call',
    status: 'failed',
    failedReason: 'reverted',
    txHash: '0x02',
    createdAt: new Date('2026-01-03T00:00:00Z'),
  });
  const other = await api.makeWorkspace();
  await insertTransaction(api.db, {
    ...ethereum,
    workspaceId: other.workspaceId,
    walletId: await api.makeActiveWallet(other.workspaceId),
    txHash: HASH,
    fromAddress: SENDER,
  });
});
afterAll(() => api.stop());

const path = (rest: string) => `/api/v1/workspaces/${api.workspaceId}/${rest}`;
const get = (url: string, key = api.admin) => api.call('GET', url, undefined, { key });
const list = (query = '', key = api.admin) => get(path(`transactions${query}`), key);
const idsOf = async (query: string) => (await list(query)).body.data.map(({ id }: { id: string }) => id);

describe('GET /workspaces/{workspace_id}/transactions', () => {
  test('200: the record of the specification, with exact amounts', async () => {
    const { status, body } = await list('?sort_order=asc&limit=1');
    expect(status).toBe(200);
    expect(body.data).toEqual([
      {
        id: deposit.id,
        transaction_id: deposit.id,
        wallet_id: wallets[0],
        asset_id: ethereum.assetId,
        network_id: ethereum.networkId,
        direction: 'in',
        method: 'transfer',
        amount: `1${'0'.repeat(59)}`,
        status: 'completed',
        tx_hash: HASH,
        from_address: SENDER,
        to_address: CONTRACT,
        recipient_address: RECIPIENT,
        block_number: 4_000_000_000,
        block_hash: '0x01',
        gas_used: '21000',
        effective_gas_price_wei: '100000000000000000000',
        confirmed_at: '2023-11-14T22:13:20.123Z',
        created_at: '2026-01-01T00:00:00.001Z',
        updated_at: deposit.updatedAt.toISOString(),
        symbol: 'TST',
        network_internal_code: 'ETHEREUM_SANDBOX',
      },
    ]);
  });

  test('200: what is not known yet is absent', async () => {
    const [, shown] = (await list()).body.data;
    expect(shown).toMatchObject({ id: withdrawal.id, transaction_id: withdrawal.transactionId, amount: '1.5' });
    const unknown = ['tx_hash', 'from_address', 'to_address', 'recipient_address', 'block_number', 'block_hash'];
    for (const field of [...unknown, 'gas_used', 'effective_gas_price_wei', 'confirmed_at', 'failed_reason'])
      expect(shown).not.toHaveProperty(field);
  });

  const all = () => [call.id, withdrawal.id, deposit.id];
  test.each<[string, () => string[]]>([
    ['', all],
    ['?sort_order=asc', () => all().toReversed()],
    ['?status=pending', () => [withdrawal.id]],
    ['?status=pending,failed', () => [call.id, withdrawal.id]],
    ['?status=pending,pending', () => [withdrawal.id]],
    ['?status=rejected', () => []],
    ['?direction=in', () => [deposit.id]],
    ['?direction=out,in', all],
    ['?method=contract_call', () => [call.id]],
    ['?direction=out&method=transfer&status=pending,completed', () => [withdrawal.id]],
    ['?tx_hash=0x02', () => [call.id]],
    [`?tx_hash=${HASH.toLowerCase()},0x02`, () => [call.id, deposit.id]],
    [`?tx_hash=${HASH.toUpperCase()}`, () => [deposit.id]],
    [`?tx_hash=${HASH.slice(0, -1)}`, () => []],
    [`?address=${SENDER}`, () => [deposit.id]],
    [`?address=${CONTRACT.toLowerCase()}`, () => [deposit.id]],
    [`?address=${RECIPIENT.toUpperCase()},${SENDER}`, () => [deposit.id]],
    [`?address=${RECIPIENT}&direction=out`, () => []],
    ['?from=2026-01-02T00:00:00Z', () => [call.id, withdrawal.id]],
    ['?to=2026-01-02T00:00:00Z', () => [deposit.id]],
    ['?from=2026-01-02T00:00:00Z&to=2026-01-02T00:00:00.001Z&status=pending,failed', () => [withdrawal.id]],
  ])('200: %s', async (query, expected) => {
    expect(await idsOf(query)).toEqual(expected());
  });

  test('200: by wallet, asset and network, one or several, also named twice', async () => {
    const [first = '', second = ''] = wallets;
    expect(await idsOf(`?wallet_id=${second}`)).toEqual([call.id, withdrawal.id]);
    expect(await idsOf(`?wallet_id=${first},${second}`)).toEqual(all());
    expect(await idsOf(`?wallet_id=${first},${first.toUpperCase()}`)).toEqual([deposit.id]);
    expect(await idsOf(`?wallet_id=${second}&status=failed`)).toEqual([call.id]);
    expect(await idsOf(`?wallet_id=${UNKNOWN}`)).toEqual([]);
    expect(await idsOf(`?asset_id=${ethereum.assetId}`)).toEqual([call.id, deposit.id]);
    expect(await idsOf(`?asset_id=${ethereum.assetId},${solana.assetId}&direction=in`)).toEqual([deposit.id]);
    expect(await idsOf(`?network_id=${solana.networkId}`)).toEqual([withdrawal.id]);
    expect(await idsOf(`?network_id=${solana.networkId},${ethereum.networkId}`)).toEqual(all());
  });

  test.each(['', '&status=pending,failed,completed', '&direction=in,out', '&sort_by=updated_at'])(
    '200: pages of one make up the list%s',
    async (filter) => {
      const pages: string[] = [];
      for (let query: string | undefined = `?limit=1${filter}`; query !== undefined; ) {
        const { body, headers } = await list(query);
        pages.push(...body.data.map(({ id }: { id: string }) => id));
        const cursor = headers['x-next-cursor'];
        query = cursor === undefined ? undefined : `?limit=1${filter}&cursor=${String(cursor)}`;
      }
      expect(pages).toEqual(all());
    },
  );

  test('200: a key bound to wallets sees only theirs, 403 when it asks for others', async () => {
    const [first = '', second = ''] = wallets;
    const key = await api.makeKey({ scopes: ['transactions:read'], walletIds: [first] });
    expect((await list('', key)).body.data).toHaveLength(1);
    expect((await list('?status=pending,failed,completed', key)).body.data).toHaveLength(1);
    for (const asked of [second, `${first},${second}`])
      expect(await list(`?wallet_id=${asked}`, key)).toMatchObject({
        status: 403,
        body: { code: 'wallet_not_allowed' },
      });
  });

  test.each([
    '?status=lost',
    '?status=',
    '?status=pending,',
    '?direction=up',
    '?method=swap',
    '?colour=red',
    '?limit=0',
    '?wallet_id=1',
    '?asset_id=1',
    '?network_id=x',
    '?tx_hash=',
    '?tx_hash=%00',
    '?address=%00',
    '?address=a%20b',
    `?address=${'a'.repeat(257)}`,
    `?status=${'pending,'.repeat(100)}pending`,
    '?from=2016-12-31T23:59:60Z',
    '?to=0000-01-01T00:00:00Z',
    '?from=2026-01-01',
  ])('400: %s', async (query) => {
    expect(await list(query)).toMatchObject({ status: 400, body: { code: 'invalid_request', data: null } });
  });
});

describe('GET /workspaces/{workspace_id}/transactions/{transaction_id}', () => {
  const read = (id: string, key = api.admin) => get(path(`transactions/${id}`), key);

  test('200: by its own id, or by that of its withdrawal', async () => {
    expect((await read(deposit.id)).body.data.id).toBe(deposit.id);
    expect((await read(withdrawal.id.toUpperCase())).body.data.id).toBe(withdrawal.id);
    expect((await read(withdrawal.transactionId)).body.data.id).toBe(withdrawal.id);
  });

  test('400, 403, 404', async () => {
    expect(await read('1')).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(await read(UNKNOWN)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    const key = await api.makeKey({ scopes: ['transactions:read'], walletIds: wallets.slice(0, 1) });
    expect(await read(deposit.id, key)).toMatchObject({ status: 200 });
    expect(await read(call.id, key)).toMatchObject({ status: 403, body: { code: 'wallet_not_allowed' } });
  });

  test("404: another workspace's transaction, as if it were not there", async () => {
    const { key, workspaceId } = await api.makeWorkspace();
    const answer = await get(`/api/v1/workspaces/${workspaceId}/transactions/${deposit.id}`, key);
    expect(answer).toMatchObject({ status: 404 });
    expect(answer.body).toEqual((await read(UNKNOWN)).body);
  });
});

/** As the service stores it, with its line in the activity. */
async function makeWithdrawal(walletId = wallets[1] ?? '', more: Partial<WithdrawalRow> = {}): Promise<WithdrawalRow> {
  const { assetId, networkId } = sandbox.ETH;
  await credit(api.db, walletId, sandbox.ETH, 10n ** 18n);
  const fields = { assetId, feeAssetId: assetId, networkId, amountBaseUnits: 10n ** 18n, decimals: 18, ...more };
  const row = await api.db.transaction((tx) =>
    insertWithdrawal(tx, testSeals, {
      id: uuidv7(),
      workspaceId: api.workspaceId,
      walletId,
      fromAddress: SENDER,
      recipientAddress: RECIPIENT,
      derivationPath: 'm/44/60/0/0/0',
      requestedBy: UNKNOWN,
      ...fields,
    }),
  );
  if (row === undefined) throw new Error('there is no row');
  return row;
}
const move = (id: string, from: WithdrawalStatus, to: WithdrawalStatus, fields: WithdrawalFields = {}) =>
  api.db.transaction((tx) => advanceWithdrawal(tx, id, { from, to, fields, details: 'A step.' }));

describe('GET /web3/transaction/{wallet_id}/{transaction_id}', () => {
  const follow = (walletId = '', id = '') => get(`/api/v1/web3/transaction/${walletId}/${id}`);

  test('200: a withdrawal, before and after its broadcast, at its end', async () => {
    const { id, createdAt, updatedAt } = await makeWithdrawal();
    expect((await follow(wallets[1], id)).body.data).toEqual({
      transaction_id: id,
      status: 'pending',
      method: 'transfer',
      approvals: [],
      created_at: createdAt.toISOString(),
      updated_at: updatedAt.toISOString(),
    });
    const seen: unknown[] = [];
    for (const [from, to, fields] of [
      ['pending', 'approved', {}],
      ['approved', 'processing', { subStatus: 'confirming', txHash: '0x02', blockNumber: 7 }],
      ['processing', 'failed', { subStatus: 'reverted', errorCode: 'reverted', errorReason: 'It was reverted.' }],
    ] as const) {
      await move(id, from, to, fields);
      const { status, hash, failed_reason } = (await follow(wallets[1]?.toUpperCase(), id)).body.data;
      seen.push([status, hash, failed_reason]);
    }
    expect(seen).toEqual([
      ['pending', undefined, undefined],
      ['pending', '0x02', undefined],
      ['failed', '0x02', 'It was reverted.'],
    ]);
  });

  test('200: the status is that of its line in the activity, whatever becomes of it', async () => {
    const ways: WithdrawalStatus[][] = [
      ['pending', 'pending_approval', 'rejected'],
      ['pending', 'approved', 'cancelled'],
      ['pending', 'pending_approval', 'approved', 'processing', 'completed'],
    ];
    const seen: string[] = [];
    for (const way of ways) {
      const { id } = await makeWithdrawal();
      for (const [index, to] of way.slice(1).entries()) {
        await move(id, way[index] as WithdrawalStatus, to);
        const { status } = (await follow(wallets[1], id)).body.data;
        expect((await get(path(`transactions/${id}`))).body.data.status).toBe(status);
        seen.push(status);
      }
    }
    expect(seen).toEqual([
      'pending_approval',
      'rejected',
      'pending',
      'failed',
      'pending_approval',
      'pending',
      'pending',
      'completed',
    ]);
  });

  test('200: a contract call, and what its approvers said', async () => {
    const { id } = await makeWithdrawal(wallets[1], { method: 'contract_call', call: { data: '0x' } });
    const [approver, silent] = [uuidv7(), uuidv7()];
    await api.db.transaction(async (tx) => {
      await insertApprovalRound(tx, testSeals, {
        subjectId: id,
        subject: 'withdrawal',
        workspaceId: api.workspaceId,
        requestedBy: UNKNOWN,
        required: 2,
        approvers: [approver, silent],
        digest: 'd',
        expiresInSeconds: 600,
      });
      await recordApproval(tx, testSeals, {
        id: uuidv7(),
        subjectId: id,
        apiKeyId: approver,
        userId: approver,
        decision: 'approved',
        digest: 'd',
      });
    });
    await move(id, 'pending', 'pending_approval');
    expect((await follow(wallets[1], id)).body.data).toMatchObject({
      status: 'pending_approval',
      method: 'contract_call',
      approvals: [
        { user_id: approver, status: 'approved' },
        { user_id: silent, status: 'pending' },
      ],
    });
  });

  test('400 and 404: no id, no such withdrawal, a deposit, of another wallet', async () => {
    const { id } = await makeWithdrawal();
    expect(await follow(wallets[1], '1')).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    for (const [walletId, asked] of [
      [wallets[1], UNKNOWN],
      [wallets[0], deposit.id],
      [wallets[0], id],
    ])
      expect(await follow(walletId, asked)).toMatchObject({ status: 404, body: { code: 'not_found', data: null } });
  });
});

describe('GET /workspaces/{workspace_id}/withdrawals/count', () => {
  const count = async (query = '', key = api.admin) => (await get(path(`withdrawals/count${query}`), key)).body.data;

  test('200: a single integer, of withdrawals by their own statuses', async () => {
    const walletId = await api.makeActiveWallet();
    const [first, second] = [await makeWithdrawal(walletId), await makeWithdrawal(walletId)];
    await move(first.id, 'pending', 'approved');
    await move(second.id, 'pending', 'cancelled');
    await api.db
      .update(withdrawals)
      .set({ createdAt: new Date('2030-01-01T00:00:00Z') })
      .where(eq(withdrawals.id, first.id));
    await api.db
      .update(withdrawals)
      .set({ createdAt: new Date('2030-01-02T00:00:00Z') })
      .where(eq(withdrawals.id, second.id));
    const created = 'from=2030-01-01T00:00:00Z';
    expect(await count(`?${created}`)).toBe(2);
    expect(await count(`?${created}&status=approved`)).toBe(1);
    expect(await count(`?${created}&status=approved,cancelled`)).toBe(2);
    expect(await count(`?${created}&status=failed`)).toBe(0);
    expect(await count(`?${created}&to=2030-01-02T00:00:00Z`)).toBe(1);
    const key = await api.makeKey({ scopes: ['withdrawals:read'], walletIds: wallets.slice(0, 1) });
    expect(await count('', key)).toBe(0);
    const bound = await api.makeKey({ scopes: ['withdrawals:read'], walletIds: [walletId] });
    expect(await count('', bound)).toBe(2);
  });

  test.each(['?status=lost', '?status=confirmed', '?direction=in', '?limit=1', '?from=2016-12-31T23:59:60Z'])(
    '400: %s',
    async (query) => {
      expect(await get(path(`withdrawals/count${query}`))).toMatchObject({
        status: 400,
        body: { code: 'invalid_request' },
      });
    },
  );
});

describe.each(['transactions', `transactions/${UNKNOWN}`, 'withdrawals/count'])('GET %s', (route) => {
  test("401, 403 without the scope, 404 for another's workspace", async () => {
    const { workspaceId } = await api.makeWorkspace();
    expect(await api.call('GET', path(route), undefined, { timestamp: 1 })).toMatchObject({
      status: 401,
      body: { success: false, code: 'unauthorized', data: null },
    });
    const key = await api.makeKey({ scopes: ['wallets:read'] });
    expect(await get(path(route), key)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    expect(await get(`/api/v1/workspaces/${workspaceId}/${route}`)).toMatchObject({ status: 404 });
  });
});
