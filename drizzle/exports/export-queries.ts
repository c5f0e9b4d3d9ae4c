// What each export reads, as SQL that makes its lines: PostgreSQL writes the text, so that a million rows cost the
// worker no more than passing them on. Every column has the form in which the API shows the same
// (test/integration/exports/export-contents.test.ts compares them). Runs nothing.
import { type AnyColumn, and, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { FORMULA_STARTS } from '../../domain/csv.ts';
import { type ColumnType, exportColumns, isFreeText } from '../../domain/exports/export-columns.ts';
import type { ExportContent } from '../../domain/exports/export-contents.ts';
import { auditLogs, auditSeals } from '../audit/audit-tables.ts';
import { anyOf } from '../database/page.ts';
import { deposits } from '../deposits/deposits.ts';
import { ledgerEntries, ledgerEvents } from '../ledger/ledger.ts';
import { assets } from '../networks/assets.ts';
import { networks } from '../networks/networks.ts';
import { signingRequests } from '../signing-requests/signing-requests.ts';
import { transactions } from '../transactions/transactions.ts';
import { wallets } from '../wallets/wallets.ts';
import { withdrawals } from '../withdrawals/withdrawals.ts';

export interface ExportRange {
  workspaceId: string;
  /** Absent for all. */
  walletIds: readonly string[] | null;
  from: Date | null;
  to: Date | null;
  /** Of the snapshot. */
  snapshotAt: Date;
}

type Values<Content extends ExportContent> = Record<keyof (typeof exportColumns)[Content], SQL | AnyColumn>;

interface Source<Content extends ExportContent> {
  values: Values<Content>;
  /** From `from` on. */
  rest: SQL;
}

const native = alias(assets, 'native');

/**
 * The shortest text of an amount of base units, as `formatAmount` makes it. Multiplied, since PostgreSQL divides to a
 * few digits only.
 */
const amount = (baseUnits: SQL | AnyColumn, decimals: SQL | AnyColumn): SQL =>
  sql`trim_scale(${baseUnits} * ('1e-' || ${decimals})::numeric)::text`;

/**
 * As the API writes a moment: columns have milliseconds, and JSON has them without the zeros at their end, so that a
 * fourth digit holds their place. Takes three fifths of the time of `to_char`.
 */
const moment = (value: SQL | AnyColumn): SQL =>
  sql`substr(to_json((${value} at time zone interval '0') + interval '100 microseconds')::text, 2, 23) || 'Z'`;

const ofAsset = {
  asset_id: assets.id,
  symbol: assets.symbol,
  network_id: networks.id,
  network_internal_code: networks.internalCode,
};

/** With an asset and its network: each row has them. */
const joinAsset = (assetId: AnyColumn): SQL =>
  sql`join ${assets} on ${assets.id} = ${assetId} join ${networks} on ${networks.id} = ${assets.networkId}`;

interface Ranged {
  workspaceId: AnyColumn;
  walletId: AnyColumn;
  createdAt: AnyColumn;
}

function within({ workspaceId, walletId, createdAt }: Ranged, range: ExportRange): SQL {
  const conditions = and(
    eq(workspaceId, range.workspaceId),
    range.walletIds === null ? undefined : anyOf(walletId, range.walletIds),
    range.from === null ? undefined : gte(createdAt, range.from),
    range.to === null ? undefined : lt(createdAt, range.to),
  );
  return sql`where ${conditions}`;
}

const sources: { readonly [Content in ExportContent]: (range: ExportRange) => Source<Content> } = {
  transactions: (range) => ({
    values: {
      id: transactions.id,
      transaction_id: transactions.transactionId,
      wallet_id: transactions.walletId,
      ...ofAsset,
      direction: transactions.direction,
      method: transactions.method,
      amount: amount(transactions.amountBaseUnits, transactions.decimals),
      status: transactions.status,
      tx_hash: transactions.txHash,
      from_address: transactions.fromAddress,
      to_address: transactions.toAddress,
      recipient_address: transactions.recipientAddress,
      block_number: transactions.blockNumber,
      block_hash: transactions.blockHash,
      gas_used: transactions.gasUsed,
      effective_gas_price_wei: transactions.effectiveGasPriceWei,
      confirmed_at: moment(transactions.confirmedAt),
      created_at: moment(transactions.createdAt),
      updated_at: moment(transactions.updatedAt),
      fee: amount(transactions.feeBaseUnits, native.decimals),
      fee_symbol: sql`case when ${transactions.feeBaseUnits} is not null then ${native.symbol} end`,
      withdrawal_status: transactions.withdrawalStatus,
      external_id: transactions.externalId,
      notes: transactions.notes,
    },
    rest: sql`from ${transactions} ${joinAsset(transactions.assetId)}
      left join ${assets} as ${sql.identifier('native')}
        on ${native.networkId} = ${networks.id} and ${native.isNative}
      ${within(transactions, range)} order by ${transactions.createdAt}, ${transactions.id}`,
  }),
  withdrawals: (range) => ({
    values: {
      id: withdrawals.id,
      wallet_id: withdrawals.walletId,
      ...ofAsset,
      method: withdrawals.method,
      amount: amount(withdrawals.amountBaseUnits, withdrawals.decimals),
      recipient_address: withdrawals.recipientAddress,
      from_address: withdrawals.fromAddress,
      fee_level: withdrawals.feeLevel,
      max_fee: amount(withdrawals.maxFeeBaseUnits, native.decimals),
      fee_paid: amount(withdrawals.feePaidBaseUnits, native.decimals),
      fee_symbol: native.symbol,
      external_id: withdrawals.externalId,
      status: withdrawals.status,
      sub_status: withdrawals.subStatus,
      error_code: withdrawals.errorCode,
      error_reason: withdrawals.errorReason,
      reason: withdrawals.reason,
      tx_hash: withdrawals.txHash,
      block_number: withdrawals.blockNumber,
      confirmations: withdrawals.confirmations,
      requested_by: withdrawals.requestedBy,
      notes: withdrawals.notes,
      created_at: moment(withdrawals.createdAt),
      updated_at: moment(withdrawals.updatedAt),
      completed_at: moment(withdrawals.completedAt),
    },
    rest: sql`from ${withdrawals} ${joinAsset(withdrawals.assetId)}
      join ${assets} as ${sql.identifier('native')} on ${native.id} = ${withdrawals.feeAssetId}
      ${within(withdrawals, range)} order by ${withdrawals.createdAt}, ${withdrawals.id}`,
  }),
  deposits: (range) => ({
    values: {
      id: deposits.id,
      wallet_id: deposits.walletId,
      ...ofAsset,
      amount: amount(deposits.amountBaseUnits, assets.decimals),
      status: deposits.status,
      tx_hash: deposits.txHash,
      from_address: deposits.fromAddress,
      to_address: deposits.toAddress,
      block_number: deposits.blockNumber,
      // Empty from when a reorg took the block: then it has none.
      block_hash: sql`nullif(${deposits.blockHash}, '')`,
      created_at: moment(deposits.createdAt),
      updated_at: moment(deposits.updatedAt),
    },
    rest: sql`from ${deposits} ${joinAsset(deposits.assetId)}
      ${within(deposits, range)} order by ${deposits.createdAt}, ${deposits.id}`,
  }),
  signing_requests: (range) => ({
    values: {
      id: signingRequests.id,
      wallet_id: signingRequests.walletId,
      operation_type: signingRequests.operationType,
      withdrawal_id: signingRequests.withdrawalId,
      network_internal_code: signingRequests.networkInternalCode,
      key_type: signingRequests.keyType,
      payload_kind: signingRequests.payloadKind,
      external_id: signingRequests.externalId,
      signing_hash: signingRequests.signingHash,
      derivation_path: signingRequests.derivationPath,
      status: signingRequests.status,
      status_reason: signingRequests.statusReason,
      mpc_correlation_id: signingRequests.mpcCorrelationId,
      error_code: signingRequests.errorCode,
      error_reason: signingRequests.errorReason,
      reason: signingRequests.reason,
      signature: signingRequests.signature,
      public_key: signingRequests.publicKey,
      address: signingRequests.address,
      may_be_signed: sql`case when ${signingRequests.status} = 'failed'
        then ${signingRequests.mayBeSigned} or cardinality(${signingRequests.attemptsOpen}) > 0 end`,
      created_at: moment(signingRequests.createdAt),
      updated_at: moment(signingRequests.updatedAt),
      completed_at: moment(signingRequests.completedAt),
    },
    rest: sql`from ${signingRequests} ${within(signingRequests, range)}
      order by ${signingRequests.createdAt}, ${signingRequests.id}`,
  }),
  ledger_entries: (range) => ({
    values: {
      id: ledgerEntries.id,
      event_id: ledgerEntries.eventId,
      event_kind: ledgerEvents.kind,
      subject_id: ledgerEvents.subjectId,
      occurrence: ledgerEvents.occurrence,
      wallet_id: ledgerEntries.walletId,
      ...ofAsset,
      account: ledgerEntries.kind,
      amount: amount(ledgerEntries.amount, assets.decimals),
      created_at: moment(ledgerEvents.createdAt),
    },
    rest: sql`${fromLedger} ${within(ofLedger, range)} order by ${ledgerEntries.id}`,
  }),
  balances: (range) => ({
    values: {
      wallet_id: ledgerEntries.walletId,
      ...ofAsset,
      total: amount(sumOf('available', 'held'), assets.decimals),
      available: amount(sumOf('available'), assets.decimals),
      held: amount(sumOf('held'), assets.decimals),
      pending_in: amount(sumOf('pending_in'), assets.decimals),
      at: moment(sql`${(range.to ?? range.snapshotAt).toISOString()}::timestamptz`),
    },
    rest: sql`${fromLedger} ${within(ofLedger, range)}
      group by ${ledgerEntries.walletId}, ${assets.id}, ${networks.id}
      order by ${ledgerEntries.walletId}, ${assets.id}`,
  }),
  audit: (range) => ({
    values: {
      seq: auditSeals.seq,
      hash: auditSeals.hash,
      id: auditLogs.id,
      workspace_id: auditLogs.workspaceId,
      actor: auditLogs.actor,
      actor_id: auditLogs.actorId,
      ip: auditLogs.ip,
      request_id: auditLogs.requestId,
      action: auditLogs.action,
      resource_id: auditLogs.resourceId,
      wallet_id: auditLogs.walletId,
      outcome: auditLogs.outcome,
      status_code: auditLogs.statusCode,
      code: auditLogs.code,
      body_hash: auditLogs.bodyHash,
      body: auditLogs.body,
      before: auditLogs.before,
      after: auditLogs.after,
      created_at: moment(auditLogs.createdAt),
      sealed: auditLogs.sealed,
    },
    rest: sql`from ${auditLogs} left join ${auditSeals} on ${auditSeals.auditId} = ${auditLogs.id}
      ${within(auditLogs, range)} order by ${auditLogs.createdAt}, ${auditLogs.id}`,
  }),
};

const fromLedger = sql`from ${ledgerEntries}
  join ${ledgerEvents} on ${ledgerEvents.id} = ${ledgerEntries.eventId}
  join ${wallets} on ${wallets.id} = ${ledgerEntries.walletId} ${joinAsset(ledgerEntries.assetId)}`;
const ofLedger = {
  workspaceId: wallets.workspaceId,
  walletId: ledgerEntries.walletId,
  createdAt: ledgerEvents.createdAt,
};

const sumOf = (...kinds: ('available' | 'held' | 'pending_in')[]): SQL =>
  sql`coalesce(sum(${ledgerEntries.amount}) filter (where ${anyOf(ledgerEntries.kind, kinds)}), 0)`;

/** Each row a cell a column, as COPY writes them in a CSV file. */
export function csvQuery(content: ExportContent, range: ExportRange): SQL {
  const { cells, rest } = cellsOf(content, range);
  const safe = cells.map(({ value, type }) => cellOf(value, type));
  return sql`select ${sql.join(safe, sql`, `)} ${rest}`;
}

/** Each row one text, an object of JSON. Control characters are escaped in it, so that it is one line. */
export function jsonQuery(content: ExportContent, range: ExportRange): SQL {
  const { cells, rest } = cellsOf(content, range);
  const members = cells.map(({ name, value, type }, position) => {
    const before = sql.raw(`'${position === 0 ? '{' : ','}"${name}":'`);
    return sql`${before}, coalesce(${jsonOf(value, type)}, 'null')`;
  });
  return sql`select concat(${sql.join(members, sql`, `)}, '}') ${rest}`;
}

interface Cell {
  name: string;
  value: SQL | AnyColumn;
  type: ColumnType;
}

function cellsOf(content: ExportContent, range: ExportRange): { cells: Cell[]; rest: SQL } {
  const { values, rest } = sources[content](range);
  const cells = Object.entries<ColumnType>(exportColumns[content]).map(([name, type]) => ({
    name,
    type,
    value: (values as Record<string, SQL | AnyColumn>)[name] as SQL | AnyColumn,
  }));
  return { cells, rest };
}

/** COPY writes `t` and `f` for what is true and false. */
function cellOf(value: SQL | AnyColumn, type: ColumnType): SQL {
  if (isFreeText(type)) return withoutFormula(value);
  return type === 'boolean' ? sql`(${value})::text` : sql`${value}`;
}

/**
 * A leading apostrophe makes a spreadsheet show the text and run nothing, as `csvLine` has it. Most texts begin with a
 * digit, or with what ASCII has from `A` to `z`, which is told by comparisons of bytes; none of it begins a formula.
 */
function withoutFormula(value: SQL | AnyColumn): SQL {
  const bytes = sql`(${value}) collate "C"`;
  return sql`case when ${bytes} >= '0' and ${bytes} < ':' or ${bytes} >= 'A' and ${bytes} < '{' then ${value}
    when ${value} <> '' and strpos(${FORMULA_STARTS}, left(${value}, 1)) > 0 then '''' || ${value} else ${value} end`;
}

/** Ids, amounts, moments and words of ours hold nothing that JSON escapes. */
function jsonOf(value: SQL | AnyColumn, type: ColumnType): SQL {
  if (isFreeText(type)) return sql`to_json(${value})::text`;
  return type === 'integer' || type === 'boolean' ? sql`(${value})::text` : sql`'"' || ${value} || '"'`;
}
