// Goal: withdrawals of a workspace are frozen and unfrozen by who may, for this workspace alone, and a repeat changes
// nothing. Method: the API on a real database, case by status code.
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scopes } from '../../../domain/scopes.ts';
import { workspaces } from '../../../drizzle/workspaces/workspaces.ts';
import { type CallOptions, startApi, type TestApi } from '../../support/api/api.ts';

let api: TestApi;
let second = 0;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

/** Equal writes are signed in different seconds: a signature counts once. */
function move(
  verb: 'freeze' | 'unfreeze',
  { workspaceId = api.workspaceId, ...options }: CallOptions & { workspaceId?: string } = {},
) {
  second += 1;
  const timestamp = Math.floor(Date.now() / 1000) + second;
  return api.call('POST', `/api/v1/workspaces/${workspaceId}/withdrawals/${verb}`, undefined, {
    timestamp,
    ...options,
  });
}

const frozenAt = async (id: string) =>
  (await api.db.select().from(workspaces).where(eq(workspaces.id, id)))[0]?.withdrawalsFrozenAt;

test('200: frozen, frozen again since the same moment, unfrozen, unfrozen again', async () => {
  const frozen = await move('freeze');
  const data = { workspace_id: api.workspaceId, withdrawals_frozen: true, frozen_at: expect.stringMatching(/T.*Z$/) };
  expect([frozen.status, frozen.body.data]).toEqual([200, data]);
  expect((await frozenAt(api.workspaceId))?.toISOString()).toBe(frozen.body.data.frozen_at);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect((await move('freeze')).body.data).toEqual(frozen.body.data);
  for (let time = 0; time < 2; time += 1)
    expect((await move('unfreeze')).body.data).toEqual({ workspace_id: api.workspaceId, withdrawals_frozen: false });
  expect(await frozenAt(api.workspaceId)).toBeNull();
});

test('200 again: a repeated idempotency key moves nothing, and answers what it answered', async () => {
  const headers = { 'x-idempotency-key': 'freeze-once' };
  await move('freeze', { headers });
  await move('unfreeze');
  expect((await move('freeze', { headers })).body.data).toMatchObject({ withdrawals_frozen: true });
  expect(await frozenAt(api.workspaceId)).toBeNull();
});

test('only this workspace is frozen', async () => {
  const other = await api.makeWorkspace();
  await move('freeze');
  expect(await frozenAt(other.workspaceId)).toBeNull();
  await move('unfreeze');
});

test('403 without workspace:admin, and for a key that is bound to wallets', async () => {
  const without = await api.makeKey({ scopes: scopes.filter((scope) => scope !== 'workspace:admin') });
  const bound = await api.makeKey({ scopes: [...scopes], walletIds: [await api.makeActiveWallet()] });
  for (const verb of ['freeze', 'unfreeze'] as const) {
    expect(await move(verb, { key: without })).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    expect(await move(verb, { key: bound })).toMatchObject({ status: 403, body: { code: 'wallet_not_allowed' } });
  }
  expect(await frozenAt(api.workspaceId)).toBeNull();
});

test("401 unsigned, 404 another workspace's, 400 a malformed id", async () => {
  const other = await api.makeWorkspace();
  expect((await move('freeze', { headers: { 'access-sign': '' } })).status).toBe(401);
  expect(await move('freeze', { workspaceId: other.workspaceId })).toMatchObject({
    status: 404,
    body: { code: 'not_found' },
  });
  expect((await move('freeze', { workspaceId: 'x' })).status).toBe(400);
  expect(await frozenAt(other.workspaceId)).toBeNull();
});
