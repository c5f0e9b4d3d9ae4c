// Goal: the first rule that applies decides, a condition about what is not known is never met, and what is dangerous or
// unknown passes only where a rule names it. Method: tables of one condition each, and generated policies against a
// second, plainer reading of the same rules.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Conditions, PolicyDocument, PolicyRule } from '../../../domain/policies/policy-document.ts';
import { builtInPolicy } from '../../../src/policies/built-in.ts';
import { evaluate, windowsToRead } from '../../../src/policies/evaluate.ts';
import { type Facts, type MovementFacts, nameOf } from '../../../src/policies/facts.ts';
import { conditions as anyConditions, facts as anyFacts, rule as anyRule, policy } from './generated-policies.ts';

/** Of `eth`, to COW in the address book, unless said otherwise. */
function moved(amountBaseUnits: bigint | undefined, other: Partial<MovementFacts> = {}): MovementFacts {
  const to = { destination: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826', inAddressBook: true };
  return { asset: { id: 'eth' }, assetId: 'eth', decimals: 2, amountBaseUnits, ...to, ...other };
}

const withdrawal: Facts = {
  operation: 'withdrawal',
  walletId: 'wallet',
  networkCode: 'ETHEREUM_SANDBOX',
  initiator: 'key',
  method: 'transfer',
  movements: [moved(150n)],
  unknown: [],
  fee: 0n,
  nativeAssetId: 'eth',
  decimals: new Map([
    ['eth', 2],
    ['usdc', 2],
  ]),
  payloadKind: undefined,
  typedData: undefined,
  call: undefined,
  totals: new Map([
    ['velocity wallet 60 eth', 850n],
    ['count wallet 60 ', 2n],
  ]),
};
const signing: Facts = {
  ...withdrawal,
  operation: 'signing',
  method: undefined,
  movements: [],
  payloadKind: 'evm_typed_data',
  typedData: { primaryType: 'Mail', domainName: 'Ether Mail', chainId: '1', verifyingContract: `0x${'cc'.repeat(20)}` },
};

const denyWhen = (when: Conditions): PolicyDocument => ({
  rules: [{ name: 'one', when, then: { action: 'deny' } }],
  default: { action: 'allow' },
});
const holds = (when: Conditions, facts: Facts) => evaluate(denyWhen(when), facts).action === 'deny';

describe('each condition', () => {
  test.each<[string, Facts, Conditions, Conditions]>([
    ['operations', withdrawal, { operations: ['withdrawal'] }, { operations: ['signing'] }],
    ['methods', withdrawal, { methods: ['transfer'] }, { methods: ['contract_call'] }],
    ['networks', withdrawal, { networks: ['ETHEREUM_SANDBOX'] }, { networks: ['SOL_SANDBOX'] }],
    ['wallet_ids', withdrawal, { wallet_ids: ['other', 'wallet'] }, { wallet_ids: ['other'] }],
    ['initiators', withdrawal, { initiators: ['key'] }, { initiators: ['other'] }],
    ['asset_ids', withdrawal, { asset_ids: ['eth'] }, { asset_ids: ['usdc'] }],
    [
      'amount more_than',
      withdrawal,
      { amount: { asset_id: 'eth', more_than: '1.49' } },
      { amount: { asset_id: 'eth', more_than: '1.5' } },
    ],
    [
      'amount at_most',
      withdrawal,
      { amount: { asset_id: 'eth', at_most: '1.5' } },
      { amount: { asset_id: 'eth', at_most: '1.49' } },
    ],
    [
      'amount of an asset',
      withdrawal,
      { amount: { asset_id: 'eth', at_most: '9' } },
      { amount: { asset_id: 'usdc', at_most: '9' } },
    ],
    [
      'amount with the fee',
      { ...withdrawal, fee: 10n },
      { amount: { asset_id: 'eth', at_most: '1.6' } },
      { amount: { asset_id: 'eth', at_most: '1.59' } },
    ],
    [
      'amount of what only the fee moves',
      { ...withdrawal, movements: [moved(150n, { assetId: 'usdc' })], fee: 10n },
      { amount: { asset_id: 'eth', more_than: '0.09' } },
      { amount: { asset_id: 'eth', more_than: '0' } },
    ],
    [
      'fee more_than',
      { ...withdrawal, fee: 10n },
      { fee: { asset_id: 'eth', more_than: '0.09' } },
      { fee: { asset_id: 'eth', more_than: '0.1' } },
    ],
    [
      'fee at_most',
      { ...withdrawal, fee: 10n },
      { fee: { asset_id: 'eth', at_most: '0.1' } },
      { fee: { asset_id: 'eth', at_most: '0.09' } },
    ],
    [
      'fee in another asset',
      { ...withdrawal, fee: 10n },
      { fee: { asset_id: 'eth', at_most: '9' } },
      { fee: { asset_id: 'usdc', at_most: '9' } },
    ],
    [
      'velocity, this one included',
      withdrawal,
      { velocity: { asset_id: 'eth', per: 'wallet', window_seconds: 60, at_most: '10' } },
      { velocity: { asset_id: 'eth', per: 'wallet', window_seconds: 60, at_most: '9.99' } },
    ],
    [
      'count, this one included',
      withdrawal,
      { count: { per: 'wallet', window_seconds: 60, at_most: 3 } },
      { count: { per: 'wallet', window_seconds: 60, at_most: 2 } },
    ],
    [
      'destination in the book',
      withdrawal,
      { destination: { in_address_book: true } },
      { destination: { in_address_book: false } },
    ],
    [
      'destination in a list, whatever its case on EVM',
      withdrawal,
      { destination: { addresses: ['0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826'] } },
      { destination: { addresses: ['0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB'] } },
    ],
    ['payload_kinds', signing, { payload_kinds: ['evm_typed_data'] }, { payload_kinds: ['raw_digest'] }],
    [
      'domain name',
      signing,
      { typed_data: { domain_names: ['Ether Mail'] } },
      { typed_data: { domain_names: ['ether mail'] } },
    ],
    ['chain id', signing, { typed_data: { chain_ids: ['1'] } }, { typed_data: { chain_ids: ['10'] } }],
    [
      'verifying contract, whatever its case',
      signing,
      { typed_data: { verifying_contracts: [`0x${'CC'.repeat(20)}`] } },
      { typed_data: { verifying_contracts: [`0x${'cd'.repeat(20)}`] } },
    ],
    [
      'primary type',
      signing,
      { typed_data: { primary_types: ['Mail'] } },
      { typed_data: { primary_types: ['Person'] } },
    ],
    [
      'all parts of typed data',
      signing,
      { typed_data: { primary_types: ['Mail'], chain_ids: ['1'] } },
      { typed_data: { primary_types: ['Mail'], chain_ids: ['2'] } },
    ],
  ])('%s', (_name, facts, met, missed) => {
    expect(holds(met, facts)).toBe(true);
    expect(holds(missed, facts)).toBe(false);
  });

  test('a base58 address in another case is another address', () => {
    const facts = { ...withdrawal, movements: [moved(1n, { destination: 'So1Address' })] };
    expect(holds({ destination: { addresses: ['So1Address'] } }, facts)).toBe(true);
    expect(holds({ destination: { addresses: ['so1address'] } }, facts)).toBe(false);
  });

  test('one that this version does not know stops everything: the rule may be narrower than it looks', () => {
    const when = { moon_phase: ['full'] } as unknown as Conditions;
    expect(() => evaluate(denyWhen(when), withdrawal)).toThrow('moon_phase');
  });
});

describe('what decides', () => {
  const rules: PolicyRule[] = [
    { name: 'small', when: { amount: { asset_id: 'eth', at_most: '1' } }, then: { action: 'allow' } },
    {
      name: 'medium',
      when: { amount: { asset_id: 'eth', at_most: '10' } },
      then: { action: 'require_approvals', approvals: 2, approvers: ['a', 'b', 'c'], expires_in_seconds: 60 },
    },
  ];

  test('the first rule that applies, with why, and what was passed over before', () => {
    expect(evaluate({ rules, default: { action: 'deny' } }, withdrawal)).toEqual({
      action: 'require_approvals',
      required: 2,
      approvers: ['a', 'b', 'c'],
      approveWith: null,
      expiresInSeconds: 60,
      rule: 'medium',
      reasons: ['The rule "medium" asks for 2 approvals of 3 approvers: the amount is 1.5, at most 10.'],
      considered: [
        { rule: 'small', applies: false, because: ['the amount is 1.5, more than 1'] },
        { rule: 'medium', applies: true, because: ['the amount is 1.5, at most 10'] },
      ],
    });
  });

  test('the default, when none applies', () => {
    const facts = { ...withdrawal, movements: [moved(1_001n)] };
    expect(evaluate({ rules, default: { action: 'deny' } }, facts)).toMatchObject({
      action: 'deny',
      rule: 'default',
      reasons: ['The default denies it: no rule applies.'],
    });
  });

  test('built in: the sandbox allows everything, production asks for one approval of a day', () => {
    const dangerous = { ...signing, call: { kind: 'dangerous' as const, because: 'it calls approve' } };
    for (const facts of [withdrawal, signing, dangerous])
      expect(evaluate(builtInPolicy(false), facts).action).toBe('allow');
    for (const facts of [withdrawal, signing])
      expect(evaluate(builtInPolicy(true), facts)).toMatchObject({
        action: 'require_approvals',
        required: 1,
        expiresInSeconds: 86_400,
      });
    expect(evaluate(builtInPolicy(true), dangerous).action).toBe('deny');
  });

  test('built in for production: what nobody can read waits for an approval, calls that are not understood are denied', () => {
    const call = { kind: 'unknown' as const, because: 'nobody knows' };
    const unknown = ['nobody knows'];
    const judged = (payloadKind: Facts['payloadKind'], isUnread: { isUnread?: true }) =>
      evaluate(builtInPolicy(true), { ...signing, payloadKind, call: { ...call, ...isUnread }, unknown });
    for (const kind of ['raw_digest', 'evm_typed_data'] as const)
      expect(judged(kind, { isUnread: true })).toMatchObject({ action: 'require_approvals', required: 1 });
    expect(judged('evm_transaction', {}).action).toBe('deny');
    expect(judged('evm_typed_data', {}).action).toBe('deny');
  });
});

describe('several movements, and what is not known', () => {
  const also = (...movements: MovementFacts[]): Facts => ({ ...withdrawal, movements: [moved(150n), ...movements] });
  const usdc = moved(100n, { asset: { id: 'usdc' }, assetId: 'usdc' });
  const unlisted = moved(100n, { asset: { contract: '0xToken' }, assetId: undefined, decimals: undefined });
  const hidden: Facts = { ...withdrawal, unknown: ['it does something else'] };
  const allowWhen = (when: Conditions): PolicyDocument => ({
    rules: [{ name: 'one', when, then: { action: 'allow' } }],
    default: { action: 'deny' },
  });
  const allows = (when: Conditions, facts: Facts) => evaluate(allowWhen(when), facts).action === 'allow';
  const elsewhere = moved(1n, { destination: '0xElse', inAddressBook: false });
  const toUnknown = moved(1n, { destination: undefined, inAddressBook: undefined });

  test('amounts of one asset are summed', () => {
    const above = { amount: { asset_id: 'eth', more_than: '2' } };
    expect(holds(above, also())).toBe(false);
    expect(holds(above, also(moved(51n)))).toBe(true);
    expect(allows({ amount: { asset_id: 'eth', at_most: '2' } }, also(moved(51n)))).toBe(false);
    expect(allows({ amount: { asset_id: 'eth', at_most: '2' } }, also(moved(50n)))).toBe(true);
  });

  test.each<[string, Conditions, Facts]>([
    ['another asset', { amount: { asset_id: 'eth', at_most: '2' } }, also(usdc)],
    ['another asset', { asset_ids: ['eth'] }, also(usdc)],
    ['another destination', { destination: { in_address_book: true } }, also(elsewhere)],
    ['a destination that is not known', { destination: { in_address_book: true } }, also(toUnknown)],
    ['an asset that the catalogue does not have', { asset_ids: ['eth'] }, also(unlisted)],
    ['something that is not understood', { amount: { asset_id: 'eth', at_most: '2' } }, hidden],
    ['something that is not understood', { asset_ids: ['eth'] }, hidden],
  ])('who allows must be right about all of it: with %s beside it no rule allows', (_name, when, facts) => {
    expect(allows(when, withdrawal)).toBe(true);
    expect(allows(when, facts)).toBe(false);
  });

  test.each<[string, Conditions, Facts]>([
    ['another asset', { asset_ids: ['usdc'] }, also(usdc)],
    ['another asset', { amount: { asset_id: 'usdc', at_most: '2' } }, also(usdc)],
    ['another destination', { destination: { in_address_book: false } }, also(elsewhere)],
    ['a destination that is not known', { destination: { addresses: ['0xNobody'] } }, also(toUnknown)],
    ['an asset that the catalogue does not have', { amount: { asset_id: 'usdc', more_than: '9' } }, also(unlisted)],
    ['an amount that is not known', { amount: { asset_id: 'eth', more_than: '9' } }, also(moved(undefined))],
    ['something that is not understood', { amount: { asset_id: 'usdc', more_than: '9' } }, hidden],
    ['something that is not understood', { asset_ids: ['usdc'] }, hidden],
    ['something that is not understood', { destination: { addresses: ['0xNobody'] } }, hidden],
    ['a sum', { velocity: { asset_id: 'usdc', per: 'wallet', window_seconds: 60, more_than: '9' } }, hidden],
  ])('who denies needs to be right about a part: %s', (_name, when, facts) => {
    expect(holds(when, withdrawal)).toBe(false);
    expect(holds(when, facts)).toBe(true);
  });

  test('an asset of another network does not move here, whatever is not known', () => {
    expect(holds({ amount: { asset_id: 'sol', more_than: '0' } }, hidden)).toBe(false);
    expect(holds({ asset_ids: ['sol'] }, hidden)).toBe(false);
  });

  test('approvals for a part do not keep a later rule from denying', () => {
    const rules: PolicyRule[] = [
      {
        name: 'small',
        when: { amount: { asset_id: 'eth', at_most: '2' } },
        then: { action: 'require_approvals', approvals: 1 },
      },
      { name: 'usdc', when: { asset_ids: ['usdc'] }, then: { action: 'deny' } },
    ];
    const document: PolicyDocument = { rules, default: { action: 'allow' } };
    expect(evaluate(document, also()).rule).toBe('small');
    expect(evaluate(document, also(usdc)).rule).toBe('usdc');
    expect(evaluate(document, { ...hidden, movements: [] }).action).toBe('deny');
  });

  test('a raw digest may be of anything: no rule about calls or typed data lets it by', () => {
    const call = { kind: 'unknown' as const, because: 'it is a raw digest', isUnread: true as const };
    const raw: Facts = { ...signing, payloadKind: 'raw_digest', typedData: undefined, call };
    expect(holds({ selectors: ['0x095ea7b3'] }, raw)).toBe(true);
    expect(holds({ typed_data: { primary_types: ['Permit'] } }, raw)).toBe(true);
    expect(allows({ selectors: ['0x095ea7b3'], payload_kinds: ['raw_digest'] }, raw)).toBe(false);
    expect(allows({ payload_kinds: ['raw_digest'] }, raw)).toBe(true);
    expect(allows({}, raw)).toBe(false);
  });

  test('typed data that leaves out its chain may be for any', () => {
    const typedData = { primaryType: 'Mail' };
    expect(holds({ typed_data: { chain_ids: ['1'] } }, { ...signing, typedData })).toBe(true);
    expect(allows({ typed_data: { chain_ids: ['1'] } }, { ...signing, typedData })).toBe(false);
  });
});

describe('T8: dangerous and unknown calls', () => {
  const transaction: Facts = { ...signing, payloadKind: 'evm_transaction', typedData: undefined };
  const call = (kind: 'dangerous' | 'unknown') => ({ ...transaction, call: { kind, because: 'it does something' } });
  test.each(['dangerous', 'unknown'] as const)('%s: denied by a policy that allows everything else', (kind) => {
    const open: PolicyDocument = {
      rules: [{ name: 'all', when: {}, then: { action: 'allow' } }],
      default: { action: 'allow' },
    };
    expect(evaluate(open, signing).action).toBe('allow');
    expect(evaluate(open, call(kind))).toMatchObject({
      action: 'deny',
      rule: 'default',
      considered: [
        { rule: 'all', applies: false, because: [`it does not name ${kind} calls, and it does something`] },
        { rule: 'default', applies: true },
      ],
    });
  });

  test('a rule that names them may allow them, and a rule before it may deny them without naming them', () => {
    const allow: PolicyRule = { name: 'allowed', when: { calls: ['dangerous'] }, then: { action: 'allow' } };
    const deny: PolicyRule = { name: 'denied', when: { operations: ['signing'] }, then: { action: 'deny' } };
    expect(evaluate({ rules: [allow], default: { action: 'deny' } }, call('dangerous')).rule).toBe('allowed');
    expect(evaluate({ rules: [allow], default: { action: 'allow' } }, call('unknown')).action).toBe('deny');
    expect(evaluate({ rules: [deny, allow], default: { action: 'allow' } }, call('dangerous')).rule).toBe('denied');
  });
});

describe('generated policies', () => {
  const runs = { numRuns: 2_000 };
  /** As decide.ts does, with one total for every window. */
  const ready = (document: PolicyDocument, facts: Facts, total: bigint): Facts => ({
    ...facts,
    totals: new Map(windowsToRead(document, facts).map((window) => [nameOf(window), total])),
  });
  const total = fc.bigInt({ min: 0n, max: 1_200n });

  test('what windowsToRead names is all that is needed', () => {
    fc.assert(
      fc.property(policy, anyFacts, total, (document, facts, sum) => {
        evaluate(document, ready(document, facts, sum));
      }),
      runs,
    );
  });

  test('the decision is that of the plain reading', () => {
    fc.assert(
      fc.property(policy, anyFacts, total, (document, facts, sum) => {
        const found = evaluate(document, ready(document, facts, sum));
        expect(found.action).toBe(plainDecision(document, facts, sum));
      }),
      runs,
    );
  });

  test('T8: nothing dangerous or unknown passes but by a rule that names it', () => {
    fc.assert(
      fc.property(policy, anyFacts, total, (document, facts, sum) => {
        const { action, rule } = evaluate(document, ready(document, facts, sum));
        if (facts.call === undefined || facts.call.kind === 'transfer' || action === 'deny') return;
        const { calls, payload_kinds, typed_data } = document.rules.find(({ name }) => name === rule)?.when ?? {};
        if (facts.call.isUnread && action === 'require_approvals') return;
        const isNamed = payload_kinds?.includes('raw_digest') || typed_data?.primary_types !== undefined;
        if (!facts.call.isUnread || !isNamed) expect(calls).toContain(facts.call.kind);
      }),
      runs,
    );
  });

  test('a further condition never makes a rule apply where it did not', () => {
    fc.assert(
      fc.property(anyRule, anyConditions, anyFacts, total, (rule, more, facts, sum) => {
        const applies = (when: Conditions) => {
          const document = { rules: [{ ...rule, when }], default: { action: 'deny' as const } };
          const { considered } = evaluate(document, ready(document, facts, sum));
          return considered[0]?.applies;
        };
        const narrower = { ...more, ...rule.when };
        // Naming what is signed is the one thing that also permits.
        for (const name of ['calls', 'payload_kinds', 'typed_data'] as const)
          if (rule.when[name] === undefined) delete narrower[name];
        if (applies(narrower)) expect(applies(rule.when)).toBe(true);
      }),
      runs,
    );
  });

  test('rules after the one that decides change nothing', () => {
    fc.assert(
      fc.property(policy, fc.array(anyRule, { maxLength: 3 }), anyFacts, total, (document, more, facts, sum) => {
        const { considered, ...found } = evaluate(document, ready(document, facts, sum));
        if (considered.at(-1)?.rule === 'default') return;
        const longer = { ...document, rules: [...document.rules, ...more] };
        expect(evaluate(longer, ready(longer, facts, sum))).toMatchObject(found);
      }),
      runs,
    );
  });
});

/**
 * The order of rules once more: each that applies to a part is a candidate, the first that applies to all ends the
 * list, the strictest wins.
 */
function plainDecision({ rules, default: otherwise }: PolicyDocument, facts: Facts, total: bigint) {
  const isPerilous = facts.call !== undefined && facts.call.kind !== 'transfer';
  const isAsked = facts.call?.isUnread && otherwise.action === 'require_approvals';
  const found: PolicyDocument['default']['action'][] = [];
  const last = rules.find((rule) => {
    const toAll = plainlyApplies(rule, facts, total, 'all');
    const toPart = rule.then.action !== 'allow' && plainlyApplies(rule, facts, total, 'part');
    if (toAll || toPart) found.push(rule.then.action);
    return toAll || (toPart && rule.then.action === 'deny');
  });
  if (last === undefined) found.push(isPerilous && !isAsked ? 'deny' : otherwise.action);
  return (['deny', 'require_approvals', 'allow'] as const).find((action) => found.includes(action));
}

/** The conditions once more, in the words of the schema's descriptions, with numbers instead of texts. */
function plainlyApplies({ when, then }: PolicyRule, facts: Facts, total: bigint, to: 'all' | 'part'): boolean {
  const within = (value: number, { more_than, at_most }: { more_than?: string | number; at_most?: string | number }) =>
    (more_than === undefined || value > Number(more_than)) && (at_most === undefined || value <= Number(at_most));
  const has = (list: readonly string[] | undefined, value: string | undefined) =>
    list === undefined || (value !== undefined && list.includes(value));
  const { call, typedData, movements, unknown } = facts;
  const isRaw = facts.payloadKind === 'raw_digest';
  /** Where a part is not known, it is for `part`. */
  const orOpen = (isOpen: boolean, holds: boolean) => (isOpen ? to === 'part' : holds);
  const sum = (limit: Conditions['amount'], before: bigint) => {
    if (limit === undefined) return true;
    const { asset_id: id } = limit;
    if (!facts.decimals.has(id)) return false;
    const isHidden = (one: MovementFacts) =>
      one.assetId === undefined || (one.assetId === id && one.amountBaseUnits === undefined);
    const isNative = id === facts.nativeAssetId;
    if (unknown.length > 0 || movements.some(isHidden) || (isNative && facts.fee === undefined)) return to === 'part';
    const own = movements.filter(({ assetId }) => assetId === id);
    const fee = isNative ? (facts.fee ?? 0n) : 0n;
    const isFeeAlone = fee > 0n && Number(limit.more_than ?? 0) > 0;
    if ((own.length === 0 && !isFeeAlone) || (to === 'all' && own.length < movements.length)) return false;
    const units = own.reduce((value, one) => value + (one.amountBaseUnits ?? 0n), before + fee);
    return within(Number(units) / 100, limit);
  };
  const fees = (limit: Conditions['fee']) => {
    if (limit === undefined) return true;
    if (limit.asset_id !== facts.nativeAssetId || !facts.decimals.has(limit.asset_id)) return false;
    return orOpen(facts.fee === undefined, within(Number(facts.fee ?? 0n) / 100, limit));
  };
  const assets = () => {
    if (when.asset_ids === undefined) return true;
    if (!when.asset_ids.some((id) => facts.decimals.has(id))) return false;
    const isListed = ({ assetId }: MovementFacts) => has(when.asset_ids, assetId);
    if (to === 'all') return unknown.length === 0 && movements.length > 0 && movements.every(isListed);
    return unknown.length > 0 || movements.some((one) => one.assetId === undefined || isListed(one));
  };
  const places = () => {
    if (when.destination === undefined) return true;
    const { in_address_book, addresses } = when.destination;
    const isPlace = (one: MovementFacts) =>
      has(addresses, one.destination) && (in_address_book === undefined || in_address_book === one.inAddressBook);
    if (to === 'all')
      return movements.length > 0 && movements.every((one) => one.destination !== undefined && isPlace(one));
    return unknown.length > 0 || movements.some((one) => one.destination === undefined || isPlace(one));
  };
  const domain = (list: readonly string[] | undefined, value: string | undefined) =>
    list === undefined || orOpen(isRaw || (typedData !== undefined && value === undefined), has(list, value));
  const types = when.typed_data?.primary_types ?? when.typed_data?.verifying_contracts;
  const isNamed =
    (when.calls ?? []).includes(call?.kind ?? 'transfer') ||
    (call?.isUnread &&
      (then.action === 'require_approvals' ||
        (isRaw ? (when.payload_kinds ?? []).includes('raw_digest') : types !== undefined)));
  return (
    has(when.operations, facts.operation) &&
    has(when.methods, facts.method) &&
    has(when.networks, facts.networkCode) &&
    has(when.wallet_ids, facts.walletId) &&
    has(when.initiators, facts.initiator) &&
    assets() &&
    sum(when.amount, 0n) &&
    sum(when.velocity, total) &&
    fees(when.fee) &&
    (when.count === undefined || within(Number(total) + 1, when.count)) &&
    places() &&
    has(when.payload_kinds, facts.payloadKind) &&
    domain(when.typed_data?.domain_names, typedData?.domainName) &&
    domain(when.typed_data?.chain_ids, typedData?.chainId) &&
    domain(when.typed_data?.primary_types, typedData?.primaryType) &&
    has(when.calls, call?.kind) &&
    (when.selectors === undefined || orOpen(isRaw, has(when.selectors, call?.selector))) &&
    (then.action === 'deny' || call === undefined || call.kind === 'transfer' || isNamed === true)
  );
}
