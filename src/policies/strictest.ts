// The strictest of several decisions about one operation: a denial before approvals, approvals before nothing. Judges
// nothing itself.
import type { Decision } from '../../domain/policies/decision.ts';

/**
 * Whoever satisfies the result satisfies each of `decisions`. Approvals of different lists become one round: so many of
 * all listed that, whoever they are, enough of each list are among them. Where no round can ask for that, it is a
 * denial.
 */
export function strictest<One extends Decision>(decisions: readonly [One, ...One[]]): One {
  const denial = decisions.find(({ action }) => action === 'deny');
  if (denial !== undefined) return denial;
  const [most, ...others] = decisions
    .filter(({ action }) => action === 'require_approvals')
    .toSorted((one, other) => other.required - one.required);
  if (most === undefined) return decisions[0];
  const added = others.filter((other) => !implies(most, other));
  const expiresInSeconds = Math.min(...[most, ...others].map((one) => one.expiresInSeconds));
  const approveWith = [most, ...others].map((one) => one.approveWith).find((proof) => proof !== null) ?? null;
  if (added.length === 0) return { ...most, approveWith, expiresInSeconds };
  const all = [most, ...added];
  const approvers = [...new Set(all.flatMap((one) => one.approvers))];
  const required = Math.max(...all.map((one) => one.required + outside(approvers, one)));
  const reasons = [...new Set(all.flatMap((one) => one.reasons))];
  if (required <= approvers.length) return { ...most, required, approvers, approveWith, expiresInSeconds, reasons };
  const impossible = 'It needs the approvals of both, which one round cannot ask for: name the approvers in each.';
  const denied = { action: 'deny', required: 0, approvers: [], approveWith: null, expiresInSeconds: 0 } as const;
  return { ...most, ...denied, reasons: [...reasons, impossible] };
}

type Approvals = Pick<Decision, 'required' | 'approvers'>;

/** Whether enough approvals for `one` always are enough for `other`. */
const implies = (one: Approvals, other: Approvals) =>
  other.approvers.length === 0
    ? one.required >= other.required
    : one.approvers.length > 0 && one.required - outside(one.approvers, other) >= other.required;

/** How many of `approvers` do not count for a decision. No list means anybody. */
const outside = (approvers: readonly string[], { approvers: listed }: Approvals) =>
  listed.length === 0 ? 0 : approvers.filter((approver) => !listed.includes(approver)).length;
