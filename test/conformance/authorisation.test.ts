// Goal: no route answers a caller who may not have it (controls A1). Method: the OpenAPI document is walked, so that a
// new route is covered or fails here: every operation is called unsigned, with every scope but its own, on another
// workspace's resources, and by a key bound to another wallet, with the body that the document itself gives as its
// example.
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { access } from '../../domain/access-rules.ts';
import { scopes } from '../../domain/scopes.ts';
import { startApi, type TestApi, type TestKey } from '../support/api/api.ts';
import {
  callRoute,
  fill,
  makeResources,
  paramsOf,
  type Route,
  readCatalogue,
  readRoutes,
} from '../support/api/every-route.ts';

const routes = await readRoutes();
const signed = routes.filter(({ path }) => path.startsWith('/api/v1/'));
/** What of a path belongs to somebody; the rest is the catalogue, which is the same for all. */
const ofAWallet = new Set([
  'wallet_id',
  'signing_id',
  'transaction_id',
  'withdrawal_id',
  'export_id',
  'schedule_id',
  'subject_id',
]);
const owned = new Set([
  ...ofAWallet,
  'workspace_id',
  'api_key_id',
  'user_id',
  'change_id',
  'address_book_id',
  'webhook_id',
  'delivery_id',
  'passkey_id',
]);

interface Resources {
  key: TestKey;
  params: Record<string, string>;
}

let api: TestApi;
let ours: Resources;
let theirs: Resources;
let unknown: Record<string, string>;

const call = (route: Route, params: Record<string, string>, key: TestKey) => callRoute(api, route, params, key);

beforeAll(async () => {
  api = await startApi();
  const catalogue = await readCatalogue(api);
  ours = {
    key: api.admin,
    params: { ...catalogue, ...(await makeResources(api, api.workspaceId, api.admin, catalogue)) },
  };
  const other = await api.makeWorkspace();
  theirs = {
    key: other.key,
    params: { ...catalogue, ...(await makeResources(api, other.workspaceId, other.key, catalogue)) },
  };
  unknown = { ...catalogue, ...Object.fromEntries([...owned].map((name) => [name, uuidv7()])) };
});
afterAll(() => api.stop());

/** What the service does not do yet is not in the document (integration/wallets/sweeps.test.ts). */
const NOT_YET = 'POST /workspaces/{workspace_id}/automation/sweep-task';

test('every rule of the access table has its route, and every route its rule', () => {
  const documented = Object.keys(access).filter((rule) => rule !== NOT_YET);
  const rules = documented.map((rule) => rule.replace(' ', ' /api/v1'));
  expect(signed.map(({ name }) => name).toSorted()).toEqual(rules.toSorted());
});

test('the document shows the scope that the table demands, and the three headers', () => {
  for (const { name, operation } of signed) {
    const scope = access[name.replace(' /api/v1', ' ')];
    expect([name, operation['x-scope']]).toEqual([name, scope ?? undefined]);
    expect(operation.security).toEqual([{ accessKey: [], accessTimestamp: [], accessSign: [] }]);
  }
});

test('nothing outside /api/v1 shows anything of a workspace', () => {
  const open = routes.filter(({ path }) => !path.startsWith('/api/v1/')).map(({ name }) => name);
  expect(open.flatMap((name) => [...name.matchAll(/\{\w+_id\}/g)])).toEqual([]);
});

describe('A1: 401 unsigned, and with a signature of another secret', () => {
  test.each(signed.map((route) => [route.name, route] as const))('%s', async (_name, route) => {
    const unsigned = await api.app.inject({ method: route.method as 'GET', url: fill(route, ours.params) });
    expect(unsigned.statusCode).toBe(401);
    const forged = await call(route, ours.params, { ...ours.key, apiSecret: theirs.key.apiSecret });
    expect(forged).toMatchObject({ status: 401, body: unsigned.json() });
    expect(route.operation.responses).toHaveProperty('401');
  });
});

/** Who approves something may read it. */
const alsoReads: Readonly<Record<string, string>> = {
  'withdrawals:read': 'withdrawals:approve',
  'signing:read': 'signing:approve',
};

describe('A1: 403 with every scope but the one it needs', () => {
  const scoped = signed.filter(({ operation }) => operation['x-scope'] !== undefined);
  test.each(scoped.map((route) => [route.name, route] as const))('%s', async (_name, route) => {
    const needed = String(route.operation['x-scope']);
    const others = scopes.filter((scope) => scope !== needed && scope !== alsoReads[needed]);
    const key = await api.makeKey({ scopes: others });
    const answer = await call(route, ours.params, key);
    expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope', data: null } });
    expect(route.operation.responses).toHaveProperty('403');
  });
});

describe('A1: 404 on each id of another workspace, as if it were not there', () => {
  const cases = signed.flatMap((route) =>
    paramsOf(route)
      .filter((name) => owned.has(name))
      .map((name) => [route.name, name, route] as const),
  );
  test.each(cases)('%s: %s', async (_name, param, route) => {
    const foreign = await call(route, { ...ours.params, [param]: theirs.params[param] as string }, ours.key);
    const absent = await call(route, { ...ours.params, [param]: unknown[param] as string }, ours.key);
    expect(foreign).toMatchObject({ status: 404, body: { code: 'not_found', data: null } });
    expect(foreign.body).toEqual(absent.body);
    expect(route.operation.responses).toHaveProperty('404');
  });
});

describe('A1: a key bound to another wallet of the same workspace reaches nothing of this one', () => {
  let bound: TestKey;
  beforeAll(async () => {
    bound = await api.makeKey({ scopes: [...scopes], walletIds: [await api.makeActiveWallet()] });
  });
  const ofWallets = signed.filter((route) => paramsOf(route).some((name) => ofAWallet.has(name)));
  test.each(ofWallets.map((route) => [route.name, route] as const))('%s', async (_name, route) => {
    expect(await call(route, ours.params, bound)).toMatchObject({
      status: 403,
      body: { code: 'wallet_not_allowed', data: null },
    });
  });

  const lists = signed.filter(({ method, path }) => method === 'GET' && path.includes('/workspaces/'));
  const ofWalletLists = lists.filter(
    (route) =>
      !paramsOf(route).some((name) => ofAWallet.has(name)) &&
      !/api-keys|policy|address-book|webhook|audit-logs/.test(route.path),
  );
  test.each(ofWalletLists.map((route) => [route.name, route] as const))('%s does not show it', async (_name, route) => {
    const { status, body } = await call(route, ours.params, bound);
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain(ours.params['wallet_id']);
  });
});
