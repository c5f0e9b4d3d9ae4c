// Goal: what is said to differ between two policies is what differs, and nothing else. Method: examples by hand, and
// generated documents: from the former one and its differences the later one can be made again.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { demandsPasskeys } from '../../../domain/policies/demands-passkeys.ts';
import { differencesOf, type PolicyDifference } from '../../../domain/policies/policy-differences.ts';
import type { PolicyDocument, PolicyRule } from '../../../domain/policies/policy-document.ts';

const rule = (name: string, action: 'allow' | 'deny' = 'deny'): PolicyRule => ({ name, when: {}, then: { action } });
const policy = (rules: PolicyRule[], rest: Partial<PolicyDocument> = {}): PolicyDocument => ({
  rules,
  default: { action: 'deny' },
  ...rest,
});

test('a rule is added, removed and changed by its name', () => {
  const [a, b, c] = [rule('a'), rule('b'), rule('c')];
  expect(differencesOf(policy([a, b]), policy([rule('a', 'allow'), c]))).toEqual([
    { part: 'rule', change: 'removed', rule: 'b', before: b },
    { part: 'rule', change: 'changed', rule: 'a', before: a, after: rule('a', 'allow') },
    { part: 'rule', change: 'added', rule: 'c', after: c },
  ]);
});

test('of an order that changed only what was moved', () => {
  const names = ['a', 'b', 'c', 'd'];
  const before = policy(names.map((name) => rule(name)));
  const after = policy(['d', 'a', 'b', 'c'].map((name) => rule(name)));
  expect(differencesOf(before, after)).toEqual([
    { part: 'rule', change: 'moved', rule: 'd', before: { place: 4 }, after: { place: 1 } },
  ]);
  // What is above is gone: nobody has moved the others.
  expect(differencesOf(before, policy(before.rules.slice(1))).map(({ change }) => change)).toEqual(['removed']);
});

test('the other parts', () => {
  const changes = { approvals: 1 };
  expect(differencesOf(policy([]), policy([], { default: { action: 'allow' }, changes }))).toEqual([
    { part: 'default', change: 'changed', before: { action: 'deny' }, after: { action: 'allow' } },
    { part: 'changes', change: 'added', after: changes },
  ]);
  expect(differencesOf(policy([], { changes }), policy([]))).toEqual([
    { part: 'changes', change: 'removed', before: changes },
  ]);
});

test('the order of the names within a rule is no difference', () => {
  const before = policy([{ name: 'a', when: { operations: ['signing'], networks: ['X'] }, then: { action: 'deny' } }]);
  const after = policy([{ then: { action: 'deny' }, when: { networks: ['X'], operations: ['signing'] }, name: 'a' }]);
  expect(differencesOf(before, after)).toEqual([]);
});

const documents = fc
  .record({
    rules: fc.uniqueArray(
      fc.record({
        name: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
        action: fc.constantFrom('allow' as const, 'deny' as const),
      }),
      { selector: ({ name }) => name },
    ),
    action: fc.constantFrom('allow' as const, 'deny' as const),
    approvals: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  })
  .map(({ rules, action, approvals }) =>
    policy(
      rules.map(({ name, action: then }) => rule(name, then)),
      { default: { action }, ...(approvals === undefined ? {} : { changes: { approvals } }) },
    ),
  );

/** Rules that stay keep their order but for the moved ones, which are put in by their places, as are the new ones. */
function remade(before: PolicyDocument, differences: readonly PolicyDifference[], after: PolicyDocument) {
  const named = (change: string) => differences.filter((each) => each.part === 'rule' && each.change === change);
  const [gone, added, changed, moved] = ['removed', 'added', 'changed', 'moved'].map(named);
  const isOf = (list: PolicyDifference[] | undefined, name: string) => list?.some((each) => each.rule === name);
  const kept = before.rules.filter(({ name }) => !isOf(gone, name) && !isOf(moved, name)).map(({ name }) => name);
  const placed = [...(added ?? []), ...(moved ?? [])].map(({ rule: name }) => name);
  const order = after.rules.map(({ name }) => (placed.includes(name) ? name : kept.shift()));
  const contents = new Map(before.rules.map((each) => [each.name, each]));
  for (const { rule: name = '', after: part } of [...(added ?? []), ...(changed ?? [])])
    contents.set(name, part as PolicyRule);
  return { order, rules: order.map((name) => contents.get(name ?? '')), rest: kept };
}

test('a later document is its former one with the differences', () => {
  fc.assert(
    fc.property(documents, documents, (before, after) => {
      const { rules, rest } = remade(before, differencesOf(before, after), after);
      expect(rules).toEqual(after.rules);
      expect(rest).toEqual([]);
    }),
  );
  fc.assert(
    fc.property(documents, (document) => {
      expect(differencesOf(document, document)).toEqual([]);
    }),
  );
});

test('passkeys are demanded by any rule, or by what applies otherwise', () => {
  const byPasskey = { action: 'require_approvals', approvals: 1, approve_with: 'passkey' } as const;
  expect(demandsPasskeys(policy([rule('a')]))).toBe(false);
  expect(demandsPasskeys(policy([], { changes: { approvals: 1, approve_with: 'passkey' } }))).toBe(false);
  expect(demandsPasskeys(policy([rule('a'), { name: 'b', when: {}, then: byPasskey }]))).toBe(true);
  expect(demandsPasskeys(policy([], { default: byPasskey }))).toBe(true);
});
