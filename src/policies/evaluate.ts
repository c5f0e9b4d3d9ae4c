// Judges an operation by a policy: a pure function of the document and the facts. Reads nothing and stores nothing.
import type { Decision, Facts, WindowCondition } from './facts.ts';
import { judge } from './judge-conditions.ts';
import {
  type Conditions,
  EXPIRY_DEFAULT_SECONDS,
  type PolicyAction,
  type PolicyDocument,
  type PolicyRule,
} from './policies.schema.ts';

/** What became of one rule: in the order of the document, the last one is that which decided. */
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

export function evaluate(document: PolicyDocument, facts: Facts): Evaluation {
  const considered: Considered[] = [];
  for (const rule of document.rules) {
    const found = consider(rule, facts);
    considered.push(found);
    if (found.applies) return decided(rule.name, rule.then, found.because, considered);
  }
  const { call } = facts;
  if (isPerilous(facts) && document.default.action !== 'deny') {
    const because = [`${call?.because}, which is denied unless a rule names ${call?.kind} calls`];
    considered.push({ rule: DEFAULT, applies: true, because });
    return decided(DEFAULT, { action: 'deny' }, because, considered);
  }
  const because = ['no rule applies'];
  considered.push({ rule: DEFAULT, applies: true, because });
  return decided(DEFAULT, document.default, because, considered);
}

/**
 * The totals that `evaluate` will need: of the rules that could apply if only their totals did, up to the one that decides without any. Where there are none
 * nothing must be locked.
 */
export function windowsToRead(document: PolicyDocument, facts: Facts): WindowCondition[] {
  const windows: WindowCondition[] = [];
  for (const rule of document.rules) {
    const { velocity, count, ...when } = rule.when;
    if (!consider({ ...rule, when }, facts).applies) continue;
    if (velocity === undefined && count === undefined) break;
    if (velocity !== undefined && velocity.asset_id === facts.amount?.assetId)
      windows.push({ kind: 'velocity', condition: velocity });
    if (count !== undefined) windows.push({ kind: 'count', condition: count });
  }
  return windows;
}

/** Looks at every condition until one does not hold. */
function consider({ name, when, then }: PolicyRule, facts: Facts): Considered {
  if (then.action !== 'deny' && isPerilous(facts) && !namesCall(when, facts)) {
    const because = [`it does not name ${facts.call?.kind} calls, and ${facts.call?.because}`];
    return { rule: name, applies: false, because };
  }
  const because: string[] = [];
  for (const condition of inOrder(when)) {
    const verdict = judge(condition, when, facts);
    if (!verdict.holds) return { rule: name, applies: false, because: [verdict.because] };
    because.push(verdict.because);
  }
  return { rule: name, applies: true, because: because.length === 0 ? ['it has no conditions'] : because };
}

/** Totals come last: they are read only for rules whose other conditions hold. */
function inOrder({ velocity, count, ...others }: Conditions): (keyof Conditions)[] {
  const totals = [
    velocity === undefined ? [] : (['velocity'] as const),
    count === undefined ? [] : (['count'] as const),
  ];
  return [...(Object.keys(others) as (keyof Conditions)[]), ...totals.flat()];
}

const isPerilous = ({ call }: Facts) => call !== undefined && call.kind !== 'transfer';

const namesCall = ({ calls }: Conditions, { call }: Facts) => call !== undefined && (calls ?? []).includes(call.kind);

function decided(
  rule: string,
  action: PolicyAction,
  because: readonly string[],
  considered: readonly Considered[],
): Evaluation {
  const who = rule === DEFAULT ? 'The default' : `The rule "${rule}"`;
  const reasons = [`${who} ${describe(action)}: ${because.join('; ')}.`];
  if (action.action !== 'require_approvals')
    return { action: action.action, required: 0, approvers: [], expiresInSeconds: 0, reasons, rule, considered };
  return {
    action: action.action,
    required: action.approvals,
    approvers: action.approvers ?? [],
    expiresInSeconds: action.expires_in_seconds ?? EXPIRY_DEFAULT_SECONDS,
    reasons,
    rule,
    considered,
  };
}

function describe(action: PolicyAction): string {
  if (action.action === 'allow') return 'allows it';
  if (action.action === 'deny') return 'denies it';
  const { approvals, approvers } = action;
  const many = approvals === 1 ? 'one approval' : `${approvals} approvals`;
  return `asks for ${many}${approvers === undefined ? '' : ` of ${approvers.length} approvers`}`;
}
