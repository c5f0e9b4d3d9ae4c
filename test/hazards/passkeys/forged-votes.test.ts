// Goal: a vote in a session is a fresh answer of a passkey of its user over exactly that vote, no stolen API key
// approves what the policy wants approved by passkey, and what proves a vote is verified by anybody. Method: the API on
// a real database, a passkey in software, and answers of other votes, other people and other times.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PolicyDocument } from '../../../domain/policies/policy-document.ts';
import { approvals } from '../../../drizzle/approvals/approvals.ts';
import { passkeys } from '../../../drizzle/passkeys/passkeys.ts';
import { isApproved } from '../../../drizzle/votes/counted-votes.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { type ConsoleUser, makeConsoleUser, ORIGIN, type Vote } from '../../support/passkeys/console-user.ts';
import { ApprovalStage, type KnownKey } from '../../support/rows/approvals.ts';
import { testSeals } from '../../support/rows/seals.ts';

const needs = (approve_with?: 'passkey'): PolicyDocument => ({
  rules: [],
  default: { action: 'require_approvals', approvals: 1, ...(approve_with === undefined ? {} : { approve_with }) },
});

let api: TestApi;
let stage: ApprovalStage;
let walletId: string;
let key: KnownKey;
let user: ConsoleUser;
let other: ConsoleUser;
beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1', consoleOrigin: ORIGIN });
  stage = new ApprovalStage(api);
  await stage.connect();
  walletId = await stage.makeFundedWallet();
  key = await stage.makeApprover();
  user = await makeConsoleUser(api, ['approver']);
  other = await makeConsoleUser(api, ['approver']);
});
afterAll(() => api.stop());

async function voteOf(id: string, decision: Vote['decision'] = 'approved'): Promise<Vote> {
  const { digest, subject } = await stage.roundOf(id);
  return { subject, subject_id: id, digest, decision };
}
const verbs = { approved: 'approve', rejected: 'reject' } as const;
const cast = (by: ConsoleUser, id: string, passkey: object | undefined, decision: Vote['decision'] = 'approved') =>
  by.send('POST', `/api/v1/withdrawals/${id}/${verbs[decision]}`, passkey === undefined ? {} : { passkey });
const statusOf = async (id: string) => (await stage.read('withdrawal', id)).status;
const unproven = { status: 403, body: { code: 'policy_denied' } };

describe('a vote in a session', () => {
  let id: string;
  beforeEach(async () => {
    await stage.setPolicy(needs());
    id = await stage.askId('withdrawal', walletId);
  });

  test('is an answer over exactly it, and is kept with it', async () => {
    const answer = await user.prove(await voteOf(id));
    expect(await cast(user, id, answer)).toMatchObject({ status: 200, body: { data: { status: 'approved' } } });
    const [vote] = await api.db.select().from(approvals).where(eq(approvals.subjectId, id));
    expect(vote).toMatchObject({ userId: user.userId, evidence: { origin: ORIGIN, relying_party_id: 'localhost' } });
    expect(await isApproved(api.db, testSeals, id, vote?.digest ?? '')).toBe(true);
  });

  test('is none without an answer, and a signed request takes none', async () => {
    expect(await cast(user, id, undefined)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    const answer = await user.prove(await voteOf(id));
    const body = { passkey: answer };
    expect(await stage.decide('withdrawal', id, { verb: 'approve', key, body })).toMatchObject(unproven);
    expect(await statusOf(id)).toBe('pending_approval');
  });

  test('is none by an answer about another approval, another decision or another digest', async () => {
    const another = await stage.askId('withdrawal', walletId);
    expect(await cast(user, id, await user.prove(await voteOf(another)))).toMatchObject(unproven);
    expect(await cast(user, id, await user.prove(await voteOf(id, 'rejected')))).toMatchObject(unproven);
    const altered = { ...(await voteOf(id)), digest: 'f'.repeat(64) };
    expect(await cast(user, id, await user.prove(altered))).toMatchObject(unproven);
    const change = { ...(await voteOf(id)), subject: 'policy' as const };
    expect(await cast(user, id, await user.prove(change))).toMatchObject(unproven);
    expect(await statusOf(id)).toBe('pending_approval');
  });

  test('is none by an answer that was used before, or by one to a sign-in', async () => {
    const rejection = await user.prove(await voteOf(id, 'rejected'));
    expect((await cast(user, id, rejection, 'rejected')).status).toBe(200);
    const next = await stage.askId('withdrawal', walletId);
    expect(await cast(user, next, rejection, 'rejected')).toMatchObject(unproven);
    const { ticket, challenge } = await user.askToSignIn();
    expect(await cast(user, next, { ticket, ...user.passkey.answer(challenge) })).toMatchObject(unproven);
    const answer = await user.prove(await voteOf(next));
    expect((await cast(user, next, answer)).status).toBe(200);
    expect(await cast(user, next, answer)).toMatchObject(unproven);
  });

  test('is none by the passkey of somebody else, of here or of another workspace', async () => {
    const { ticket, challenge } = await user.askToVote(await voteOf(id));
    expect(await cast(user, id, { ticket, ...other.passkey.answer(challenge) })).toMatchObject(unproven);
    const elsewhere = await api.makeWorkspace();
    const stranger = await makeConsoleUser(api, ['approver'], elsewhere.workspaceId);
    expect(await cast(user, id, { ticket, ...stranger.passkey.answer(challenge) })).toMatchObject(unproven);
    expect(await cast(user, id, await other.prove(await voteOf(id)))).toMatchObject(unproven);
    expect((await cast(stranger, id, await stranger.prove(await voteOf(id)))).status).toBe(404);
    expect(await statusOf(id)).toBe('pending_approval');
  });

  test('is none by an altered ticket, an altered answer or another counter', async () => {
    const answer = await user.prove(await voteOf(id));
    const [text = '', ...seal] = answer.ticket.split('.');
    const said = JSON.parse(Buffer.from(text, 'base64url').toString()) as object;
    const later = Buffer.from(JSON.stringify({ ...said, expires_at: '2099-01-01T00:00:00.000Z' })).toString(
      'base64url',
    );
    expect(await cast(user, id, { ...answer, ticket: [later, ...seal].join('.') })).toMatchObject(unproven);
    const flipped = Buffer.from(answer.signature, 'base64url');
    flipped[flipped.length - 1] = (flipped.at(-1) ?? 0) ^ 1;
    expect(await cast(user, id, { ...answer, signature: flipped.toString('base64url') })).toMatchObject(unproven);
    expect(await statusOf(id)).toBe('pending_approval');
    expect((await cast(user, id, answer)).status).toBe(200);
  });

  test('counts no more once its passkey is removed', async () => {
    await stage.setPolicy({ rules: [], default: { action: 'require_approvals', approvals: 2 } });
    const of2 = await stage.askId('withdrawal', walletId);
    const leaver = await makeConsoleUser(api, ['approver']);
    expect((await cast(leaver, of2, await leaver.prove(await voteOf(of2)))).status).toBe(200);
    const [row] = await api.db.select().from(passkeys).where(eq(passkeys.userId, leaver.userId));
    expect((await api.call('DELETE', `/api/v1/passkeys/${row?.id}`)).status).toBe(200);
    expect((await cast(user, of2, await user.prove(await voteOf(of2)))).status).toBe(200);
    expect(await statusOf(of2)).toBe('pending_approval');
    expect((await cast(other, of2, await other.prove(await voteOf(of2)))).status).toBe(200);
    expect(await statusOf(of2)).toBe('approved');
  });

  test('of the same user is one vote, by key and by passkey', async () => {
    await stage.setPolicy({ rules: [], default: { action: 'require_approvals', approvals: 2 } });
    const of2 = await stage.askId('withdrawal', walletId);
    const own = await stage.makeApprover({ userId: user.userId });
    expect((await stage.decide('withdrawal', of2, { verb: 'approve', key: own })).status).toBe(200);
    expect((await cast(user, of2, await user.prove(await voteOf(of2)))).status).toBe(200);
    expect(await statusOf(of2)).toBe('pending_approval');
  });
});

describe('approve_with: passkey', () => {
  test('no API key approves, a passkey does, and a key may still reject', async () => {
    await stage.setPolicy(needs('passkey'));
    const id = await stage.askId('withdrawal', walletId);
    expect((await stage.read('withdrawal', id)).approval).toMatchObject({ approve_with: 'passkey' });
    expect(await stage.decide('withdrawal', id, { verb: 'approve', key })).toMatchObject(unproven);
    expect(await statusOf(id)).toBe('pending_approval');
    expect((await cast(user, id, await user.prove(await voteOf(id)))).status).toBe(200);
    expect(await statusOf(id)).toBe('approved');
    const another = await stage.askId('withdrawal', walletId);
    expect((await stage.decide('withdrawal', another, { verb: 'reject', key })).status).toBe(200);
    expect(await statusOf(another)).toBe('rejected');
  });

  test('it is looked at when votes are counted: those that keys gave before do not count any more', async () => {
    await stage.setPolicy({ rules: [], default: { action: 'require_approvals', approvals: 2 } });
    const id = await stage.askId('withdrawal', walletId);
    expect((await stage.decide('withdrawal', id, { verb: 'approve', key })).status).toBe(200);
    await stage.setPolicy(needs('passkey'));
    expect((await cast(user, id, await user.prove(await voteOf(id)))).status).toBe(200);
    expect(await statusOf(id)).toBe('pending_approval');
    expect((await cast(other, id, await other.prove(await voteOf(id)))).status).toBe(200);
    expect(await statusOf(id)).toBe('approved');
  });

  test('the worker counts by it, too: a vote whose evidence is gone or altered approves nothing', async () => {
    await stage.setPolicy(needs('passkey'));
    const id = await stage.askId('withdrawal', walletId);
    const vote = await voteOf(id);
    expect((await cast(user, id, await user.prove(vote))).status).toBe(200);
    expect(await isApproved(api.db, testSeals, id, vote.digest)).toBe(true);
    const [stored] = await api.db.select().from(approvals).where(eq(approvals.subjectId, id));
    await api.db.execute('alter table approvals disable trigger approvals_kept');
    await api.db.update(approvals).set({ evidence: null }).where(eq(approvals.subjectId, id));
    expect(await isApproved(api.db, testSeals, id, vote.digest)).toBe(false);
    const evidence = stored?.evidence && { ...stored.evidence, origin: 'https://evil.example' };
    await api.db.update(approvals).set({ evidence }).where(eq(approvals.subjectId, id));
    expect(await isApproved(api.db, testSeals, id, vote.digest)).toBe(false);
    await api.db.execute('alter table approvals enable trigger approvals_kept');
  });

  test('a policy is not set that nobody could approve by passkey, or that says it otherwise', async () => {
    const path = `/api/v1/workspaces/${api.workspaceId}/policy`;
    const alone = { rules: [], default: { action: 'require_approvals', approvals: 20, approve_with: 'passkey' } };
    expect(await stage.call('PUT', path, alone)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('by passkey') },
    });
    for (const approve_with of ['passkeys', '', null, true])
      expect(
        (
          await stage.call('PUT', path, {
            rules: [],
            default: { action: 'require_approvals', approvals: 1, approve_with },
          })
        ).status,
      ).toBe(400);
  });

  test('changes of the policy itself: no two stolen API keys take the demand away', async () => {
    const guarded = { ...needs(), changes: { approvals: 1, approve_with: 'passkey' as const } };
    await stage.setPolicy(guarded);
    const path = `/api/v1/workspaces/${api.workspaceId}/policy`;
    const { pending } = (await stage.call('PUT', path, needs())).body.data;
    const { digest } = pending.approval;
    expect(await stage.call('POST', `${path}/approve`, { digest }, { key })).toMatchObject(unproven);
    const vote = { subject: 'policy', subject_id: pending.id, digest, decision: 'approved' } as const;
    const body = { digest, passkey: await user.prove(vote) };
    expect((await user.send('POST', `${path}/approve`, body)).status).toBe(200);
  });
});

describe('evidence', () => {
  const run = promisify(execFile);
  const command = resolve(import.meta.dirname, '../../../dist/verify-approval.js');
  let folder: string;
  let id: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  let evidence: any;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-evidence-'));
    await stage.setPolicy(needs('passkey'));
    id = await stage.askId('withdrawal', walletId);
    await cast(user, id, await user.prove(await voteOf(id)));
    evidence = (await stage.call('GET', `/api/v1/approvals/${id}/evidence`)).body;
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function verify(document: object, ...more: string[]): Promise<{ code: number; text: string }> {
    const file = join(folder, 'evidence.json');
    writeFileSync(file, JSON.stringify(document));
    const done = await run(process.execPath, [command, file, ...more]).catch((error) => error);
    return { code: done.code ?? 0, text: done.stdout };
  }

  test('is verified offline, also by the keys that are known to be of the user', async () => {
    const { code, text } = await verify(evidence, '--digest', evidence.data.digest);
    expect(text).toContain('The digest is that of the content.');
    expect(text).toContain('1 of 1 approvals are proven by passkeys.');
    expect(code).toBe(0);
    const known = join(folder, 'passkeys.json');
    const list = (by: ConsoleUser) => stage.call('GET', `/api/v1/users/${by.userId}/passkeys`);
    writeFileSync(known, JSON.stringify((await list(user)).body));
    expect((await verify(evidence, '--passkeys', known)).code).toBe(0);
    writeFileSync(known, JSON.stringify((await list(other)).body));
    expect(await verify(evidence, '--passkeys', known)).toMatchObject({ code: 1 });
  });

  // oxlint-disable-next-line typescript/no-explicit-any
  test.each<[string, (data: any) => object]>([
    ['another amount', (data) => ({ ...data, content: { ...data.content, amount_base_units: '1' } })],
    ['another digest', (data) => ({ ...data, digest: 'f'.repeat(64) })],
    ['another subject', (data) => ({ ...data, subject_id: data.workspace_id })],
    ['another user', (data) => ({ ...data, votes: [{ ...data.votes[0], user_id: data.subject_id }] })],
    ['another decision', (data) => ({ ...data, votes: [{ ...data.votes[0], decision: 'rejected' }] })],
  ])('is not with %s', async (_name, change) => {
    expect((await verify(change(evidence.data))).code).toBe(1);
  });
});
