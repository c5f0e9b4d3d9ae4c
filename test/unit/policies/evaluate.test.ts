// Goal: the first rule that applies decides, a condition about what is not known is never met, and what is dangerous or unknown passes only where a rule names it.
// Method: tables of one condition each, and generated policies against a second, plainer reading of the same rules.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { builtInPolicy } from '../../../src/policies/built-in.ts';
import { evaluate, windowsToRead } from '../../../src/policies/evaluate.ts';
import { type Facts, nameOf } from '../../../src/policies/facts.ts';
import type { Conditions, PolicyDocument, PolicyRule } from '../../../src/policies/policies.schema.ts';
import { conditions as anyConditions, facts as anyFacts, rule as anyRule, policy } from './generated-policies.ts';

const withdrawal: Facts = {
  operation: 'withdrawal',
  walletId: 'wallet',
  networkCode: 'ETHEREUM_SANDBOX',
  initiator: 'key',
  method: 'transfer',
  amount: { assetId: 'eth', baseUnits: 150n, decimals: 2 },
  destination: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826',
  inAddressBook: true,
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
  amount: undefined,
  destination: undefined,
  inAddressBook: undefined,
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
    const facts = { ...withdrawal, destination: 'So1Address' };
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
    const facts = { ...withdrawal, amount: { assetId: 'eth', baseUnits: 1_001n, decimals: 2 } };
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
});

describe('T8: dangerous and unknown calls', () => {
  const call = (kind: 'dangerous' | 'unknown') => ({ ...signing, call: { kind, because: 'it does something' } });
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
        const plain = document.rules.find((rule) => plainlyApplies(rule, facts, sum));
        const then = plain?.then ?? document.default;
        const isPerilous = facts.call !== undefined && facts.call.kind !== 'transfer';
        expect(found.rule).toBe(plain?.name ?? 'default');
        expect(found.action).toBe(plain === undefined && isPerilous ? 'deny' : then.action);
      }),
      runs,
    );
  });

  test('T8: nothing dangerous or unknown passes but by a rule that names it', () => {
    fc.assert(
      fc.property(policy, anyFacts, total, (document, facts, sum) => {
        const { action, rule } = evaluate(document, ready(document, facts, sum));
        if (facts.call === undefined || facts.call.kind === 'transfer' || action === 'deny') return;
        expect(document.rules.find(({ name }) => name === rule)?.when.calls).toContain(facts.call.kind);
      }),
      runs,
    );
  });

  test('a further condition never makes a rule apply where it did not', () => {
    fc.assert(
      fc.property(anyRule, anyConditions, anyFacts, total, (rule, more, facts, sum) => {
        const applies = (when: Conditions) => {
          const document = { rules: [{ ...rule, when }], default: { action: 'deny' as const } };
          return evaluate(document, ready(document, facts, sum)).rule === rule.name;
        };
        const narrower = { ...more, ...rule.when };
        // Naming a call is the one thing that also permits.
        if (rule.when.calls === undefined) delete narrower.calls;
        if (applies(narrower)) expect(applies(rule.when)).toBe(true);
      }),
      runs,
    );
  });

  test('rules after the one that decides change nothing', () => {
    fc.assert(
      fc.property(policy, fc.array(anyRule, { maxLength: 3 }), anyFacts, total, (document, more, facts, sum) => {
        const { considered: _, ...found } = evaluate(document, ready(document, facts, sum));
        if (found.rule === 'default') return;
        const longer = { ...document, rules: [...document.rules, ...more] };
        expect(evaluate(longer, ready(longer, facts, sum))).toMatchObject(found);
      }),
      runs,
    );
  });
});

/** The conditions once more, in the words of the schema's descriptions, with numbers instead of texts. */
function plainlyApplies({ when, then }: PolicyRule, facts: Facts, total: bigint): boolean {
  const within = (value: number, { more_than, at_most }: { more_than?: string | number; at_most?: string | number }) =>
    (more_than === undefined || value > Number(more_than)) && (at_most === undefined || value <= Number(at_most));
  const has = (list: readonly string[] | undefined, value: string | undefined) =>
    list === undefined || (value !== undefined && list.includes(value));
  const { amount, call, typedData } = facts;
  const units = (value: bigint) => Number(value) / 100;
  const ofAsset = (id: string | undefined) => id === undefined || id === amount?.assetId;
  const { destination: place } = when;
  return (
    has(when.operations, facts.operation) &&
    has(when.methods, facts.method) &&
    has(when.networks, facts.networkCode) &&
    has(when.wallet_ids, facts.walletId) &&
    has(when.initiators, facts.initiator) &&
    has(when.asset_ids, amount?.assetId) &&
    ofAsset(when.amount?.asset_id) &&
    ofAsset(when.velocity?.asset_id) &&
    (when.amount === undefined || within(units(amount?.baseUnits ?? 0n), when.amount)) &&
    (when.velocity === undefined || within(units(total + (amount?.baseUnits ?? 0n)), when.velocity)) &&
    (when.count === undefined || within(Number(total) + 1, when.count)) &&
    (place === undefined || facts.destination !== undefined) &&
    (place?.in_address_book === undefined || place.in_address_book === facts.inAddressBook) &&
    has(place?.addresses, facts.destination) &&
    has(when.payload_kinds, facts.payloadKind) &&
    has(when.typed_data?.domain_names, typedData?.domainName) &&
    has(when.typed_data?.chain_ids, typedData?.chainId) &&
    has(when.typed_data?.primary_types, typedData?.primaryType) &&
    has(when.calls, call?.kind) &&
    has(when.selectors, call?.selector) &&
    (then.action === 'deny' || call === undefined || call.kind === 'transfer' || (when.calls ?? []).includes(call.kind))
  );
}
