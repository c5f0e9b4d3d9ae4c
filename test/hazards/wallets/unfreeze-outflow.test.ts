// Goal: a wallet that something left without our doing cannot be unfrozen by an API key, whichever of the two comes
// first, until an operator has resolved it. Method: the API on a real database; the step that records an outflow and
// the unfreezing wait for each other, in either order, by a transaction that the test holds open.
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findNetworkByCode } from '../../../drizzle/networks/network-states.ts';
import { type Outflow, recordOutflows, resolveOutflow } from '../../../drizzle/outflows/outflows.ts';
import { lockWallet } from '../../../drizzle/wallets/wallet-queries.ts';
import { advanceWallet } from '../../../drizzle/wallets/wallet-steps.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { testSeals } from '../../support/rows/seals.ts';

let api: TestApi;
let networkId: string;
beforeAll(async () => {
  api = await startApi();
  const network = await findNetworkByCode(api.db, 'ETHEREUM_SANDBOX');
  networkId = network?.id ?? '';
});
afterAll(() => api.stop());

let made = 0;
const call = (verb: string, id: string) =>
  api.call('POST', `/api/v1/wallets/${id}/${verb}`, undefined, { timestamp: Math.floor(Date.now() / 1000) + made++ });
const statusOf = async (id: string) => (await api.call('GET', `/api/v1/wallets/${id}`)).body.data.status;

const outflowOf = (walletId: string): Outflow => ({
  networkId,
  walletId,
  assetId: null,
  txHash: `0x${(made++).toString(16)}`,
  departureIndex: '0',
  kind: 'signed_elsewhere',
  fromAddress: '0x0',
  toAddress: null,
  amountBaseUnits: 1n,
  feeBaseUnits: null,
  blockNumber: 1,
  blockHash: '0x0',
});

async function frozenWallet(): Promise<string> {
  const id = await api.makeActiveWallet();
  await call('freeze', id);
  return id;
}

const refused = {
  status: 409,
  body: { code: 'invalid_state', data: null, message: expect.stringContaining('npm run outflows') },
};
const untilSomebodyWaits = () =>
  expect
    .poll(
      async () => {
        const [row] = await api.db.execute(sql`select count(*)::int as count from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`);
        return row?.['count'];
      },
      { timeout: 60_000 },
    )
    .toBe(1);

test('409 until every outflow is resolved, also one that a reorg took back; other wallets are unfrozen as ever', async () => {
  const [id, other] = [await api.makeActiveWallet(), await frozenWallet()];
  const outflows = [outflowOf(id), outflowOf(id)];
  const recorded = await api.db.transaction((tx) => recordOutflows(tx, outflows, testSeals));
  expect(await statusOf(id)).toBe('frozen');
  await api.db.execute(sql`update unexplained_outflows set reorged_at = now() where id = ${recorded[1]?.id}`);
  for (const each of recorded) {
    expect(await call('unfreeze', id)).toMatchObject(refused);
    await api.db.transaction((tx) => resolveOutflow(tx, each.id, 'ours'));
  }
  expect(await call('unfreeze', id)).toMatchObject({ status: 200, body: { data: { status: 'active' } } });
  expect(await call('unfreeze', other)).toMatchObject({ status: 200, body: { data: { status: 'active' } } });
});

test('a wallet that somebody froze before, or that is not frozen for an outflow', async () => {
  for (const freeze of [true, false]) {
    const id = await frozenWallet();
    await api.db.transaction((tx) => recordOutflows(tx, [outflowOf(id)], freeze && testSeals));
    expect(await call('unfreeze', id)).toMatchObject(refused);
    expect(await statusOf(id)).toBe('frozen');
  }
});

test('an outflow that is being recorded: unfreezing waits for it', async () => {
  const id = await frozenWallet();
  let unfreezing: ReturnType<typeof call> | undefined;
  await api.db.transaction(async (tx) => {
    await recordOutflows(tx, [outflowOf(id)], testSeals);
    unfreezing = call('unfreeze', id);
    await untilSomebodyWaits();
  });
  expect(await unfreezing).toMatchObject(refused);
  expect(await statusOf(id)).toBe('frozen');
});

test('an outflow that comes while the wallet is being unfrozen freezes it again', async () => {
  const id = await frozenWallet();
  let recording: ReturnType<typeof recordOutflows> | undefined;
  await api.db.transaction(async (tx) => {
    await lockWallet(tx, api.workspaceId, id, 'no key update');
    recording = api.db.transaction((another) => recordOutflows(another, [outflowOf(id)], testSeals));
    await untilSomebodyWaits();
    await advanceWallet(tx, id, { from: 'frozen', to: 'active' });
  });
  expect(await recording).toMatchObject([{ frozen: true }]);
  expect(await statusOf(id)).toBe('frozen');
});
