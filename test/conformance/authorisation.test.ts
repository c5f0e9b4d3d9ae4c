// Goal: no route answers a caller who may not have it (controls A1). Method: the OpenAPI document is walked, so that a new route is covered or fails
// here: every operation is called unsigned, with every scope but its own, on another workspace's resources, and by a key bound to another wallet,
// with the body that the document itself gives as its example.
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertSigningRequest } from '../../drizzle/signing-requests.ts';
import { insertWithdrawal } from '../../drizzle/withdrawal-steps.ts';
import { scopes } from '../../src/api-keys/scopes.ts';
import { describeApi } from '../../src/describe-api.ts';
import { access } from '../../src/http/access.ts';
import { type Answer, startApi, type TestApi, type TestKey } from '../support/api.ts';

interface Operation {
  security?: object[];
  'x-scope'?: string;
  parameters?: { name: string; in: string }[];
  requestBody?: { content: { 'application/json': { example?: unknown } } };
  responses: Record<string, object>;
}

interface Route {
  name: string;
  method: string;
  path: string;
  operation: Operation;
}

const document = (await describeApi()) as { paths: Record<string, Record<string, Operation>> };
const routes: Route[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => {
    const verb = method.toUpperCase();
    return { name: `${verb} ${path}`, method: verb, path, operation };
  }),
);
const signed = routes.filter(({ path }) => path.startsWith('/api/v1/'));
const paramsOf = ({ path }: Route) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);

/** What of a path belongs to somebody; the rest is the catalogue, which is the same for all. */
const ofAWallet = new Set(['wallet_id', 'signing_id', 'transaction_id', 'withdrawal_id']);
const owned = new Set([...ofAWallet, 'workspace_id', 'api_key_id', 'address_book_id']);

interface Resources {
  key: TestKey;
  params: Record<string, string>;
}

let api: TestApi;
let ours: Resources;
let theirs: Resources;
let unknown: Record<string, string>;

beforeAll(async () => {
  api = await startApi();
  const catalogue = await readCatalogue();
  ours = { key: api.admin, params: { ...catalogue, ...(await makeResources(api.workspaceId, api.admin, catalogue)) } };
  const other = await api.makeWorkspace();
  theirs = {
    key: other.key,
    params: { ...catalogue, ...(await makeResources(other.workspaceId, other.key, catalogue)) },
  };
  unknown = { ...catalogue, ...Object.fromEntries([...owned].map((name) => [name, uuidv7()])) };
});
afterAll(() => api.stop());

async function readCatalogue(): Promise<{ asset_id: string; network_id: string }> {
  const [asset] = (await api.call('GET', '/api/v1/assets')).body.data;
  return { asset_id: asset.id, network_id: asset.network_id };
}

async function makeResources(workspaceId: string, key: TestKey, catalogue: { asset_id: string; network_id: string }) {
  const walletId = await api.makeActiveWallet(workspaceId);
  const signingId = uuidv7();
  await api.db.transaction((tx) =>
    insertSigningRequest(tx, {
      id: signingId,
      workspaceId,
      walletId,
      operationType: 'generic',
      networkInternalCode: 'ETHEREUM_SANDBOX',
      keyType: 'secp256k1',
      signingHash: `0x${'ab'.repeat(32)}`,
      unsignedTx: `0x${'ab'.repeat(32)}`,
      derivationPath: 'm/44/60/0/0/0',
    }),
  );
  const withdrawalId = await makeWithdrawal(workspaceId, walletId, catalogue);
  const address = await api.call(
    'POST',
    `/api/v1/workspaces/${workspaceId}/address-book`,
    { network_id: catalogue.network_id, address: `0x${'5e'.repeat(20)}`, label: 'A supplier' },
    { key },
  );
  const self = await api.call('GET', '/api/v1/api-keys/self', undefined, { key });
  return {
    workspace_id: workspaceId,
    wallet_id: walletId,
    signing_id: signingId,
    transaction_id: withdrawalId,
    withdrawal_id: withdrawalId,
    address_book_id: address.body.data.id as string,
    api_key_id: self.body.data.id as string,
  };
}

async function makeWithdrawal(
  workspaceId: string,
  walletId: string,
  { asset_id: assetId, network_id: networkId }: { asset_id: string; network_id: string },
): Promise<string> {
  const id = uuidv7();
  await api.db.transaction((tx) =>
    insertWithdrawal(tx, {
      id,
      workspaceId,
      walletId,
      assetId,
      networkId,
      feeAssetId: assetId,
      amountBaseUnits: 0n,
      decimals: 18,
      fromAddress: `0x${'aa'.repeat(20)}`,
      derivationPath: 'm/44/60/0/0/0',
      recipientAddress: `0x${'bb'.repeat(20)}`,
      requestedBy: uuidv7(),
    }),
  );
  return id;
}

function fill(route: Route, params: Record<string, string>): string {
  return route.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`${route.name} has a parameter that this test does not know: ${name}`);
    return value;
  });
}

/** Each body once only: an equal write in the same second would be a replay. */
let counter = 0;
function call(route: Route, params: Record<string, string>, key: TestKey): Promise<Answer> {
  const body = route.operation.requestBody?.content['application/json'].example;
  counter += 1;
  const timestamp = Math.floor(Date.now() / 1000) - (counter % 250);
  return api.call(route.method, fill(route, params), body, { key, timestamp });
}

test('every rule of the access table has its route, and every route its rule', () => {
  const rules = Object.keys(access).map((rule) => rule.replace(' ', ' /api/v1'));
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

describe('A1: 403 with every scope but the one it needs', () => {
  const scoped = signed.filter(({ operation }) => operation['x-scope'] !== undefined);
  test.each(scoped.map((route) => [route.name, route] as const))('%s', async (_name, route) => {
    const others = scopes.filter((scope) => scope !== route.operation['x-scope']);
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
    (route) => !paramsOf(route).some((name) => ofAWallet.has(name)) && !/api-keys|policy|address-book/.test(route.path),
  );
  test.each(ofWalletLists.map((route) => [route.name, route] as const))('%s does not show it', async (_name, route) => {
    const { status, body } = await call(route, ours.params, bound);
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain(ours.params['wallet_id']);
  });
});
