// Goal: whoever stops something may say why, and record, history, event and audit log show it; without a reason nothing
// of it is there. Method: the API on a real database, each route that takes a reason; Temporal is away.
import { asc, desc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditLogs } from '../../../drizzle/audit/audit-tables.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { eventsOf, readFeed } from '../../support/api/events.ts';
import { ApprovalStage, type Kind, type KnownKey } from '../../support/rows/approvals.ts';
import { parsed } from '../../support/rows/audit.ts';

const reason = 'The recipient is not known to us.';
const kinds: Kind[] = ['withdrawal', 'signing'];
const paths = { withdrawal: 'withdrawals', signing: 'signing-requests' };

let api: TestApi;
let stage: ApprovalStage;
let walletId: string;
let approver: KnownKey;

beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1' });
  stage = new ApprovalStage(api);
  await stage.connect();
  approver = await stage.makeApprover();
  walletId = await stage.makeFundedWallet();
  await stage.setPolicy({ rules: [], default: { action: 'require_approvals', approvals: 1 } });
});
afterAll(() => api.stop());

const post = (path: string, body?: object) => stage.call('POST', `/api/v1${path}`, body);
const lastEventOf = async (id: string) => (await eventsOf(api.db, api.workspaceId, id)).at(-1);
async function auditedReasons(resourceId: string): Promise<unknown[]> {
  const ofResource = eq(auditLogs.resourceId, resourceId);
  const entries = await api.db.select().from(auditLogs).where(ofResource).orderBy(asc(auditLogs.position));
  return entries.flatMap(({ body }) => parsed(body)?.['reason'] ?? []);
}

describe.each(kinds)('%s', (kind) => {
  const cancel = (id: string, body?: object) => post(`/${paths[kind]}/${id}/cancel`, body);

  test('rejected with a reason', async () => {
    const id = await stage.askId(kind, walletId);
    const answer = await stage.decide(kind, id, { verb: 'reject', key: approver, body: { reason } });
    expect(answer).toMatchObject({ status: 200, body: { data: { reason, error_code: 'approval_rejected' } } });
    expect(await stage.read(kind, id)).toMatchObject({ reason });
    expect((await lastEventOf(id))?.data).toMatchObject({ reason });
    expect(await auditedReasons(id)).toEqual([reason]);
  });

  test('cancelled with a reason', async () => {
    const id = await stage.askId(kind, walletId);
    expect(await cancel(id, { reason })).toMatchObject({ status: 200, body: { data: { reason } } });
    expect(await stage.read(kind, id)).toMatchObject({ reason, error_code: 'cancelled' });
    expect((await lastEventOf(id))?.data).toMatchObject({ reason });
    expect(await auditedReasons(id)).toEqual([reason]);
  });

  test('without a reason there is none', async () => {
    const id = await stage.askId(kind, walletId);
    expect((await cancel(id)).body.data).not.toHaveProperty('reason');
    expect((await lastEventOf(id))?.data).not.toHaveProperty('reason');
    expect(await auditedReasons(id)).toEqual([]);
  });

  test('400: too long, empty, or beside an approval, which needs none', async () => {
    const id = await stage.askId(kind, walletId);
    for (const body of [{ reason: 'x'.repeat(501) }, { reason: '' }])
      expect(await cancel(id, body)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    const approval = await stage.decide(kind, id, { verb: 'approve', key: approver, body: { reason } });
    expect(approval).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect((await cancel(id, { reason: 'x'.repeat(500) })).status).toBe(200);
  });
});

test('the history of a withdrawal shows the reason with its step, and no other step', async () => {
  const id = await stage.askId('withdrawal', walletId);
  await stage.decide('withdrawal', id, { verb: 'reject', key: approver, body: { reason } });
  const { body } = await stage.call('GET', `/api/v1/withdrawals/${id}/history`);
  const said = body.data.map((step: { status: string; reason?: string }) => [step.status, step.reason]);
  expect(said).toEqual([
    ['pending', undefined],
    ['pending_approval', undefined],
    ['rejected', reason],
  ]);
});

test('a change of the policy is rejected with a reason, which the audit log shows', async () => {
  const answer = await stage.call('PUT', `/api/v1/workspaces/${api.workspaceId}/policy`, {
    rules: [],
    default: { action: 'require_approvals', approvals: 1 },
    changes: { approvals: 1 },
  });
  expect(answer.status).toBe(200);
  const change = await stage.call('PUT', `/api/v1/workspaces/${api.workspaceId}/policy`, {
    rules: [],
    default: { action: 'allow' },
  });
  const { digest } = change.body.data.pending.approval;
  const rejected = await stage.call(
    'POST',
    `/api/v1/workspaces/${api.workspaceId}/policy/reject`,
    { digest, reason },
    { key: approver },
  );
  expect(rejected.status).toBe(200);
  const [entry] = await api.db.select().from(auditLogs).orderBy(desc(auditLogs.position)).limit(1);
  expect(parsed(entry?.body ?? null)).toEqual({ digest, reason });
});

test('a wallet is frozen, unfrozen and archived with a reason, and each says its own', async () => {
  const id = await api.makeActiveWallet();
  const verbs = { freeze: 'wallet.frozen', unfreeze: 'wallet.unfrozen' } as const;
  for (const [verb, type] of Object.entries(verbs)) {
    const why = `${reason} (${verb})`;
    if (verb === 'unfreeze') await stage.unfreeze(`/api/v1/wallets/${id}`, approver, { reason: why });
    else expect((await post(`/wallets/${id}/${verb}`, { reason: why })).status).toBe(200);
    expect((await stage.call('GET', `/api/v1/wallets/${id}`)).body.data).toMatchObject({ reason: why });
    expect(await lastEventOf(id)).toMatchObject({ type, data: { reason: why } });
    expect((await auditedReasons(id)).at(-1)).toBe(why);
  }
  expect((await post(`/wallets/${id}/freeze`)).body.data).not.toHaveProperty('reason');
  expect((await post(`/wallets/${id}/archive`, { reason })).body.data).toMatchObject({ status: 'archived', reason });
  expect((await stage.call('GET', `/api/v1/wallets/${id}`)).body.data).toMatchObject({ reason });
});

test('a workspace is frozen and unfrozen with a reason; who freezes it again changes none', async () => {
  const move = (verb: string, body?: object) => post(`/workspaces/${api.workspaceId}/withdrawals/${verb}`, body);
  const lastFreeze = async () =>
    (await readFeed(api.db, api.workspaceId)).findLast(({ type }) => type.startsWith('workspace.'));
  const frozen = await move('freeze', { reason });
  expect(frozen.body.data).toMatchObject({ withdrawals_frozen: true, reason });
  expect(await lastFreeze()).toMatchObject({ type: 'workspace.withdrawals_frozen', data: { reason } });
  expect((await move('freeze', { reason: 'Another.' })).body.data).toEqual(frozen.body.data);
  const path = `/api/v1/workspaces/${api.workspaceId}/withdrawals`;
  await stage.unfreeze(path, approver, { reason: 'It was known.' });
  expect(await lastFreeze()).toMatchObject({
    type: 'workspace.withdrawals_unfrozen',
    data: { reason: 'It was known.' },
  });
  expect((await auditedReasons(api.workspaceId)).slice(-3)).toEqual([reason, 'Another.', 'It was known.']);
});
