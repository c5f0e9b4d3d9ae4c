// Goal: whoever has lost the passkey that gave a vote votes again with another one, in the same round, and says what is
// right now; nobody has two votes by having two passkeys, and what the lost one said stays to be verified. Method: the
// API on a real database, users with passkeys in software, and rounds that need two approvals.
import { and, asc, eq, isNull } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { judgeEvidence } from '../../../domain/passkeys/approval-evidence.ts';
import { approvals } from '../../../drizzle/approvals/approvals.ts';
import { auditLogs } from '../../../drizzle/audit/audit-tables.ts';
import { passkeys } from '../../../drizzle/passkeys/passkeys.ts';
import { isApproved } from '../../../drizzle/votes/counted-votes.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import {
  type ConsoleUser,
  makeConsoleUser,
  makeToken,
  ORIGIN,
  type PasskeyAnswer,
  type Vote,
} from '../../support/passkeys/console-user.ts';
import { SoftwarePasskey } from '../../support/passkeys/software-passkey.ts';
import { ApprovalStage } from '../../support/rows/approvals.ts';
import { testSeals } from '../../support/rows/seals.ts';

let api: TestApi;
let stage: ApprovalStage;
let walletId: string;
let administrator: ConsoleUser;
let ada: ConsoleUser;
let ben: ConsoleUser;
let id: string;
beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1', consoleOrigin: ORIGIN });
  stage = new ApprovalStage(api);
  await stage.connect();
  walletId = await stage.makeFundedWallet();
  administrator = await makeConsoleUser(api, ['administrator']);
  // A policy asks for no more passkeys than there are users with one.
  for (const role of ['approver', 'approver'] as const) await makeConsoleUser(api, [role]);
  await stage.setPolicy({
    rules: [],
    default: { action: 'require_approvals', approvals: 2, approve_with: 'passkey' },
  });
});
afterAll(() => api.stop());
beforeEach(async () => {
  [ada, ben] = [await makeConsoleUser(api, ['approver']), await makeConsoleUser(api, ['approver'])];
  id = await stage.askId('withdrawal', walletId);
});

const verbs = { approved: 'approve', rejected: 'reject' } as const;

async function prove(by: ConsoleUser, decision: Vote['decision']): Promise<PasskeyAnswer> {
  const { digest, subject } = await stage.roundOf(id);
  return by.prove({ subject, subject_id: id, digest, decision });
}

const cast = (by: ConsoleUser, passkey: PasskeyAnswer, decision: Vote['decision']) =>
  by.send('POST', `/api/v1/withdrawals/${id}/${verbs[decision]}`, { passkey });

const vote = async (by: ConsoleUser, decision: Vote['decision'] = 'approved') =>
  cast(by, await prove(by, decision), decision);

/** A second passkey beside the first one, by a link of an operator. */
async function addPasskey(to: ConsoleUser): Promise<SoftwarePasskey> {
  const another = new SoftwarePasskey(ORIGIN);
  const enrolled = await to.enrol(await makeToken(api, to.userId, undefined), another);
  expect(enrolled.status).toBe(201);
  return another;
}

async function removePasskey(of: ConsoleUser): Promise<void> {
  const where = and(eq(passkeys.userId, of.userId), isNull(passkeys.removedAt));
  const [oldest] = await api.db.select().from(passkeys).where(where).orderBy(asc(passkeys.id));
  const removed = await administrator.send('DELETE', `/api/v1/passkeys/${oldest?.id}`);
  expect(removed.status).toBe(200);
}

/** She has another passkey, and the one that she voted by is removed. */
async function losePasskey(of: ConsoleUser): Promise<void> {
  const another = await addPasskey(of);
  await removePasskey(of);
  of.passkey = another;
  of.cookie = undefined;
  expect((await of.signIn()).status).toBe(201);
}

const moment = expect.stringMatching(/Z$/);
const shown = async () => (await stage.read('withdrawal', id)).withdrawal_approvals;
const status = (of: string) => ({ status: 200, body: { data: { status: of } } });
const votesOf = async (user: ConsoleUser) =>
  (await api.db.select().from(approvals).where(eq(approvals.subjectId, id)).orderBy(asc(approvals.createdAt))).filter(
    ({ userId }) => userId === user.userId,
  );

test('a fresh vote by another passkey counts in the place of the one that no longer does', async () => {
  expect(await vote(ada)).toMatchObject(status('pending_approval'));
  expect(await shown()).toEqual([{ user_id: ada.userId, status: 'approved', voted_at: moment }]);
  await losePasskey(ada);
  // What no longer counts is not shown as a vote, so that she is asked again.
  expect(await shown()).toEqual([]);
  expect(await vote(ben)).toMatchObject(status('pending_approval'));
  expect(await vote(ada)).toMatchObject(status('approved'));
  expect(await shown()).toEqual(
    expect.arrayContaining([ada, ben].map(({ userId }) => ({ user_id: userId, status: 'approved', voted_at: moment }))),
  );
  expect(await shown()).toHaveLength(2);
  const { digest } = await stage.roundOf(id);
  expect(await isApproved(api.db, testSeals, id, digest)).toBe(true);
});

test('what the lost passkey said stays: with its evidence, and in the audit log', async () => {
  await vote(ada);
  await losePasskey(ada);
  await vote(ada);
  const both = await votesOf(ada);
  expect(both).toHaveLength(2);
  const said = both.map(({ evidence }) => evidence?.signature ?? '');
  expect(new Set(said).size).toBe(2);
  const { body } = await api.call('GET', `/api/v1/approvals/${id}/evidence`);
  // oxlint-disable-next-line typescript/no-explicit-any
  expect(body.data.votes.map((each: any) => each.evidence.signature)).toEqual(said);
  expect(judgeEvidence(body.data)).toMatchObject({ holds: true, provenApprovals: 1 });
  const logged = await api.db.select({ body: auditLogs.body }).from(auditLogs).where(eq(auditLogs.resourceId, id));
  for (const signature of said) expect(logged.filter((entry) => entry.body?.includes(signature))).toHaveLength(1);
});

test('who approved by the lost passkey may reject by another one', async () => {
  await vote(ada);
  await losePasskey(ada);
  expect(await vote(ada, 'rejected')).toMatchObject(status('rejected'));
  expect(await shown()).toEqual([{ user_id: ada.userId, status: 'rejected', voted_at: moment }]);
  const { body } = await api.call('GET', `/api/v1/approvals/${id}/evidence`);
  expect(judgeEvidence(body.data)).toMatchObject({ holds: true, provenApprovals: 0 });
});

test('two passkeys that both count are one vote, and do not contradict each other', async () => {
  await vote(ada);
  ada.passkey = await addPasskey(ada);
  expect(await vote(ada)).toMatchObject(status('pending_approval'));
  expect(await votesOf(ada)).toHaveLength(1);
  expect(await vote(ada, 'rejected')).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
  expect(await vote(ben)).toMatchObject(status('approved'));
});

test('however often passkeys are lost, it is one vote', async () => {
  for (let times = 0; times < 2; times += 1) {
    expect(await vote(ada)).toMatchObject(status('pending_approval'));
    await losePasskey(ada);
  }
  expect(await vote(ada)).toMatchObject(status('pending_approval'));
  expect(await vote(ada)).toMatchObject(status('pending_approval'));
  expect(await shown()).toHaveLength(1);
  expect(await vote(ben)).toMatchObject(status('approved'));
});

test('many fresh votes at the same time are one', async () => {
  await vote(ada);
  await losePasskey(ada);
  const proofs = [await prove(ada, 'approved'), await prove(ada, 'approved'), await prove(ada, 'approved')];
  const answers = await Promise.all(proofs.map((proof) => cast(ada, proof, 'approved')));
  for (const answer of answers) expect([200, 403]).toContain(answer.status);
  expect(answers.filter((answer) => answer.status === 200).length).toBeGreaterThan(0);
  expect(await votesOf(ada)).toHaveLength(2);
  expect((await stage.roundOf(id)).status).toBe('pending');
  expect(await vote(ben)).toMatchObject(status('approved'));
});

test('an answer of the lost passkey that nobody had sent yet is worth nothing', async () => {
  await vote(ada);
  const kept = await prove(ada, 'approved');
  await losePasskey(ada);
  expect(await cast(ada, kept, 'approved')).toMatchObject({ status: 403, body: { code: 'policy_denied' } });
  expect(await vote(ben)).toMatchObject(status('pending_approval'));
});

test('once it is decided, a passkey that is removed takes no vote out of what is shown', async () => {
  await vote(ada);
  expect(await vote(ben)).toMatchObject(status('approved'));
  await losePasskey(ada);
  expect(await shown()).toHaveLength(2);
  expect(await vote(ada)).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
});
