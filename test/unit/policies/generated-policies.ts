// Generated policies and operations from small sets of values, so that conditions are often met and often missed.
import * as fc from 'fast-check';
import type { Conditions, PolicyAction, PolicyDocument, PolicyRule } from '../../../domain/policies/policy-document.ts';
import type { Facts, MovementFacts } from '../../../src/policies/facts.ts';

const wallets = ['wallet-a', 'wallet-b'];
const keys = ['key-a', 'key-b'];
const assets = ['asset-a', 'asset-b'];
const codes = ['ETHEREUM_SANDBOX', 'SOL_SANDBOX'];
const addresses = ['0xAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'So1Address'];
const amounts = ['0', '1', '1.5', '10'];
const kinds = ['raw_digest', 'evm_typed_data', 'evm_transaction'] as const;
const calls = ['transfer', 'dangerous', 'unknown'] as const;
const selectors = ['0xa9059cbb', '0x095ea7b3'];

const some = <Value>(values: readonly Value[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1 });
const limits = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof(
    fc.record({ more_than: value }),
    fc.record({ at_most: value }),
    fc.record({ more_than: value, at_most: value }),
  );
const per = fc.constantFrom('wallet' as const, 'workspace' as const);
const window_seconds = fc.constantFrom(60, 3600);
const asset_id = fc.constantFrom(...assets);

const conditionsOfOneEach: { [Name in keyof Conditions]-?: fc.Arbitrary<NonNullable<Conditions[Name]>> } = {
  operations: some(['withdrawal', 'signing'] as const),
  methods: some(['transfer', 'contract_call'] as const),
  networks: some(codes),
  wallet_ids: some(wallets),
  initiators: some(keys),
  asset_ids: some(assets),
  amount: fc.tuple(fc.record({ asset_id }), limits(fc.constantFrom(...amounts))).map(merged),
  fee: fc.tuple(fc.record({ asset_id }), limits(fc.constantFrom(...amounts))).map(merged),
  velocity: fc.tuple(fc.record({ asset_id, per, window_seconds }), limits(fc.constantFrom(...amounts))).map(merged),
  count: fc.tuple(fc.record({ per, window_seconds }), limits(fc.integer({ min: 0, max: 4 }))).map(merged),
  destination: fc.oneof(
    fc.record({ in_address_book: fc.boolean() }),
    fc.record({ addresses: some(addresses) }),
    fc.record({ in_address_book: fc.boolean(), addresses: some(addresses) }),
  ),
  payload_kinds: some(kinds),
  typed_data: fc.oneof(
    fc.record({ primary_types: some(['Mail', 'Permit']) }),
    fc.record({ domain_names: some(['Ether Mail']), chain_ids: some(['1', '31337']) }),
  ),
  calls: some(calls),
  selectors: some(selectors),
};

function merged<One extends object, Other extends object>([one, other]: [One, Other]) {
  return { ...one, ...other };
}

export const conditions: fc.Arbitrary<Conditions> = fc.record(conditionsOfOneEach, { requiredKeys: [] });
/** With all fifteen nothing would ever apply. */
const fewConditions = fc
  .tuple(conditions, fc.subarray(Object.keys(conditionsOfOneEach) as (keyof Conditions)[], { maxLength: 3 }))
  .map(
    ([all, kept]) =>
      Object.fromEntries(Object.entries(all).filter(([name]) => kept.includes(name as keyof Conditions))) as Conditions,
  );

export const action: fc.Arbitrary<PolicyAction> = fc.oneof(
  fc.constant({ action: 'allow' as const }),
  fc.constant({ action: 'deny' as const }),
  fc.record({
    action: fc.constant('require_approvals' as const),
    approvals: fc.integer({ min: 1, max: 2 }),
    approvers: fc.constant<string[]>(['approver-a', 'approver-b']),
  }),
);

export const rule: fc.Arbitrary<PolicyRule> = fc.record({ name: fc.uuid(), when: fewConditions, then: action });

export const policy: fc.Arbitrary<PolicyDocument> = fc.record({
  rules: fc.array(rule, { maxLength: 6 }),
  default: action,
});

const mostly = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 8 });
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

const movement: fc.Arbitrary<MovementFacts> = fc
  .record({
    assetId: mostly(asset_id),
    amountBaseUnits: mostly(fc.bigInt({ min: 0n, max: 1200n })),
    destination: mostly(fc.constantFrom(...addresses)),
    isInBook: fc.boolean(),
  })
  .map(({ isInBook, ...moved }) => ({
    ...moved,
    asset: moved.assetId === undefined ? undefined : { id: moved.assetId },
    decimals: moved.assetId === undefined ? undefined : 2,
    inAddressBook: moved.destination === undefined ? undefined : isInBook,
  }));

/** Without totals. */
export const facts: fc.Arbitrary<Facts> = fc.record({
  operation: fc.constantFrom('withdrawal' as const, 'signing' as const),
  walletId: fc.constantFrom(...wallets),
  networkCode: fc.constantFrom(...codes),
  initiator: fc.constantFrom(...keys),
  method: maybe(fc.constantFrom('transfer' as const, 'contract_call' as const)),
  movements: fc.array(movement, { maxLength: 3 }),
  unknown: fc.constantFrom([], [], ['it does something else']),
  fee: mostly(fc.oneof(fc.constant(0n), fc.bigInt({ min: 1n, max: 1200n }))),
  nativeAssetId: fc.constantFrom(assets[0], undefined),
  decimals: fc.constantFrom(new Map(assets.map((id) => [id, 2])), new Map([['asset-a', 2]])),
  payloadKind: maybe(fc.constantFrom(...kinds)),
  typedData: maybe(
    fc.record(
      {
        primaryType: fc.constantFrom('Mail', 'Permit'),
        domainName: fc.constant('Ether Mail'),
        chainId: fc.constant('1'),
      },
      { requiredKeys: ['primaryType'] },
    ),
  ),
  call: maybe(
    fc
      .record(
        {
          kind: fc.constantFrom(...calls),
          because: fc.constant('it does something'),
          selector: fc.constantFrom(...selectors),
          isUnread: fc.constant(true as const),
        },
        { requiredKeys: ['kind', 'because'] },
      )
      .map(({ isUnread, ...call }) => (isUnread && call.kind === 'unknown' ? { ...call, isUnread } : call)),
  ),
  totals: fc.constant(new Map<string, bigint>()),
});
