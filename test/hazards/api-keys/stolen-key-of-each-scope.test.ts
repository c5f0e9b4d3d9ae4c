// Goal: whoever has stolen one API key, of any scope, or of a user with every scope, moves nothing in production: a
// workspace with two users and the default policy asks another user about everything. Method: the thief calls every
// route of the OpenAPI document, asks for money in every shape, makes keys, users and policies, approves what waits,
// and does all of it again with every key that an answer has shown him; then the rows say whether anything may go.
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Scope, scopes } from '../../../domain/scopes.ts';
import { administratorScopes } from '../../../domain/users/roles.ts';
import type { Answer, TestKey } from '../../support/api/api.ts';
import { startApi } from '../../support/api/api.ts';
import { callRoute, paramsOf, readCatalogue, readRoutes } from '../../support/api/every-route.ts';
import { ApprovalStage } from '../../support/rows/approvals.ts';
import { credit, sandbox } from '../../support/rows/funded.ts';

const THIEF = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
/** But what would only be in his way. */
const routes = (await readRoutes()).filter(
  ({ path, method }) => path.startsWith('/api/v1/') && method !== 'GET' && !/\/(archive|freeze)$/.test(path),
);
const PERMISSIVE = { rules: [], default: { action: 'allow' } };

let stage: ApprovalStage;
let catalogue: Awaited<ReturnType<typeof readCatalogue>>;
beforeAll(async () => {
  stage = new ApprovalStage(await startApi({ production: true, temporalAddress: '127.0.0.1:1' }));
  await stage.connect();
  catalogue = await readCatalogue(stage.api);
});
afterAll(() => stage.api.stop());

interface Thief {
  workspaceId: string;
  keys: TestKey[];
  walletId: string;
}

/**
 * In a workspace of its own, since two thieves hold two pieces. The workspace's other user could approve, and nobody
 * asks him.
 */
async function steal(held: Scope[]): Promise<Thief> {
  const { workspaceId } = await stage.api.makeWorkspace();
  const walletId = await stage.api.makeActiveWallet(workspaceId);
  await credit(stage.api.db, walletId, sandbox.ETH, 10n ** 20n);
  return { workspaceId, walletId, keys: [await stage.api.makeKey({ workspaceId, scopes: held, name: 'stolen' })] };
}

/** What an answer shows of new keys is the thief's. */
function keep(thief: Thief, { body }: Answer): void {
  const { api_key: apiKey, api_secret: apiSecret } = body?.data ?? {};
  if (typeof apiSecret === 'string' && typeof apiKey === 'string') thief.keys.push({ apiKey, apiSecret });
}

async function askForMoney({ walletId }: Thief, key: TestKey): Promise<void> {
  const onEvm = { network_internal_code: 'ETHEREUM_SANDBOX' };
  const sign = (verb: string, body: object) =>
    stage.call('POST', `/api/v1/web3/transaction/${walletId}/${verb}`, { ...onEvm, ...body }, { key });
  const withdrawal = { asset_id: sandbox.ETH.assetId, amount: '0.5', recipient_address: THIEF };
  await stage.call('POST', `/api/v1/wallets/${walletId}/request-withdrawal`, withdrawal, { key });
  await sign('signRaw', { signing_hash: 'ab'.repeat(32) });
  await sign('signMessage', { message: 'pay' });
  const items = [{ ...onEvm, signing_hash: 'cd'.repeat(32) }];
  await stage.call('POST', `/api/v1/web3/transaction/${walletId}/signBatch`, { items }, { key });
  await stage.call('POST', `/api/v1/web3/${walletId}/sign`, { ...onEvm, signing_hash: 'ef'.repeat(32) }, { key });
}

async function takePower(thief: Thief, key: TestKey): Promise<void> {
  const { workspaceId } = thief;
  const in_ = (path: string) => `/api/v1/workspaces/${workspaceId}/${path}`;
  await stage.call('PUT', in_('policy'), PERMISSIVE, { key });
  await stage.call(
    'POST',
    in_('address-book'),
    { network_id: sandbox.ETH.networkId, address: THIEF, label: 'me' },
    { key },
  );
  const users = (await stage.call('GET', in_('users'), undefined, { key })).body?.data;
  const ids = (Array.isArray(users) ? users : []).map(({ id }: { id: string }) => id);
  for (const user_id of [undefined, ...ids]) {
    const wanted = { name: 'mine', scopes: [...scopes], ...(user_id === undefined ? {} : { user_id }) };
    keep(thief, await stage.call('POST', in_('api-keys'), wanted, { key }));
    for (const scope of ['signing:approve', 'withdrawals:approve'])
      keep(thief, await stage.call('POST', in_('api-keys'), { ...wanted, scopes: [scope] }, { key }));
  }
  const made = await stage.call('POST', in_('users'), { name: 'a friend' }, { key });
  const user_id = made.body?.data?.id;
  if (typeof user_id === 'string')
    keep(thief, await stage.call('POST', in_('api-keys'), { name: 'his', scopes: [...scopes], user_id }, { key }));
  const listed = (await stage.call('GET', in_('api-keys'), undefined, { key })).body?.data;
  for (const { id } of (Array.isArray(listed) ? listed : []) as { id: string }[]) {
    await stage.call('PATCH', `/api/v1/api-keys/${id}`, { scopes: [...scopes] }, { key });
    keep(thief, await stage.call('POST', `/api/v1/api-keys/${id}/rotate`, { overlap_seconds: 60 }, { key }));
  }
}

/** Every id that waits, which the thief is taken to know. */
async function approveEverything({ workspaceId }: Thief, key: TestKey): Promise<void> {
  const waiting = await stage.api.db.execute<{ id: string; subject: string; digest: string }>(
    sql`select subject_id as id, subject, digest from approval_rounds where status = 'pending' and workspace_id = ${workspaceId}`,
  );
  for (const { id, subject, digest } of waiting)
    await stage.call('POST', `${pathOf(workspaceId, subject, id)}/approve`, { digest }, { key });
}

function pathOf(workspaceId: string, subject: string, id: string): string {
  const paths: Record<string, string> = {
    withdrawal: `/api/v1/withdrawals/${id}`,
    signing_request: `/api/v1/signing-requests/${id}`,
    policy: `/api/v1/workspaces/${workspaceId}/policy`,
    address: `/api/v1/workspaces/${workspaceId}/address-book/${id}`,
    authority_change: `/api/v1/changes/${id}`,
  };
  const path = paths[subject];
  if (path === undefined) throw new Error(`this test does not know how a ${subject} is approved`);
  return path;
}

async function callEveryRoute(thief: Thief, key: TestKey): Promise<void> {
  const ids = { ...catalogue, workspace_id: thief.workspaceId, wallet_id: thief.walletId };
  for (const route of routes) {
    if (paramsOf(route).some((name) => !Object.hasOwn(ids, name))) continue;
    keep(thief, await callRoute(stage.api, route, ids, key));
  }
}

/** What may go on without another word. */
async function readWhatMayGo({ workspaceId }: Thief) {
  const count = async (query: ReturnType<typeof sql>) => {
    const [row] = await stage.api.db.execute<{ count: string }>(
      sql`select count(*) from ${query} and workspace_id = ${workspaceId}`,
    );
    return Number(row?.count);
  };
  return {
    signatures: await count(sql`signing_requests where (status in ('submitted', 'success')
      or (status = 'pending' and status_reason is distinct from 'awaiting_approval'))`),
    withdrawals: await count(sql`withdrawals where status in ('approved', 'processing', 'completed')`),
    policies: await count(sql`policies where status = 'active'`),
    addresses: await count(sql`address_book where status = 'active'`),
    approvedRounds: await count(sql`approval_rounds where status = 'approved'`),
  };
}

const nothing = { signatures: 0, withdrawals: 0, policies: 0, addresses: 0, approvedRounds: 0 };
const stolen: [string, Scope[]][] = scopes.map((scope) => [scope, [scope]]);

/** The most of the keys that answers have shown, beside the stolen one, that are tried. */
const KEYS_TRIED_MAX = 40;

test.each([
  ...stolen,
  ['every scope', [...scopes]] as [string, Scope[]],
  ['those of the first administrator', [...administratorScopes]] as [string, Scope[]],
])(
  'a stolen key moves nothing: %s',
  async (_name, held) => {
    const thief = await steal(held);
    const [stolenKey] = thief.keys as [TestKey];
    await askForMoney(thief, stolenKey);
    await takePower(thief, stolenKey);
    await callEveryRoute(thief, stolenKey);
    await askForMoney(thief, stolenKey);
    for (const key of thief.keys.slice(0, KEYS_TRIED_MAX)) await approveEverything(thief, key);
    for (const key of thief.keys.slice(1, 4)) await askForMoney(thief, key);
    for (const key of thief.keys.slice(0, KEYS_TRIED_MAX)) await approveEverything(thief, key);
    expect(await readWhatMayGo(thief)).toEqual(nothing);
  },
  90_000,
);
