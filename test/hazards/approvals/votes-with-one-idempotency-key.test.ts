// Goal: the idempotency key of one voter never swallows the vote of another. Method: two approvers send byte-identical
// votes under one key, one after the other and at once, to the API on a real database; Temporal is away, so that what
// goes on stays in the outbox.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { ApprovalStage, type Kind, type KnownKey } from '../../support/rows/approvals.ts';

let api: TestApi;
let stage: ApprovalStage;
let walletId: string;
let approvers: [KnownKey, KnownKey];

beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1' });
  stage = new ApprovalStage(api);
  await stage.connect();
  approvers = (await stage.makeApprovers(2)) as [KnownKey, KnownKey];
  walletId = await stage.makeFundedWallet();
  await stage.setPolicy({ rules: [], default: { action: 'require_approvals', approvals: 2 } });
});
afterAll(() => api.stop());

const votesOf = async (id: string) => (await stage.roundOf(id)).status;

describe.each<Kind>(['withdrawal', 'signing'])('%s', (kind) => {
  test('two approvers with one idempotency key are two votes', async () => {
    const id = await stage.askId(kind, walletId);
    const headers = { 'x-idempotency-key': `vote-${id}` };
    const [first, second] = approvers;
    expect((await stage.decide(kind, id, { verb: 'approve', key: first, headers })).status).toBe(200);
    expect(await votesOf(id)).toBe('pending');
    expect((await stage.decide(kind, id, { verb: 'approve', key: second, headers })).status).toBe(200);
    expect(await votesOf(id)).toBe('approved');
  });

  test('two keys of one user are one voter: the second is a repeat', async () => {
    const [first] = approvers;
    const second = await stage.makeApprover({ userId: first.id });
    const id = await stage.askId(kind, walletId);
    const headers = { 'x-idempotency-key': `one-user-${id}` };
    for (const key of [first, second])
      expect((await stage.decide(kind, id, { verb: 'approve', key, headers })).status).toBe(200);
    expect(await votesOf(id)).toBe('pending');
  });

  test('so are two at once', async () => {
    const id = await stage.askId(kind, walletId);
    const headers = { 'x-idempotency-key': `at-once-${id}` };
    const answers = await Promise.all(
      approvers.map((approver) => stage.decide(kind, id, { verb: 'approve', key: approver, headers })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await votesOf(id)).toBe('approved');
  });

  test('a rejection under the key of an approval counts', async () => {
    const id = await stage.askId(kind, walletId);
    const headers = { 'x-idempotency-key': `against-${id}` };
    const [first, second] = approvers;
    await stage.decide(kind, id, { verb: 'approve', key: first, headers });
    expect((await stage.decide(kind, id, { verb: 'reject', key: second, headers })).status).toBe(200);
    expect(await votesOf(id)).toBe('rejected');
  });

  test('one approver who repeats the key votes once and gets the first answer; with another body the key is reused', async () => {
    const id = await stage.askId(kind, walletId);
    const headers = { 'x-idempotency-key': `again-${id}` };
    const [first] = approvers;
    const answer = await stage.decide(kind, id, { verb: 'approve', key: first, headers });
    const again = await stage.decide(kind, id, { verb: 'approve', key: first, headers });
    expect([again.status, again.body.data]).toEqual([200, answer.body.data]);
    expect(await votesOf(id)).toBe('pending');
    const { digest } = await stage.roundOf(id);
    const reused = await stage.decide(kind, id, { verb: 'approve', key: first, body: { digest }, headers });
    expect([reused.status, reused.body.code]).toEqual([409, 'idempotency_key_reused']);
  });
});
