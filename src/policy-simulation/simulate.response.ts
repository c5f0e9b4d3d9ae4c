// From what the policy made of an operation to what the wire shows of it.
import { formatAmount } from '../../domain/money.ts';
import type { Explanation } from '../policies/decide.ts';
import type { MovementFacts } from '../policies/facts.ts';

export function toSimulation(found: Explanation) {
  const [first] = found.facts;
  return {
    action: found.action,
    rule: found.rule,
    reasons: [...found.reasons],
    approvals: found.required,
    approvers: [...found.approvers],
    ...(found.approveWith === null ? {} : { approve_with: found.approveWith }),
    expires_in_seconds: found.expiresInSeconds,
    networks: found.facts.map(({ networkCode }) => networkCode),
    movements: (first?.movements ?? []).map(toMovement),
    unknown: [...(first?.unknown ?? [])],
    considered: found.considered.map(({ rule, applies, because }) => ({ rule, applies, because: [...because] })),
  };
}

function toMovement({ asset, assetId, amountBaseUnits, decimals, destination, ...known }: MovementFacts) {
  const contract = asset !== undefined && 'contract' in asset ? asset.contract : null;
  const isInUnits = amountBaseUnits !== undefined && decimals !== undefined;
  return {
    asset_id: assetId ?? null,
    ...(contract === null ? {} : { contract }),
    amount: isInUnits ? formatAmount(amountBaseUnits, decimals) : null,
    amount_base_units: amountBaseUnits?.toString() ?? null,
    destination: destination ?? null,
    ...(known.tokenAccount === undefined ? {} : { token_account: known.tokenAccount }),
    ...(known.inAddressBook === undefined ? {} : { in_address_book: known.inAddressBook }),
  };
}
