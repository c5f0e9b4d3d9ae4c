// Signing operations: what was asked, what state it is in and what came of it.
import { type SQL, sql } from 'drizzle-orm';
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
import type { FailureCode } from '../../domain/failures.ts';
import type { TypedData } from '../../domain/payloads/typed-data.ts';
import {
  curves,
  isFinal,
  landingStatuses,
  openSigningStatuses,
  payloadKinds,
  signingArrows,
  signingStatuses,
  signingStatusReasons,
} from '../../domain/statuses.ts';
import { moment } from '../database/columns.ts';
import { statusIn } from '../database/status-list.ts';
import { type SigningColumns, sealedOperation, signingContent } from '../seals/operation-content.ts';
import { sealedTable } from '../seals/sealed-tables.ts';
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
    /** The nodes of its cluster that made the signature, ascending. Null without one, and of before they were kept. */
    signedByNodes: integer('signed_by_nodes').array(),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
    completedAt: moment('completed_at'),
    /** Null of what is no transaction that its caller broadcasts. It moves with the chain, and decides nothing. */
    landing: text('landing', { enum: landingStatuses }),
    /** Of such an EVM transaction: of several with one nonce one lands. */
    nonce: text('nonce'),
    /** The id of its workflow (domain/workflow-ids.ts). Null in rows of before ids carried the type. */
    workflowId: text('workflow_id'),
    /** Of the workflow that began it beside others, if one did. Nothing goes by it: it is for operators. */
    groupWorkflowId: text('group_workflow_id'),
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
    // Only what is signed has an address, so that nothing is added to these when a request is accepted.
    index('signing_requests_address_created')
      .on(table.workspaceId, table.address, table.createdAt, table.id)
      .where(sql`${table.address} is not null`),
    index('signing_requests_address_updated')
      .on(table.workspaceId, table.address, table.updatedAt, table.id)
      .where(sql`${table.address} is not null`),
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
