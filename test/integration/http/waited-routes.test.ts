// Goal: a caller may wait (`Prefer: wait`) wherever the contract says so, the document says where that is, and what has
// nothing to wait for is answered at once. Method: each such route, its operation at its end; the routes of the
// document; places for files that are taken and given back.
import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertExport } from '../../../drizzle/exports/export-steps.ts';
import { withdrawals } from '../../../drizzle/withdrawals/withdrawals.ts';
import { FileSlots } from '../../../src/files/file-slots.ts';
import { readRoutes } from '../../support/api/every-route.ts';
import { startWaitedApi, type WaitedApi } from '../../support/api/waiting.ts';
import { connectNetwork, credit, sandbox } from '../../support/rows/funded.ts';

const waitable = [
  '/wallets/creation-status/{wallet_id}',
  '/signing-requests/{signing_id}',
  '/web3/{wallet_id}/sign/{signing_id}',
  '/withdrawals/{withdrawal_id}',
  '/web3/transaction/{wallet_id}/{transaction_id}',
  '/workspaces/{workspace_id}/exports/{export_id}',
  '/workspaces/{workspace_id}/transactions/export',
  '/workspaces/{workspace_id}/audit-logs/export',
  '/workspaces/{workspace_id}/events',
];
const STARTED_LATE_MS = 20_000;

let waited: WaitedApi;
let ids: Record<string, string>;
beforeAll(async () => {
  waited = await startWaitedApi();
  const { api, walletId } = waited;
  await connectNetwork(api.db, sandbox.ETH.networkId);
  await credit(api.db, walletId, sandbox.ETH, 10n ** 18n);
  const signingId = await waited.makeSubmitted();
  await waited.succeed(signingId);
  const asked = await api.call('POST', `/api/v1/wallets/${walletId}/request-withdrawal`, {
    asset_id: sandbox.ETH.assetId,
    amount: '0.1',
    recipient_address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  });
  const { id } = asked.body.data.withdrawal;
  await api.db.update(withdrawals).set({ status: 'cancelled' }).where(eq(withdrawals.id, id));
  const exportId = uuidv7();
  await api.db.transaction((tx) =>
    insertExport(tx, {
      id: exportId,
      workspaceId: api.workspaceId,
      workflowId: `write-export-${exportId}`,
      requestedBy: uuidv7(),
      content: 'balances',
      format: 'jsonl',
      status: 'failed',
    }),
  );
  ids = {
    export_id: exportId,
    wallet_id: walletId,
    signing_id: signingId,
    withdrawal_id: id,
    transaction_id: id,
    workspace_id: api.workspaceId,
  };
});
afterAll(() => waited.stop());

test('the document says of exactly these that a caller may wait', async () => {
  const routes = await readRoutes();
  const stated = routes.filter(({ operation }) => operation.parameters?.some(({ name }) => name === 'prefer'));
  expect(stated.map(({ name }) => name).toSorted()).toEqual(waitable.map((path) => `GET /api/v1${path}`).toSorted());
});

test.each(waitable)('%s: preference applied', async (path) => {
  const { api } = waited;
  const url = `/api/v1${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '')}`;
  const answer = await api.call('GET', url, undefined, { headers: { prefer: 'wait=1' } });
  expect([answer.status, answer.headers]).toMatchObject([200, { 'preference-applied': 'wait', vary: 'Prefer' }]);
  const plain = await api.call('GET', url);
  expect(plain.status).toBe(200);
  expect(plain.headers).not.toHaveProperty('preference-applied');
});

describe('who waits for a place to export', () => {
  const never = () => new AbortController().signal;

  test('gets it when another has ended, and none when the time is up or he has left', async () => {
    const slots = new FileSlots();
    const [first, second] = [slots.enter('w'), slots.enter('w')];
    expect(slots.enter('w')).toBeUndefined();
    const waiting = slots.enterWithin('w', STARTED_LATE_MS, never());
    expect(await slots.enterWithin('w', 10, never())).toBeUndefined();
    const leaving = new AbortController();
    const left = slots.enterWithin('w', STARTED_LATE_MS, leaving.signal);
    leaving.abort();
    expect(await left).toBeUndefined();
    first?.();
    const third = await waiting;
    expect(third).toBeDefined();
    expect(slots.enter('w')).toBeUndefined();
    for (const leave of [second, third]) leave?.();
    expect(slots.enter('w')).toBeDefined();
  });

  test('there are places at once for another workspace, and few may wait', async () => {
    const slots = new FileSlots();
    for (const _ of [1, 2]) slots.enter('w');
    const waiting = Array.from({ length: 20 }, () => slots.enterWithin('w', 300, never()));
    const startedMs = performance.now();
    expect(await slots.enterWithin('w', STARTED_LATE_MS, never())).toBeUndefined();
    expect(performance.now() - startedMs).toBeLessThan(STARTED_LATE_MS / 2);
    expect(await slots.enterWithin('other', STARTED_LATE_MS, never())).toBeDefined();
    expect(await Promise.all(waiting)).toEqual(Array.from({ length: 20 }, () => undefined));
  });
});
