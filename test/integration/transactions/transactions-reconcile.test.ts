// Goal: a month can be reconciled from the list and from its export alone: every row says what moved in which currency,
// what it cost, whose it is, and whether it was cancelled or failed. Method: withdrawals asked for over HTTP and moved
// as the workers move them, on three chains; each row of the export is held against the same row of the list.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseAmount } from '../../../domain/money.ts';
import { readLedgerBalance } from '../../../drizzle/ledger/ledger.ts';
import { advanceWithdrawal, holdFee, settleWithdrawal } from '../../../drizzle/withdrawals/withdrawal-steps.ts';
import { lockWithdrawal } from '../../../drizzle/withdrawals/withdrawals.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { connectNetwork, credit, sandbox } from '../../support/rows/funded.ts';
import { parseCsv } from '../../support/rows/parse-csv.ts';
import { insertTransaction } from '../../support/rows/transactions.ts';

const TO = {
  ETH: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  BTC: 'bcrt1qal484hyz6vc6f0fzxyvs7qz0v3q4qvtg9jzv5s',
  SOL: 'GV7RCGg7FHiPJV6eCiR4VmjxUZSQjyySz7r87YqtjMmk',
};
type Coin = keyof typeof TO;
const MORE = 'symbol,network_internal_code,fee,fee_symbol,withdrawal_status,external_id,notes';

let api: TestApi;
let walletId: string;

beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1' });
  walletId = await api.makeActiveWallet();
  for (const coin of Object.values(sandbox)) {
    await connectNetwork(api.db, coin.networkId);
    await credit(api.db, walletId, coin, 10n ** 20n);
  }
});
afterAll(() => api.stop());

const path = (rest: string) => `/api/v1/workspaces/${api.workspaceId}/transactions${rest}`;
const list = async () => (await api.call('GET', path('?limit=200'))).body.data as Record<string, string | number>[];

let asked = 0;
async function ask(coin: Coin, more: object = {}, wallet = walletId): Promise<string> {
  asked += 1;
  const body = { asset_id: sandbox[coin].assetId, amount: `0.2${asked}`, recipient_address: TO[coin], ...more };
  const answer = await api.call('POST', `/api/v1/wallets/${wallet}/request-withdrawal`, body);
  if (answer.status !== 202) throw new Error(JSON.stringify(answer.body));
  return answer.body.data.withdrawal.id as string;
}

/** As the worker does once the chain has it, or has had it and failed. */
async function settle(id: string, feePaid: bigint, moved = true): Promise<void> {
  await api.db.transaction(async (tx) => {
    const step = { details: 'A step.' };
    await advanceWithdrawal(tx, id, { from: 'approved', to: 'processing', ...step });
    const row = await lockWithdrawal(tx, id);
    if (row === undefined) throw new Error('there is no row');
    await holdFee(tx, row, 0, 2n * feePaid);
    await settleWithdrawal(tx, row, { moved, feePaid, fields: { txHash: '0x01' }, step });
  });
}

const recordOf = async (id: string) => (await list()).find((record) => record['id'] === id);

test.each([
  ['ETH', 21_000_000_000_000n, { fee: '0.000021', fee_symbol: 'ETH', network_internal_code: 'ETHEREUM_SANDBOX' }],
  ['BTC', 705n, { fee: '0.00000705', fee_symbol: 'BTC', network_internal_code: 'BTC_SANDBOX' }],
  ['SOL', 5_010n, { fee: '0.00000501', fee_symbol: 'SOL', network_internal_code: 'SOL_SANDBOX' }],
] as const)(
  '%s: what was paid says its fee, its currency, and what its caller calls it',
  async (coin, fee, expected) => {
    const names = { external_id: `invoice-${coin}`, notes: '=Rent, "July"' };
    const id = await ask(coin, names);
    const before = await recordOf(id);
    expect(before).toMatchObject({ symbol: coin, withdrawal_status: 'approved', ...names });
    expect(before).not.toHaveProperty('fee');
    await settle(id, fee);
    expect(await recordOf(id)).toMatchObject({
      status: 'completed',
      withdrawal_status: 'completed',
      ...names,
      ...expected,
    });
  },
);

test('one that was reverted says the fee that it paid all the same', async () => {
  const id = await ask('ETH');
  await settle(id, 3n * 10n ** 15n, false);
  expect(await recordOf(id)).toMatchObject({ status: 'failed', withdrawal_status: 'failed', fee: '0.003' });
});

test('cancelled is not failed: the list of statuses stays as it is, and beside it stands what it was', async () => {
  const id = await ask('ETH');
  await api.call('POST', `/api/v1/withdrawals/${id}/cancel`);
  const record = await recordOf(id);
  expect(record).toMatchObject({ status: 'failed', withdrawal_status: 'cancelled' });
  expect(record).not.toHaveProperty('fee');
});

test('a deposit has a currency, and neither a fee nor a name', async () => {
  const { id } = await insertTransaction(api.db, { ...sandbox.ETH, workspaceId: api.workspaceId, walletId });
  const record = await recordOf(id);
  expect(record).toMatchObject({ symbol: 'ETH', network_internal_code: 'ETHEREUM_SANDBOX' });
  for (const name of ['fee', 'fee_symbol', 'withdrawal_status', 'external_id', 'notes'])
    expect(record).not.toHaveProperty(name);
});

test('columns=all: every row of the file is the row of the list; without it the file is as it is specified', async () => {
  const { status, body } = await api.call('GET', path('/export?columns=all'));
  expect(status).toBe(200);
  const [header = [], ...rows] = parseCsv(body);
  const specified = (await api.call('GET', path('/export'))).body as string;
  expect((await api.call('GET', path('/export?columns=specified'))).body).toBe(specified);
  const [specifiedHeader = []] = parseCsv(specified);
  expect(header.join()).toBe(`${specifiedHeader.join()},${MORE}`);
  expect(parseCsv(specified).slice(1)).toEqual(rows.map((row) => row.slice(0, specifiedHeader.length)));
  const records = await list();
  expect(rows).toHaveLength(records.length);
  const shown = records.map((record) => header.map((name) => String(record[name] ?? '').replace(/^=/, "'=")));
  expect(rows).toEqual(shown);
});

test('what the rows say, and nothing else, is what the balance gained', async () => {
  const wallet = await api.makeActiveWallet();
  const deposited = { ...sandbox.ETH, workspaceId: api.workspaceId, walletId: wallet, decimals: 18 };
  await insertTransaction(api.db, { ...deposited, amountBaseUnits: 5n * 10n ** 18n });
  await credit(api.db, wallet, sandbox.ETH, 5n * 10n ** 18n);
  await settle(await ask('ETH', { amount: '1.5' }, wallet), 21_000_000_000_000n);
  await settle(await ask('ETH', { amount: '0.7' }, wallet), 3n * 10n ** 15n, false);
  await api.call('POST', `/api/v1/withdrawals/${await ask('ETH', { amount: '0.9' }, wallet)}/cancel`);
  const [header = [], ...rows] = parseCsv(
    (await api.call('GET', path(`/export?columns=all&wallet_id=${wallet}`))).body,
  );
  const cell = (row: string[], name: string) => row[header.indexOf(name)] ?? '';
  const wei = (text: string) => parseAmount(text === '' ? '0' : text, 18);
  const gained = rows.map((row) => {
    const moved = cell(row, 'status') === 'completed' ? wei(cell(row, 'amount')) : 0n;
    return (cell(row, 'direction') === 'in' ? moved : -moved) - wei(cell(row, 'fee'));
  });
  const sum = gained.reduce((total, each) => total + each, 0n);
  expect(sum).toBe(await readLedgerBalance(api.db, wallet, sandbox.ETH.assetId, 'available'));
  expect(sum).toBe(5n * 10n ** 18n - 15n * 10n ** 17n - 21_000_000_000_000n - 3n * 10n ** 15n);
});

test('400: another set of columns', async () => {
  const { status, body } = await api.call('GET', path('/export?columns=some'));
  expect([status, body.code]).toEqual([400, 'invalid_request']);
  expect(body.message).toContain('specified, all');
});
