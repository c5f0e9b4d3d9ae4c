// Goal: a caller can stop or hasten a withdrawal exactly as long as that is possible. Method: real database, Temporal
// away so that each signal stays in the outbox; withdrawals asked for over HTTP and then moved as the workers move
// them, every change from every state.
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WithdrawalSubStatus } from '../../../domain/statuses.ts';
import { approvalRounds } from '../../../drizzle/approvals/approvals.ts';
import { findLedgerImbalances } from '../../../drizzle/ledger/ledger.ts';
import { transactions } from '../../../drizzle/transactions/transactions.ts';
import { holdFee } from '../../../drizzle/withdrawals/withdrawal-steps.ts';
import { withdrawals } from '../../../drizzle/withdrawals/withdrawals.ts';
import { sandbox } from '../../support/rows/funded.ts';
import { AskedWithdrawals, type Coin, HASH } from '../../support/withdrawals/asked-withdrawals.ts';

const UNKNOWN = '01900000-0000-7000-8000-000000000000';

let api: AskedWithdrawals['api'];
let approvals: AskedWithdrawals['approvals'];
let makeFunded: AskedWithdrawals['makeFunded'];
let post: AskedWithdrawals['post'];
let get: AskedWithdrawals['get'];
let ask: AskedWithdrawals['ask'];
let read: AskedWithdrawals['read'];
let process: AskedWithdrawals['process'];
let journal: AskedWithdrawals['journal'];
let makeAt: AskedWithdrawals['makeAt'];
let signalsOf: AskedWithdrawals['signalsOf'];
let balanceOf: AskedWithdrawals['balanceOf'];
beforeAll(async () => {
  ({ api, approvals, makeFunded, post, get, ask, read, process, journal, makeAt, signalsOf, balanceOf } =
    await AskedWithdrawals.start());
});
afterAll(() => api.stop());

describe('POST /withdrawals/{withdrawal_id}/cancel', () => {
  const cancel = (id: string, key = api.admin, headers = {}) =>
    post(`/withdrawals/${id}/cancel`, undefined, key, headers);

  test('200: approved: nothing is held any more, the activity and the history say so, and the workflow hears of it', async () => {
    const wallet = await makeFunded();
    const before = await balanceOf(wallet, sandbox.ETH);
    const id = await ask('ETH', wallet);
    expect(await cancel(id)).toMatchObject({
      status: 200,
      body: { data: { id, status: 'cancelled', error_code: 'cancelled', completed_at: expect.any(String) } },
    });
    expect(await balanceOf(wallet, sandbox.ETH)).toEqual(before);
    const [line] = await api.db.select().from(transactions).where(eq(transactions.id, id));
    expect(line).toMatchObject({ status: 'failed', failedReason: expect.any(String) });
    expect((await get(`/withdrawals/${id}/history`)).body.data.at(-1)).toMatchObject({ status: 'cancelled' });
    expect(await signalsOf(id)).toMatchObject([
      {
        workflow: 'withdraw',
        input: { withdrawalId: id, workspaceId: api.workspaceId, walletId: wallet, networkCode: 'ETHEREUM_SANDBOX' },
      },
    ]);
    expect(await findLedgerImbalances(api.db)).toEqual([]);
  });

  test('200: while it waits for approvals, whose round ends with it', async () => {
    const wallet = await makeFunded(approvals.workspaceId);
    const id = await ask('ETH', wallet, approvals.key);
    expect(await cancel(id, approvals.key)).toMatchObject({ status: 200, body: { data: { status: 'cancelled' } } });
    const [round] = await api.db.select().from(approvalRounds).where(eq(approvalRounds.subjectId, id));
    expect(round?.status).toBe('cancelled');
  });

  test.each(['queued', 'insufficient_funds'] as const)(
    '200: processing, %s, with nothing in the journal',
    async (subStatus) => {
      const id = await ask();
      await process(id, subStatus);
      expect(await cancel(id)).toMatchObject({ status: 200, body: { data: { status: 'cancelled' } } });
    },
  );

  test('200: its fee is given back too', async () => {
    const wallet = await makeFunded();
    const before = await balanceOf(wallet, sandbox.ETH);
    const id = await ask('ETH', wallet);
    await process(id, 'queued');
    const row = await read(id);
    await api.db.transaction((tx) => holdFee(tx, row, 0, 10n ** 18n));
    await cancel(id);
    expect(await balanceOf(wallet, sandbox.ETH)).toEqual(before);
  });

  test('200: also while everything is frozen', async () => {
    const wallet = await makeFunded();
    const id = await ask('ETH', wallet);
    await post(`/wallets/${wallet}/freeze`);
    expect(await cancel(id)).toMatchObject({ status: 200 });
  });

  test('200: again, and by the same idempotency key: as it is', async () => {
    const id = await ask();
    const first = await cancel(id, api.admin, { 'x-idempotency-key': 'stop' });
    expect(await cancel(id)).toMatchObject({ status: 200, body: first.body });
    const again = await cancel(id, api.admin, { 'x-idempotency-key': 'stop' });
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect((await get(`/withdrawals/${id}/history`)).body.data).toHaveLength(3);
  });

  test.each(['awaiting_signature', 'broadcasting', 'confirming', 'stuck', 'replaced', 'reorged'] as const)(
    '409: processing, %s',
    async (subStatus) => {
      const id = await ask();
      await process(id, subStatus);
      const before = await read(id);
      expect(await cancel(id)).toMatchObject({ status: 409, body: { code: 'invalid_state', data: null } });
      expect(await read(id)).toEqual(before);
      expect(await signalsOf(id)).toEqual([]);
    },
  );

  test('409: it lacks funds, and its transaction is in the journal: it may be signed already', async () => {
    const id = await ask();
    await process(id, 'insufficient_funds');
    await journal(id);
    expect(await cancel(id)).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
    expect((await read(id)).status).toBe('processing');
  });

  test.each(['failed', 'completed', 'in a block'] as const)('409: %s', async (status) => {
    const id = await makeAt(status);
    expect(await cancel(id)).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
  });
});

describe('POST /withdrawals/{withdrawal_id}/speed-up and /drop', () => {
  const speedUp = (id: string, body?: unknown, key = api.admin) => post(`/withdrawals/${id}/speed-up`, body, key);
  const drop = (id: string, key = api.admin) => post(`/withdrawals/${id}/drop`, undefined, key);
  const requestedOf = async (id: string) => {
    const { requestedReplacement, requestedFeeLevel } = await read(id);
    return [requestedReplacement, requestedFeeLevel];
  };
  async function makeSent(coin: Coin = 'ETH', subStatus: WithdrawalSubStatus = 'confirming'): Promise<string> {
    const id = await ask(coin);
    await process(id, subStatus, { txHash: HASH });
    await journal(id);
    return id;
  }

  test.each(['broadcasting', 'confirming', 'stuck', 'replaced'] as const)('200: %s', async (subStatus) => {
    const [replaced, dropped] = [await makeSent('ETH', subStatus), await makeSent('ETH', subStatus)];
    expect(await speedUp(replaced, { fee_level: 'high' })).toMatchObject({
      status: 200,
      body: { data: { id: replaced, status: 'processing', sub_status: subStatus } },
    });
    expect(await requestedOf(replaced)).toEqual(['speed_up', 'high']);
    expect(await drop(dropped)).toMatchObject({ status: 200, body: { data: { id: dropped, status: 'processing' } } });
    expect(await requestedOf(dropped)).toEqual(['drop', null]);
    for (const id of [replaced, dropped]) {
      expect(await signalsOf(id)).toHaveLength(1);
      expect((await get(`/withdrawals/${id}/history`)).body.data.at(-1)).toMatchObject({
        sub_status: subStatus,
        tx_hash: HASH,
      });
    }
  });

  test('200: on Bitcoin, without a body, with an empty one; a newer request takes the place of an older', async () => {
    const id = await makeSent('BTC');
    expect(await speedUp(id, { fee_level: 'low' })).toMatchObject({ status: 200 });
    expect(await speedUp(id)).toMatchObject({ status: 200 });
    expect(await requestedOf(id)).toEqual(['speed_up', null]);
    expect(await speedUp(id, {})).toMatchObject({ status: 200 });
    expect(await drop(id)).toMatchObject({ status: 200 });
    expect(await requestedOf(id)).toEqual(['drop', null]);
    expect(await drop(id)).toMatchObject({ status: 200 });
  });

  test('409: a speed-up would undo a drop: requested, in the journal, or what a failure sends', async () => {
    const [requested, journaled, failing] = [await makeSent(), await makeSent(), await makeSent('ETH', 'replaced')];
    await drop(requested);
    await journal(journaled, 'drop', 1);
    await api.db.update(withdrawals).set({ errorCode: 'frozen', errorReason: 'X.' }).where(eq(withdrawals.id, failing));
    for (const id of [requested, journaled, failing])
      expect(await speedUp(id)).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
    expect(await requestedOf(requested)).toEqual(['drop', null]);
    expect(await drop(journaled)).toMatchObject({ status: 200 });
  });

  test.each(['queued', 'awaiting_signature', 'insufficient_funds', 'reorged'] as const)(
    '409: %s',
    async (subStatus) => {
      const id = await ask();
      await process(id, subStatus);
      for (const answer of [await speedUp(id), await drop(id)])
        expect(answer).toMatchObject({ status: 409, body: { code: 'invalid_state', data: null } });
      expect(await requestedOf(id)).toEqual([null, null]);
      expect(await signalsOf(id)).toEqual([]);
    },
  );

  test.each(['approved', 'failed', 'cancelled', 'completed', 'in a block'] as const)('409: %s', async (status) => {
    const id = await makeAt(status);
    for (const answer of [await speedUp(id), await drop(id)])
      expect(answer).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
  });

  test('409: on Solana, where nothing is replaced', async () => {
    const id = await makeSent('SOL');
    for (const answer of [await speedUp(id), await drop(id)])
      expect(answer).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
  });

  test('423: a replacement must be signed, and a frozen wallet signs nothing', async () => {
    const wallet = await makeFunded();
    const id = await ask('ETH', wallet);
    await process(id, 'stuck');
    await post(`/wallets/${wallet}/freeze`);
    for (const answer of [await speedUp(id), await drop(id)])
      expect(answer).toMatchObject({ status: 423, body: { code: 'wallet_frozen' } });
    expect(await requestedOf(id)).toEqual([null, null]);
  });

  test('400: a fee level that there is not, an unknown field', async () => {
    const id = await makeSent();
    for (const body of [{ fee_level: 'extreme' }, { level: 'high' }, []])
      expect(await speedUp(id, body)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(await post(`/withdrawals/${id}/drop`, { fee_level: 'high' })).toMatchObject({ status: 400 });
  });
});

describe.each(['cancel', 'drop', 'speed-up'])('POST /withdrawals/{withdrawal_id}/%s', (verb) => {
  test('400, 401, 403, 404: no id, no signature, no scope, another wallet, another workspace, none', async () => {
    const id = await ask();
    expect(await post(`/withdrawals/1/${verb}`)).toMatchObject({ status: 400 });
    expect(await api.call('POST', `/api/v1/withdrawals/${id}/${verb}`, undefined, { timestamp: 1 })).toMatchObject({
      status: 401,
    });
    const reader = await api.makeKey({ scopes: ['withdrawals:read'] });
    expect(await post(`/withdrawals/${id}/${verb}`, undefined, reader)).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope' },
    });
    const bound = await api.makeKey({ scopes: ['withdrawals:write'], walletIds: [await api.makeActiveWallet()] });
    expect(await post(`/withdrawals/${id}/${verb}`, undefined, bound)).toMatchObject({
      status: 403,
      body: { code: 'wallet_not_allowed' },
    });
    expect(await post(`/withdrawals/${id}/${verb}`, undefined, approvals.key)).toMatchObject({ status: 404 });
    expect(await post(`/withdrawals/${UNKNOWN}/${verb}`)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect((await read(id)).status).toBe('approved');
  });
});

test('after everything, the ledger balances and nothing is held but for what is open', async () => {
  expect(await findLedgerImbalances(api.db)).toEqual([]);
  const held = await api.db.execute<{ held: string }>(
    sql`select coalesce(sum(balance), 0)::text as held from ledger_accounts where kind = 'held'`,
  );
  const open = await api.db.execute<{ open: string }>(
    sql`select coalesce(sum(amount_base_units), 0)::text as open from withdrawals where completed_at is null`,
  );
  expect(held[0]?.held).toBe(open[0]?.open);
});
