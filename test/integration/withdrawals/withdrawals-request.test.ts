// Goal: a withdrawal is accepted only when everything that can be known now speaks for it, and then row, held money,
// history, activity and start are one commit. Method: real database and ledger, Temporal away so that each start stays
// in the outbox; every refusal by status code, and that it left nothing.
import { and, desc, eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { approvalRounds } from '../../../drizzle/approvals/approvals.ts';
import { findLedgerImbalances } from '../../../drizzle/ledger/ledger.ts';
import { assets } from '../../../drizzle/networks/assets.ts';
import { networkStates } from '../../../drizzle/networks/network-states.ts';
import { transactions } from '../../../drizzle/transactions/transactions.ts';
import { withdrawalDigest } from '../../../drizzle/votes/approved-content.ts';
import { findWalletAddress } from '../../../drizzle/wallets/wallet-keys.ts';
import { withdrawals } from '../../../drizzle/withdrawals/withdrawals.ts';
import { outbox } from '../../../drizzle/writes/workflow-outbox.ts';
import { type Answer, type CallOptions, startApi, type TestApi } from '../../support/api/api.ts';
import { distinctSeconds } from '../../support/api/distinct-seconds.ts';
import { activatePolicy, connectNetwork, credit, sandbox } from '../../support/rows/funded.ts';
import { outboxEntriesOf } from '../../support/rows/outbox-entries.ts';
import { makeAsset, type TestAsset } from '../../support/rows/transactions.ts';

const UNKNOWN = '01900000-0000-7000-8000-000000000000';
const TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const BITCOIN_TO = 'bcrt1qal484hyz6vc6f0fzxyvs7qz0v3q4qvtg9jzv5s';
const SOLANA_TO = 'GV7RCGg7FHiPJV6eCiR4VmjxUZSQjyySz7r87YqtjMmk';
const ETHER = 10n ** 18n;

let api: TestApi;
let dollar: TestAsset;
let walletId: string;

beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1' });
  dollar = await makeAsset(api.db);
  for (const { networkId } of Object.values(sandbox)) await connectNetwork(api.db, networkId);
  walletId = await makeFunded();
});
afterAll(() => api.stop());

async function makeFunded(workspaceId?: string): Promise<string> {
  const id = await api.makeActiveWallet(workspaceId);
  await credit(api.db, id, sandbox.ETH, 5n * ETHER);
  await credit(api.db, id, sandbox.BTC, 10n ** 8n);
  await credit(api.db, id, sandbox.SOL, 10n ** 9n);
  await credit(api.db, id, dollar, 5_000_000n);
  return id;
}

const nextSecond = distinctSeconds();
function ask(
  body: unknown,
  { wallet = walletId, ...options }: CallOptions & { wallet?: string } = {},
): Promise<Answer> {
  return api.call('POST', `/api/v1/wallets/${wallet}/request-withdrawal`, body, {
    timestamp: nextSecond(),
    ...options,
  });
}

const ether = (more: object = {}) => ({
  asset_id: sandbox.ETH.assetId,
  amount: '0.25',
  recipient_address: TO,
  ...more,
});

async function left() {
  const count = async (table: typeof withdrawals | typeof transactions | typeof outbox | typeof approvalRounds) =>
    (await api.db.select().from(table)).length;
  return [await count(withdrawals), await count(transactions), await count(outbox), await count(approvalRounds)];
}

async function balanceOf(wallet: string, { assetId }: { assetId: string }) {
  const { body } = await api.call('GET', `/api/v1/wallets/${wallet}/balances?asset_id=${assetId}`);
  const [{ total, available, held }] = body.data;
  return { total, available, held };
}

describe('POST /wallets/{wallet_id}/request-withdrawal', () => {
  test.each([true, false])('skip_balance_check %s changes nothing: what is not there is refused', async (skip) => {
    const wallet = await makeFunded();
    const asked = (amount: string) => ask(ether({ amount, skip_balance_check: skip }), { wallet });
    expect(await asked('5.1')).toMatchObject({ status: 409, body: { code: 'insufficient_funds' } });
    expect(await asked('5')).toMatchObject({ status: 202, body: { data: { auto_approved: true } } });
    expect((await balanceOf(wallet, sandbox.ETH)).available).toBe('0');
    expect(await ask(ether({ skip_balance_check: 'yes' }), { wallet })).toMatchObject({ status: 400 });
  });

  test('202: the record, with everything that was asked', async () => {
    const wallet = await makeFunded();
    const from = await findWalletAddress(api.db, wallet, 'evm');
    const self = await api.call('GET', '/api/v1/api-keys/self');
    const asked = { notes: 'Rent', fee_level: 'high', max_fee: '0.01', external_id: 'rent-1' };
    const { status, body } = await ask(ether({ ...asked, recipient_address: TO.toLowerCase() }), { wallet });
    expect(status).toBe(202);
    const { withdrawal, ...rest } = body.data;
    expect(rest).toEqual({ auto_approved: true });
    expect(withdrawal).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      transaction_id: withdrawal.id,
      workspace_id: api.workspaceId,
      wallet_id: wallet,
      asset_id: sandbox.ETH.assetId,
      network_id: sandbox.ETH.networkId,
      network_internal_code: 'ETHEREUM_SANDBOX',
      method: 'transfer',
      amount: '0.25',
      recipient_address: TO,
      from_address: from?.address,
      ...asked,
      status: 'approved',
      sub_status: 'queued',
      requested_by: self.body.data.user_id,
      policy_reasons: expect.arrayContaining([expect.any(String)]),
      auto_approved: true,
      withdrawal_approvals: [],
      approval: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(await balanceOf(wallet, sandbox.ETH)).toEqual({ total: '5', available: '4.75', held: '0.25' });
  });

  test('202: row, activity, history and start are there, and the ledger balances', async () => {
    const { body } = await ask(ether());
    const { id } = body.data.withdrawal;
    const [row] = await api.db.select().from(withdrawals).where(eq(withdrawals.id, id));
    const from = await findWalletAddress(api.db, walletId, 'evm');
    expect(row).toMatchObject({
      amountBaseUnits: ETHER / 4n,
      feeAssetId: sandbox.ETH.assetId,
      decimals: 18,
      fromAddress: from?.address,
      derivationPath: 'm/44/60/0/0/0',
      feeLevel: 'medium',
      maxFeeBaseUnits: null,
      call: null,
    });
    const [line] = await api.db.select().from(transactions).where(eq(transactions.id, id));
    expect(line).toMatchObject({ direction: 'out', status: 'pending', toAddress: TO, amountBaseUnits: ETHER / 4n });
    const entries = await outboxEntriesOf(api.db, 'withdraw', id);
    expect(entries).toMatchObject([
      {
        workflow: 'withdraw',
        signal: null,
        input: { withdrawalId: id, workspaceId: api.workspaceId, walletId, networkCode: 'ETHEREUM_SANDBOX' },
      },
    ]);
    const history = await api.call('GET', `/api/v1/withdrawals/${id}/history`);
    expect(history.body.data.map(({ status }: { status: string }) => status)).toEqual(['pending', 'approved']);
    expect(await findLedgerImbalances(api.db)).toEqual([]);
  });

  test.each([
    ['a token, its fee in the native currency', () => ({ asset_id: dollar.assetId, amount: '1.5' }), '1.5'],
    ['by symbol and network', () => ({ asset: 'eth', network: 'ETHEREUM_SANDBOX', amount: '0.1' }), '0.1'],
    [
      'by id, symbol and network that agree',
      () => ({ asset_id: sandbox.ETH.assetId.toUpperCase(), asset: 'ETH', network: 'ETHEREUM_SANDBOX', amount: '0.1' }),
      '0.1',
    ],
    [
      'bitcoin, to an address in capitals, exactly dust',
      () => ({
        asset: 'BTC',
        network: 'BTC_SANDBOX',
        amount: '0.00000546',
        recipient_address: BITCOIN_TO.toUpperCase(),
      }),
      '0.00000546',
    ],
    [
      'SOL',
      () => ({ asset: 'SOL', network: 'SOL_SANDBOX', amount: '0.000000001', recipient_address: SOLANA_TO }),
      '0.000000001',
    ],
  ])('202: %s', async (_name, body, amount) => {
    const answer = await ask({ recipient_address: TO, ...body() });
    expect(answer).toMatchObject({ status: 202, body: { data: { withdrawal: { amount } } } });
    const { recipient_address, network_internal_code } = answer.body.data.withdrawal;
    const canonical = { ETHEREUM_SANDBOX: TO, BTC_SANDBOX: BITCOIN_TO, SOL_SANDBOX: SOLANA_TO };
    expect(recipient_address).toBe(canonical[network_internal_code as keyof typeof canonical]);
  });

  test('202: the very last base unit can go, and not one more', async () => {
    const wallet = await api.makeActiveWallet();
    await credit(api.db, wallet, dollar, 1_000_001n);
    const all = { asset_id: dollar.assetId, amount: '1.000001', recipient_address: TO };
    const before = await left();
    expect(await ask({ ...all, amount: '1.000002' }, { wallet })).toMatchObject({
      status: 409,
      body: { code: 'insufficient_funds', data: null },
    });
    expect(await left()).toEqual(before);
    expect(await ask(all, { wallet })).toMatchObject({ status: 202 });
    expect(await balanceOf(wallet, dollar)).toEqual({ total: '1.000001', available: '0', held: '1.000001' });
  });

  test('200: a repeat of the idempotency key is the same withdrawal, also when it could no longer be made', async () => {
    const wallet = await makeFunded();
    const headers = { 'x-idempotency-key': 'once' };
    const first = await ask(ether({ amount: '5' }), { wallet, headers });
    expect(first.status).toBe(202);
    await api.call('POST', `/api/v1/wallets/${wallet}/freeze`);
    const before = await left();
    const again = await ask(ether({ amount: '5' }), { wallet, headers });
    expect([again.status, again.body.data]).toEqual([200, first.body.data]);
    expect(await left()).toEqual(before);
    expect(await ask(ether({ amount: '4' }), { wallet, headers })).toMatchObject({
      status: 409,
      body: { code: 'idempotency_key_reused' },
    });
  });
});

describe('what is wrong whatever is stored', () => {
  const invalid: [string, () => object, string][] = [
    ['no asset', () => ({ asset_id: undefined }), 'invalid_request'],
    ['a symbol without its network', () => ({ asset_id: undefined, asset: 'ETH' }), 'invalid_request'],
    ['an unknown asset', () => ({ asset_id: UNKNOWN }), 'invalid_request'],
    ['an unknown symbol', () => ({ asset_id: undefined, asset: 'XYZ', network: 'SOL_SANDBOX' }), 'invalid_request'],
    ['an unknown network', () => ({ asset_id: undefined, asset: 'ETH', network: 'NOWHERE' }), 'invalid_request'],
    ['another symbol than that of the id', () => ({ asset: 'BTC' }), 'conflicting_aliases'],
    ['another network than that of the id', () => ({ network: 'SOL_SANDBOX' }), 'conflicting_aliases'],
    ['more decimals than the asset has', () => ({ asset_id: dollar.assetId, amount: '0.0000001' }), 'invalid_request'],
    ['nothing', () => ({ amount: '0' }), 'invalid_request'],
    ['nothing, in full', () => ({ amount: '0.000000000000000000' }), 'invalid_request'],
    ...['', '-1', '+1', '1e3', '0x1', '1,5', '.5', '1.', '01', ' 1', 'Infinity', 'NaN', '١'].map(
      (amount): [string, () => object, string] => [`the amount "${amount}"`, () => ({ amount }), 'invalid_request'],
    ),
    ['a number for the amount', () => ({ amount: 1 }), 'invalid_request'],
    ['more than a chain can hold', () => ({ amount: '1'.repeat(79) }), 'invalid_request'],
    ['no address', () => ({ recipient_address: 'nobody' }), 'invalid_address'],
    ['an empty address', () => ({ recipient_address: '' }), 'invalid_request'],
    ['an address of 257 characters', () => ({ recipient_address: 'a'.repeat(257) }), 'invalid_request'],
    ['a wrong checksum', () => ({ recipient_address: TO.replace('C51', 'c51') }), 'invalid_address'],
    ['the zero address', () => ({ recipient_address: `0x${'0'.repeat(40)}` }), 'invalid_address'],
    ['an address of another chain', () => ({ recipient_address: SOLANA_TO }), 'invalid_address'],
    ['a fee limit of nothing', () => ({ max_fee: '0' }), 'invalid_request'],
    ['a fee limit with 19 decimals', () => ({ max_fee: '0.0000000000000000001' }), 'invalid_request'],
    ['an unknown fee level', () => ({ fee_level: 'extreme' }), 'invalid_request'],
    ['notes of 501 characters', () => ({ notes: 'a'.repeat(501) }), 'invalid_request'],
    ['an external_id with a space', () => ({ external_id: 'a b' }), 'invalid_request'],
    ['an unknown field', () => ({ memo: '1' }), 'invalid_request'],
  ];
  test.each(invalid)('400: %s, and nothing is left', async (_name, more, code) => {
    const before = await left();
    expect(await ask(ether(more()))).toMatchObject({ status: 400, body: { success: false, code, data: null } });
    expect(await left()).toEqual(before);
  });

  test('400: less than dust on Bitcoin, the address of another Bitcoin network', async () => {
    const coin = { asset: 'BTC', network: 'BTC_SANDBOX', amount: '0.00000545', recipient_address: BITCOIN_TO };
    expect(await ask(coin)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    const mainnet = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
    expect(await ask({ ...coin, amount: '0.1', recipient_address: mainnet })).toMatchObject({
      status: 400,
      body: { code: 'invalid_address' },
    });
  });

  test("400: the wallet's own address, and a token's contract", async () => {
    const own = await findWalletAddress(api.db, walletId, 'evm');
    const bitcoin = await api.call(
      'GET',
      `/api/v1/wallets/${walletId}/deposit-address?network_id=${sandbox.BTC.networkId}`,
    );
    const [token] = await api.db
      .select()
      .from(assets)
      .where(and(eq(assets.networkId, sandbox.ETH.networkId), eq(assets.symbol, 'USDC')));
    const contract = String(token?.contractAddress);
    for (const recipient_address of [own?.address, own?.address.toLowerCase(), contract, contract.toLowerCase()])
      expect(await ask(ether({ recipient_address }))).toMatchObject({ status: 400, body: { code: 'invalid_address' } });
    const coin = { asset: 'BTC', network: 'BTC_SANDBOX', amount: '0.1', recipient_address: bitcoin.body.data.address };
    expect(await ask(coin)).toMatchObject({ status: 400, body: { code: 'invalid_address' } });
  });

  test.each([
    ['BTC', 'BTC_SANDBOX', '500.00000001', BITCOIN_TO],
    ['BTC', 'BTC_SANDBOX', '620000', BITCOIN_TO],
    ['ETH', 'ETHEREUM_SANDBOX', '20000.000000000000000001', TO],
    ['SOL', 'SOL_SANDBOX', '500001', SOLANA_TO],
  ])(
    'A6: 400: %s on %s, an amount of %s is beyond what anybody means',
    async (asset, network, amount, recipient_address) => {
      const answer = await ask({ asset, network, amount, recipient_address });
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
      expect(answer.body.message).toContain('at most');
    },
  );

  test('A6: an amount at the bound is not the amount that is refused', async () => {
    const answer = await ask({ asset: 'BTC', network: 'BTC_SANDBOX', amount: '500', recipient_address: BITCOIN_TO });
    expect(answer).toMatchObject({ status: 409, body: { code: 'insufficient_funds' } });
  });

  test('400: a network that is disabled, and an asset that is off the list', async () => {
    const another = await api.startAnother({ networkSwitches: { enabled: [], disabled: ['ETHEREUM_SANDBOX'] } });
    expect(await ask(ether(), { at: another.app })).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(
      await ask(ether({ asset_id: undefined, asset: 'ETH', network: 'ETHEREUM_SANDBOX' }), { at: another.app }),
    ).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    await another.stop();
    await api.db.update(assets).set({ isWhitelisted: false }).where(eq(assets.id, dollar.assetId));
    const fresh = await api.startAnother();
    expect(
      await ask({ asset_id: dollar.assetId, amount: '1', recipient_address: TO }, { at: fresh.app }),
    ).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    await fresh.stop();
    await api.db.update(assets).set({ isWhitelisted: true }).where(eq(assets.id, dollar.assetId));
  });
});

describe('what stands in the way now', () => {
  test('409: too little, also when all is held already', async () => {
    const wallet = await makeFunded();
    expect(await ask(ether({ amount: '5' }), { wallet })).toMatchObject({ status: 202 });
    const before = await left();
    expect(await ask(ether({ amount: '0.000000000000000001' }), { wallet })).toMatchObject({
      status: 409,
      body: { code: 'insufficient_funds', data: null },
    });
    expect(await left()).toEqual(before);
    expect(await ask(ether(), { wallet: await api.makeActiveWallet() })).toMatchObject({ status: 409 });
  });

  test('A5: 409: an external_id is taken once in a workspace, whatever else is asked', async () => {
    const workspace = await api.makeWorkspace();
    expect(await ask(ether({ external_id: 'once-only' }))).toMatchObject({ status: 202 });
    const before = await left();
    const held = await balanceOf(walletId, sandbox.ETH);
    // Also when the first has taken all that there was.
    for (const amount of ['0.1', '100'])
      expect(await ask(ether({ external_id: 'once-only', amount }))).toMatchObject({
        status: 409,
        body: { code: 'external_id_taken' },
      });
    expect([await left(), await balanceOf(walletId, sandbox.ETH)]).toEqual([before, held]);
    const wallet = await makeFunded(workspace.workspaceId);
    expect(await ask(ether({ external_id: 'once-only' }), { wallet, key: workspace.key })).toMatchObject({
      status: 202,
    });
  });

  test('423: a frozen wallet, a frozen workspace; 409: an archived wallet; 404: none', async () => {
    const wallet = await makeFunded();
    const before = await left();
    await api.call('POST', `/api/v1/wallets/${wallet}/freeze`);
    expect(await ask(ether(), { wallet })).toMatchObject({ status: 423, body: { code: 'wallet_frozen' } });
    await api.call('POST', `/api/v1/wallets/${wallet}/archive`);
    expect(await ask(ether(), { wallet })).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
    const { workspaceId, key } = await api.makeWorkspace();
    const frozen = await makeFunded(workspaceId);
    await api.call('POST', `/api/v1/workspaces/${workspaceId}/withdrawals/freeze`, undefined, { key });
    expect(await ask(ether(), { wallet: frozen, key })).toMatchObject({
      status: 423,
      body: { code: 'withdrawals_frozen' },
    });
    expect(await ask(ether(), { wallet: frozen })).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await ask(ether(), { wallet: UNKNOWN })).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await left()).toEqual(before);
  });

  test('401, 403: no signature, no scope, a key bound to another wallet', async () => {
    expect(await ask(ether(), { timestamp: 1 })).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    const reader = await api.makeKey({ scopes: ['withdrawals:read', 'withdrawals:approve'] });
    expect(await ask(ether(), { key: reader })).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    const bound = await api.makeKey({ scopes: ['withdrawals:write'], walletIds: [await api.makeActiveWallet()] });
    expect(await ask(ether(), { key: bound })).toMatchObject({ status: 403, body: { code: 'wallet_not_allowed' } });
  });

  test('503: a network without a node, and one that is halted', async () => {
    const elsewhere = { asset: 'ETH', network: 'ETHEREUM_MAINNET', amount: '0.1', recipient_address: TO };
    expect(await ask(elsewhere)).toMatchObject({ status: 503, body: { code: 'dependency_unavailable', data: null } });
    const ofNetwork = eq(networkStates.networkId, sandbox.SOL.networkId);
    await api.db.update(networkStates).set({ haltedReason: 'a reorg of 100 blocks' }).where(ofNetwork);
    const coin = { asset: 'SOL', network: 'SOL_SANDBOX', amount: '0.1', recipient_address: SOLANA_TO };
    const halted = await ask(coin);
    expect(halted).toMatchObject({ status: 503, body: { code: 'dependency_unavailable' } });
    await api.db.update(networkStates).set({ haltedReason: null }).where(ofNetwork);
    expect(await ask(coin)).toMatchObject({ status: 202 });
  });
});

describe('what the policy decides', () => {
  const rule = (then: Parameters<typeof activatePolicy>[2]['default']) => ({
    rules: [{ name: 'much', when: { amount: { asset_id: sandbox.ETH.assetId, more_than: '1' } }, then }],
    default: { action: 'allow' as const },
  });
  const asked = ether({ amount: '1.000000000000000001' });

  test('403: denied, with its reasons, and nothing is left: no row, no held money, no name taken', async () => {
    const { workspaceId, key } = await api.makeWorkspace();
    const wallet = await makeFunded(workspaceId);
    await activatePolicy(api.db, workspaceId, rule({ action: 'deny' }));
    const before = await left();
    const headers = { 'x-idempotency-key': 'denied' };
    const denied = await ask({ ...asked, external_id: 'big' }, { wallet, key, headers });
    expect(denied).toMatchObject({ status: 403, body: { code: 'policy_denied', data: null } });
    expect(denied.body.message).toContain('much');
    expect(await left()).toEqual(before);
    const small = await ask({ ...asked, amount: '1', external_id: 'big' }, { wallet, key, headers });
    expect(small).toMatchObject({ status: 202, body: { data: { auto_approved: true } } });
  });

  test('202: it needs approvals: held, not begun, and bound to the digest of the row', async () => {
    const { workspaceId, key } = await api.makeWorkspace();
    const wallet = await makeFunded(workspaceId);
    const approver = uuidv7();
    const then = { action: 'require_approvals' as const, approvals: 1, approvers: [approver], expires_in_seconds: 600 };
    await activatePolicy(api.db, workspaceId, rule(then));
    const { status, body } = await ask(asked, { wallet, key });
    expect(status).toBe(202);
    const { auto_approved, withdrawal } = body.data;
    const [row] = await api.db.select().from(withdrawals).orderBy(desc(withdrawals.id)).limit(1);
    if (row === undefined) throw new Error('there is no row');
    expect(auto_approved).toBe(false);
    expect(withdrawal).toMatchObject({
      id: row.id,
      status: 'pending_approval',
      auto_approved: false,
      withdrawal_approvals: [{ user_id: approver, status: 'pending' }],
      approval: { digest: withdrawalDigest(row), required: 1 },
    });
    const expiresInMs = Date.parse(withdrawal.approval.expires_at) - Date.parse(withdrawal.created_at);
    expect(Math.abs(expiresInMs - 600_000)).toBeLessThan(5_000);
    expect(withdrawal.policy_reasons.join()).toContain('much');
    const entries = await outboxEntriesOf(api.db, 'withdraw', row.id);
    expect(entries).toHaveLength(1);
    const balances = await api.call('GET', `/api/v1/wallets/${wallet}/balances`, undefined, { key });
    expect(balances.body.data).toContainEqual(expect.objectContaining({ held: '1.000000000000000001' }));
  });

  test('a workspace without a policy of its own needs an approval in production', async () => {
    const production = await api.startAnother({ production: true });
    const answer = await ask(ether(), { at: production.app });
    expect(answer).toMatchObject({ status: 202, body: { data: { auto_approved: false } } });
    expect(answer.body.data.withdrawal.status).toBe('pending_approval');
    await production.stop();
  });
});
