// Goal: a workspace sets, tries and changes its policy as the contract says, and no change takes force without the
// approvals that the policy before it asks for. Method: the API on a real database, case by status code. What policies
// decide about requests: policies-decide.test.ts; how rules are read: test/unit/policies.
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PolicyDocument } from '../../../domain/policies/policy-document.ts';
import { approvalRounds } from '../../../drizzle/approvals/approvals.ts';
import { policies } from '../../../drizzle/policies/policies.ts';
import { signingRequests } from '../../../drizzle/signing-requests/signing-requests.ts';
import { withdrawals } from '../../../drizzle/withdrawals/withdrawals.ts';
import { startApi, type TestApi, type TestKey } from '../../support/api/api.ts';
import { ApprovalStage, type KnownKey } from '../../support/rows/approvals.ts';
import { sandbox } from '../../support/rows/funded.ts';
import { writeRound } from '../../support/rows/seals.ts';

const UNKNOWN = '01900000-0000-7000-8000-000000000000';
const COW = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826';
const BOB = '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB';

let api: TestApi;
let stage: ApprovalStage;
let walletId: string;
let setter: KnownKey;
let approvers: [KnownKey, KnownKey];
let path: string;
beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1' });
  stage = new ApprovalStage(api);
  await stage.connect();
  walletId = await api.makeActiveWallet();
  setter = await stage.makeApprover();
  approvers = (await stage.makeApprovers(2)) as [KnownKey, KnownKey];
  path = `/api/v1/workspaces/${api.workspaceId}`;
});
afterAll(() => api.stop());
/** Each test begins with a workspace that has set none. */
beforeEach(async () => {
  await api.db.delete(policies).where(eq(policies.workspaceId, api.workspaceId));
});

const open: PolicyDocument = { rules: [], default: { action: 'allow' } };
const closed: PolicyDocument = { rules: [], default: { action: 'deny' } };
const guarded: PolicyDocument = { ...open, changes: { approvals: 2, expires_in_seconds: 60 } };
const read = async () => (await stage.call('GET', `${path}/policy`)).body.data;
const put = (document: unknown, key: TestKey = setter, headers = {}) =>
  stage.call('PUT', `${path}/policy`, document, { key, headers });
const decide = (verb: 'approve' | 'reject', digest: string, key: TestKey) =>
  stage.call('POST', `${path}/policy/${verb}`, { digest }, { key });

describe('reading', () => {
  test('200: what is built in, for the sandbox and for production', async () => {
    expect(await read()).toEqual({
      active: {
        id: null,
        version: 0,
        status: 'active',
        document: {
          rules: [
            { name: 'sandbox', when: { calls: ['transfer', 'dangerous', 'unknown'] }, then: { action: 'allow' } },
          ],
          default: { action: 'allow' },
        },
      },
      pending: null,
    });
    const production = await api.startAnother({ production: true });
    const answer = await api.call('GET', `${path}/policy`, undefined, { at: production.app });
    expect(answer.body.data.active.document).toEqual({
      rules: [],
      default: { action: 'require_approvals', approvals: 1 },
      changes: { approvals: 1 },
    });
    const timestamp = Math.floor(Date.now() / 1000) - 290;
    const first = await api.call('PUT', `${path}/policy`, open, { at: production.app, timestamp });
    expect(first.body.data).toMatchObject({ active: { version: 0 }, pending: { approval: { required: 1 } } });
    await production.stop();
  });

  test("403 without the scope, 404 on another workspace's", async () => {
    const unable = await api.makeKey({ scopes: ['policies:write'] });
    expect((await stage.call('GET', `${path}/policy`, undefined, { key: unable })).status).toBe(403);
    const { workspaceId } = await api.makeWorkspace();
    expect((await stage.call('GET', `/api/v1/workspaces/${workspaceId}/policy`)).status).toBe(404);
  });
});

describe('setting', () => {
  test('200: in force at once, as the next version; the one before is kept', async () => {
    const first = await put(closed);
    expect(first).toMatchObject({
      status: 200,
      body: {
        data: { active: { version: 1, status: 'active', document: closed, created_by: setter.id }, pending: null },
      },
    });
    await put(open);
    expect(await read()).toMatchObject({ active: { version: 2, document: open } });
    const rows = await api.db
      .select()
      .from(policies)
      .where(eq(policies.workspaceId, api.workspaceId))
      .orderBy(policies.version);
    expect(rows.map(({ version, status }) => [version, status])).toEqual([
      [1, 'superseded'],
      [2, 'active'],
    ]);
  });

  test('200: a repeat with its idempotency key makes no other version', async () => {
    const headers = { 'x-idempotency-key': 'policy' };
    const first = await put(closed, setter, headers);
    expect((await put(closed, setter, headers)).body).toEqual(first.body);
    expect(await read()).toMatchObject({ active: { version: 1 } });
  });

  test('many at once: as many versions, one in force', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => put(open)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await read()).active.version).toBe(10);
  });

  test('200: every condition and action', async () => {
    const { assetId: asset_id } = sandbox.ETH;
    const per = 'wallet' as const;
    const document: PolicyDocument = {
      rules: [
        {
          name: 'everything',
          description: 'All at once.',
          when: {
            operations: ['withdrawal', 'signing'],
            methods: ['transfer', 'contract_call'],
            networks: ['ETHEREUM_SANDBOX'],
            wallet_ids: [walletId],
            initiators: [setter.id],
            asset_ids: [asset_id],
            amount: { asset_id, more_than: '0.000000000000000001', at_most: '10' },
            velocity: { asset_id, per, window_seconds: 3600, at_most: '100' },
            count: { per: 'workspace', window_seconds: 86_400, at_most: 20 },
            destination: {
              in_address_book: true,
              addresses: [
                COW,
                COW.toLowerCase(),
                'bcrt1qal484hyz6vc6f0fzxyvs7qz0v3q4qvtg9jzv5s',
                'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
              ],
            },
            payload_kinds: ['raw_digest', 'evm_typed_data'],
            typed_data: { domain_names: ['x'], chain_ids: ['1'], verifying_contracts: [COW], primary_types: ['Mail'] },
            calls: ['transfer', 'dangerous', 'unknown'],
            selectors: ['0xa9059cbb'],
          },
          then: {
            action: 'require_approvals',
            approvals: 2,
            approvers: approvers.map(({ id }) => id),
            expires_in_seconds: 60,
          },
        },
      ],
      default: { action: 'deny' },
    };
    expect(await put(document)).toMatchObject({ status: 200, body: { data: { active: { document } } } });
  });

  const rule = (when: object, then: object = { action: 'deny' }) => ({
    rules: [{ name: 'one', when, then }],
    default: { action: 'allow' },
  });
  const { assetId } = sandbox.ETH;
  test.each<[string, unknown, RegExp]>([
    ['no default', { rules: [] }, /default/],
    ['an unknown condition', rule({ moon: 'full' }), /unknown field "moon"/],
    ['an unknown action', rule({}, { action: 'shrug' }), /action/],
    ['an action with fields of another', rule({}, { action: 'allow', approvals: 1 }), /unknown field "approvals"/],
    ['no approvals', rule({}, { action: 'require_approvals', approvals: 0 }), /approvals/],
    [
      'approvals for less than a minute',
      rule({}, { action: 'require_approvals', approvals: 1, expires_in_seconds: 59 }),
      /expires_in_seconds/,
    ],
    [
      'more approvals than approvers',
      rule({}, { action: 'require_approvals', approvals: 2, approvers: [UNKNOWN] }),
      /2 approvals of 1/,
    ],
    [
      'an approver who is not here',
      rule({}, { action: 'require_approvals', approvals: 1, approvers: [UNKNOWN] }),
      /user/,
    ],
    [
      'an approver of changes who is not here',
      { ...open, changes: { approvals: 1, approvers: [UNKNOWN] } },
      /changes.*user/,
    ],
    ['an amount as a number', rule({ amount: { asset_id: assetId, more_than: 1 } }), /more_than/],
    ['an amount without bounds', rule({ amount: { asset_id: assetId } }), /amount/],
    [
      'an amount with too many decimals',
      rule({ amount: { asset_id: assetId, at_most: `0.${'0'.repeat(18)}1` } }),
      /decimals/,
    ],
    ['an asset that is not here', rule({ amount: { asset_id: UNKNOWN, at_most: '1' } }), /asset/],
    ['a wallet that is not here', rule({ wallet_ids: [UNKNOWN] }), /wallet/],
    ['an initiator who is not here', rule({ initiators: [UNKNOWN] }), /user/],
    ['a network that is not here', rule({ networks: ['MOON'] }), /network/],
    ['an empty list', rule({ networks: [] }), /networks/],
    ['a count without a bound', rule({ count: { per: 'wallet', window_seconds: 60 } }), /count/],
    ['a sum without a bound', rule({ velocity: { asset_id: assetId, per: 'wallet', window_seconds: 60 } }), /velocity/],
    ['two rules of one name', { ...open, rules: [...rule({}).rules, ...rule({}).rules] }, /"one" is taken/],
    ['a rule named default', { ...open, rules: [{ name: 'default', when: {}, then: { action: 'deny' } }] }, /is taken/],
    [
      '101 rules',
      { ...open, rules: Array.from({ length: 101 }, (_, at) => ({ ...rule({}).rules[0], name: `rule ${at}` })) },
      /rules/,
    ],
  ])('400: %s', async (_name, document, words) => {
    const answer = await put(document);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(answer.body.message).toMatch(words);
    expect((await read()).active.version).toBe(0);
  });

  test.each([
    ['of no chain', 'nowhere'],
    ['with a wrong checksum', COW.replace('CD2a', 'cD2a')],
    ['of nobody', `0x${'00'.repeat(20)}`],
    ['in another form than the canonical', 'BCRT1QAL484HYZ6VC6F0FZXYVS7QZ0V3Q4QVTG9JZV5S'],
  ])('400 invalid_address: an address %s', async (_name, address) => {
    const answer = await put(rule({ destination: { addresses: [address] } }));
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_address' } });
  });

  test('403: a key without the scope, and one that is bound to wallets', async () => {
    expect((await put(open, await api.makeKey({ scopes: ['policies:read'] }))).status).toBe(403);
    const bound = await stage.makeApprover({ walletIds: [walletId] });
    expect(await put(open, bound)).toMatchObject({ status: 403, body: { code: 'wallet_not_allowed' } });
  });
});

describe('a policy whose changes need approval', () => {
  let digest: string;
  beforeEach(async () => {
    await put(guarded);
    const answer = await put(closed);
    expect(answer.status).toBe(200);
    digest = answer.body.data.pending.approval.digest;
  });

  test('200: a change waits, and the one in force stays', async () => {
    expect(await read()).toMatchObject({
      active: { version: 1, document: guarded },
      pending: {
        version: 2,
        status: 'pending',
        document: closed,
        approval: { status: 'pending', required: 2, approvals: [], requested_by: setter.id },
      },
    });
  });

  test('200: enough others approve, and it is in force at once', async () => {
    expect(await decide('approve', digest, approvers[0])).toMatchObject({
      status: 200,
      body: { data: { pending: { approval: { approvals: [{ user_id: approvers[0].id, status: 'approved' }] } } } },
    });
    expect(await decide('approve', digest, approvers[1])).toMatchObject({
      status: 200,
      body: { data: { active: { version: 2, document: closed, approval: { status: 'approved' } }, pending: null } },
    });
    const [before] = await api.db.select().from(policies).where(eq(policies.version, 1));
    expect(before?.status).toBe('superseded');
    // The new one asks for nothing.
    expect((await put(open)).body.data).toMatchObject({ active: { version: 3 }, pending: null });
  });

  test('200: one rejects, and the one in force stays', async () => {
    expect(await decide('reject', digest, approvers[0])).toMatchObject({
      status: 200,
      body: { data: { active: { version: 1 }, pending: null } },
    });
    expect(await decide('approve', digest, approvers[1])).toMatchObject({ status: 409 });
    expect((await put(open)).body.data.pending.version).toBe(3);
  });

  test('409: a newer change took its place: what was approved is not what waits', async () => {
    await decide('approve', digest, approvers[0]);
    await put(open);
    for (const key of approvers)
      expect(await decide('approve', digest, key)).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
    const [round] = await api.db.select().from(approvalRounds).where(eq(approvalRounds.digest, digest));
    expect(round?.status).toBe('cancelled');
    const { pending } = await read();
    expect(pending).toMatchObject({ version: 3, document: open, approval: { approvals: [] } });
  });

  test('409: changed by SQL since', async () => {
    await api.db.update(policies).set({ document: open }).where(eq(policies.status, 'pending'));
    expect(await decide('approve', digest, approvers[0])).toMatchObject({ status: 409 });
  });

  test('409: its time is over, or nothing waits', async () => {
    const [round] = await api.db.select().from(approvalRounds).where(eq(approvalRounds.digest, digest));
    await writeRound(api.db, round?.subjectId ?? '', { expiresAt: new Date(Date.now() - 1) });
    expect((await read()).pending.approval.status).toBe('expired');
    expect(await decide('approve', digest, approvers[0])).toMatchObject({ status: 409 });
    await decide('reject', digest, approvers[0]);
    await api.db.delete(policies).where(eq(policies.status, 'pending'));
    expect(await decide('approve', digest, approvers[0])).toMatchObject({
      status: 409,
      body: { message: 'No change of the policy waits for approval.' },
    });
  });

  test('403: who asked for it, and who is bound to wallets; 400: without a digest', async () => {
    expect(await decide('approve', digest, setter)).toMatchObject({ status: 403, body: { code: 'policy_denied' } });
    const bound = await stage.makeApprover({ walletIds: [walletId] });
    expect(await decide('approve', digest, bound)).toMatchObject({ status: 403, body: { code: 'wallet_not_allowed' } });
    expect((await stage.call('POST', `${path}/policy/approve`, {}, { key: approvers[0] })).status).toBe(400);
  });

  test('approvals against a newer change at once: never in force with fewer approvals than it needs', async () => {
    await decide('approve', digest, approvers[0]);
    const [approval, change] = await Promise.all([decide('approve', digest, approvers[1]), put(open)]);
    expect(change.status).toBe(200);
    const { active, pending } = await read();
    if (approval.status === 200 && pending === null) expect(active.document).toEqual(open);
    else
      expect(approval.status === 200 ? active.document : pending.document).toEqual(
        approval.status === 200 ? closed : open,
      );
    const rows = await api.db.select().from(policies).where(eq(policies.workspaceId, api.workspaceId));
    expect(rows.filter(({ status }) => status === 'active')).toHaveLength(1);
  });
});

describe('history', () => {
  const history = async (query = '') => (await stage.call('GET', `${path}/policy/history${query}`)).body.data;

  test('200: nothing, where none was set', async () => {
    expect(await history()).toEqual([]);
  });

  test('200: every version, the newest first, beside the one that was in force when it was asked for', async () => {
    await put(guarded);
    await put(closed);
    await decide('reject', (await read()).pending.approval.digest, approvers[0]);
    await put({ ...guarded, default: { action: 'deny' } });
    await put({ ...closed, rules: [{ name: 'none', when: {}, then: { action: 'deny' } }] });
    for (const approver of approvers) await decide('approve', (await read()).pending.approval.digest, approver);
    await put(open);
    const versions = await history();
    expect(
      // oxlint-disable-next-line typescript/no-explicit-any
      versions.map((each: any) => [each.version, each.status, each.compared_with, each.approval?.status]),
    ).toEqual([
      [5, 'active', 4, undefined],
      [4, 'superseded', 1, 'approved'],
      [3, 'superseded', 1, 'cancelled'],
      [2, 'rejected', 1, 'rejected'],
      [1, 'superseded', 0, undefined],
    ]);
    expect(versions[0]).toMatchObject({
      document: open,
      created_by: setter.id,
      differences: [
        { part: 'rule', change: 'removed', rule: 'none' },
        { part: 'default', change: 'changed', before: { action: 'deny' }, after: { action: 'allow' } },
      ],
    });
    expect(versions[4].differences).toEqual([
      expect.objectContaining({ part: 'rule', change: 'removed', rule: 'sandbox' }),
      { part: 'changes', change: 'added', after: guarded.changes },
    ]);
    expect(versions.some((each: object) => 'altered' in each)).toBe(false);
    expect((await read()).active.updated_at).toBe(versions[0].updated_at);
  });

  test('200: in pages, each beside versions of another page', async () => {
    for (const document of [open, closed, open]) await put(document);
    const { body, headers } = await stage.call('GET', `${path}/policy/history?limit=2`);
    // oxlint-disable-next-line typescript/no-explicit-any
    expect(body.data.map((each: any) => [each.version, each.compared_with])).toEqual([
      [3, 2],
      [2, 1],
    ]);
    expect(body.data[1].differences).toHaveLength(1);
    const rest = await history(`?limit=2&cursor=${String(headers['x-next-cursor'])}`);
    expect(rest).toMatchObject([{ version: 1, compared_with: 0 }]);
  });

  test('200: what somebody has changed in the database says so', async () => {
    await put(closed);
    await api.db.update(policies).set({ document: open }).where(eq(policies.workspaceId, api.workspaceId));
    expect(await history()).toMatchObject([{ version: 1, altered: true }]);
  });

  test("403 without the scope, 404 on another workspace's, 400 with a filter that there is not", async () => {
    const unable = await api.makeKey({ scopes: ['policies:write'] });
    expect((await stage.call('GET', `${path}/policy/history`, undefined, { key: unable })).status).toBe(403);
    const { workspaceId } = await api.makeWorkspace();
    expect((await stage.call('GET', `/api/v1/workspaces/${workspaceId}/policy/history`)).status).toBe(404);
    expect((await stage.call('GET', `${path}/policy/history?status=active`)).status).toBe(400);
  });
});

describe('trying', () => {
  const simulate = (body: object, key: TestKey = setter) =>
    stage.call('POST', `${path}/policy/simulate`, body, { key });
  const withdrawal = () => ({
    wallet_id: walletId,
    asset_id: sandbox.ETH.assetId,
    amount: '1.5',
    recipient_address: COW.toLowerCase(),
  });
  const item = { type: 'message', network_internal_code: 'ETHEREUM_SANDBOX', message: 'Hello' };
  const amount = { asset_id: sandbox.ETH.assetId, at_most: '1' };
  const tried: PolicyDocument = {
    rules: [
      { name: 'small', when: { amount }, then: { action: 'allow' } },
      {
        name: 'known',
        when: { destination: { addresses: [COW] }, initiators: [] as string[] },
        then: { action: 'require_approvals', approvals: 2 },
      },
    ],
    default: { action: 'deny' },
  };

  test('200: what would be decided, and why, rule by rule', async () => {
    const [, known] = tried.rules;
    const document = { ...tried, rules: [tried.rules[0], { ...known, when: { destination: { addresses: [COW] } } }] };
    expect(await simulate({ withdrawal: withdrawal(), document })).toMatchObject({
      status: 200,
      body: {
        data: {
          action: 'require_approvals',
          rule: 'known',
          approvals: 2,
          approvers: [],
          expires_in_seconds: 86_400,
          reasons: ['The rule "known" asks for 2 approvals: the destination is listed.'],
          considered: [
            { rule: 'small', applies: false, because: ['the amount is 1.5, more than 1'] },
            { rule: 'known', applies: true, because: ['the destination is listed'] },
          ],
        },
      },
    });
  });

  test('200: by the policy in force, as another key would ask', async () => {
    await put({
      rules: [{ name: 'setter', when: { initiators: [setter.id] }, then: { action: 'deny' } }],
      default: { action: 'allow' },
    });
    const body = { signing: { wallet_id: walletId, item } };
    expect((await simulate(body)).body.data).toMatchObject({ action: 'deny', rule: 'setter' });
    expect((await simulate({ ...body, initiator: approvers[0].id })).body.data).toMatchObject({ action: 'allow' });
  });

  test('nothing is stored, however often', async () => {
    const count = async () =>
      (
        await api.db.execute(
          sql`select (select count(*) from ${withdrawals}) + (select count(*) from ${signingRequests}) + (select count(*) from ${policies}) as rows`,
        )
      )[0];
    const before = await count();
    for (let times = 0; times < 3; times += 1) {
      expect((await simulate({ withdrawal: withdrawal() })).status).toBe(200);
      expect((await simulate({ signing: { wallet_id: walletId, item }, document: open })).status).toBe(200);
    }
    expect(await count()).toEqual(before);
  });

  test.each<[string, () => object]>([
    ['neither', () => ({})],
    ['both', () => ({ withdrawal: withdrawal(), signing: { wallet_id: walletId, item } })],
    ['an item that is none', () => ({ signing: { wallet_id: walletId, item: { type: 'message' } } })],
    ['a policy that does not fit', () => ({ withdrawal: withdrawal(), document: tried })],
    ['an amount of too many decimals', () => ({ withdrawal: { ...withdrawal(), amount: `0.${'1'.repeat(19)}` } })],
  ])('400: %s', async (_name, body) => {
    expect(await simulate(body())).toMatchObject({ status: 400 });
  });

  test('403: for a wallet that the key does not reach', async () => {
    const bound = await stage.makeApprover({ walletIds: [await api.makeActiveWallet()] });
    expect(await simulate({ withdrawal: withdrawal() }, bound)).toMatchObject({ status: 403 });
  });
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
