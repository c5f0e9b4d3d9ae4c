// Goal: a caller can follow a withdrawal, and stop or hasten it exactly as long as that is possible. Method: real
// database, Temporal away so that each signal stays in the outbox; withdrawals asked for over HTTP and then moved as
// the workers move them, every change from every state.

import { eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WithdrawalStatus, WithdrawalSubStatus } from '../../../domain/statuses.ts';
import { approvalRounds, recordApproval } from '../../../drizzle/approvals/approvals.ts';
import { findLedgerImbalances } from '../../../drizzle/ledger/ledger.ts';
import { transactions } from '../../../drizzle/transactions/transactions.ts';
import { insertChainTransaction } from '../../../drizzle/withdrawals/chain-transactions.ts';
import { advanceWithdrawal, holdFee, settleWithdrawal } from '../../../drizzle/withdrawals/withdrawal-steps.ts';
import { lockWithdrawal, type WithdrawalRow, withdrawals } from '../../../drizzle/withdrawals/withdrawals.ts';
import { startApi, type TestApi, type TestKey } from '../../support/api/api.ts';
import { distinctSeconds } from '../../support/api/distinct-seconds.ts';
import { activatePolicy, connectNetwork, credit, noQuote, sandbox } from '../../support/rows/funded.ts';
import { outboxEntriesOf } from '../../support/rows/outbox-entries.ts';
import { testSeals } from '../../support/rows/seals.ts';

const UNKNOWN = '01900000-0000-7000-8000-000000000000';
const TO = {
  ETH: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  BTC: 'bcrt1qal484hyz6vc6f0fzxyvs7qz0v3q4qvtg9jzv5s',
  SOL: 'GV7RCGg7FHiPJV6eCiR4VmjxUZSQjyySz7r87YqtjMmk',
};
const HASH = `0x${'ab'.repeat(32)}`;
type Coin = keyof typeof TO;

let api: TestApi;
let walletId: string;
let approvals: { workspaceId: string; key: TestKey };

beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1' });
  for (const { networkId } of Object.values(sandbox)) await connectNetwork(api.db, networkId);
  walletId = await makeFunded();
  approvals = await api.makeWorkspace();
  await activatePolicy(api.db, approvals.workspaceId, {
    rules: [],
    default: { action: 'require_approvals', approvals: 2 },
  });
});
afterAll(() => api.stop());

async function makeFunded(workspaceId?: string): Promise<string> {
  const id = await api.makeActiveWallet(workspaceId);
  for (const coin of Object.values(sandbox)) await credit(api.db, id, coin, 10n ** 20n);
  return id;
}

const nextSecond = distinctSeconds();
function post(path: string, body?: unknown, key = api.admin, headers: Record<string, string> = {}) {
  return api.call('POST', `/api/v1${path}`, body, { key, headers, timestamp: nextSecond() });
}
const get = (path: string, key = api.admin) => api.call('GET', `/api/v1${path}`, undefined, { key });

/** Asked for and allowed. */
async function ask(coin: Coin = 'ETH', wallet = walletId, key = api.admin): Promise<string> {
  const body = { asset_id: sandbox[coin].assetId, amount: '0.25', recipient_address: TO[coin] };
  const answer = await post(`/wallets/${wallet}/request-withdrawal`, body, key);
  if (answer.status !== 202) throw new Error(JSON.stringify(answer.body));
  return answer.body.data.withdrawal.id as string;
}

async function read(id: string): Promise<WithdrawalRow> {
  const [row] = await api.db.select().from(withdrawals).where(eq(withdrawals.id, id));
  if (row === undefined) throw new Error('there is no row');
  return row;
}

/** As the workers do. */
async function process(id: string, subStatus: WithdrawalSubStatus | null, more: Partial<WithdrawalRow> = {}) {
  const step = { details: 'A step.' };
  await api.db.transaction(async (tx) => {
    await advanceWithdrawal(tx, id, { from: 'approved', to: 'processing', fields: { subStatus: 'queued' }, ...step });
    await advanceWithdrawal(tx, id, { from: 'processing', to: 'processing', fields: { subStatus, ...more }, ...step });
  });
}

/** A transaction in the journal, as it is before it is signed. */
async function journal(id: string, kind: 'transfer' | 'drop' | 'fill' = 'transfer', ordinal = 0): Promise<void> {
  const { networkId, fromAddress } = await read(id);
  await api.db.transaction((tx) =>
    insertChainTransaction(tx, testSeals, {
      id: uuidv7(),
      withdrawalId: id,
      ordinal,
      kind,
      networkId,
      fromAddress,
      fee: noQuote,
      maxFeeBaseUnits: 1n,
      unsigned: '0x',
      payloads: [],
      signingIds: [],
    }),
  );
}

/** In a final or any other status. */
async function makeAt(status: WithdrawalStatus | 'in a block'): Promise<string> {
  const id = await ask();
  const move = (from: WithdrawalStatus, to: WithdrawalStatus) =>
    api.db.transaction((tx) =>
      advanceWithdrawal(tx, id, { from, to, fields: { errorCode: 'frozen', errorReason: 'X.' }, details: 'X.' }),
    );
  if (status === 'failed' || status === 'cancelled') await move('approved', status);
  if (status === 'in a block') await process(id, 'confirming', { txHash: HASH, blockNumber: 7, confirmations: 1 });
  if (status === 'completed') {
    await process(id, 'confirming', { txHash: HASH });
    await api.db.transaction(async (tx) => {
      const row = (await lockWithdrawal(tx, id)) as WithdrawalRow;
      await settleWithdrawal(tx, row, {
        moved: true,
        feePaid: 0n,
        fields: { subStatus: null, blockNumber: 7, confirmations: 12 },
        step: { details: 'Completed.' },
      });
    });
  }
  return id;
}

const signalsOf = async (id: string) =>
  (await outboxEntriesOf(api.db, 'withdraw', id)).filter(({ signal }) => signal === 'changed');

async function balanceOf(wallet: string, { assetId }: { assetId: string }) {
  const { body } = await get(`/wallets/${wallet}/balances?asset_id=${assetId}`);
  const [{ available, held }] = body.data;
  return { available, held };
}

describe('GET /withdrawals/{withdrawal_id}', () => {
  test('200: what the workers have written', async () => {
    const id = await ask();
    await process(id, 'confirming', { txHash: HASH, blockNumber: 12, confirmations: 3, feePaidBaseUnits: 10n ** 15n });
    expect((await get(`/withdrawals/${id.toUpperCase()}`)).body.data).toMatchObject({
      id,
      status: 'processing',
      sub_status: 'confirming',
      tx_hash: HASH,
      block_number: 12,
      confirmations: 3,
      fee_paid: '0.001',
      auto_approved: true,
    });
    expect((await get(`/withdrawals/${await makeAt('failed')}`)).body.data).toMatchObject({
      status: 'failed',
      error_code: 'frozen',
      error_reason: 'X.',
      completed_at: expect.any(String),
    });
  });

  test('200: what each approver said, and those who are asked for while it waits', async () => {
    const wallet = await makeFunded(approvals.workspaceId);
    const id = await ask('ETH', wallet, approvals.key);
    const [yes, no, silent] = [uuidv7(), uuidv7(), uuidv7()];
    const ofRound = eq(approvalRounds.subjectId, id);
    await api.db
      .update(approvalRounds)
      .set({ approvers: [silent, yes] })
      .where(ofRound);
    await api.db.transaction(async (tx) => {
      await recordApproval(tx, testSeals, {
        id: uuidv7(),
        subjectId: id,
        apiKeyId: yes,
        userId: yes,
        decision: 'approved',
        digest: 'd',
      });
      await recordApproval(tx, testSeals, {
        id: uuidv7(),
        subjectId: id,
        apiKeyId: no,
        userId: no,
        decision: 'rejected',
        digest: 'd',
      });
    });
    const said = [
      { user_id: yes, status: 'approved' },
      { user_id: no, status: 'rejected' },
    ];
    const shown = async () => (await get(`/withdrawals/${id}`, approvals.key)).body.data;
    expect((await shown()).withdrawal_approvals).toEqual([...said, { user_id: silent, status: 'pending' }]);
    await api.db.update(approvalRounds).set({ status: 'expired' }).where(ofRound);
    expect(await shown()).toMatchObject({
      withdrawal_approvals: said,
      auto_approved: false,
      approval: { required: 2 },
    });
  });

  test('200: Prefer: wait is answered the moment it ends', async () => {
    const id = await ask();
    await process(id, 'confirming');
    const prefer = { prefer: 'wait=30' };
    const [path, alias] = [`/api/v1/withdrawals/${id}`, `/api/v1/web3/transaction/${walletId}/${id}`];
    const waiting = [path, alias].map((url) => api.call('GET', url, undefined, { headers: prefer }));
    await new Promise((resolve) => setTimeout(resolve, 300));
    const endedMs = performance.now();
    const fields = { errorCode: 'frozen', errorReason: 'X.' } as const;
    await api.db.transaction((tx) =>
      advanceWithdrawal(tx, id, { from: 'processing', to: 'failed', fields, details: 'X.' }),
    );
    for (const answer of await Promise.all(waiting))
      expect([answer.body.data.status, answer.headers['preference-applied']]).toEqual(['failed', 'wait']);
    // Not at the end of their thirty seconds.
    expect(performance.now() - endedMs).toBeLessThan(25_000);
  });

  test.each(['', '/history'])('400, 403, 404: of another wallet, of another workspace, none%s', async (rest) => {
    const id = await ask();
    expect(await get(`/withdrawals/1${rest}`)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(await get(`/withdrawals/${UNKNOWN}${rest}`)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await get(`/withdrawals/${id}${rest}`, approvals.key)).toMatchObject({ status: 404 });
    const bound = await api.makeKey({ scopes: ['withdrawals:read'], walletIds: [await api.makeActiveWallet()] });
    expect(await get(`/withdrawals/${id}${rest}`, bound)).toMatchObject({
      status: 403,
      body: { code: 'wallet_not_allowed' },
    });
    const writer = await api.makeKey({ scopes: ['withdrawals:write'] });
    expect(await get(`/withdrawals/${id}${rest}`, writer)).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope' },
    });
  });
});

test('GET /withdrawals/{withdrawal_id}/history: every step, oldest first', async () => {
  const id = await ask();
  await process(id, 'confirming', { txHash: HASH });
  const { status, body } = await get(`/withdrawals/${id}/history`);
  expect(status).toBe(200);
  const steps = body.data as Record<string, string>[];
  expect(steps.map((step) => [step['status'], step['sub_status'], step['tx_hash']])).toEqual([
    ['pending', 'policy_check', undefined],
    ['approved', 'queued', undefined],
    ['processing', 'queued', undefined],
    ['processing', 'confirming', HASH],
  ]);
  for (const step of steps) expect(step).toMatchObject({ details: expect.any(String), created_at: expect.any(String) });
});

describe('GET /workspaces/{workspace_id}/withdrawals', () => {
  let workspaceId: string;
  let key: TestKey;
  let ids: Record<'first' | 'second' | 'third', string>;
  let wallets: string[];
  beforeAll(async () => {
    ({ workspaceId, key } = await api.makeWorkspace());
    wallets = [await makeFunded(workspaceId), await makeFunded(workspaceId)];
    const [one, other] = wallets as [string, string];
    ids = {
      first: await ask('ETH', one, key),
      second: await ask('SOL', other, key),
      third: await ask('ETH', other, key),
    };
    for (const [index, id] of Object.values(ids).entries())
      await api.db
        .update(withdrawals)
        .set({
          externalId: `invoice,${index}`,
          txHash: `0xAb${index}`,
          createdAt: new Date(Date.UTC(2026, 0, 1 + index)),
        })
        .where(eq(withdrawals.id, id));
    await api.db.update(withdrawals).set({ externalId: 'plain' }).where(eq(withdrawals.id, ids.third));
    await process(ids.third, 'confirming');
  });
  const list = async (query = '', as = key) => get(`/workspaces/${workspaceId}/withdrawals${query}`, as);
  const named = async (query: string, as = key) => {
    const { body } = await list(query, as);
    return body.data.map(({ id }: { id: string }) => Object.entries(ids).find(([, each]) => each === id)?.[0]);
  };

  test.each<[string, string[]]>([
    ['', ['third', 'second', 'first']],
    ['?sort_order=asc', ['first', 'second', 'third']],
    ['?sort_by=updated_at&limit=1', ['third']],
    ['?status=processing', ['third']],
    ['?status=approved,processing', ['third', 'second', 'first']],
    ['?status=rejected', []],
    [`?asset_id=${sandbox.ETH.assetId}`, ['third', 'first']],
    [`?network_id=${sandbox.SOL.networkId}&status=approved`, ['second']],
    ['?sub_status=confirming', ['third']],
    ['?sub_status=queued,confirming&sort_order=asc', ['first', 'second', 'third']],
    [`?sub_status=queued&asset_id=${sandbox.ETH.assetId}`, ['first']],
    ['?sub_status=insufficient_funds', []],
    ['?external_id=invoice,1', ['second']],
    ['?external_id=invoice,1&status=rejected', []],
    ['?external_id=invoice,0&external_id=plain', ['third']],
    ['?external_id=plain', ['third']],
    ['?external_id=plain,other', ['third']],
    ['?tx_hash=0xAB1', ['second']],
    ['?tx_hash=0xab0,0xab2', ['third', 'first']],
    ['?tx_hash=0xab', []],
    [`?address=${TO.ETH.toLowerCase()}`, ['third', 'first']],
    [`?address=${TO.SOL},${TO.ETH}`, ['third', 'second', 'first']],
    [`?address=${TO.BTC}`, []],
    ['?method=transfer&status=processing', ['third']],
    ['?method=contract_call', []],
    ['?method=contract_call,transfer', ['third', 'second', 'first']],
    ['?external_id=nobody', []],
    ['?from=2026-01-02T00:00:00Z&to=2026-01-03T00:00:00Z', ['second']],
  ])('200: %s', async (query, expected) => {
    expect(await named(query)).toEqual(expected);
  });

  test('200: by wallet, for a bound key, page by page', async () => {
    const [one = '', other = ''] = wallets;
    expect(await named(`?wallet_id=${other}`)).toEqual(['third', 'second']);
    const bound = await api.makeKey({ workspaceId, scopes: ['withdrawals:read'], walletIds: [one] });
    expect(await named('', bound)).toEqual(['first']);
    expect(await list(`?wallet_id=${other}`, bound)).toMatchObject({
      status: 403,
      body: { code: 'wallet_not_allowed' },
    });
    const seen: unknown[] = [];
    for (let query: string | undefined = '?limit=1'; query !== undefined; ) {
      const { headers } = await list(query);
      seen.push(...(await named(query)));
      query =
        headers['x-next-cursor'] === undefined ? undefined : `?limit=1&cursor=${String(headers['x-next-cursor'])}`;
    }
    expect(seen).toEqual(['third', 'second', 'first']);
  });

  test('200: the same record as one by one', async () => {
    const { body } = await list();
    expect(body.data[0]).toEqual((await get(`/withdrawals/${ids.third}`, key)).body.data);
  });

  test.each(['?status=lost', '?sub_status=lost', '?direction=in', '?wallet_id=1', '?limit=201'])(
    '400: %s',
    async (query) => {
      expect(await list(query)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    },
  );
});

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
