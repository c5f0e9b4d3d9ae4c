// Goal: the address book is kept as the contract says, and what is added to it counts for nothing before as many have
// approved it as a change of the policy needs. Method: the API on a real database, case by status code.
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TestKey } from '../../support/api/api.ts';
import { COW, guarded, type PoliciesApi, startPolicies } from '../../support/policies/policies-api.ts';
import { sandbox } from '../../support/rows/funded.ts';

const UNKNOWN = '01900000-0000-7000-8000-000000000000';
const BOB = '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB';

let api: PoliciesApi['api'];
let stage: PoliciesApi['stage'];
let walletId: PoliciesApi['walletId'];
let setter: PoliciesApi['setter'];
let approvers: PoliciesApi['approvers'];
let path: PoliciesApi['path'];
let put: PoliciesApi['put'];
let forget: PoliciesApi['forget'];
beforeAll(async () => {
  const started = await startPolicies();
  ({ api, stage, walletId, setter, approvers, path, put, forget } = started);
});
afterAll(() => api.stop());
/** Each test begins with a workspace that has set none. */
beforeEach(async () => {
  await forget();
});

describe('the address book', () => {
  const book = `address-book`;
  const entry = (fields: object = {}) => ({ network_id: sandbox.ETH.networkId, address: COW, label: 'Cow', ...fields });
  const add = (fields: object = {}, key: TestKey = setter) =>
    stage.call('POST', `${path}/${book}`, entry(fields), { key });
  const list = async (query = '') =>
    (await stage.call('GET', `${path}/${book}${query}`)).body.data as { id: string; address: string }[];
  const remove = (id: string, key: TestKey = setter) =>
    stage.call('DELETE', `${path}/${book}/${id}`, undefined, { key });
  beforeEach(async () => {
    for (const { id } of await list()) await remove(id);
  });

  test('201, 200: added in its canonical form, listed, removed', async () => {
    const added = await add({ address: COW.toLowerCase() });
    expect(added).toMatchObject({
      status: 201,
      body: { data: { address: COW, label: 'Cow', status: 'active', created_by: setter.id } },
    });
    await add({ network_id: sandbox.BTC.networkId, address: 'bcrt1qal484hyz6vc6f0fzxyvs7qz0v3q4qvtg9jzv5s' });
    expect(await list()).toHaveLength(2);
    expect(await list(`?network_id=${sandbox.ETH.networkId}`)).toMatchObject([{ address: COW }]);
    expect(await list('?limit=1')).toHaveLength(1);
    expect(await remove(added.body.data.id)).toMatchObject({ status: 200, body: { data: { address: COW } } });
    expect(await list()).toHaveLength(1);
  });

  test.each([
    ['an address of another family', { address: 'GV7RCGg7FHiPJV6eCiR4VmjxUZSQjyySz7r87YqtjMmk' }],
    ['a wrong checksum', { address: COW.replace('CD2a', 'cD2a') }],
    [
      'one of another Bitcoin',
      { network_id: sandbox.BTC.networkId, address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq' },
    ],
  ])('400 invalid_address: %s', async (_name, fields) => {
    expect(await add(fields)).toMatchObject({ status: 400, body: { code: 'invalid_address' } });
  });

  test('400: a network that is not here, a field that nobody knows', async () => {
    expect((await add({ network_id: UNKNOWN })).status).toBe(400);
    expect((await add({ colour: 'red' })).status).toBe(400);
  });

  test('409: an address that is there already, in any case', async () => {
    await add();
    expect(await add({ address: COW.toLowerCase(), label: 'Again' })).toMatchObject({ status: 409 });
  });

  test("403: bound to wallets, or without the scope; 404: what is not there, and another workspace's", async () => {
    const { id } = (await add()).body.data;
    const bound = await stage.makeApprover({ walletIds: [walletId] });
    expect((await add({}, bound)).status).toBe(403);
    expect((await remove(id, bound)).status).toBe(403);
    expect((await remove(id, await api.makeKey({ scopes: ['policies:read'] }))).status).toBe(403);
    expect((await remove(UNKNOWN)).status).toBe(404);
    const other = await api.makeWorkspace();
    const foreign = `/api/v1/workspaces/${other.workspaceId}/${book}/${id}`;
    expect((await stage.call('DELETE', foreign, undefined, { key: other.key })).status).toBe(404);
    expect(await list()).toHaveLength(1);
  });

  describe('where changes of the policy need approval', () => {
    const speak = (id: string, verb: string, key: TestKey, body?: object) =>
      stage.call('POST', `${path}/${book}/${id}/${verb}`, body, { key });
    const isKnown = async () => {
      const document = {
        rules: [{ name: 'known', when: { destination: { in_address_book: true } }, then: { action: 'allow' } }],
        default: { action: 'deny' },
      };
      const withdrawal = { wallet_id: walletId, asset_id: sandbox.ETH.assetId, amount: '1', recipient_address: COW };
      const answer = await stage.call('POST', `${path}/policy/simulate`, { withdrawal, document }, { key: setter });
      return answer.body.data.rule === 'known';
    };
    let id: string;
    beforeEach(async () => {
      await put(guarded);
      id = (await add()).body.data.id;
    });

    test('an addition counts for nothing until others have approved it', async () => {
      expect(await list()).toMatchObject([{ status: 'pending', approval: { required: 2, approvals: [] } }]);
      expect(await speak(id, 'approve', approvers[0])).toMatchObject({
        status: 200,
        body: { data: { status: 'pending' } },
      });
      expect(await isKnown()).toBe(false);
      const { digest } = await stage.roundOf(id);
      expect(await speak(id, 'approve', approvers[1], { digest })).toMatchObject({
        status: 200,
        body: { data: { status: 'active' } },
      });
      expect(await isKnown()).toBe(true);
    });

    test('one rejection takes it away', async () => {
      expect(await speak(id, 'reject', approvers[0])).toMatchObject({
        status: 200,
        body: { data: { approval: { status: 'rejected' } } },
      });
      expect(await list()).toEqual([]);
      expect((await add()).status).toBe(201);
    });

    test('403: who added it; 409: altered by SQL; 404: removed', async () => {
      expect(await speak(id, 'approve', setter)).toMatchObject({ status: 403, body: { code: 'policy_denied' } });
      await api.db.execute(sql`update address_book set address = ${BOB} where id = ${id}`);
      expect((await speak(id, 'approve', approvers[0])).status).toBe(409);
      await remove(id);
      expect((await stage.roundOf(id)).status).toBe('cancelled');
      expect((await speak(id, 'approve', approvers[0])).status).toBe(404);
    });
  });
});
