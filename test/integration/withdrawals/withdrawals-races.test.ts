// Goal: whatever happens at once, nobody spends what is not there, nothing is signed after it was cancelled, and a
// freeze holds from the moment it is answered. Method: races against two API processes on one real database, with the
// workers' own activities and compare-and-sets on the other side.

import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWithdrawalActivities } from '../../../activities/withdrawals/withdrawals.ts';
import { findLedgerImbalances, readLedgerBalance } from '../../../drizzle/ledger/ledger.ts';
import { advanceWithdrawal } from '../../../drizzle/withdrawals/withdrawal-steps.ts';
import { withdrawals } from '../../../drizzle/withdrawals/withdrawals.ts';
import { outbox } from '../../../drizzle/writes/workflow-outbox.ts';
import { noChains } from '../../../test/support/chains/no-chains.ts';
import { type Answer, startApi, type TestApi, type TestKey } from '../../support/api/api.ts';
import { distinctSeconds } from '../../support/api/distinct-seconds.ts';
import { activatePolicy, connectNetwork, credit, sandbox } from '../../support/rows/funded.ts';
import { testSeals } from '../../support/rows/seals.ts';

const RACERS = 20;
const TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const ETHER = 10n ** 18n;

let api: TestApi;
let another: Awaited<ReturnType<TestApi['startAnother']>>;

beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1' });
  another = await api.startAnother();
  await connectNetwork(api.db, sandbox.ETH.networkId);
});
afterAll(async () => {
  await another.stop();
  await api.stop();
});

async function makeFunded(amount: bigint, workspaceId?: string): Promise<string> {
  const id = await api.makeActiveWallet(workspaceId);
  await credit(api.db, id, sandbox.ETH, amount);
  return id;
}

const nextSecond = distinctSeconds();
let calls = 0;
/** By turns to the one process and the other. */
function post(
  path: string,
  body?: unknown,
  { key = api.admin, headers = {} }: { key?: TestKey; headers?: Record<string, string> } = {},
) {
  calls += 1;
  const at = calls % 2 === 0 ? api.app : another.app;
  return api.call('POST', `/api/v1${path}`, body, { key, headers, timestamp: nextSecond(), at });
}

const body = (more: object = {}) => ({
  asset_id: sandbox.ETH.assetId,
  amount: '1',
  recipient_address: TO,
  ...more,
});
const ask = (walletId: string, more: object = {}, options: Parameters<typeof post>[2] = {}) =>
  post(`/wallets/${walletId}/request-withdrawal`, body(more), options);
const race = <Result>(act: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: RACERS }, (_, index) => act(index)));
const countOf = (answers: Answer[], status: number) => answers.filter((answer) => answer.status === status).length;
const rowsOf = (walletId: string) => api.db.select().from(withdrawals).where(eq(withdrawals.walletId, walletId));
async function startsOf(walletId: string): Promise<number> {
  const entries = await api.db.select().from(outbox);
  return entries.filter(({ input }) => (input as { walletId: string }).walletId === walletId).length;
}
const balance = (walletId: string, kind: 'available' | 'held') =>
  readLedgerBalance(api.db, walletId, sandbox.ETH.assetId, kind);

test('of twenty requests for what suffices for ten, ten are accepted, and the last base unit is held', async () => {
  const walletId = await makeFunded(10n * ETHER);
  const answers = await race(() => ask(walletId));
  expect([countOf(answers, 202), countOf(answers, 409)]).toEqual([10, 10]);
  for (const { status, body: refused } of answers) if (status === 409) expect(refused.code).toBe('insufficient_funds');
  expect([await balance(walletId, 'available'), await balance(walletId, 'held')]).toEqual([0n, 10n * ETHER]);
  expect([(await rowsOf(walletId)).length, await startsOf(walletId)]).toEqual([10, 10]);
  expect(await findLedgerImbalances(api.db)).toEqual([]);
});

test('A4: one idempotency key: one withdrawal, one start, one answer', async () => {
  const walletId = await makeFunded(10n * ETHER);
  const answers = await race(() => ask(walletId, {}, { headers: { 'x-idempotency-key': 'race' } }));
  expect([countOf(answers, 202), countOf(answers, 200)]).toEqual([1, RACERS - 1]);
  expect(new Set(answers.map((answer) => answer.body.data.withdrawal.id)).size).toBe(1);
  expect([(await rowsOf(walletId)).length, await startsOf(walletId), await balance(walletId, 'held')]).toEqual([
    1,
    1,
    ETHER,
  ]);
});

test('A5: one external_id, from several wallets: one withdrawal, and only its money is held', async () => {
  const wallets = await Promise.all([1, 2, 3, 4].map(() => makeFunded(10n * ETHER)));
  const answers = await race((index) => ask(wallets[index % 4] ?? '', { external_id: 'invoice-1' }));
  expect([countOf(answers, 202), countOf(answers, 409)]).toEqual([1, RACERS - 1]);
  const held = await Promise.all(wallets.map((walletId) => balance(walletId, 'held')));
  expect(held.reduce((sum, one) => sum + one, 0n)).toBe(ETHER);
});

test('a limit on a sum within a time holds against requests at once', async () => {
  const { workspaceId, key } = await api.makeWorkspace();
  const wallets = [await makeFunded(100n * ETHER, workspaceId), await makeFunded(100n * ETHER, workspaceId)];
  const velocity = { asset_id: sandbox.ETH.assetId, per: 'workspace' as const, window_seconds: 3600, more_than: '5' };
  await activatePolicy(api.db, workspaceId, {
    rules: [{ name: 'five an hour', when: { velocity }, then: { action: 'deny' } }],
    default: { action: 'allow' },
  });
  const answers = await race((index) => ask(wallets[index % 2] ?? '', {}, { key }));
  expect([countOf(answers, 202), countOf(answers, 403)]).toEqual([5, RACERS - 5]);
});

describe('a freeze', () => {
  test.each(['wallet', 'workspace'])(
    'of the %s in the midst of requests: none is accepted after its answer',
    async (what) => {
      const { workspaceId, key } = await api.makeWorkspace();
      const walletId = await makeFunded(100n * ETHER, workspaceId);
      let frozen = false;
      const freezing = async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        const path =
          what === 'wallet' ? `/wallets/${walletId}/freeze` : `/workspaces/${workspaceId}/withdrawals/freeze`;
        expect((await post(path, undefined, { key })).status).toBe(200);
        frozen = true;
      };
      const asking = async () => {
        for (let round = 0; round < 5; round += 1) {
          const begunAfter = frozen;
          const { status } = await ask(walletId, {}, { key });
          expect(begunAfter ? [423] : [202, 423]).toContain(status);
        }
      };
      await Promise.all([freezing(), ...Array.from({ length: 10 }, asking)]);
      expect((await ask(walletId, {}, { key })).status).toBe(423);
      const accepted = (await rowsOf(walletId)).length;
      expect(await balance(walletId, 'held')).toBe(BigInt(accepted) * ETHER);
      // What was accepted in that very instant is stopped by the worker, before anything is signed.
      const activities = createWithdrawalActivities({ db: api.db, seals: testSeals, chains: noChains });
      for (const { id } of await rowsOf(walletId))
        await expect(activities.beginWithdrawal(id)).rejects.toThrow('frozen');
    },
  );
});

describe('a cancellation', () => {
  test('against the worker that begins: whoever comes first, the other sees it', async () => {
    const activities = createWithdrawalActivities({ db: api.db, seals: testSeals, chains: noChains });
    const outcomes = await race(async () => {
      const walletId = await makeFunded(ETHER);
      const id = (await ask(walletId)).body.data.withdrawal.id as string;
      const [begun, answer] = await Promise.all([activities.beginWithdrawal(id), post(`/withdrawals/${id}/cancel`)]);
      const [row] = await rowsOf(walletId);
      // Begun and still without a transaction, it can be cancelled too.
      expect([answer.status, row?.status]).toEqual([200, 'cancelled']);
      expect(await balance(walletId, 'available')).toBe(ETHER);
      expect(await balance(walletId, 'held')).toBe(0n);
      return begun.standing;
    });
    expect(outcomes).toHaveLength(RACERS);
    expect(await findLedgerImbalances(api.db)).toEqual([]);
  });

  test('against the worker that journals its transaction: one of the two, never both', async () => {
    const step = { details: 'A step.' };
    const outcomes = await race(async () => {
      const walletId = await makeFunded(ETHER);
      const id = (await ask(walletId)).body.data.withdrawal.id as string;
      const move = (from: 'approved' | 'processing', subStatus: 'queued' | 'awaiting_signature') =>
        api.db.transaction((tx) =>
          advanceWithdrawal(tx, id, { from, to: 'processing', fields: { subStatus }, ...step }),
        );
      await move('approved', 'queued');
      const [journaled, answer] = await Promise.all([
        move('processing', 'awaiting_signature'),
        post(`/withdrawals/${id}/cancel`),
      ]);
      const [row] = await rowsOf(walletId);
      expect([answer.status, row?.status]).toEqual(journaled ? [409, 'processing'] : [200, 'cancelled']);
      expect(await balance(walletId, 'held')).toBe(journaled ? ETHER : 0n);
      return journaled;
    });
    expect(outcomes).toHaveLength(RACERS);
  });

  test('twenty at once: one end, one line of history, and the money comes back once', async () => {
    const walletId = await makeFunded(ETHER);
    const id = (await ask(walletId)).body.data.withdrawal.id as string;
    const answers = await race(() => post(`/withdrawals/${id}/cancel`));
    expect(countOf(answers, 200)).toBe(RACERS);
    expect(await balance(walletId, 'available')).toBe(ETHER);
    const history = await api.call('GET', `/api/v1/withdrawals/${id}/history`);
    expect(history.body.data.filter(({ status }: { status: string }) => status === 'cancelled')).toHaveLength(1);
  });
});
