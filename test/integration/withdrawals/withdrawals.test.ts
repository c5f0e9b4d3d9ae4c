// Goal: a caller can follow a withdrawal and find it among others. Method: real database, Temporal away; withdrawals
// asked for over HTTP and then moved as the workers move them.
import { eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { approvalRounds, recordApproval } from '../../../drizzle/approvals/approvals.ts';
import { findLedgerImbalances } from '../../../drizzle/ledger/ledger.ts';
import { advanceWithdrawal } from '../../../drizzle/withdrawals/withdrawal-steps.ts';
import { withdrawals } from '../../../drizzle/withdrawals/withdrawals.ts';
import type { TestKey } from '../../support/api/api.ts';
import { sandbox } from '../../support/rows/funded.ts';
import { testSeals } from '../../support/rows/seals.ts';
import { AskedWithdrawals, HASH, TO } from '../../support/withdrawals/asked-withdrawals.ts';

const UNKNOWN = '01900000-0000-7000-8000-000000000000';

let api: AskedWithdrawals['api'];
let walletId: AskedWithdrawals['walletId'];
let approvals: AskedWithdrawals['approvals'];
let makeFunded: AskedWithdrawals['makeFunded'];
let get: AskedWithdrawals['get'];
let ask: AskedWithdrawals['ask'];
let process: AskedWithdrawals['process'];
let makeAt: AskedWithdrawals['makeAt'];
beforeAll(async () => {
  ({ api, walletId, approvals, makeFunded, get, ask, process, makeAt } = await AskedWithdrawals.start());
});
afterAll(() => api.stop());

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
      { user_id: yes, status: 'approved', voted_at: expect.any(String) },
      { user_id: no, status: 'rejected', voted_at: expect.any(String) },
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
