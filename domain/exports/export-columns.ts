// The columns of each export, in their order, and what is in them. A manifest shows them, a CSV file begins with their
// names, each line of a JSONL file is an object of them, and they are the schema of a Parquet file. Only additions keep
// whoever reads the files going: a new column stands at the end.
import type { ExportContent } from './export-contents.ts';

/**
 * `amount`: a decimal number in the asset's unit, as text, since a number of JSON loses digits. `moment`: RFC 3339 in
 * UTC with milliseconds. `enum`: one of few words of ours. `json`: canonical JSON (RFC 8785) as text.
 */
export const columnTypes = ['id', 'text', 'enum', 'integer', 'amount', 'moment', 'boolean', 'json'] as const;
export type ColumnType = (typeof columnTypes)[number];

type Columns = Readonly<Record<string, ColumnType>>;

/** What every line that moves or holds an asset says of it. */
const ofAsset = { asset_id: 'id', symbol: 'text', network_id: 'id', network_internal_code: 'enum' } as const;
const changed = { created_at: 'moment', updated_at: 'moment' } as const;
const ended = { ...changed, completed_at: 'moment' } as const;

export const exportColumns = {
  // As the list of transactions has them.
  transactions: {
    id: 'id',
    transaction_id: 'id',
    wallet_id: 'id',
    asset_id: 'id',
    network_id: 'id',
    direction: 'enum',
    method: 'enum',
    amount: 'amount',
    status: 'enum',
    tx_hash: 'text',
    from_address: 'text',
    to_address: 'text',
    recipient_address: 'text',
    block_number: 'integer',
    block_hash: 'text',
    gas_used: 'amount',
    effective_gas_price_wei: 'amount',
    confirmed_at: 'moment',
    ...changed,
    symbol: 'text',
    network_internal_code: 'enum',
    fee: 'amount',
    fee_symbol: 'text',
    withdrawal_status: 'enum',
    external_id: 'text',
    notes: 'text',
  },
  withdrawals: {
    id: 'id',
    wallet_id: 'id',
    ...ofAsset,
    method: 'enum',
    amount: 'amount',
    recipient_address: 'text',
    from_address: 'text',
    fee_level: 'enum',
    max_fee: 'amount',
    fee_paid: 'amount',
    fee_symbol: 'text',
    external_id: 'text',
    status: 'enum',
    sub_status: 'enum',
    error_code: 'enum',
    error_reason: 'text',
    reason: 'text',
    tx_hash: 'text',
    block_number: 'integer',
    confirmations: 'integer',
    requested_by: 'id',
    notes: 'text',
    ...ended,
  },
  deposits: {
    id: 'id',
    wallet_id: 'id',
    ...ofAsset,
    amount: 'amount',
    status: 'enum',
    tx_hash: 'text',
    from_address: 'text',
    to_address: 'text',
    block_number: 'integer',
    block_hash: 'text',
    ...changed,
  },
  signing_requests: {
    id: 'id',
    wallet_id: 'id',
    operation_type: 'enum',
    withdrawal_id: 'id',
    network_internal_code: 'enum',
    key_type: 'enum',
    payload_kind: 'enum',
    external_id: 'text',
    signing_hash: 'text',
    derivation_path: 'text',
    status: 'enum',
    status_reason: 'enum',
    mpc_correlation_id: 'text',
    error_code: 'enum',
    error_reason: 'text',
    reason: 'text',
    signature: 'text',
    public_key: 'text',
    address: 'text',
    may_be_signed: 'boolean',
    ...ended,
  },
  ledger_entries: {
    id: 'integer',
    event_id: 'integer',
    event_kind: 'enum',
    subject_id: 'id',
    occurrence: 'integer',
    wallet_id: 'id',
    ...ofAsset,
    account: 'enum',
    amount: 'amount',
    created_at: 'moment',
  },
  balances: {
    wallet_id: 'id',
    ...ofAsset,
    total: 'amount',
    available: 'amount',
    held: 'amount',
    pending_in: 'amount',
    at: 'moment',
  },
  audit: {
    seq: 'integer',
    hash: 'text',
    id: 'id',
    workspace_id: 'id',
    actor: 'enum',
    actor_id: 'id',
    ip: 'text',
    request_id: 'text',
    action: 'text',
    resource_id: 'text',
    wallet_id: 'id',
    outcome: 'enum',
    status_code: 'integer',
    code: 'text',
    body_hash: 'text',
    body: 'json',
    before: 'json',
    after: 'json',
    created_at: 'moment',
    sealed: 'json',
  },
} as const satisfies Readonly<Record<ExportContent, Columns>>;

export const columnsOf = (content: ExportContent): { name: string; type: ColumnType }[] =>
  Object.entries(exportColumns[content]).map(([name, type]) => ({ name, type }));

/** Which cells of a CSV file may begin with what a spreadsheet takes for a formula: the others are ids and numbers. */
export const isFreeText = (type: ColumnType): boolean => type === 'text' || type === 'json';
