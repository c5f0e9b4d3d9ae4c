// The wire shapes of transactions.
import Type, { type Static } from 'typebox';
import {
  transactionDirections,
  transactionMethods,
  transactionStatuses,
  withdrawalStatuses,
} from '../../domain/statuses.ts';
import { approvalVote } from '../approvals/approvals.schema.ts';
import { externalIdFilter } from '../http/external-id.schema.ts';
import { addressFilter, commaList, listQuery, transactionHashFilter } from '../http/paging.ts';
import { walletId } from '../wallets/wallets.schema.ts';
import { workspaceParams } from '../workspaces/workspaces.schema.ts';

const dateTime = Type.String({ format: 'date-time' });
const id = (description: string) => Type.String({ format: 'uuid', description });
const transactionId = id('Id of the transaction, or of the withdrawal or signing operation it is of.');
const status = Type.Enum([...transactionStatuses]);
const method = Type.Enum([...transactionMethods]);

/**
 * Those that are specified, in the order of the columns in the CSV export. What is not known, or not yet, is absent.
 */
const specifiedFields = {
  id: id('Id of this record.'),
  transaction_id: id(
    'The withdrawal, or the signing operation, that it is of; for a deposit, or what nobody here signed, its own id.',
  ),
  wallet_id: walletId,
  asset_id: id('Catalogue id of the asset.'),
  network_id: id('Catalogue id of the network.'),
  direction: Type.Enum([...transactionDirections], {
    description: '`in` for deposits, `out` for withdrawals and for what a caller broadcasts himself.',
  }),
  method,
  amount: Type.String({ description: "Decimal number in the asset's unit.", examples: ['1.5'] }),
  status,
  tx_hash: Type.Optional(Type.String()),
  from_address: Type.Optional(Type.String()),
  to_address: Type.Optional(Type.String()),
  recipient_address: Type.Optional(
    Type.String({ description: 'Who gets the asset: differs from `to_address` where that is a contract.' }),
  ),
  block_number: Type.Optional(Type.Integer()),
  block_hash: Type.Optional(Type.String()),
  gas_used: Type.Optional(Type.String()),
  effective_gas_price_wei: Type.Optional(Type.String()),
  confirmed_at: Type.Optional(dateTime),
  created_at: dateTime,
  updated_at: dateTime,
};

/** What it takes to reconcile besides: in the CSV export behind the others, when it is asked for. */
const moreFields = {
  symbol: Type.Optional(Type.String({ description: 'Of the asset.', examples: ['ETH'] })),
  network_internal_code: Type.Optional(Type.String({ description: 'Internal code of the network.' })),
  fee: Type.Optional(
    Type.String({
      description:
        'What the chain took from the wallet, as a decimal number of `fee_symbol`, on every chain; absent until that is final, of deposits, and where another line of the same transaction has it.',
      examples: ['0.000042'],
    }),
  ),
  fee_symbol: Type.Optional(Type.String({ description: 'The native currency of the network, beside a `fee`.' })),
  withdrawal_status: Type.Optional(
    Type.Enum([...withdrawalStatuses], {
      description:
        'Of a withdrawal its own status: what was `cancelled` shows as `failed` in `status`, which has no such value.',
    }),
  ),
  external_id: Type.Optional(
    Type.String({ description: "The caller's own name for the withdrawal, or for the signing operation." }),
  ),
  notes: Type.Optional(Type.String({ description: "The caller's own words of the withdrawal." })),
};

export const transactionRecord = Type.Object({ ...specifiedFields, ...moreFields }, { title: 'Transaction' });

type Column = keyof typeof transactionRecord.properties;
export const specifiedColumns = Object.keys(specifiedFields) as Column[];
export const allColumns = Object.keys(transactionRecord.properties) as Column[];

export const transactionStatus = Type.Object(
  {
    transaction_id: id('The withdrawal, or the signing operation.'),
    status,
    method: Type.Optional(Type.Enum([...transactionMethods], { description: 'Absent of a signature.' })),
    approvals: Type.Array(approvalVote),
    hash: Type.Optional(
      Type.String({
        description:
          'Absent until the transaction is broadcast. Of a signature on Solana that signature in base58, which names its transaction; absent of other signatures.',
      }),
    ),
    created_at: dateTime,
    updated_at: dateTime,
    failed_reason: Type.Optional(Type.String()),
  },
  { title: 'TransactionStatus' },
);

const filters = {
  status: commaList(status, 'Only with these statuses.'),
  direction: commaList(Type.Enum([...transactionDirections]), 'Only in these directions.'),
  method: commaList(method, 'Only of these methods.'),
  wallet_id: commaList(walletId, 'Only of these wallets.'),
  asset_id: commaList(id('Catalogue id of the asset.'), 'Only of these assets.'),
  network_id: commaList(id('Catalogue id of the network.'), 'Only on these networks.'),
  external_id: externalIdFilter,
  tx_hash: transactionHashFilter('Only with these hashes, in either case.'),
  address: addressFilter('Only from, to or for these addresses, in either case.'),
};

const { from, to, sort_order } = listQuery({}).properties;

export const transactionsQuery = listQuery(filters);

export const exportQuery = Type.Object(
  {
    ...filters,
    from,
    to,
    sort_order,
    sort: Type.Optional(Type.Enum(['asc', 'desc'], { description: 'Alias of sort_order.' })),
    columns: Type.Optional(
      Type.Enum(['specified', 'all'], {
        description:
          '`all` adds, behind the specified columns: symbol, network_internal_code, fee, fee_symbol, withdrawal_status, external_id, notes.',
      }),
    ),
  },
  { additionalProperties: false, explode: false },
);

export const countQuery = Type.Object(
  { status: commaList(Type.Enum([...withdrawalStatuses]), 'Only with these statuses.'), from, to },
  { additionalProperties: false, explode: false },
);

const filterQuery = Type.Object(filters);
export type FilterQuery = Static<typeof filterQuery>;

export const workspaceTransactionParams = Type.Object({
  ...workspaceParams.properties,
  transaction_id: transactionId,
});

export const walletTransactionParams = Type.Object({ wallet_id: walletId, transaction_id: transactionId });
