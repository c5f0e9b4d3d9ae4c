// Withdrawals: what was asked, where it stands and what came of it.

import { and, count, eq, getTableColumns, gte, lt, type SQL, sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  index,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { EventData } from '../../domain/events/event-data.ts';
import { type FailureCode } from '../../domain/failures.ts';
import {
  isFinal,
  openWithdrawalStatuses,
  replacementKinds,
  transactionMethods,
  type WithdrawalStatus,
  type WithdrawalSubStatus,
  withdrawalArrows,
  withdrawalStatuses,
  withdrawalSubStatuses,
} from '../../domain/statuses.ts';
import { feeLevels } from '../../domain/withdrawals/fee-levels.ts';
import type { Shortage } from '../../domain/withdrawals/shortage.ts';
import type { StoredCall } from '../../domain/withdrawals/stored-call.ts';
import { anyCaseIn, anyCaseOf, lowerCaseOf } from '../database/any-case.ts';
import { baseUnits, moment } from '../database/columns.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { anyOf, type OneOf, type Page, selectPage } from '../database/page.ts';
import { statusIn } from '../database/status-list.ts';
import type { RecordedRow } from '../events/recorded-rows.ts';
import { assets } from '../networks/assets.ts';
import { networks } from '../networks/networks.ts';
import { sealedOperation, type WithdrawalColumns, withdrawalContent } from '../seals/operation-content.ts';
import { sealedTable } from '../seals/sealed-tables.ts';
import { ownershipColumns } from '../transactions/ownership-columns.ts';

/** Few values each: one index serves both filters, alone and together. */
const kindOf = <Column>(table: Record<'workspaceId' | 'status' | 'method', Column>) =>
  [table.workspaceId, table.status, table.method] as const;

const isOpenWithdrawal = ({ status }: { status: AnyPgColumn }) => statusIn(status, openWithdrawalStatuses);

export const withdrawals = pgTable(
  'withdrawals',
  {
    id: uuid('id').primaryKey(),
    ...ownershipColumns(),
    /** What the network takes its fees in. */
    feeAssetId: uuid('fee_asset_id')
      .notNull()
      .references(() => assets.id),
    method: text('method', { enum: transactionMethods }).notNull().default('transfer'),
    amountBaseUnits: baseUnits('amount_base_units').notNull(),
    decimals: smallint('decimals').notNull(),
    fromAddress: text('from_address').notNull(),
    derivationPath: text('derivation_path').notNull(),
    recipientAddress: text('recipient_address').notNull(),
    /** A `contract_call`: what the contract is called with, as it was asked. */
    call: jsonb('call').$type<StoredCall>(),
    notes: text('notes'),
    feeLevel: text('fee_level', { enum: feeLevels }).notNull().default('medium'),
    /** Of the fee asset; no limit when null. */
    maxFeeBaseUnits: baseUnits('max_fee_base_units'),
    /** The caller's own name for the withdrawal. */
    externalId: text('external_id'),
    /** How many approvals it needs, whatever becomes of the round. */
    approvalsRequired: smallint('approvals_required').notNull().default(0),
    /** The API key that asked. */
    requestedBy: uuid('requested_by').notNull(),
    /** Why the policy decided as it did, in words. */
    policyReasons: jsonb('policy_reasons').$type<readonly string[]>().notNull().default([]),
    /**
     * Of the fee asset: what the policy judged it by, and the most that any transaction of its may pay. Null for those
     * of before there were bounds.
     */
    feeBoundBaseUnits: baseUnits('fee_bound_base_units'),
    /** The fee that the policy judged it by, of those of before there were bounds. */
    judgedFeeBaseUnits: baseUnits('judged_fee_base_units'),
    status: text('status', { enum: withdrawalStatuses }).notNull().default('pending'),
    subStatus: text('sub_status', { enum: withdrawalSubStatuses }),
    /** Of one that waits for funds (`insufficient_funds`): what it lacks. Of any other it says what it lacked last. */
    shortage: jsonb('shortage').$type<Shortage>(),
    errorCode: text('error_code').$type<FailureCode>(),
    errorReason: text('error_reason'),
    /** What who rejected or cancelled it gave as the reason. */
    reason: text('reason'),
    /** What the caller wants done about a withdrawal that hangs, until the workflow has taken it up. */
    requestedReplacement: text('wish', { enum: replacementKinds }),
    requestedFeeLevel: text('wished_fee_level', { enum: feeLevels }),
    /** Of the transaction that stands for the withdrawal now. */
    txHash: text('tx_hash'),
    /** The nodes that signed that one (signed-by-nodes.ts). Null where that is not known of each signature. */
    signedByNodes: integer('signed_by_nodes').array(),
    blockNumber: bigint('block_number', { mode: 'number' }),
    confirmations: integer('confirmations'),
    feePaidBaseUnits: baseUnits('fee_paid_base_units'),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
    completedAt: moment('completed_at'),
    /** Since when the nodes of its network do not agree on how it ends. */
    disputedAt: moment('disputed_at'),
    /** The id of its workflow (domain/workflow-ids.ts). Null in rows of before ids carried the type. */
    workflowId: text('workflow_id'),
    /**
     * Of what was asked (operation-content.ts). Null in rows of before there were seals, until the operator has them
     * sealed.
     */
    seal: text('seal'),
  },
  (table) => [
    // For ever, unlike an idempotency key: one business event is never paid twice.
    uniqueIndex('withdrawals_external_id').on(table.workspaceId, table.externalId),
    index('withdrawals_workspace_created').on(table.workspaceId, table.createdAt, table.id),
    index('withdrawals_workspace_updated').on(table.workspaceId, table.updatedAt, table.id),
    index('withdrawals_kind_created').on(...kindOf(table), table.createdAt, table.id),
    index('withdrawals_kind_updated').on(...kindOf(table), table.updatedAt, table.id),
    index('withdrawals_sub_status_created').on(table.workspaceId, table.subStatus, table.createdAt, table.id),
    index('withdrawals_sub_status_updated').on(table.workspaceId, table.subStatus, table.updatedAt, table.id),
    index('withdrawals_wallet_created').on(table.walletId, table.createdAt, table.id),
    index('withdrawals_wallet_updated').on(table.walletId, table.updatedAt, table.id),
    index('withdrawals_asset_created').on(table.workspaceId, table.assetId, table.createdAt, table.id),
    index('withdrawals_asset_updated').on(table.workspaceId, table.assetId, table.updatedAt, table.id),
    index('withdrawals_network_created').on(table.workspaceId, table.networkId, table.createdAt, table.id),
    index('withdrawals_network_updated').on(table.workspaceId, table.networkId, table.updatedAt, table.id),
    index('withdrawals_tx_hash').on(lowerCaseOf(table.txHash)),
    index('withdrawals_from').on(table.workspaceId, lowerCaseOf(table.fromAddress)),
    index('withdrawals_recipient').on(table.workspaceId, lowerCaseOf(table.recipientAddress)),
    index('withdrawals_block').on(table.networkId, table.blockNumber),
    index('withdrawals_open').on(table.id).where(isOpenWithdrawal(table)),
  ],
);

/** Not final, in the words of its partial index. */
export const isWithdrawalOpen = isOpenWithdrawal(withdrawals);

export type WithdrawalRow = typeof withdrawals.$inferSelect;

export const sealedContentOf = (row: WithdrawalColumns) => sealedOperation(withdrawalContent(row), row);

export const sealedWithdrawals = sealedTable<WithdrawalRow>({
  kind: 'withdrawal',
  table: withdrawals,
  key: [withdrawals.id],
  seal: withdrawals.seal,
  sealOf: (row) => row.seal,
  contentOf: sealedContentOf,
  isDue: ({ status }) => !isFinal(withdrawalArrows, status),
});

const {
  call: _call,
  notes: _notes,
  seal: _seal,
  workflowId: _workflow,
  ...publicColumns
} = getTableColumns(withdrawals);

/** What its events record. Its notes and the bytes of a call are for who reads it. */
export const recordedWithdrawal = {
  ...publicColumns,
  networkCode: sql<string>`(select ${networks.internalCode} from ${networks} where ${networks.id} = ${withdrawals.networkId})`,
  feeDecimals: sql<number>`(select ${assets.decimals} from ${assets} where ${assets.id} = ${withdrawals.feeAssetId})`,
};
export type RecordedWithdrawal = RecordedRow<typeof recordedWithdrawal>;

/** What the event of an approval that is asked for records besides, of a call: what it does, as approvers see it. */
export const recordedForApproval = { decoded: sql<EventData | null>`null::jsonb` };
export const recordedWith = (shown: EventData | undefined) =>
  shown === undefined
    ? recordedWithdrawal
    : { ...recordedWithdrawal, decoded: sql<EventData>`${JSON.stringify(shown)}::jsonb` };

export async function findWithdrawal(
  db: Database | Transaction,
  workspaceId: string,
  id: string,
): Promise<WithdrawalRow | undefined> {
  const [row] = await db
    .select()
    .from(withdrawals)
    .where(and(eq(withdrawals.id, id), eq(withdrawals.workspaceId, workspaceId)));
  return row;
}

/** False also of one that is not there. */
export async function hasOpenWithdrawal(db: Database, id: string): Promise<boolean> {
  const [row] = await db.select({ status: withdrawals.status }).from(withdrawals).where(eq(withdrawals.id, id));
  return row !== undefined && !isFinal(withdrawalArrows, row.status);
}

/** Held against other changes until the transaction ends. */
export async function lockWithdrawal(tx: Transaction, id: string): Promise<WithdrawalRow | undefined> {
  const [row] = await tx.select().from(withdrawals).where(eq(withdrawals.id, id)).for('no key update');
  return row;
}

/** Which withdrawals; an absent list means any. */
export interface WithdrawalFilter {
  workspaceId: string;
  walletIds?: readonly string[] | undefined;
  assetIds?: readonly string[] | undefined;
  networkIds?: readonly string[] | undefined;
  statuses?: readonly WithdrawalStatus[] | undefined;
  subStatuses?: readonly WithdrawalSubStatus[] | undefined;
  methods?: readonly WithdrawalRow['method'][] | undefined;
  /** There is one at most of each. */
  externalIds?: readonly string[] | undefined;
  /** Of the transactions that stand for them. */
  txHashes?: readonly string[] | undefined;
  /** Sender or recipient. */
  addresses?: readonly string[] | undefined;
}

/** One row more than the page asks for, when there is one. */
export async function listWithdrawals(db: Database, filter: WithdrawalFilter, page: Page): Promise<WithdrawalRow[]> {
  const parts = partsOf(filter);
  return selectPage(db, withdrawals, { where: matching(filter, parts), parts, page });
}

/** `from` inclusive, `to` exclusive. */
export async function countWithdrawals(
  db: Database,
  filter: WithdrawalFilter & { from?: Date | undefined; to?: Date | undefined },
): Promise<number> {
  const { from, to } = filter;
  const [row] = await db
    .select({ rows: count() })
    .from(withdrawals)
    .where(
      and(
        // With every method an index is read within the bounds of time.
        ...matching({ methods: transactionMethods, ...filter }, []),
        from === undefined ? undefined : gte(withdrawals.createdAt, from),
        to === undefined ? undefined : lt(withdrawals.createdAt, to),
      ),
    );
  return row?.rows ?? 0;
}

/**
 * What the list looks up value by value: the most telling filter that has an index of its own. A hash or an address is
 * telling enough by itself.
 */
function partsOf(filter: WithdrawalFilter): readonly OneOf[] {
  const { walletIds, assetIds, networkIds, statuses, subStatuses, methods, externalIds } = filter;
  if (externalIds !== undefined) return [[withdrawals.externalId, externalIds]];
  if (filter.txHashes !== undefined || filter.addresses !== undefined) return [];
  if (walletIds !== undefined) return [[withdrawals.walletId, walletIds]];
  if (assetIds !== undefined) return [[withdrawals.assetId, assetIds]];
  if (networkIds !== undefined) return [[withdrawals.networkId, networkIds]];
  if (subStatuses !== undefined) return [[withdrawals.subStatus, subStatuses]];
  if (statuses === undefined && methods === undefined) return [];
  return [
    [withdrawals.status, statuses ?? withdrawalStatuses],
    [withdrawals.method, methods ?? transactionMethods],
  ];
}

function matching(filter: WithdrawalFilter, parts: readonly OneOf[]): SQL[] {
  const lists = [
    [withdrawals.walletId, filter.walletIds],
    [withdrawals.assetId, filter.assetIds],
    [withdrawals.networkId, filter.networkIds],
    [withdrawals.status, filter.statuses],
    [withdrawals.subStatus, filter.subStatuses],
    [withdrawals.method, filter.methods],
    [withdrawals.externalId, filter.externalIds],
  ] as const;
  const { txHashes, addresses } = filter;
  return [
    eq(withdrawals.workspaceId, filter.workspaceId),
    ...lists.flatMap(([column, values]) =>
      values === undefined || parts.some(([part]) => part === column) ? [] : [anyOf(column, values)],
    ),
    ...(txHashes === undefined ? [] : [anyCaseOf(withdrawals.txHash, txHashes)]),
    ...(addresses === undefined ? [] : [anyCaseIn([withdrawals.fromAddress, withdrawals.recipientAddress], addresses)]),
  ];
}

/** Which of the workspace's has this name. */
export async function findWithdrawalNamed(
  db: Database | Transaction,
  workspaceId: string,
  externalId: string,
): Promise<{ id: string; walletId: string } | undefined> {
  const [row] = await db
    .select({ id: withdrawals.id, walletId: withdrawals.walletId })
    .from(withdrawals)
    .where(and(eq(withdrawals.workspaceId, workspaceId), eq(withdrawals.externalId, externalId)));
  return row;
}
