// Signing operations: what was asked, what state it is in and what came of it.
import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  boolean,
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
import type { TypedData } from '../../domain/payloads/typed-data.ts';
import {
  assertArrow,
  curves,
  isFinal,
  landingStatuses,
  openSigningStatuses,
  payloadKinds,
  type SigningStatus,
  signingArrows,
  signingStatuses,
  signingStatusReasons,
  type WalletStatus,
} from '../../domain/statuses.ts';
import { sealedEntriesOf } from '../audit/inactive-rows.ts';
import { moment } from '../database/columns.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { notify } from '../database/notifications.ts';
import { anyOf, type Page, selectPage } from '../database/page.ts';
import { preparedQuery } from '../database/prepared-query.ts';
import { statusIn } from '../database/status-list.ts';
import { recordEvent } from '../events/events.ts';
import type { RecordedRow } from '../events/recorded-rows.ts';
import { type SigningColumns, sealedOperation, signingContent } from '../seals/operation-content.ts';
import { sealedTable } from '../seals/sealed-tables.ts';
import type { Seals } from '../seals/seals.ts';
import { wallets } from '../wallets/wallets.ts';
import { workspaces } from '../workspaces/workspaces.ts';

const isOpenSigning = ({ status }: { status: AnyPgColumn }) => statusIn(status, openSigningStatuses);

/** Signed for a caller who broadcasts it himself, and neither booked nor released. */
const isUnlandedSigning = ({ status, landing }: { status: AnyPgColumn; landing: AnyPgColumn }): SQL =>
  sql`${landing} = 'open' and ${status} = 'success'`;

export const signingRequests = pgTable(
  'signing_requests',
  {
    id: uuid('id').primaryKey(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    walletId: uuid('wallet_id')
      .notNull()
      .references(() => wallets.id),
    operationType: text('operation_type', { enum: ['withdrawal', 'generic'] }).notNull(),
    withdrawalId: uuid('withdrawal_id'),
    networkInternalCode: text('network_internal_code').notNull(),
    keyType: text('key_type', { enum: curves }).notNull(),
    signingHash: text('signing_hash').notNull(),
    unsignedTx: text('unsigned_tx').notNull(),
    derivationPath: text('derivation_path').notNull(),
    payloadKind: text('payload_kind', { enum: payloadKinds }).notNull().default('raw_digest'),
    /** How many approvals it needs, whatever becomes of the round. */
    approvalsRequired: smallint('approvals_required').notNull().default(0),
    /** The caller's own name for the operation. */
    externalId: text('external_id'),
    /**
     * The EIP-712 document that the digest is of, for audit: integers as decimal text, the domain's type written out.
     */
    typedData: jsonb('typed_data').$type<TypedData>(),
    status: text('status', { enum: signingStatuses }).notNull().default('pending'),
    statusReason: text('status_reason', { enum: signingStatusReasons }),
    mpcCorrelationId: text('mpc_correlation_id'),
    /** Attempts that were begun and of which no worker has said how they ended. */
    attemptsOpen: integer('attempts_open').array().notNull().default([]),
    /** Whether an attempt ended so that a node may have a signature that this service does not. */
    mayBeSigned: boolean('may_be_signed').notNull().default(false),
    errorCode: text('error_code').$type<FailureCode>(),
    errorReason: text('error_reason'),
    /** What who rejected or cancelled it gave as the reason. */
    reason: text('reason'),
    signature: text('signature'),
    publicKey: text('public_key'),
    address: text('address'),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
    completedAt: moment('completed_at'),
    /** Null of what is no transaction that its caller broadcasts. It moves with the chain, and decides nothing. */
    landing: text('landing', { enum: landingStatuses }),
    /** Of such an EVM transaction: of several with one nonce one lands. */
    nonce: text('nonce'),
    /** The id of its workflow (domain/workflow-ids.ts). Null in rows of before ids carried the type. */
    workflowId: text('workflow_id'),
    /**
     * Of what was asked (operation-content.ts). Null in rows of before there were seals, until the operator has them
     * sealed.
     */
    seal: text('seal'),
  },
  (table) => [
    // For ever, unlike an idempotency key: one business event is never signed for twice.
    uniqueIndex('signing_requests_external_id').on(table.workspaceId, table.externalId),
    index('signing_requests_workspace_created').on(table.workspaceId, table.createdAt, table.id),
    index('signing_requests_workspace_updated').on(table.workspaceId, table.updatedAt, table.id),
    index('signing_requests_status_created').on(table.workspaceId, table.status, table.createdAt, table.id),
    index('signing_requests_status_updated').on(table.workspaceId, table.status, table.updatedAt, table.id),
    index('signing_requests_wallet_created').on(table.walletId, table.createdAt, table.id),
    index('signing_requests_wallet_updated').on(table.walletId, table.updatedAt, table.id),
    // A transaction in a block is known as ours by it (outflows/). Of four bytes an entry, where the text would take
    // all of them.
    index('signing_requests_signature').using('hash', table.signature),
    index('signing_requests_open').on(table.id).where(isOpenSigning(table)),
    index('signing_requests_unlanded').on(table.walletId, table.id).where(isUnlandedSigning(table)),
    index('signing_requests_unlanded_network').on(table.networkInternalCode, table.id).where(isUnlandedSigning(table)),
  ],
);

/** In the words of their partial indexes. */
export const isUnlanded = isUnlandedSigning(signingRequests);
/** Not final, in the words of its partial index. */
export const isSigningOpen = isOpenSigning(signingRequests);

export type SigningRequestRow = typeof signingRequests.$inferSelect;

/** The workflow of the signature for a withdrawal is told by its parent's. */
export const sealedContentOf = ({ workflowId, ...row }: SigningColumns) =>
  sealedOperation(signingContent(row), row.withdrawalId == null ? { ...row, workflowId } : row);

export const sealedSigningRequests = sealedTable<SigningRequestRow>({
  kind: 'signing_request',
  table: signingRequests,
  key: [signingRequests.id],
  seal: signingRequests.seal,
  sealOf: (row) => row.seal,
  contentOf: sealedContentOf,
  isDue: ({ status }) => !isFinal(signingArrows, status),
});

/**
 * False when nothing of it can land: it failed, was cancelled or rejected, and no node can have a signature that is not
 * stored (signing-attempts.ts).
 */
export const mayStillLand = sql`not (${signingRequests.status} = 'failed' and not ${signingRequests.mayBeSigned} and cardinality(${signingRequests.attemptsOpen}) = 0)`;

const {
  unsignedTx: _tx,
  typedData: _document,
  attemptsOpen: _open,
  mayBeSigned: _may,
  landing: _landing,
  nonce: _nonce,
  workflowId: _workflow,
  ...others
} = getTableColumns(signingRequests);
const { approvalsRequired: _required, seal: _seal, ...publicColumns } = others;

/**
 * What its events record. What is signed is for who reads it, and each signature writes this: what no event shows is
 * left out.
 */
export const recordedSigning = publicColumns;
export type RecordedSigning = RecordedRow<typeof recordedSigning>;

/**
 * What the event of an approval that is asked for records besides: what is to be approved, as approvers are shown it
 * (src/signing-requests/shown-payload.ts). No other event has it.
 */
export const recordedForApproval = { payload: sql<EventData | null>`null::jsonb` };
const recordedWith = (shown: EventData | undefined) =>
  shown === undefined
    ? recordedSigning
    : { ...recordedSigning, payload: sql<EventData>`${JSON.stringify(shown)}::jsonb` };

/**
 * Sealed. `shown`: to approvers. Undefined when its external id names an operation that is there already. A concurrent
 * one is waited for.
 */
export async function insertSigningRequest(
  tx: Transaction,
  seals: Seals,
  request: typeof signingRequests.$inferInsert,
  shown?: EventData,
): Promise<SigningRequestRow | undefined> {
  const externalId = { target: [signingRequests.workspaceId, signingRequests.externalId] };
  const mustBeApproved = request.statusReason === 'awaiting_approval';
  const [row] = await tx
    .insert(signingRequests)
    .values({ ...request, seal: seals.seal('signing_request', sealedContentOf(request)) })
    .onConflictDoNothing(externalId)
    .returning({
      ...getTableColumns(signingRequests),
      ...(mustBeApproved ? { eventId: recordEvent('signing.pending_approval', recordedWith(shown)) } : {}),
    });
  return row;
}

const byId = preparedQuery((db) =>
  db
    .select()
    .from(signingRequests)
    .where(
      and(
        eq(signingRequests.id, sql.placeholder('id')),
        eq(signingRequests.workspaceId, sql.placeholder('workspaceId')),
      ),
    )
    .prepare('find_signing_request'),
);

export async function findSigningRequest(
  db: Database | Transaction,
  workspaceId: string,
  id: string,
): Promise<SigningRequestRow | undefined> {
  const [row] = await byId(db).execute({ id, workspaceId });
  return row;
}

/** For the worker, which knows an operation by its id alone. */
export async function readSigningRequest(
  db: Database | Transaction,
  id: string,
): Promise<SigningRequestRow | undefined> {
  const [row] = await anyById(db).execute({ id });
  return row;
}

const anyById = preparedQuery((db) =>
  db
    .select()
    .from(signingRequests)
    .where(eq(signingRequests.id, sql.placeholder('id')))
    .prepare('read_signing_request'),
);

/**
 * The operation with what may hold it back: where its wallet stands, and what the audit log records of the two
 * (inactive-rows.ts).
 */
export type SigningWork = SigningRequestRow & { walletStatus: WalletStatus; sealedEntries: string[] };

export async function readSigningWork(db: Database, id: string): Promise<SigningWork | undefined> {
  const [work] = await workById(db).execute({ id });
  return work;
}

const workById = preparedQuery((db) =>
  db
    .select({
      ...getTableColumns(signingRequests),
      walletStatus: wallets.status,
      sealedEntries: sealedEntriesOf(signingRequests.id, signingRequests.walletId),
    })
    .from(signingRequests)
    .innerJoin(wallets, eq(wallets.id, signingRequests.walletId))
    .where(eq(signingRequests.id, sql.placeholder('id')))
    .prepare('read_signing_work'),
);

/** Those of these ids that are there, in no order. */
export async function findSigningRequests(
  db: Database | Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<SigningRequestRow[]> {
  return db
    .select()
    .from(signingRequests)
    .where(and(anyOf(signingRequests.id, ids), eq(signingRequests.workspaceId, workspaceId)));
}

export interface SigningRequestFilter {
  workspaceId: string;
  /** Absent for all. */
  walletIds: readonly string[] | undefined;
  statuses: readonly SigningStatus[] | undefined;
  networkCodes: readonly string[] | undefined;
  /** There is one at most of each. */
  externalIds: readonly string[] | undefined;
}

/** One row more than the page asks for, when there is one. */
export async function listSigningRequests(
  db: Database,
  { workspaceId, walletIds, statuses, networkCodes, externalIds }: SigningRequestFilter,
  page: Page,
): Promise<SigningRequestRow[]> {
  const { walletId, status, networkInternalCode, externalId } = signingRequests;
  const where = [
    eq(signingRequests.workspaceId, workspaceId),
    ...(networkCodes === undefined ? [] : [anyOf(networkInternalCode, networkCodes)]),
  ];
  const withStatus = statuses === undefined ? [] : [anyOf(status, statuses)];
  if (externalIds !== undefined) {
    const ofWallets = walletIds === undefined ? [] : [anyOf(walletId, walletIds)];
    const named = { where: [...where, ...withStatus, ...ofWallets], parts: [[externalId, externalIds]] as const };
    return selectPage(db, signingRequests, { ...named, page });
  }
  if (walletIds === undefined)
    return selectPage(db, signingRequests, { where, parts: statuses === undefined ? [] : [[status, statuses]], page });
  return selectPage(db, signingRequests, { where: [...where, ...withStatus], parts: [[walletId, walletIds]], page });
}

/** Which of the workspace's has this name. */
export async function findSigningNamed(
  db: Database | Transaction,
  workspaceId: string,
  name: string,
): Promise<{ id: string; walletId: string } | undefined> {
  const { id, walletId, externalId } = signingRequests;
  const [row] = await db
    .select({ id, walletId })
    .from(signingRequests)
    .where(and(eq(signingRequests.workspaceId, workspaceId), eq(externalId, name)));
  return row;
}

/** Those of the workspace's that have one of these names. */
export async function listSigningIds(
  db: Database,
  workspaceId: string,
  externalIds: readonly string[],
): Promise<string[]> {
  const rows = await db
    .select({ id: signingRequests.id })
    .from(signingRequests)
    .where(and(eq(signingRequests.workspaceId, workspaceId), anyOf(signingRequests.externalId, externalIds)));
  return rows.map(({ id }) => id);
}

/** What decides whether a wallet may sign now. Undefined when the workspace has no such wallet. */
export async function findSigner(
  tx: Transaction,
  workspaceId: string,
  walletId: string,
): Promise<{ walletStatus: WalletStatus; withdrawalsFrozenAt: Date | null } | undefined> {
  const [row] = await tx
    .select({ walletStatus: wallets.status, withdrawalsFrozenAt: workspaces.withdrawalsFrozenAt })
    .from(wallets)
    .innerJoin(workspaces, eq(workspaces.id, wallets.workspaceId))
    .where(and(eq(wallets.id, walletId), eq(wallets.workspaceId, workspaceId)));
  return row;
}

/** What an outcome may write beside the status. */
export type SigningOutcomeFields = Partial<
  Pick<
    SigningRequestRow,
    'statusReason' | 'mpcCorrelationId' | 'errorCode' | 'errorReason' | 'reason' | 'signature' | 'publicKey' | 'address'
  >
>;

interface SigningMove {
  from: SigningStatus;
  to: SigningStatus;
  fields?: SigningOutcomeFields;
}

/** Moves a signing operation along one arrow, by compare-and-set. False when it no longer stood at `from`. */
export async function advanceSigningRequest(
  db: Database | Transaction,
  id: string,
  { from, to, fields }: SigningMove,
): Promise<boolean> {
  assertArrow(signingArrows, from, to);
  const final = isFinal(signingArrows, to);
  const moved = await db
    .update(signingRequests)
    .set({
      statusReason: null,
      ...fields,
      status: to,
      updatedAt: sql`now()`,
      ...(final ? { completedAt: sql`now()` } : {}),
    })
    .where(and(eq(signingRequests.id, id), eq(signingRequests.status, from)))
    .returning({
      id: signingRequests.id,
      eventId: recordEvent(`signing.${to as Exclude<SigningStatus, 'pending'>}`, recordedSigning),
      ...(final ? { announced: notify(signingRequests.id) } : {}),
    });
  return moved.length === 1;
}
