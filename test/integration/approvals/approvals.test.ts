// Goal: what must be approved goes on when enough others have approved exactly that in time, ends at the first
// rejection, and says who said what. Method: the API on a real database, case by status code, the same for withdrawals
// and signatures; Temporal is away, so that every start and signal stays in the outbox.
import { eq } from 'drizzle-orm';
import { serializeTransaction } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PolicyDocument } from '../../../domain/policies/policy-document.ts';
import { findLedgerImbalances, readLedgerBalance } from '../../../drizzle/ledger/ledger.ts';
import { signingRequests } from '../../../drizzle/signing-requests/signing-requests.ts';
import { listWithdrawalEvents } from '../../../drizzle/withdrawals/withdrawal-history.ts';
import { withdrawals } from '../../../drizzle/withdrawals/withdrawals.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { mail, signPath } from '../../support/api/sign.ts';
import { ApprovalStage, type Kind, type KnownKey } from '../../support/rows/approvals.ts';
import { sandbox } from '../../support/rows/funded.ts';
import { outboxEntriesOf } from '../../support/rows/outbox-entries.ts';
import { writeKey } from '../../support/rows/seals.ts';

interface Voice {
  voted_at?: string;
}

const MINUTE_MS = 60_000;
const UNKNOWN = '01900000-0000-7000-8000-000000000000';
const kinds: Kind[] = ['withdrawal', 'signing'];
const two: PolicyDocument = { rules: [], default: { action: 'require_approvals', approvals: 2 } };

let api: TestApi;
let stage: ApprovalStage;
let walletId: string;
let approvers: [KnownKey, KnownKey, KnownKey];

beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1' });
  stage = new ApprovalStage(api);
  await stage.connect();
  approvers = (await stage.makeApprovers(3)) as [KnownKey, KnownKey, KnownKey];
  walletId = await stage.makeFundedWallet();
  await stage.setPolicy(two);
});
afterAll(async () => {
  expect(await findLedgerImbalances(api.db)).toEqual([]);
  await api.stop();
});

const waiting: Record<Kind, object> = {
  withdrawal: { status: 'pending_approval', auto_approved: false },
  signing: { status: 'pending', status_reason: 'awaiting_approval' },
};
const gone: Record<Kind, object> = { withdrawal: { status: 'approved' }, signing: { status: 'pending' } };
const rejected: Record<Kind, object> = {
  withdrawal: { status: 'rejected', error_code: 'approval_rejected' },
  signing: { status: 'failed', status_reason: 'approval_rejected', error_code: 'approval_rejected' },
};
const voicesOf = (kind: Kind, record: { approval: { approvals: Voice[] }; withdrawal_approvals: Voice[] }) =>
  kind === 'signing' ? record.approval.approvals : record.withdrawal_approvals;

const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

describe.each(kinds)('%s', (kind) => {
  let id: string;
  beforeEach(async () => {
    id = await stage.askId(kind, walletId);
  });
  const approve = (key: KnownKey, body?: object, headers = {}) =>
    stage.decide(kind, id, { verb: 'approve', key, body, headers });
  const reject = (key: KnownKey, body?: object) => stage.decide(kind, id, { verb: 'reject', key, body });
  const isWaiting = async () => expect(await stage.read(kind, id)).toMatchObject(waiting[kind]);

  test('waits, says for what, and its workflow is started to wait with it', async () => {
    const record = await stage.read(kind, id);
    expect(record).toMatchObject({
      ...waiting[kind],
      approval: { digest: expect.stringMatching(/^[0-9a-f]{64}$/), required: 2 },
    });
    const soon = Date.parse(record.approval.expires_at) - Date.now();
    expect(soon).toBeGreaterThan(86_300_000);
    expect(soon).toBeLessThanOrEqual(86_400_000);
    expect(voicesOf(kind, record)).toEqual([]);
    expect(await stage.noticesOf(id)).toEqual(['start']);
  });

  test('200: the first approval is noted, the second lets it go, in one commit with the signal', async () => {
    const first = await approve(approvers[0]);
    expect(first).toMatchObject({ status: 200, body: { data: waiting[kind] } });
    expect(voicesOf(kind, first.body.data)).toEqual([
      { user_id: approvers[0].id, status: 'approved', voted_at: moment },
    ]);
    const [voice] = voicesOf(kind, first.body.data);
    expect(Math.abs(Date.parse(voice?.voted_at ?? '') - Date.now())).toBeLessThan(MINUTE_MS);
    expect(await stage.noticesOf(id)).toEqual(['start']);
    const second = await approve(approvers[1]);
    expect(second).toMatchObject({ status: 200, body: { data: gone[kind] } });
    expect(second.body.data.status_reason).toBeUndefined();
    expect(voicesOf(kind, second.body.data)).toEqual([
      { user_id: approvers[0].id, status: 'approved', voted_at: moment },
      { user_id: approvers[1].id, status: 'approved', voted_at: moment },
    ]);
    expect(await stage.roundOf(id)).toMatchObject({ status: 'approved', decidedAt: expect.any(Date) });
    expect(await stage.noticesOf(id)).toEqual(['start', 'changed']);
  });

  test('200: one rejection ends it, whatever was approved before', async () => {
    await approve(approvers[0]);
    const answer = await reject(approvers[1]);
    expect(answer).toMatchObject({ status: 200, body: { data: rejected[kind] } });
    expect(voicesOf(kind, answer.body.data)).toEqual([
      { user_id: approvers[0].id, status: 'approved', voted_at: moment },
      { user_id: approvers[1].id, status: 'rejected', voted_at: moment },
    ]);
    expect(await stage.noticesOf(id)).toEqual(['start', 'changed']);
    expect(await approve(approvers[2])).toMatchObject({
      status: 409,
      body: { code: 'invalid_state', message: expect.stringContaining('rejected already') },
    });
    expect(await stage.read(kind, id)).toMatchObject(rejected[kind]);
  });

  test('200: a repeat of the same voice changes nothing, before and after the end', async () => {
    const { digest } = await stage.roundOf(id);
    for (let times = 0; times < 3; times += 1) expect((await approve(approvers[0])).status).toBe(200);
    await isWaiting();
    await approve(approvers[1], { digest });
    const again = await approve(approvers[0], { digest });
    expect(again).toMatchObject({ status: 200, body: { data: gone[kind] } });
    expect(voicesOf(kind, again.body.data)).toHaveLength(2);
    expect(await stage.noticesOf(id)).toEqual(['start', 'changed']);
  });

  test('200: an idempotency key answers what it answered', async () => {
    const headers = { 'x-idempotency-key': `approve-${id}` };
    const first = await approve(approvers[0], undefined, headers);
    await approve(approvers[1]);
    expect((await approve(approvers[0], undefined, headers)).body).toEqual(first.body);
  });

  test('403: the user who asked, whatever the key may', async () => {
    const mine = await stage.askId(kind, walletId);
    for (const verb of ['approve', 'reject'] as const)
      expect(await stage.decide(kind, mine, { verb, key: api.admin })).toMatchObject({
        status: 403,
        body: { code: 'policy_denied', message: expect.stringContaining('another user') },
      });
    expect((await stage.roundOf(mine)).status).toBe('pending');
  });

  test('403: a key without the scope, and one that is bound to another wallet', async () => {
    const scopes = [
      'withdrawals:write',
      'signing:write',
      kind === 'signing' ? 'withdrawals:approve' : 'signing:approve',
    ];
    const unable = await stage.makeApprover({ scopes });
    expect(await approve(unable)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    const bound = await stage.makeApprover({ walletIds: [await api.makeActiveWallet()] });
    expect(await approve(bound)).toMatchObject({ status: 403, body: { code: 'wallet_not_allowed' } });
    await isWaiting();
  });

  test("404: what is not there, and another workspace's", async () => {
    expect((await stage.decide(kind, UNKNOWN, { verb: 'approve', key: approvers[0] })).status).toBe(404);
    const { key } = await api.makeWorkspace();
    expect((await stage.decide(kind, id, { verb: 'approve', key })).status).toBe(404);
    await isWaiting();
  });

  test('400: a digest that is none, a field that nobody knows', async () => {
    for (const body of [{ digest: 'x' }, { digest: 'AB'.repeat(32) }, { comment: 'fine' }])
      expect(await approve(approvers[0], body)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    await isWaiting();
  });

  test('409: another digest than the one that waits', async () => {
    expect(await approve(approvers[0], { digest: '00'.repeat(32) })).toMatchObject({
      status: 409,
      body: { code: 'invalid_state', message: expect.stringContaining('digest') },
    });
    expect(voicesOf(kind, await stage.read(kind, id))).toEqual([]);
  });

  test('409: a key that has approved rejects, and speaks once only', async () => {
    await approve(approvers[0]);
    expect(await reject(approvers[0])).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
    await isWaiting();
  });

  test('409: its time is over', async () => {
    await approve(approvers[0]);
    await stage.expireAt(id, new Date(Date.now() - 1));
    for (const verb of ['approve', 'reject'] as const)
      expect(await stage.decide(kind, id, { verb, key: approvers[1] })).toMatchObject({
        status: 409,
        body: { code: 'invalid_state', message: expect.stringContaining('time') },
      });
    await isWaiting();
  });

  test('409: cancelled meanwhile; its workflow is woken', async () => {
    expect((await stage.cancel(kind, id)).status).toBe(200);
    expect(await stage.roundOf(id)).toMatchObject({ status: 'cancelled' });
    expect(await approve(approvers[0])).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
    expect(await stage.noticesOf(id)).toEqual(['start', 'changed']);
  });

  test('409: one that needs no approval', async () => {
    await stage.setPolicy({ rules: [], default: { action: 'allow' } });
    const free = await stage.askId(kind, walletId);
    await stage.setPolicy(two);
    expect(await stage.decide(kind, free, { verb: 'approve', key: approvers[0] })).toMatchObject({
      status: 409,
      body: { message: 'It needs no approval.' },
    });
  });

  test('T9: 409 for every approval once the row was changed by SQL; it can still be rejected', async () => {
    await approve(approvers[0]);
    if (kind === 'withdrawal')
      await api.db
        .update(withdrawals)
        .set({ recipientAddress: `0x${'66'.repeat(20)}` })
        .where(eq(withdrawals.id, id));
    else await api.db.update(signingRequests).set({ unsignedTx: '0x66' }).where(eq(signingRequests.id, id));
    for (const key of [approvers[1], approvers[2]])
      expect(await approve(key)).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
    await isWaiting();
    expect(await reject(approvers[1])).toMatchObject({ status: 200, body: { data: rejected[kind] } });
  });

  test('423: while wallet or workspace are frozen nothing is approved, and anything can be rejected', async () => {
    const own = await stage.makeFundedWallet();
    id = await stage.askId(kind, own);
    await api.call('POST', `/api/v1/wallets/${own}/freeze`);
    await approve(approvers[0]).then((answer) =>
      expect(answer).toMatchObject({ status: 423, body: { code: 'wallet_frozen' } }),
    );
    expect(voicesOf(kind, await stage.read(kind, id))).toEqual([]);
    expect(await reject(approvers[0])).toMatchObject({ status: 200, body: { data: rejected[kind] } });
  });

  test('the voice of a key that was revoked since does not count', async () => {
    const leaving = await stage.makeApprover();
    await approve(leaving);
    await writeKey(api.db, leaving.apiKey, { revokedAt: new Date() });
    expect(await approve(approvers[0])).toMatchObject({ status: 200, body: { data: waiting[kind] } });
    expect(await approve(approvers[1])).toMatchObject({ status: 200, body: { data: gone[kind] } });
  });
});

describe('named approvers', () => {
  test('403: another key; those who have not spoken are pending', async () => {
    const named = approvers.map(({ id }) => id);
    const then = { action: 'require_approvals', approvals: 2, approvers: named, expires_in_seconds: 60 } as const;
    await stage.setPolicy({ rules: [], default: then });
    const id = await stage.askId('signing', walletId);
    await stage.setPolicy(two);
    expect(await stage.decide('signing', id, { verb: 'approve', key: await stage.makeApprover() })).toMatchObject({
      status: 403,
      body: { code: 'policy_denied', message: expect.stringContaining('approvers') },
    });
    const answer = await stage.decide('signing', id, { verb: 'approve', key: approvers[1] });
    const { approvals, expires_at, created_at } = { ...answer.body.data, ...answer.body.data.approval };
    expect(approvals).toEqual([
      { user_id: approvers[1].id, status: 'approved', voted_at: moment },
      { user_id: approvers[0].id, status: 'pending' },
      { user_id: approvers[2].id, status: 'pending' },
    ]);
    expect(Math.abs(Date.parse(expires_at) - Date.parse(created_at) - 60_000)).toBeLessThan(1_000);
    await stage.decide('signing', id, { verb: 'approve', key: approvers[0] });
    expect((await stage.read('signing', id)).approval.approvals).toHaveLength(2);
  });
});

describe('the SDK alias of a signature', () => {
  const alias = async (id: string) =>
    (await stage.call('GET', `/api/v1/web3/${walletId}/sign/${id}`)).body.data as {
      status: string;
      approvals: object[];
    };

  test('is pending_approval, then pending, with who approved', async () => {
    const id = await stage.askId('signing', walletId);
    expect(await alias(id)).toMatchObject({ status: 'pending_approval', approvals: [] });
    await stage.decide('signing', id, { verb: 'approve', key: approvers[0] });
    await stage.decide('signing', id, { verb: 'approve', key: approvers[1] });
    expect(await alias(id)).toMatchObject({
      status: 'pending',
      approvals: [
        { user_id: approvers[0].id, status: 'approved', voted_at: moment },
        { user_id: approvers[1].id, status: 'approved', voted_at: moment },
      ],
    });
  });

  test('is rejected', async () => {
    const id = await stage.askId('signing', walletId);
    await stage.decide('signing', id, { verb: 'reject', key: approvers[0] });
    expect(await alias(id)).toMatchObject({ status: 'rejected', approvals: [{ status: 'rejected' }] });
  });
});

test('the list shows the approval of each operation that needed one', async () => {
  const own = await stage.makeFundedWallet();
  const waitingId = await stage.askId('signing', own);
  await stage.setPolicy({ rules: [], default: { action: 'allow' } });
  const freeId = await stage.askId('signing', own);
  await stage.setPolicy(two);
  const path = `/api/v1/workspaces/${api.workspaceId}/signing-requests?wallet_id=${own}`;
  const { data } = (await stage.call('GET', path)).body;
  const shown = data.map(({ id, approval }: { id: string; approval?: { required: number } }) => [
    id,
    approval?.required,
  ]);
  expect(shown).toEqual([
    [freeId, undefined],
    [waitingId, 2],
  ]);
});

test('a rejected or expired withdrawal gives back what it held', async () => {
  const own = await stage.makeFundedWallet();
  const { assetId } = sandbox.ETH;
  const id = await stage.askId('withdrawal', own);
  expect(await readLedgerBalance(api.db, own, assetId, 'held')).toBe(250_000_000_000_000_000n);
  await stage.decide('withdrawal', id, { verb: 'reject', key: approvers[0] });
  expect(await readLedgerBalance(api.db, own, assetId, 'held')).toBe(0n);
  expect(await readLedgerBalance(api.db, own, assetId, 'available')).toBe(10n ** 20n);
});

test('the history of a withdrawal says which users approved it', async () => {
  const id = await stage.askId('withdrawal', await stage.makeFundedWallet());
  for (const approver of approvers.slice(0, 2))
    await stage.decide('withdrawal', id, { verb: 'approve', key: approver });
  const steps = (await listWithdrawalEvents(api.db, id)).map(({ details }) => details);
  const ids = approvers.slice(0, 2).map((approver) => `The user ${approver.id} has approved it.`);
  expect(steps.slice(-3)).toEqual([...ids, 'Approved.']);
});

const network_internal_code = 'ETHEREUM_SANDBOX';
const unsigned_tx = serializeTransaction({
  type: 'eip1559',
  chainId: 31337,
  nonce: 0,
  to: `0x${'11'.repeat(20)}`,
  value: 1n,
});
test.each<[string, object]>([
  ['signMessage', { network_internal_code, message: 'Hello, Bob! 100' }],
  ['signTyped', { chain_id: 1, typed_data: mail }],
  ['signTransaction', { network_internal_code, unsigned_tx, derivation_path: 'm' }],
  [
    'signRaw',
    { network_internal_code, signing_hash: 'ab'.repeat(32), unsigned_tx: '0x1234', derivation_path: 'm/7/8' },
  ],
])('the signal after an approval carries the same task as the start: %s', async (route, body) => {
  const answer = await stage.call('POST', signPath(route as 'signRaw', walletId), body);
  const id = answer.body.data.transaction_id as string;
  await stage.decide('signing', id, { verb: 'approve', key: approvers[0] });
  await stage.decide('signing', id, { verb: 'approve', key: approvers[1] });
  const entries = await outboxEntriesOf(api.db, 'sign', id);
  const [start, signal] = entries.map(({ input }) => input);
  expect(entries).toHaveLength(2);
  expect(start).toMatchObject({ approvalUntil: answer.body.data.signing_request.approval.expires_at });
  expect(signal).toEqual(start);
});
