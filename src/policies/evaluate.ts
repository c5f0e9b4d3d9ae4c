// Judges an operation by a policy: a pure function of the document and the facts. Reads nothing and stores nothing.

import type { Decision } from '../../domain/policies/decision.ts';
import type { Conditions, PolicyAction, PolicyDocument, PolicyRule } from '../../domain/policies/policy-document.ts';
import type { Facts, WindowCondition } from './facts.ts';
import { isSummed, judge, type Quantifier, type Verdict } from './judge-conditions.ts';
import { EXPIRY_DEFAULT_SECONDS } from './policies.schema.ts';
import { strictest } from './strictest.ts';

/** What became of one rule, in the order of the document. */
export interface Considered {
  rule: string;
  applies: boolean;
  /** One plain clause for each condition that was looked at. */
  because: readonly string[];
}

export interface Evaluation extends Decision {
  considered: readonly Considered[];
}

const DEFAULT = 'default';

/**
 * The first rule that applies to all of an operation decides, or the default. One that denies decides also when it
 * applies to a part of it, and what is not known may be that part. One that asks for approvals for a part counts beside
 * what comes after it: the strictest decides.
 */
export function evaluate(document: PolicyDocument, facts: Facts): Evaluation {
  const considered: Considered[] = [];
  const outcomes: Evaluation[] = [];
  for (const rule of document.rules) {
    const { toAll, ...found } = consider(rule, facts);
    considered.push(found);
    if (!found.applies) continue;
    outcomes.push(decided(rule.name, rule.then, found.because, considered));
    if (toAll || rule.then.action === 'deny') return strictest(outcomes as [Evaluation]);
  }
  return strictest([...outcomes, decideByDefault(document, facts, considered)] as [Evaluation]);
}

function decideByDefault(document: PolicyDocument, facts: Facts, considered: Considered[]): Evaluation {
  const { default: action } = document;
  if (!isPermitted({ when: {}, then: action }, facts)) {
    const because = [`${facts.call?.because}, which is denied unless a rule names ${nameOfCall(facts)}`];
    considered.push({ rule: DEFAULT, applies: true, because });
    return decided(DEFAULT, { action: 'deny' }, because, considered);
  }
  const because = [considered.some(({ applies }) => applies) ? 'no rule applies to all of it' : 'no rule applies'];
  considered.push({ rule: DEFAULT, applies: true, because });
  return decided(DEFAULT, action, because, considered);
}

/**
 * The totals that `evaluate` will need: of the rules that could apply if only their totals did, up to the one that
 * decides without any. Where there are none nothing must be locked.
 */
export function windowsToRead(document: PolicyDocument, facts: Facts): WindowCondition[] {
  const windows: WindowCondition[] = [];
  for (const rule of document.rules) {
    const { velocity, count, ...when } = rule.when;
    const { applies, toAll } = consider({ ...rule, when }, facts);
    if (!applies) continue;
    if (velocity === undefined && count === undefined) {
      if (toAll || rule.then.action === 'deny') break;
      continue;
    }
    if (velocity !== undefined && isSummed(facts, velocity)) windows.push({ kind: 'velocity', condition: velocity });
    if (count !== undefined) windows.push({ kind: 'count', condition: count });
  }
  return windows;
}

/**
 * Looks at every condition until one does not hold. What permits must hold for all that moves; the rest applies already
 * when it holds for a part.
 */
function consider(rule: PolicyRule, facts: Facts): Considered & { toAll: boolean } {
  const { name, when, then } = rule;
  if (!isPermitted(rule, facts)) {
    const because = [`it does not name ${nameOfCall(facts)}, and ${facts.call?.because}`];
    return { rule: name, applies: false, toAll: false, because };
  }
  const verdictsFor = (quantifier: Quantifier) => judgeAll(when, facts, quantifier);
  const all = verdictsFor('every');
  const verdicts = then.action === 'allow' || isMet(all) ? all : verdictsFor('any');
  if (!isMet(verdicts))
    return { rule: name, applies: false, toAll: false, because: verdicts.slice(-1).map(({ because }) => because) };
  const because = verdicts.length === 0 ? ['it has no conditions'] : verdicts.map((verdict) => verdict.because);
  return { rule: name, applies: true, toAll: isMet(all), because };
}

const isMet = (verdicts: readonly Verdict[]) => verdicts.every(({ holds }) => holds);

/** Up to the first that does not hold. */
function judgeAll(when: Conditions, facts: Facts, quantifier: Quantifier): Verdict[] {
  const verdicts: Verdict[] = [];
  for (const condition of inOrder(when)) {
    const verdict = judge(condition, when, facts, quantifier);
    verdicts.push(verdict);
    if (!verdict.holds) break;
  }
  return verdicts;
}

/** Totals come last: they are read only for rules whose other conditions hold. */
function inOrder({ velocity, count, ...others }: Conditions): (keyof Conditions)[] {
  const totals = [
    velocity === undefined ? [] : (['velocity'] as const),
    count === undefined ? [] : (['count'] as const),
  ];
  return [...(Object.keys(others) as (keyof Conditions)[]), ...totals.flat()];
}

/**
 * T8: what gives power away and what is not understood passes only by a rule that names it: by the kind of the call; a
 * raw digest also as such, typed data also by its type or by who verifies it. Of what was not read at all people may be
 * asked without that.
 */
function isPermitted({ when, then }: Pick<PolicyRule, 'when' | 'then'>, { call, payloadKind }: Facts): boolean {
  if (then.action === 'deny' || call === undefined || call.kind === 'transfer') return true;
  const { calls = [], payload_kinds = [], typed_data } = when;
  if (calls.includes(call.kind)) return true;
  if (!call.isUnread) return false;
  if (then.action === 'require_approvals') return true;
  return payloadKind === 'raw_digest'
    ? payload_kinds.includes('raw_digest')
    : (typed_data?.primary_types ?? typed_data?.verifying_contracts) !== undefined;
}

/** What a rule has to name to permit it. */
function nameOfCall({ call, payloadKind }: Facts): string {
  if (call?.isUnread) return payloadKind === 'raw_digest' ? 'raw digests' : 'its type or its contract';
  return `${call?.kind} calls`;
}

function decided(
  rule: string,
  action: PolicyAction,
  because: readonly string[],
  considered: readonly Considered[],
): Evaluation {
  const who = rule === DEFAULT ? 'The default' : `The rule "${rule}"`;
  const reasons = [`${who} ${describe(action)}: ${because.join('; ')}.`];
  if (action.action !== 'require_approvals') {
    const none = { required: 0, approvers: [], approveWith: null, expiresInSeconds: 0 };
    return { action: action.action, ...none, reasons, rule, considered };
  }
  return {
    action: action.action,
    required: action.approvals,
    approvers: action.approvers ?? [],
    approveWith: action.approve_with ?? null,
    expiresInSeconds: action.expires_in_seconds ?? EXPIRY_DEFAULT_SECONDS,
    reasons,
    rule,
    considered,
  };
}

function describe(action: PolicyAction): string {
  if (action.action === 'allow') return 'allows it';
  if (action.action === 'deny') return 'denies it';
  const { approvals, approvers, approve_with } = action;
  const many = approvals === 1 ? 'one approval' : `${approvals} approvals`;
  const proven = approve_with === undefined ? '' : ' by passkey';
  return `asks for ${many}${proven}${approvers === undefined ? '' : ` of ${approvers.length} approvers`}`;
}
