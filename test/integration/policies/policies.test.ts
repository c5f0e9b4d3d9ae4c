// Goal: a workspace sets and changes its policy as the contract says, and no change takes force without the approvals
// that the policy before it asks for. Method: the API on a real database, case by status code. What policies decide
// about requests: policies-decide.test.ts and policy-simulation.test.ts; how rules are read: test/unit/policies.
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PolicyDocument } from '../../../domain/policies/policy-document.ts';
import { approvalRounds } from '../../../drizzle/approvals/approvals.ts';
import { policies } from '../../../drizzle/policies/policies.ts';
import { COW, closed, guarded, open, type PoliciesApi, startPolicies } from '../../support/policies/policies-api.ts';
import { sandbox } from '../../support/rows/funded.ts';
import { writeRound } from '../../support/rows/seals.ts';

const UNKNOWN = '01900000-0000-7000-8000-000000000000';

let api: PoliciesApi['api'];
let stage: PoliciesApi['stage'];
let walletId: PoliciesApi['walletId'];
let setter: PoliciesApi['setter'];
let approvers: PoliciesApi['approvers'];
let path: PoliciesApi['path'];
let read: PoliciesApi['read'];
let put: PoliciesApi['put'];
let decide: PoliciesApi['decide'];
let forget: PoliciesApi['forget'];
beforeAll(async () => {
  const started = await startPolicies();
  ({ api, stage, walletId, setter, approvers, path, read, put, decide, forget } = started);
});
afterAll(() => api.stop());
/** Each test begins with a workspace that has set none. */
beforeEach(async () => {
  await forget();
});

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
