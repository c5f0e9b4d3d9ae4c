// The wire shapes of withdrawals.
import Type, { type Static } from 'typebox';
import { transactionMethods, withdrawalStatuses, withdrawalSubStatuses } from '../../domain/statuses.ts';
import { approveWithKinds } from '../../domain/votes/vote-rules.ts';
import { feeLevels } from '../../domain/withdrawals/fee-levels.ts';
import { approvalVote } from '../approvals/approvals.schema.ts';
import { assetId, networkId } from '../catalog/catalog.schema.ts';
import { decodedContent } from '../decoding/decoded.schema.ts';
import { externalId, externalIdFilter } from '../http/external-id.schema.ts';
import { addressFilter, commaList, listQuery, transactionHashFilter } from '../http/paging.ts';
import { walletId } from '../wallets/wallets.schema.ts';

const dateTime = Type.String({ format: 'date-time' });
const text = (description: string) => Type.Optional(Type.String({ description }));
const HOW_SOON = 'How soon it should be in a block, and what that may cost: see the fees of the network.';
const feeLevel = Type.Enum([...feeLevels], { description: HOW_SOON });
const status = Type.Enum([...withdrawalStatuses], {
  description:
    '`pending_approval` until enough have approved, `approved` until a worker takes it up, `processing` until the chain has it for good. `completed`, ' +
    '`failed`, `rejected` and `cancelled` are final.',
});
const amountPattern = '^(0|[1-9][0-9]*)(\\.[0-9]+)?$';
const amount = (description: string, example = '1.5') =>
  Type.String({ maxLength: 79, pattern: amountPattern, description, examples: [example] });

export const withdrawalId = Type.String({ format: 'uuid', description: 'Withdrawal id.' });
export const withdrawalParams = Type.Object({ withdrawal_id: withdrawalId });

const contractCall = Type.Object(
  {
    data: Type.String({ description: '0x hex.' }),
    nonce: Type.Optional(Type.Integer()),
    gas_limit: Type.Optional(Type.String()),
    max_fee_per_gas: Type.Optional(Type.String({ description: 'Wei.' })),
    max_priority_fee_per_gas: Type.Optional(Type.String({ description: 'Wei.' })),
    access_list: Type.Optional(
      Type.Array(
        Type.Object(
          { address: Type.String(), storage_keys: Type.Array(Type.String()) },
          { title: 'ContractCallAccess' },
        ),
      ),
    ),
  },
  {
    title: 'ContractCall',
    description: 'Of a `contract_call`: what `recipient_address` is called with, as it was asked.',
  },
);

const approval = Type.Object(
  {
    digest: Type.String({ description: 'SHA-256, hex, over exactly what will be done: what an approval is of.' }),
    approve_with: Type.Optional(
      Type.Enum([...approveWithKinds], { description: 'What each approval must be given with; absent for any key.' }),
    ),
    required: Type.Integer({ description: 'How many must approve.' }),
    expires_at: Type.String({
      format: 'date-time',
      description: 'Not approved until then, it fails as `approval_expired`.',
    }),
  },
  { title: 'WithdrawalApproval', description: 'What must be approved by when.' },
);

const shortage = Type.Object(
  {
    asset_id: assetId,
    asset: Type.String({ description: 'Its symbol.', examples: ['ETH'] }),
    missing: Type.Optional(
      amount('How much more the address must have, by the last quote; absent where nobody could say.', '0.0003'),
    ),
    waits_until: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'It fails when that is still missing then; absent of one that is signed, which waits for ever.',
      }),
    ),
  },
  { title: 'Shortage', description: 'While it is `insufficient_funds`: what is missing, and until when it waits.' },
);

/** What events say of it, too. Who may read events may not read the rest of the record. */
const eventFields = {
  id: withdrawalId,
  transaction_id: Type.String({
    format: 'uuid',
    description: 'The same as `id`, under the name that SDK callers use.',
  }),
  workspace_id: Type.String({ format: 'uuid', description: 'Workspace id.' }),
  wallet_id: walletId,
  asset_id: assetId,
  network_id: networkId,
  network_internal_code: Type.String({ description: 'Internal code of the network.' }),
  method: Type.Enum([...transactionMethods], {
    description: '`transfer` of the asset, or the `contract_call` of a signRaw request, whose amount is its value.',
  }),
  amount: amount("What the recipient gets, in the asset's unit. Fees come on top."),
  recipient_address: Type.String({ description: 'In the canonical form of the chain; the contract of a call.' }),
  from_address: Type.String({ description: "The wallet's own address." }),
  fee_level: feeLevel,
  max_fee: Type.Optional(amount('What the fee must not exceed, in the native currency of the network.')),
  fee_paid: Type.Optional(amount('What the chain took, in the native currency; absent until it is final.')),
  external_id: text("The caller's own name for it."),
  status,
  sub_status: Type.Optional(
    Type.Enum([...withdrawalSubStatuses], {
      description:
        'Where it stands within `processing`, or how it ended: `insufficient_funds` waits for the fee, `stuck` for a block longer than usual; `reverted` ' +
        'was executed and failed, and paid its fee.',
    }),
  ),
  shortage: Type.Optional(shortage),
  error_code: text('Of one that failed or was cancelled: stable, for programs.'),
  error_reason: text('The same in one plain sentence.'),
  reason: text('What who rejected or cancelled it gave as the reason.'),
  tx_hash: text('Of the transaction that stands for it now; absent until it is broadcast.'),
  signed_by_nodes: Type.Optional(
    Type.Array(Type.Integer(), {
      description: 'The nodes of the cluster that signed that transaction, ascending; absent where that was not kept.',
    }),
  ),
  block_number: Type.Optional(Type.Integer({ description: 'The block that has it.' })),
  confirmations: Type.Optional(Type.Integer({ description: '1 in the newest block.' })),
  requested_by: Type.String({ format: 'uuid', description: 'The user who asked.' }),
  policy_reasons: Type.Array(Type.String(), { description: 'Why the policy decided as it did, in plain sentences.' }),
  created_at: dateTime,
  updated_at: dateTime,
  completed_at: Type.Optional(Type.String({ format: 'date-time', description: 'Of the final status.' })),
};

const decoded = Type.Optional(decodedContent);

export const withdrawalEventData = Type.Object({ ...eventFields, decoded });

export const withdrawalRecord = Type.Object(
  {
    ...eventFields,
    decoded,
    call: Type.Optional(contractCall),
    notes: text("The caller's own words."),
    auto_approved: Type.Boolean({ description: 'The policy let it through without any approval.' }),
    withdrawal_approvals: Type.Array(approvalVote, {
      description: 'Who has decided, in that order, then the approvers whom the policy names and who have not yet.',
    }),
    approval: Type.Union([approval, Type.Null()], { description: 'Null when no approval is needed.' }),
  },
  { title: 'Withdrawal' },
);

export const withdrawalAnswer = Type.Object({
  auto_approved: Type.Boolean({ description: 'False when approvals are needed before anything is signed.' }),
  withdrawal: withdrawalRecord,
});

export const withdrawalEvent = Type.Object(
  {
    status,
    sub_status: Type.Optional(Type.Enum([...withdrawalSubStatuses])),
    tx_hash: text('Of the transaction that stood for it then.'),
    details: text('One plain sentence.'),
    reason: text('What the caller of this step gave as the reason.'),
    created_at: dateTime,
  },
  { title: 'WithdrawalHistoryEntry' },
);

export const withdrawalsQuery = listQuery({
  status: commaList(Type.Enum([...withdrawalStatuses]), 'Only with these statuses.'),
  sub_status: commaList(
    Type.Enum([...withdrawalSubStatuses]),
    'Only with these: `insufficient_funds` are those that wait for their fee, or for the amount.',
  ),
  wallet_id: commaList(walletId, 'Only of these wallets.'),
  asset_id: commaList(assetId, 'Only of these assets.'),
  network_id: commaList(networkId, 'Only on these networks.'),
  method: commaList(Type.Enum([...transactionMethods]), 'Only of these methods.'),
  external_id: externalIdFilter,
  tx_hash: transactionHashFilter('Only those for which a transaction with one of these hashes stands, in either case.'),
  address: addressFilter('Only from or to these addresses, in either case.'),
});

export const speedUpBody = Type.Union(
  [
    Type.Null(),
    Type.Object(
      { fee_level: Type.Optional(feeLevel) },
      { title: 'SpeedUp', additionalProperties: false, examples: [{ fee_level: 'high' }] },
    ),
  ],
  {
    description: 'None, or the level whose fee it should pay, when that is more than what it offers now.',
    examples: [{ fee_level: 'high' }],
  },
);

/** What is asked for and what is estimated differ in what must be there. */
const assetProperties = {
  asset_id: Type.Optional(assetId),
  asset: Type.Optional(
    Type.String({ minLength: 1, maxLength: 50, description: 'Symbol, with `network` in the place of asset_id.' }),
  ),
  network: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Internal code of the network.' })),
  amount: Type.String({
    maxLength: 79,
    pattern: '^(max|(0|[1-9][0-9]*)(\\.[0-9]+)?)$',
    description:
      "A decimal number in the asset's unit, with no more decimals than it has; or `max`: all that is available, less what the fee may take where it is paid in the same asset (on Solana also less the 0.00089088 SOL that an account must keep).",
    examples: ['1.5'],
  }),
  subtract_fee: Type.Optional(
    Type.Boolean({
      description:
        'Takes the fee out of the amount, so that no more than the amount leaves the wallet: the recipient gets it less what the fee may take. Of the native currency alone; `max` is so by itself.',
    }),
  ),
};
const recipient = Type.String({
  minLength: 1,
  maxLength: 256,
  description: "An address of the network's chain; never the wallet's own, nor a token's contract.",
  examples: ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8'],
});
/** What a caller may add to any withdrawal. */
export const callerChoices = {
  notes: Type.Optional(Type.String({ maxLength: 500, description: 'For those who approve it, and for you.' })),
  fee_level: Type.Optional(Type.Enum([...feeLevels], { description: `${HOW_SOON} \`medium\` when absent.` })),
  max_fee: Type.Optional(
    amount('In the native currency. A withdrawal whose fee would be more fails and moves nothing.'),
  ),
  external_id: externalId('withdrawal'),
};

const example = {
  asset_id: 'da01f880-35c5-5bd2-8a69-09f9398dc3b5',
  amount: '0.5',
  recipient_address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
};

const skipBalanceCheck = Type.Optional(
  Type.Boolean({
    description: 'Taken from existing callers, and changes nothing: what is not there is never promised to anybody.',
  }),
);

export const withdrawalBody = Type.Object(
  {
    ...assetProperties,
    recipient_address: recipient,
    ...callerChoices,
    skip_balance_check: skipBalanceCheck,
  },
  { additionalProperties: false, examples: [example] },
);
export type WithdrawalBody = Static<typeof withdrawalBody>;

export const estimateBody = Type.Object(
  {
    ...assetProperties,
    recipient_address: Type.Optional(recipient),
    ...callerChoices,
    skip_balance_check: skipBalanceCheck,
  },
  { additionalProperties: false, examples: [example] },
);
export type EstimateBody = Static<typeof estimateBody>;

const levelEstimate = Type.Object(
  {
    max_fee: amount('What the fee can be at most, in the native currency of the network.', '0.000042'),
    fee_bound: amount(
      'What a withdrawal of this level may pay in the end, however the market moves: what its policy judges, and what `max` and `subtract_fee` take out of the amount. A `max_fee` of your own lowers it.',
      '0.000126',
    ),
    amount: amount('What the recipient gets.'),
    sufficient: Type.Boolean({ description: 'Whether what is available covers the amount and this fee.' }),
  },
  { title: 'FeeEstimate' },
);

export const withdrawalEstimate = Type.Object(
  {
    wallet_id: walletId,
    asset_id: assetId,
    network_id: networkId,
    fee_asset_id: Type.String({
      format: 'uuid',
      description: 'The native asset of the network, which fees are paid in.',
    }),
    amount: amount('What was asked about: the amount at the `fee_level` that was asked for.'),
    available: Type.String({ description: 'Of the asset: what a withdrawal can take now.', examples: ['2'] }),
    fee_available: Type.String({ description: 'Of the fee asset.', examples: ['2'] }),
    fees: Type.Object(
      { low: levelEstimate, medium: levelEstimate, high: levelEstimate },
      { title: 'FeeEstimates', description: 'By level.' },
    ),
    quoted_at: Type.String({ format: 'date-time', description: 'When the node was asked.' }),
  },
  { title: 'WithdrawalEstimate' },
);
