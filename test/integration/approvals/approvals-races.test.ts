// Goal: of decisions that are taken at once exactly one counts, and row, round, money and what Temporal is told agree
// about which. Method: races over HTTP and with the workers' own activity, on a real database, many times each;
// Temporal is away, so that every start and signal stays in the outbox.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApprovalActivities } from '../../../activities/signing/approvals.ts';
import { closeApprovalRound } from '../../../drizzle/approvals/approvals.ts';
import { findLedgerImbalances } from '../../../drizzle/ledger/ledger.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { ApprovalStage, type Kind, type KnownKey } from '../../support/rows/approvals.ts';
import { testSeals } from '../../support/rows/seals.ts';

const ROUNDS = 8;
/** Every start and signal is tried once more before the starter lets go, and Temporal is away. */
const STOP_TIMEOUT_MS = 180_000;
const kinds: Kind[] = ['withdrawal', 'signing'];

let api: TestApi;
let stage: ApprovalStage;
let walletId: string;
let keys: KnownKey[];
beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1' });
  stage = new ApprovalStage(api);
  await stage.connect();
  keys = await stage.makeApprovers(8);
  walletId = await stage.makeFundedWallet();
});
afterAll(async () => {
  expect(await findLedgerImbalances(api.db)).toEqual([]);
  await api.stop();
}, STOP_TIMEOUT_MS);

/** As a worker looks. */
const checkApproval = (id: string) => createApprovalActivities({ db: api.db, seals: testSeals }).checkApproval(id);
const approvalsOf = (approvals: number) =>
  stage.setPolicy({ rules: [], default: { action: 'require_approvals', approvals } });

/** What each end of a round means for the row of what it is about. */
const standings: Record<Kind, Record<string, object>> = {
  withdrawal: {
    approved: { status: 'approved' },
    rejected: { status: 'rejected' },
    cancelled: { status: 'cancelled' },
    expired: { status: 'failed', error_code: 'approval_expired' },
  },
  signing: {
    approved: { status: 'pending' },
    rejected: { status: 'failed', status_reason: 'approval_rejected' },
    cancelled: { status: 'failed', status_reason: 'cancelled' },
    expired: { status: 'failed', status_reason: 'approval_expired' },
  },
};

describe.each(kinds)('%s', (kind) => {
  beforeEach(() => approvalsOf(1));
  const key = (index: number) => keys[index] as KnownKey;
  const decide = (id: string, verb: 'approve' | 'reject', index: number) =>
    stage.decide(kind, id, { verb, key: key(index) });

  /** Row and round tell the same end; its name. */
  async function agreedEnd(id: string): Promise<string> {
    const { status } = await stage.roundOf(id);
    const record = await stage.read(kind, id);
    expect(record).toMatchObject(standings[kind][status] ?? { status: `no end: ${status}` });
    return status;
  }

  test('many approvals at once: the last that is needed lets it go, once', async () => {
    await approvalsOf(3);
    for (let round = 0; round < 5; round += 1) {
      const id = await stage.askId(kind, walletId);
      const answers = await Promise.all(keys.map((_, index) => decide(id, 'approve', index)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(5);
      expect(await agreedEnd(id)).toBe('approved');
      expect(await stage.noticesOf(id)).toEqual(['start', 'changed']);
      expect((await stage.read(kind, id)).approval).toMatchObject({ required: 3 });
    }
  });

  test('one key at once many times: one voice', async () => {
    await approvalsOf(2);
    const id = await stage.askId(kind, walletId);
    const answers = await Promise.all(Array.from({ length: 8 }, () => decide(id, 'approve', 0)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await stage.roundOf(id)).status).toBe('pending');
    expect(await stage.noticesOf(id)).toEqual(['start']);
  });

  test('approve against reject: one of them, and the other is told so', async () => {
    const ends = new Set<string>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await stage.askId(kind, walletId);
      const verbs = round % 2 === 0 ? (['approve', 'reject'] as const) : (['reject', 'approve'] as const);
      const answers = await Promise.all(verbs.map((verb, index) => decide(id, verb, index)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
      const end = await agreedEnd(id);
      expect(end).toBe(answers[verbs.indexOf('approve')]?.status === 200 ? 'approved' : 'rejected');
      expect(await stage.noticesOf(id)).toEqual(['start', 'changed']);
      ends.add(end);
    }
    expect(ends).toEqual(new Set(['approved', 'rejected']));
  });

  test('approve against cancel: cancelled, or approved and then cancelled; never approved after it was cancelled', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await stage.askId(kind, walletId);
      const both = [() => decide(id, 'approve', 0), () => stage.cancel(kind, id)];
      const [first, second] = round % 2 === 0 ? both : both.toReversed();
      await Promise.all([first?.(), second?.()]);
      const { status } = await stage.roundOf(id);
      // What is approved and not begun can still be cancelled.
      expect(await stage.read(kind, id)).toMatchObject(standings[kind]['cancelled'] ?? {});
      expect(['approved', 'cancelled']).toContain(status);
      const notices = await stage.noticesOf(id);
      expect(notices[0]).toBe('start');
      expect(notices.length).toBeGreaterThanOrEqual(2);
    }
  });

  test('approve at its expiry: approved in time, or expired; the worker and the caller agree', async () => {
    const ends = new Set<string>();
    // Some of them about when the approval has the row, however fast the machine is.
    for (const afterMs of [0, 5, 10, 20, 30, 50, 80, 250, 1_000]) {
      const id = await stage.askId(kind, walletId);
      const expiresAt = Date.now() + afterMs;
      await stage.expireAt(id, new Date(expiresAt));
      const [answer, ...looks] = await Promise.all([
        decide(id, 'approve', 0),
        ...Array.from({ length: 4 }, () => checkApproval(id)),
      ]);
      await new Promise((resolve) => setTimeout(resolve, expiresAt + 5 - Date.now()));
      const { standing } = await checkApproval(id);
      const end = await agreedEnd(id);
      expect(end).toBe(answer.status === 200 ? 'approved' : 'expired');
      expect(standing).toBe(end === 'approved' ? 'approved' : 'ended');
      // Nobody was told another end before.
      for (const look of looks) expect(['pending', standing]).toContain(look.standing);
      ends.add(end);
    }
    expect(ends).toEqual(new Set(['approved', 'expired']));
  });

  test('the round itself: not expired while there is time, not approved after it', async () => {
    const id = await stage.askId(kind, walletId);
    const close = (to: 'approved' | 'expired') => api.db.transaction((tx) => closeApprovalRound(tx, id, to));
    expect(await close('expired')).toBe(false);
    await stage.expireAt(id, new Date(Date.now() - 1));
    expect(await close('approved')).toBe(false);
    expect(await close('expired')).toBe(true);
    expect(await close('expired')).toBe(false);
  });

  test('many workers at its expiry: ended once', async () => {
    const id = await stage.askId(kind, walletId);
    await stage.expireAt(id, new Date(Date.now() - 1));
    const looks = await Promise.all(Array.from({ length: 8 }, () => checkApproval(id)));
    expect(new Set(looks.map(({ standing }) => standing))).toEqual(new Set(['ended']));
    expect(await agreedEnd(id)).toBe('expired');
  });
});
