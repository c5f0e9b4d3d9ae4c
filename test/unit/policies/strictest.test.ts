// Goal: of several decisions the strictest counts, and who satisfies it satisfies each. Method: tables, and generated
// approvals against every set of voters.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Decision } from '../../../domain/policies/decision.ts';
import { strictest } from '../../../src/policies/strictest.ts';

const decision = (
  action: Decision['action'],
  required = 0,
  approvers: string[] = [],
  expiresInSeconds = 0,
): Decision => ({
  action,
  required,
  approvers,
  approveWith: null,
  expiresInSeconds,
  reasons: [`${action} ${required} ${approvers.join()}`],
  rule: `${required}`,
});
const approvals = (required: number, ...approvers: string[]) => decision('require_approvals', required, approvers, 60);
const allow = decision('allow');
const deny = decision('deny');

test.each<[string, [Decision, ...Decision[]], Partial<Decision>]>([
  ['a denial', [allow, approvals(2), deny], deny],
  ['approvals before nothing', [allow, approvals(1), allow], approvals(1)],
  ['the most approvals', [approvals(1), approvals(3), approvals(2)], approvals(3)],
  ['equal ones once', [approvals(2, 'a', 'b'), approvals(2, 'a', 'b')], approvals(2, 'a', 'b')],
  [
    'more of a wider list, when that is enough for both',
    [approvals(1, 'a'), approvals(2, 'a', 'b')],
    approvals(2, 'a', 'b'),
  ],
  ['listed approvers before anybody', [approvals(1), approvals(1, 'a', 'b')], { required: 1, approvers: ['a', 'b'] }],
  ['enough of all for lists that differ', [approvals(1, 'a', 'b'), approvals(1, 'c', 'd')], { required: 3 }],
  ['what no round can ask for', [approvals(1, 'a'), approvals(2)], { action: 'deny', required: 0, approvers: [] }],
])('%s', (_name, decisions, expected) => {
  expect(strictest(decisions)).toMatchObject(expected);
});

test('one that demands passkeys demands them of all', () => {
  const proven = { ...approvals(1), approveWith: 'passkey' as const };
  for (const all of [
    [approvals(2), proven],
    [proven, approvals(2)],
    [approvals(1, 'a', 'b'), { ...approvals(1, 'c'), approveWith: 'passkey' as const }],
  ])
    expect(strictest(all as [Decision])).toMatchObject({ approveWith: 'passkey' });
  expect(strictest([approvals(2), proven, deny]).approveWith).toBeNull();
});

test('it waits no longer than any', () => {
  expect(strictest([approvals(2), { ...approvals(1), expiresInSeconds: 30 }]).expiresInSeconds).toBe(30);
});

test('generated: whoever satisfies the strictest satisfies each', () => {
  const voters = ['a', 'b', 'c', 'd', 'e'];
  const asked = fc
    .uniqueArray(fc.constantFrom(...voters))
    .chain((listed) =>
      fc
        .integer({ min: 1, max: listed.length === 0 ? 4 : listed.length })
        .map((required) => approvals(required, ...listed)),
    );
  const isEnough = ({ required, approvers }: Decision, votes: readonly string[]) =>
    votes.filter((vote) => approvers.length === 0 || approvers.includes(vote)).length >= required;
  fc.assert(
    fc.property(fc.array(asked, { minLength: 1, maxLength: 4 }), fc.subarray(voters), (all, votes) => {
      const found = strictest(all as [Decision]);
      if (found.action === 'deny' || !isEnough(found, votes)) return;
      for (const one of all) expect(isEnough(one, votes)).toBe(true);
    }),
    { numRuns: 5_000 },
  );
});
