// Goal: `max` and `subtract_fee` are numbers before anything is judged, held, sealed or approved; nobody gets what is
// not there, and no fee is promised twice. Method: the API on a real database with fees that are known, Temporal away;
// on chains the same is in withdraw-max.test.ts.
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assetSeed } from '../../../domain/catalog/assets.ts';
import { findLedgerImbalances, readLedgerBalance } from '../../../drizzle/ledger/ledger.ts';
import { networkStates } from '../../../drizzle/networks/network-states.ts';
import { holdFee } from '../../../drizzle/withdrawals/withdrawal-steps.ts';
import { lockWithdrawal, sealedWithdrawals, withdrawals } from '../../../drizzle/withdrawals/withdrawals.ts';
import { startApi, type TestApi, type TestKey } from '../../support/api/api.ts';
import { distinctSeconds } from '../../support/api/distinct-seconds.ts';
import { activatePolicy, connectNetwork, credit, feesOf, sandbox } from '../../support/rows/funded.ts';
import { testSeals } from '../../support/rows/seals.ts';
import { insertTransaction } from '../../support/rows/transactions.ts';

const TO = {
  ETH: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  BTC: 'bcrt1qal484hyz6vc6f0fzxyvs7qz0v3q4qvtg9jzv5s',
  SOL: 'GV7RCGg7FHiPJV6eCiR4VmjxUZSQjyySz7r87YqtjMmk',
};
const GWEI = 10n ** 9n;
const ETHER = 10n ** 18n;
/** Three times the quote of the level medium, which is twice that of low. */
const BOUND = 3n * 2n * 21_000n * GWEI;
const USDC = assetSeed.find(({ symbol, networkId }) => symbol === 'USDC' && networkId === sandbox.ETH.networkId);

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1' });
  await connectNetwork(api.db, sandbox.ETH.networkId, feesOf(21_000n * GWEI));
  await connectNetwork(api.db, sandbox.SOL.networkId, feesOf(5_000n));
  await connectNetwork(api.db, sandbox.BTC.networkId, feesOf(500n, { rate: '5' }));
});
afterAll(async () => {
  expect(await findLedgerImbalances(api.db)).toEqual([]);
  await api.stop();
});

type Coin = keyof typeof TO;
const nextSecond = distinctSeconds();
function post(path: string, body: object, key = api.admin, headers: Record<string, string> = {}) {
  return api.call('POST', `/api/v1${path}`, body, { key, headers, timestamp: nextSecond() });
}
const bodyOf = (coin: Coin, more: object = {}) => ({
  asset_id: sandbox[coin].assetId,
  amount: 'max',
  recipient_address: TO[coin],
  ...more,
});
const ask = (wallet: string, coin: Coin = 'ETH', more: object = {}, key = api.admin) =>
  post(`/wallets/${wallet}/request-withdrawal`, bodyOf(coin, more), key);
const estimate = (wallet: string, coin: Coin, more: object = {}) =>
  post(`/wallets/${wallet}/withdrawals/estimate`, bodyOf(coin, more));
async function makeFunded(amount: bigint, coin: Coin = 'ETH', workspaceId?: string): Promise<string> {
  const id = await api.makeActiveWallet(workspaceId);
  if (amount > 0n) await credit(api.db, id, sandbox[coin], amount);
  return id;
}
const balances = async (wallet: string, coin: Coin = 'ETH') =>
  Promise.all(
    (['available', 'held'] as const).map((kind) => readLedgerBalance(api.db, wallet, sandbox[coin].assetId, kind)),
  );
async function read(id: string) {
  const [row] = await api.db.select().from(withdrawals).where(eq(withdrawals.id, id));
  if (row === undefined) throw new Error('there is no row');
  return row;
}

describe('max', () => {
  test('202: a number, sealed, held with its fee; nothing of it is left for others', async () => {
    const wallet = await makeFunded(ETHER);
    const { status, body } = await ask(wallet);
    expect([status, body.data.withdrawal.amount]).toEqual([202, '0.999874']);
    const row = await read(body.data.withdrawal.id);
    expect([row.amountBaseUnits, row.feeBoundBaseUnits]).toEqual([ETHER - BOUND, BOUND]);
    expect(() => sealedWithdrawals.assert(testSeals, row)).not.toThrow();
    expect(await balances(wallet)).toEqual([0n, ETHER]);
    expect((await estimate(wallet, 'ETH')).body.data).toMatchObject({ amount: '0' });
  });

  test('what the fee holds is there for it already: the worker holds no more, and an end gives all back', async () => {
    const wallet = await makeFunded(ETHER);
    const { id } = (await ask(wallet)).body.data.withdrawal;
    await api.db.transaction(async (tx) => {
      const row = await lockWithdrawal(tx, id);
      if (row !== undefined) await holdFee(tx, row, 0, BOUND);
    });
    expect(await balances(wallet)).toEqual([0n, ETHER]);
    expect(await post(`/withdrawals/${id}/cancel`, {})).toMatchObject({ status: 200 });
    expect(await balances(wallet)).toEqual([ETHER, 0n]);
  });

  test('a lower max_fee leaves less, a higher level more', async () => {
    expect((await ask(await makeFunded(ETHER), 'ETH', { max_fee: '0.00005' })).body.data.withdrawal.amount).toBe(
      '0.99995',
    );
    const { body } = await ask(await makeFunded(ETHER), 'ETH', { fee_level: 'high' });
    expect(body.data.withdrawal.amount).toBe('0.999748');
  });

  test('of a token all is sent, and its fee waits to be held', async () => {
    const wallet = await makeFunded(ETHER);
    const asset = { assetId: USDC?.id ?? '' };
    await credit(api.db, wallet, asset, 12_345_678n);
    const { body } = await ask(wallet, 'ETH', { asset_id: asset.assetId });
    expect(body.data.withdrawal.amount).toBe('12.345678');
    expect(await balances(wallet)).toEqual([ETHER, 0n]);
  });

  test('on Solana an account keeps its rent', async () => {
    const wallet = await makeFunded(10n ** 9n, 'SOL');
    const { body } = await ask(wallet, 'SOL');
    expect((await read(body.data.withdrawal.id)).amountBaseUnits).toBe(10n ** 9n - 30_000n - 890_880n);
    expect(await balances(wallet, 'SOL')).toEqual([890_880n, 10n ** 9n - 890_880n]);
    const poor = await makeFunded(900_000n, 'SOL');
    expect(await ask(poor, 'SOL')).toMatchObject({ status: 409, body: { code: 'insufficient_funds' } });
  });

  test('on Bitcoin the bound grows with the coins that there are, and not with those that are spent', async () => {
    const wallet = await makeFunded(10n ** 8n, 'BTC');
    const few = await estimate(wallet, 'BTC');
    expect(few.body.data.fees.medium.fee_bound).toBe('0.00012'); // 3 × 5 sat/vB × 800 vB
    const deposit = { ...sandbox.BTC, workspaceId: api.workspaceId, walletId: wallet, decimals: 8 };
    for (let coin = 0; coin < 40; coin += 1) await insertTransaction(api.db, deposit);
    const many = await estimate(wallet, 'BTC');
    expect(many.body.data.fees.medium.fee_bound).toBe('0.000414'); // 3 × 5 sat/vB × 40 × 69 vB
    expect((await ask(wallet, 'BTC')).body.data.withdrawal.amount).toBe('0.999586');
  });

  test('409: nothing is available, or no more than the fee', async () => {
    for (const amount of [0n, BOUND]) {
      const { status, body } = await ask(await makeFunded(amount));
      expect([status, body.code]).toEqual([409, 'insufficient_funds']);
      expect(body.message).toMatch(
        /^Nothing is left to send after a fee of up to 0\.000126 ETH: the wallet has .* ETH available\.$/,
      );
    }
    expect(await ask(await makeFunded(BOUND + 1n))).toMatchObject({ status: 202 });
  });

  test('of two at once one gets it, and the other a clear 409', async () => {
    const wallet = await makeFunded(ETHER);
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(wallet)));
    const countOf = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect([countOf(202), countOf(409)]).toEqual([1, 7]);
    for (const { status, body } of answers) if (status === 409) expect(body.code).toBe('insufficient_funds');
    expect(await balances(wallet)).toEqual([0n, ETHER]);
  });

  test('a repeat is answered with the number of the first, whatever has come since', async () => {
    const wallet = await makeFunded(ETHER);
    const path = `/wallets/${wallet}/request-withdrawal`;
    const headers = { 'x-idempotency-key': 'all-of-it' };
    const first = await post(path, bodyOf('ETH'), api.admin, headers);
    await credit(api.db, wallet, sandbox.ETH, ETHER);
    const again = await post(path, bodyOf('ETH'), api.admin, headers);
    expect([again.status, again.body.data.withdrawal.id]).toEqual([200, first.body.data.withdrawal.id]);
    expect(again.body.data.withdrawal.amount).toBe(first.body.data.withdrawal.amount);
  });

  test('503: without a quote and without a max_fee nobody knows what the fee may take', async () => {
    const ofNetwork = eq(networkStates.networkId, sandbox.ETH.networkId);
    await api.db.update(networkStates).set({ fees: null }).where(ofNetwork);
    try {
      const wallet = await makeFunded(ETHER);
      expect(await ask(wallet)).toMatchObject({ status: 503, body: { code: 'dependency_unavailable' } });
      expect((await ask(wallet, 'ETH', { max_fee: '0.001' })).body.data.withdrawal.amount).toBe('0.999');
    } finally {
      await api.db
        .update(networkStates)
        .set({ fees: feesOf(21_000n * GWEI) })
        .where(ofNetwork);
    }
  });
});

describe('subtract_fee', () => {
  test('202: no more than the amount is held; the recipient gets what the fee cannot take', async () => {
    const wallet = await makeFunded(ETHER);
    const { status, body } = await ask(wallet, 'ETH', { amount: '0.4', subtract_fee: true });
    expect([status, body.data.withdrawal.amount]).toEqual([202, '0.399874']);
    expect(await balances(wallet)).toEqual([(6n * ETHER) / 10n, (4n * ETHER) / 10n]);
  });

  test('202: the whole balance, to the last base unit; beside max it says the same', async () => {
    const exact = await ask(await makeFunded(ETHER), 'ETH', { amount: '1', subtract_fee: true });
    const max = await ask(await makeFunded(ETHER), 'ETH', { subtract_fee: true });
    expect([exact, max].map(({ body }) => body.data.withdrawal.amount)).toEqual(['0.999874', '0.999874']);
  });

  test('409: more than is available, or no more than the fee', async () => {
    const wallet = await makeFunded(ETHER);
    const more = await ask(wallet, 'ETH', { amount: '1.000000000000000001', subtract_fee: true });
    expect(more).toMatchObject({ status: 409, body: { code: 'insufficient_funds' } });
    expect(more.body.message).toContain('the wallet has 1 ETH available');
    const less = await ask(wallet, 'ETH', { amount: '0.000126', subtract_fee: true });
    expect(less).toMatchObject({ status: 409, body: { code: 'insufficient_funds' } });
    expect(less.body.message).toContain('lower max_fee');
    expect(await balances(wallet)).toEqual([ETHER, 0n]);
  });

  test('400: of a token, whose fee is another currency', async () => {
    const wallet = await makeFunded(ETHER);
    const token = { asset_id: USDC?.id ?? '', subtract_fee: true };
    for (const amount of ['1', 'max']) {
      const { status, body } = await ask(wallet, 'ETH', { ...token, amount });
      expect([status, body.code]).toEqual([400, 'invalid_request']);
      expect(body.message).toContain('paid in ETH');
    }
  });

  test('200: the estimate says what each level leaves for the recipient', async () => {
    const { body } = await estimate(await makeFunded(ETHER), 'ETH', { amount: '0.4', subtract_fee: true });
    expect(body.data).toMatchObject({
      amount: '0.399874',
      fees: {
        low: { amount: '0.399937', fee_bound: '0.000063', sufficient: true },
        medium: { amount: '0.399874', fee_bound: '0.000126', sufficient: true },
        high: { amount: '0.399748', fee_bound: '0.000252', sufficient: true },
      },
    });
  });
});

describe('judged and approved', () => {
  async function workspaceWith(document: Parameters<typeof activatePolicy>[2]) {
    const made = await api.makeWorkspace();
    await activatePolicy(api.db, made.workspaceId, document);
    return made;
  }
  const maxIn = async ({ workspaceId, key }: { workspaceId: string; key: TestKey }, amount: bigint) =>
    ask(await makeFunded(amount, 'ETH', workspaceId), 'ETH', {}, key);

  test('the policy judges the number', async () => {
    const when = { operations: ['withdrawal'], amount: { asset_id: sandbox.ETH.assetId, more_than: '1' } };
    const workspace = await workspaceWith({
      rules: [{ name: 'large', when, then: { action: 'deny' } }],
      default: { action: 'allow' },
    } as never);
    expect(await maxIn(workspace, ETHER)).toMatchObject({ status: 202 });
    expect(await maxIn(workspace, 3n * ETHER)).toMatchObject({ status: 403, body: { code: 'policy_denied' } });
  });

  test.each([
    ['max', 3n, {}],
    ['max of less', 1n, {}],
    ['the fee taken out of it', 3n, { amount: '1.0002', subtract_fee: true }],
    ['the fee taken out of less', 3n, { amount: '1.0001', subtract_fee: true }],
    ['max at a high fee', 1n, { fee_level: 'high' }],
  ])('a simulation decides as the withdrawal: %s', async (_name, ether, more) => {
    const of = { operations: ['withdrawal'] };
    const workspace = await workspaceWith({
      rules: [
        {
          name: 'large',
          when: { ...of, amount: { asset_id: sandbox.ETH.assetId, more_than: '1' } },
          then: { action: 'deny' },
        },
      ],
      default: { action: 'allow' },
    } as never);
    const { workspaceId, key } = workspace;
    const wallet = await makeFunded(ether * ETHER, 'ETH', workspaceId);
    const withdrawal = { wallet_id: wallet, ...bodyOf('ETH', more) };
    const tried = await post(`/workspaces/${workspaceId}/policy/simulate`, { withdrawal }, key);
    const asked = await ask(wallet, 'ETH', more, key);
    expect([tried.status, tried.body.data.action]).toEqual([200, asked.status === 202 ? 'allow' : 'deny']);
    if (asked.status === 202) expect(tried.body.data.movements[0].amount).toBe(asked.body.data.withdrawal.amount);
    else expect(asked.body.code).toBe('policy_denied');
  });

  test('a simulation tells no balance to a key that may not read it, nor of a wallet of another workspace', async () => {
    const path = `/workspaces/${api.workspaceId}/policy/simulate`;
    const withdrawal = { wallet_id: await makeFunded(ETHER), ...bodyOf('ETH') };
    const reader = await api.makeKey({ scopes: ['policies:read'] });
    const refused = await post(path, { withdrawal }, reader);
    expect(refused).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    const other = await api.makeWorkspace();
    const theirs = { ...withdrawal, wallet_id: await makeFunded(ETHER, 'ETH', other.workspaceId) };
    expect(await post(path, { withdrawal: theirs })).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  test('approvers approve a number, which stays what it is while more arrives', async () => {
    const workspace = await workspaceWith({ rules: [], default: { action: 'require_approvals', approvals: 1 } });
    const { body } = await maxIn(workspace, ETHER);
    const { id, wallet_id, approval } = body.data.withdrawal;
    expect(approval.digest).toMatch(/^[0-9a-f]{64}$/);
    await credit(api.db, wallet_id, sandbox.ETH, ETHER);
    const shown = await api.call('GET', `/api/v1/withdrawals/${id}`, undefined, { key: workspace.key });
    expect(shown.body.data).toMatchObject({ amount: '0.999874', approval: { digest: approval.digest } });
  });
});

test.each(['Max', 'max ', '-1', '1e18', ''])('400: %j is no amount', async (amount) => {
  const { status, body } = await ask(await makeFunded(ETHER), 'ETH', { amount });
  expect([status, body.code]).toEqual([400, 'invalid_request']);
});
