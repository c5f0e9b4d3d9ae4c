// What differs between two versions of a policy, in the parts that people read: its rules by their names, the order of
// them, what else applies, and what its changes need. Reads nothing.
import { canonicalJson, type Json } from '../canonical-json.ts';
import type { PolicyDocument, PolicyRule } from './policy-document.ts';

export const policyParts = ['rule', 'default', 'changes'] as const;
export const differenceKinds = ['added', 'removed', 'changed', 'moved'] as const;

export interface PolicyDifference {
  part: (typeof policyParts)[number];
  change: (typeof differenceKinds)[number];
  /** The name of the rule. */
  rule?: string;
  /** The part before; of a rule that moved, its place, counted from 1. */
  before?: object;
  after?: object;
}

/** In the order of the rules: those that are gone first, then those that are there, then the other parts. */
export function differencesOf(before: PolicyDocument, after: PolicyDocument): PolicyDifference[] {
  const former = new Map(before.rules.map((rule) => [rule.name, rule]));
  const names = new Set(after.rules.map(({ name }) => name));
  const gone = before.rules.filter(({ name }) => !names.has(name));
  return [
    ...gone.map((rule) => ({ part: 'rule', change: 'removed', rule: rule.name, before: rule }) as const),
    ...after.rules.flatMap((rule) => ofRule(former.get(rule.name), rule)),
    ...movesOf(before.rules, after.rules),
    ...ofPart('default', before.default, after.default),
    ...ofPart('changes', before.changes, after.changes),
  ];
}

function ofRule(before: PolicyRule | undefined, after: PolicyRule): PolicyDifference[] {
  const { name: rule } = after;
  if (before === undefined) return [{ part: 'rule', change: 'added', rule, after }];
  return isSame(before, after) ? [] : [{ part: 'rule', change: 'changed', rule, before, after }];
}

function ofPart(part: 'default' | 'changes', before?: object, after?: object): PolicyDifference[] {
  if (before === undefined) return after === undefined ? [] : [{ part, change: 'added', after }];
  if (after === undefined) return [{ part, change: 'removed', before }];
  return isSame(before, after) ? [] : [{ part, change: 'changed', before, after }];
}

const isSame = (one: object, other: object) => canonicalJson(one as Json) === canonicalJson(other as Json);

/** As few rules as can be moved to come from one order to the other: those outside the longest run that kept it. */
function movesOf(before: readonly PolicyRule[], after: readonly PolicyRule[]): PolicyDifference[] {
  const placesBefore = new Map(before.map(({ name }, at) => [name, at + 1]));
  const both = after.flatMap(({ name }, at) => {
    const place = placesBefore.get(name);
    return place === undefined ? [] : [{ rule: name, before: place, after: at + 1 }];
  });
  const kept = longestRising(both.map((rule) => rule.before));
  return both
    .filter((_, at) => !kept.has(at))
    .map((moved) => ({
      part: 'rule',
      change: 'moved',
      rule: moved.rule,
      before: { place: moved.before },
      after: { place: moved.after },
    }));
}

/** The indexes of one longest rising subsequence. */
function longestRising(numbers: readonly number[]): ReadonlySet<number> {
  const best: { length: number; previous: number | undefined }[] = [];
  for (const [at, number] of numbers.entries()) {
    let longest = { length: 1, previous: undefined as number | undefined };
    for (const [previous, { length }] of best.entries())
      if ((numbers[previous] as number) < number && length + 1 > longest.length)
        longest = { length: length + 1, previous };
    best[at] = longest;
  }
  const last = best.reduce((top, { length }, at) => (length > (best[top]?.length ?? 0) ? at : top), 0);
  const run = new Set<number>();
  for (let at: number | undefined = best.length === 0 ? undefined : last; at !== undefined; at = best[at]?.previous)
    run.add(at);
  return run;
}
