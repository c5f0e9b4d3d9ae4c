// Judges the conditions of a rule, each by the facts that it is about: whether it holds for every part of what an
// operation moves, or for any. What is not known fulfils no condition for every part and each one for any part.
import { formatAmount, parseAmount } from '../../domain/money.ts';
import type { Conditions } from '../../domain/policies/policy-document.ts';
import { type Facts, type MovedTotal, type MovementFacts, nameOf } from './facts.ts';

export type Quantifier = 'every' | 'any';

export interface Verdict {
  holds: boolean;
  /** One plain clause, whether it holds or not. */
  because: string;
}

type Judges = {
  [Name in keyof Conditions]-?: (
    condition: NonNullable<Conditions[Name]>,
    facts: Facts,
    quantifier: Quantifier,
  ) => Verdict;
};

const judges: Judges = {
  operations: (wanted, { operation }) => oneOf('the operation', operation, wanted),
  methods: (wanted, { method }) => oneOf('the method', method, wanted),
  networks: (wanted, { networkCode }) => oneOf('the network', networkCode, wanted),
  wallet_ids: (wanted, { walletId }) => oneOf('the wallet', walletId, wanted),
  initiators: (wanted, { initiator }) => oneOf('the user who asks', initiator, wanted),
  asset_ids: judgeAssets,
  amount: (condition, facts, quantifier) => judgeSum('the amount', { facts, quantifier }, condition, () => 0n),
  velocity: (condition, facts, quantifier) =>
    judgeSum(`the sum of ${condition.window_seconds} seconds`, { facts, quantifier }, condition, () =>
      totalOf(facts, nameOf({ kind: 'velocity', condition })),
    ),
  fee: judgeFee,
  count: (condition, facts) => {
    const before = totalOf(facts, nameOf({ kind: 'count', condition }));
    if (before === 'unknown') throw new Error('operations can be counted, whatever they move');
    const total = before + 1n;
    const { more_than, at_most } = condition;
    return bounded(`the count of ${condition.window_seconds} seconds`, total, String, {
      moreThan: more_than === undefined ? undefined : BigInt(more_than),
      atMost: at_most === undefined ? undefined : BigInt(at_most),
    });
  },
  destination: judgeDestination,
  payload_kinds: (wanted, { payloadKind }) => oneOf('what is to be signed', payloadKind, wanted),
  typed_data: judgeTypedData,
  calls: (wanted, { call }) => {
    const verdict = oneOf('the call', call?.kind, wanted);
    return call === undefined ? verdict : { ...verdict, because: `${verdict.because} (${call.because})` };
  },
  selectors: (wanted, facts, quantifier) =>
    isRaw(facts)
      ? notKnown('the function selector', quantifier)
      : oneOf('the function selector', facts.call?.selector, wanted),
};

/**
 * Throws for a condition that this version does not know: to pass it over could make the rule wider than it was
 * written.
 */
export function judge(name: keyof Conditions, when: Conditions, facts: Facts, quantifier: Quantifier): Verdict {
  if (!Object.hasOwn(judges, name)) throw new Error(`the policy has a condition that is not known here: ${name}`);
  const judgeOne = judges[name] as (condition: unknown, facts: Facts, quantifier: Quantifier) => Verdict;
  return judgeOne(when[name], facts, quantifier);
}

/** Whether some of an asset moves and all that does is known: only then a sum is looked at. */
export const isSummed = (facts: Facts, condition: SumCondition): boolean =>
  isConcerned(facts, condition) && !mayMoveMore(facts, condition.asset_id);

interface SumCondition {
  asset_id: string;
  more_than?: string;
  at_most?: string;
}

/**
 * A fee alone is a matter only for what asks for more than some amount: to every other condition it would make each
 * transaction one of the native currency.
 */
function isConcerned({ movements, fee, nativeAssetId }: Facts, { asset_id: assetId, more_than = '0' }: SumCondition) {
  if (movements.some((movement) => movement.assetId === assetId)) return true;
  return assetId === nativeAssetId && fee !== 0n && !/^[0.]+$/.test(more_than);
}

const no = (because: string): Verdict => ({ holds: false, because });
const yes = (because: string): Verdict => ({ holds: true, because });
const notKnown = (what: string, quantifier: Quantifier): Verdict => ({
  holds: quantifier === 'any',
  because: `${what} is not known`,
});

const lower = (text: string) => text.toLowerCase();
/** It may be the digest of anything. */
const isRaw = ({ payloadKind }: Facts) => payloadKind === 'raw_digest';

function oneOf(what: string, value: string | undefined, wanted: readonly string[]): Verdict {
  if (value === undefined) return no(`${what} is not known`);
  return wanted.includes(value) ? yes(`${what} is ${value}`) : no(`${what} is ${value}, which is not listed`);
}

/** Of each movement whether it is so; undefined where that is not known. `clauses`: one for each outcome. */
function quantify(
  { movements, unknown }: Facts,
  quantifier: Quantifier,
  isSo: (movement: MovementFacts) => boolean | undefined,
  clauses: { yes: string; no: string; unknown: string },
): Verdict {
  const found = movements.map(isSo);
  if (quantifier === 'every') {
    if (found.includes(false)) return no(clauses.no);
    if (found.includes(undefined)) return no(clauses.unknown);
    return found.length === 0 ? no('it moves nothing that is known') : yes(clauses.yes);
  }
  if (found.includes(true)) return yes(clauses.yes);
  if (found.includes(undefined) || unknown.length > 0) return yes(clauses.unknown);
  return no(found.length === 0 ? 'it moves nothing' : clauses.no);
}

function judgeAssets(wanted: readonly string[], facts: Facts, quantifier: Quantifier): Verdict {
  if (!wanted.some((id) => facts.decimals.has(id))) return no('the assets are of other networks');
  const isListed = ({ assetId }: MovementFacts) => (assetId === undefined ? undefined : wanted.includes(assetId));
  if (quantifier === 'every' && facts.unknown.length > 0) return notKnown('the asset', quantifier);
  return quantify(facts, quantifier, isListed, {
    yes: 'the asset is listed',
    no: 'the asset is not listed',
    unknown: 'the asset is not known',
  });
}

/** Whether more of the asset may move than its known movements and the fee say. */
export const mayMoveMore = ({ movements, unknown, fee, nativeAssetId }: Facts, assetId: string) =>
  unknown.length > 0 ||
  (fee === undefined && assetId === nativeAssetId) ||
  movements.some((movement) => movement.assetId === undefined) ||
  movements.some((movement) => movement.assetId === assetId && movement.amountBaseUnits === undefined);

/**
 * Of all movements of the asset together, and the fee where it is paid in it, on top of `before`, which is read only
 * where it decides. Limits are texts in units of the asset.
 */
function judgeSum(
  what: string,
  { facts, quantifier }: { facts: Facts; quantifier: Quantifier },
  condition: SumCondition,
  before: () => MovedTotal,
): Verdict {
  const { asset_id: assetId } = condition;
  const decimals = facts.decimals.get(assetId);
  if (decimals === undefined) return no('the asset is of another network');
  if (mayMoveMore(facts, assetId)) return notKnown(what, quantifier);
  const others = facts.movements.filter((movement) => movement.assetId !== assetId);
  if (!isConcerned(facts, condition)) return no('it is of another asset');
  if (quantifier === 'every' && others.length > 0) return no('it moves another asset, too');
  const fee = assetId === facts.nativeAssetId ? (facts.fee ?? 0n) : 0n;
  const withFee = fee === 0n ? what : `${what} with the fee`;
  const earlier = before();
  if (earlier === 'unknown')
    return notKnown(`${what}, since something whose amount nobody knows was accepted in that time: it`, quantifier);
  return compare(withFee, earlier + amountOf(facts, assetId), decimals, condition);
}

/** What of an asset may leave as far as it is known, with the fee where it is paid in it. */
export function amountOf({ movements, fee, nativeAssetId }: Facts, assetId: string): bigint {
  return movements.reduce(
    (total, movement) => total + (movement.assetId === assetId ? (movement.amountBaseUnits ?? 0n) : 0n),
    assetId === nativeAssetId ? (fee ?? 0n) : 0n,
  );
}

function judgeFee(condition: NonNullable<Conditions['fee']>, facts: Facts, quantifier: Quantifier): Verdict {
  const { asset_id: assetId } = condition;
  const decimals = facts.decimals.get(assetId);
  if (decimals === undefined || assetId !== facts.nativeAssetId) return no('the fee is paid in another asset');
  if (facts.fee === undefined) return notKnown('the fee', quantifier);
  return compare('the fee', facts.fee, decimals, condition);
}

const compare = (what: string, value: bigint, decimals: number, { more_than, at_most }: SumCondition): Verdict =>
  bounded(what, value, (units) => formatAmount(units, decimals), {
    moreThan: more_than === undefined ? undefined : parseAmount(more_than, decimals),
    atMost: at_most === undefined ? undefined : parseAmount(at_most, decimals),
  });

function bounded(
  what: string,
  value: bigint,
  show: (value: bigint) => string,
  { moreThan, atMost }: { moreThan: bigint | undefined; atMost: bigint | undefined },
): Verdict {
  const shown = `${what} is ${show(value)}`;
  if (moreThan !== undefined && value <= moreThan) return no(`${shown}, not more than ${show(moreThan)}`);
  if (atMost !== undefined && value > atMost) return no(`${shown}, more than ${show(atMost)}`);
  const limits = [
    moreThan === undefined ? [] : [`more than ${show(moreThan)}`],
    atMost === undefined ? [] : [`at most ${show(atMost)}`],
  ].flat();
  return yes(`${shown}, ${limits.join(' and ')}`);
}

function totalOf({ totals }: Facts, name: string): MovedTotal {
  const total = totals.get(name);
  if (total === undefined) throw new Error(`the total was not read: ${name}`);
  return total;
}

function judgeDestination(
  { in_address_book: wanted, addresses }: NonNullable<Conditions['destination']>,
  facts: Facts,
  quantifier: Quantifier,
): Verdict {
  const isMet = ({ destination, tokenAccount, inAddressBook }: MovementFacts) => {
    // The account may be listed itself; whether its owner is, nobody knows here.
    const shown = destination ?? tokenAccount;
    const isListed = addresses === undefined || addresses.some((address) => isSameAddress(address, shown));
    if (destination === undefined) return isListed && wanted === undefined && shown !== undefined ? true : undefined;
    return isListed && (wanted === undefined || wanted === inAddressBook);
  };
  const listing = wanted === false ? 'not in the address book' : 'in the address book';
  const opposite = wanted === false ? 'in the address book' : 'not in the address book';
  return quantify(facts, quantifier, isMet, {
    yes: `the destination is ${addresses === undefined ? listing : 'listed'}`,
    no: `the destination is ${wanted === undefined ? 'not listed' : opposite}`,
    unknown: 'the destination is not known',
  });
}

/** EVM addresses are the same in any case; every other form tells cases apart. */
const isSameAddress = (one: string, other: string | undefined) =>
  one === other || (one.startsWith('0x') && lower(one) === lower(other ?? ''));

function judgeTypedData(
  condition: NonNullable<Conditions['typed_data']>,
  facts: Facts,
  quantifier: Quantifier,
): Verdict {
  const { typedData } = facts;
  if (isRaw(facts)) return notKnown('whether it is of typed data', quantifier);
  if (typedData === undefined) return no('it is no typed data');
  const parts = [
    ['the domain name', typedData.domainName, condition.domain_names],
    ['the chain id', typedData.chainId, condition.chain_ids],
    ['the verifying contract', typedData.verifyingContract?.toLowerCase(), condition.verifying_contracts?.map(lower)],
    ['the primary type', typedData.primaryType, condition.primary_types],
  ] as const;
  // A domain that leaves a part out holds whatever that part is.
  const verdicts = parts.flatMap(([what, value, wanted]) => {
    if (wanted === undefined) return [];
    return [value === undefined ? notKnown(what, quantifier) : oneOf(what, value, wanted)];
  });
  const failed = verdicts.find(({ holds }) => !holds);
  const because = verdicts.map((verdict) => verdict.because).join(' and ');
  return failed ?? yes(because);
}
