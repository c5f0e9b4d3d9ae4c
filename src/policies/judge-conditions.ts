// Judges the conditions of a rule, each by the facts that it is about. What an operation does not show fulfils no condition about it.
import { formatAmount, parseAmount } from '../../drizzle/amount.ts';
import { type AmountFacts, type Facts, nameOf } from './facts.ts';
import type { Conditions } from './policies.schema.ts';

/** One plain clause, whether it holds or not. */
export interface Verdict {
  holds: boolean;
  because: string;
}

type Judges = { [Name in keyof Conditions]-?: (condition: NonNullable<Conditions[Name]>, facts: Facts) => Verdict };

const judges: Judges = {
  operations: (wanted, { operation }) => oneOf('the operation', operation, wanted),
  methods: (wanted, { method }) => oneOf('the method', method, wanted),
  networks: (wanted, { networkCode }) => oneOf('the network', networkCode, wanted),
  wallet_ids: (wanted, { walletId }) => oneOf('the wallet', walletId, wanted),
  initiators: (wanted, { initiator }) => oneOf('the user who asks', initiator, wanted),
  asset_ids: (wanted, { amount }) => oneOf('the asset', amount?.assetId, wanted),
  amount: (condition, facts) =>
    withAmount(condition.asset_id, facts, ({ baseUnits }) => compare('the amount', baseUnits, condition, facts)),
  velocity: (condition, facts) =>
    withAmount(condition.asset_id, facts, ({ baseUnits }) => {
      const total = totalOf(facts, nameOf({ kind: 'velocity', condition })) + baseUnits;
      return compare(`the sum of ${condition.window_seconds} seconds`, total, condition, facts);
    }),
  count: (condition, facts) => {
    const total = totalOf(facts, nameOf({ kind: 'count', condition })) + 1n;
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
  selectors: (wanted, { call }) => oneOf('the function selector', call?.selector, wanted),
};

/** Throws for a condition that this version does not know: to pass it over could make the rule wider than it was written. */
export function judge(name: keyof Conditions, when: Conditions, facts: Facts): Verdict {
  if (!Object.hasOwn(judges, name)) throw new Error(`the policy has a condition that is not known here: ${name}`);
  const judgeOne = judges[name] as (condition: unknown, facts: Facts) => Verdict;
  return judgeOne(when[name], facts);
}

const lower = (text: string) => text.toLowerCase();

function oneOf(what: string, value: string | undefined, wanted: readonly string[]): Verdict {
  if (value === undefined) return { holds: false, because: `${what} is not known` };
  const holds = wanted.includes(value);
  return { holds, because: holds ? `${what} is ${value}` : `${what} is ${value}, which is not listed` };
}

function withAmount(assetId: string, { amount }: Facts, judgeAmount: (amount: AmountFacts) => Verdict): Verdict {
  if (amount === undefined) return { holds: false, because: 'the amount is not known' };
  if (amount.assetId !== assetId) return { holds: false, because: 'it is of another asset' };
  return judgeAmount(amount);
}

/** Limits are texts in units of the asset. */
function compare(
  what: string,
  value: bigint,
  { more_than, at_most }: { more_than?: string; at_most?: string },
  { amount }: Facts,
): Verdict {
  const { decimals } = amount as AmountFacts;
  return bounded(what, value, (units) => formatAmount(units, decimals), {
    moreThan: more_than === undefined ? undefined : parseAmount(more_than, decimals),
    atMost: at_most === undefined ? undefined : parseAmount(at_most, decimals),
  });
}

function bounded(
  what: string,
  value: bigint,
  show: (value: bigint) => string,
  { moreThan, atMost }: { moreThan: bigint | undefined; atMost: bigint | undefined },
): Verdict {
  const shown = `${what} is ${show(value)}`;
  if (moreThan !== undefined && value <= moreThan)
    return { holds: false, because: `${shown}, not more than ${show(moreThan)}` };
  if (atMost !== undefined && value > atMost) return { holds: false, because: `${shown}, more than ${show(atMost)}` };
  const limits = [
    moreThan === undefined ? [] : [`more than ${show(moreThan)}`],
    atMost === undefined ? [] : [`at most ${show(atMost)}`],
  ].flat();
  return { holds: true, because: `${shown}, ${limits.join(' and ')}` };
}

function totalOf({ totals }: Facts, name: string): bigint {
  const total = totals.get(name);
  if (total === undefined) throw new Error(`the total was not read: ${name}`);
  return total;
}

function judgeDestination(
  { in_address_book: wanted, addresses }: NonNullable<Conditions['destination']>,
  { destination, inAddressBook }: Facts,
): Verdict {
  if (destination === undefined) return { holds: false, because: 'the destination is not known' };
  const standing = inAddressBook ? 'in the address book' : 'not in the address book';
  if (wanted !== undefined && wanted !== inAddressBook)
    return { holds: false, because: `the destination is ${standing}` };
  if (addresses !== undefined && !addresses.some((address) => isSameAddress(address, destination)))
    return { holds: false, because: 'the destination is not listed' };
  return { holds: true, because: `the destination is ${addresses === undefined ? standing : 'listed'}` };
}

/** EVM addresses are the same in any case; every other form tells cases apart. */
const isSameAddress = (one: string, other: string) =>
  one === other || (one.startsWith('0x') && lower(one) === lower(other));

function judgeTypedData(condition: NonNullable<Conditions['typed_data']>, { typedData }: Facts): Verdict {
  if (typedData === undefined) return { holds: false, because: 'it is no typed data' };
  const parts = [
    ['the domain name', typedData.domainName, condition.domain_names],
    ['the chain id', typedData.chainId, condition.chain_ids],
    ['the verifying contract', typedData.verifyingContract?.toLowerCase(), condition.verifying_contracts?.map(lower)],
    ['the primary type', typedData.primaryType, condition.primary_types],
  ] as const;
  const verdicts = parts.flatMap(([what, value, wanted]) => (wanted === undefined ? [] : [oneOf(what, value, wanted)]));
  const failed = verdicts.find(({ holds }) => !holds);
  return failed ?? { holds: true, because: verdicts.map(({ because }) => because).join(' and ') };
}
