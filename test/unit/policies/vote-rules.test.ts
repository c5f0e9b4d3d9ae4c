// Goal: a vote counts only while everything that it rests on holds, and votes suffice by users and not by keys. Method:
// one vote that counts, and each single change that takes that away.
import { describe, expect, test } from 'vitest';
import { areEnough, type CastVote, isEligible, mayVoteOn, type VotingRound } from '../../../domain/votes/vote-rules.ts';

const NOW = new Date('2026-01-02T03:04:05Z');

const round: VotingRound = {
  subject: 'withdrawal',
  workspaceId: 'workspace',
  walletId: 'wallet',
  requestedBy: 'requester',
  required: 2,
  approvers: [],
  digest: 'digest',
  approveWith: null,
};

interface Change {
  round?: Partial<VotingRound>;
  vote?: Partial<CastVote['vote']>;
  key?: Partial<CastVote['key']>;
  user?: Partial<CastVote['user']>;
}

function counts(change: Change): boolean {
  const key = { workspaceId: 'workspace', walletIds: [], scopes: ['withdrawals:approve'], revokedAt: null };
  const cast: CastVote = {
    vote: { decision: 'approved', digest: 'digest', isProven: false, ...change.vote },
    key: { ...key, provedBy: 'secret', expiresAt: null, ...change.key },
    user: { id: 'approver', workspaceId: 'workspace', status: 'active', ...change.user },
  };
  return isEligible({ ...round, ...change.round }, cast, NOW);
}

describe('a vote', () => {
  test.each<[string, Change]>([
    ['as it is', {}],
    ['by one of the named approvers', { round: { approvers: ['other', 'approver'] } }],
    ['by a key of the wallet', { key: { walletIds: ['wallet'] } }],
    ['by a key that expires later', { key: { expiresAt: new Date(NOW.getTime() + 1) } }],
    ['that rejects', { vote: { decision: 'rejected' } }],
    ['that is proven, where that is demanded', { round: { approveWith: 'passkey' }, vote: { isProven: true } }],
    [
      'that rejects what takes passkeys to approve',
      { round: { approveWith: 'passkey' }, vote: { decision: 'rejected' } },
    ],
    ['of a session, that is proven', { key: { provedBy: 'passkey' }, vote: { isProven: true } }],
  ])('counts %s', (_name, change) => expect(counts(change)).toBe(true));

  test.each<[string, Change]>([
    ['of something else', { vote: { digest: 'other' } }],
    ['of the user who asked', { user: { id: 'requester' } }],
    ['of a user who is not among the approvers', { round: { approvers: ['other'] } }],
    ['of a disabled user', { user: { status: 'disabled' } }],
    ['of a user of another workspace', { user: { workspaceId: 'other' } }],
    ['by a key of another workspace', { key: { workspaceId: 'other' } }],
    ['by a key of another wallet', { key: { walletIds: ['other'] } }],
    ['by a key of wallets, of what is of none', { round: { walletId: null }, key: { walletIds: ['wallet'] } }],
    ['by a revoked key', { key: { revokedAt: new Date(NOW.getTime() - 1) } }],
    ['by a key that has expired', { key: { expiresAt: NOW } }],
    ['that an API key signed, where passkeys are demanded', { round: { approveWith: 'passkey' } }],
    ['of a session, that nothing proves', { key: { provedBy: 'passkey' } }],
    [
      'of a session, that rejects and that nothing proves',
      { key: { provedBy: 'passkey' }, vote: { decision: 'rejected' } },
    ],
    ['by a key without the scope', { key: { scopes: ['signing:approve'] } }],
  ])('does not count %s', (_name, change) => expect(counts(change)).toBe(false));
});

test.each([
  ['withdrawal', ['withdrawals:approve'], true],
  ['withdrawal', ['signing:approve', 'policies:write'], false],
  ['signing_request', ['signing:approve'], true],
  ['signing_request', ['withdrawals:approve'], false],
  ['policy', ['policies:write', 'signing:approve'], true],
  ['policy', ['policies:write'], false],
  ['authority_change', ['withdrawals:approve'], false],
] as const)('on %s with %j: %j', (subject, scopes, may) => expect(mayVoteOn(subject, scopes)).toBe(may));

describe('the votes of a round', () => {
  const by = (id: string, decision: 'approved' | 'rejected' = 'approved') =>
    ({ vote: { decision }, user: { id } }) as CastVote;

  test('suffice by users, of whom each has one', () => {
    expect(areEnough(round, [by('one')])).toBe(false);
    expect(areEnough(round, [by('one'), by('one')])).toBe(false);
    expect(areEnough(round, [by('one'), by('two')])).toBe(true);
  });

  test('do not suffice beside one rejection', () => {
    expect(areEnough(round, [by('one'), by('two'), by('three', 'rejected')])).toBe(false);
  });
});
