// Goal: a policy is tried on a request without anything being stored, and says rule by rule what would be decided.
// Method: the API on a real database, case by status code.
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PolicyDocument } from '../../../domain/policies/policy-document.ts';
import { policies } from '../../../drizzle/policies/policies.ts';
import { signingRequests } from '../../../drizzle/signing-requests/signing-requests.ts';
import { withdrawals } from '../../../drizzle/withdrawals/withdrawals.ts';
import type { TestKey } from '../../support/api/api.ts';
import { COW, open, type PoliciesApi, startPolicies } from '../../support/policies/policies-api.ts';
import { sandbox } from '../../support/rows/funded.ts';

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
