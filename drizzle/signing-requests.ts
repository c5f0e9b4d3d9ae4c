// Signing operations: what was asked, what state it is in and what came of it.
import { and, eq, sql } from 'drizzle-orm';
import { index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from './columns.ts';
import type { Database, Transaction } from './database.ts';
import {
  assertArrow,
  curves,
  payloadKinds,
  type SigningStatus,
  signingArrows,
  signingStatuses,
  signingStatusReasons,
} from './status.ts';
import { wallets } from './wallets.ts';
import { workspaces } from './workspaces.ts';

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
    /** The EIP-712 document that the digest is of, for audit. */
    typedData: jsonb('typed_data'),
    status: text('status', { enum: signingStatuses }).notNull().default('pending'),
    statusReason: text('status_reason', { enum: signingStatusReasons }),
    mpcCorrelationId: text('mpc_correlation_id'),
    errorCode: text('error_code'),
    errorReason: text('error_reason'),
    signature: text('signature'),
    publicKey: text('public_key'),
    address: text('address'),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
    completedAt: moment('completed_at'),
  },
  (table) => [
    index('signing_requests_workspace_created').on(table.workspaceId, table.createdAt, table.id),
    index('signing_requests_workspace_updated').on(table.workspaceId, table.updatedAt, table.id),
    index('signing_requests_workspace_status').on(table.workspaceId, table.status, table.createdAt, table.id),
    index('signing_requests_wallet_created').on(table.walletId, table.createdAt, table.id),
  ],
);

export type SigningRequestRow = typeof signingRequests.$inferSelect;

export async function insertSigningRequest(
  tx: Transaction,
  request: typeof signingRequests.$inferInsert,
): Promise<SigningRequestRow> {
  const [row] = await tx.insert(signingRequests).values(request).returning();
  if (row === undefined) throw new Error('an insert returned no row');
  return row;
}

export async function findSigningRequest(
  db: Database | Transaction,
  workspaceId: string,
  id: string,
): Promise<SigningRequestRow | undefined> {
  const [row] = await db
    .select()
    .from(signingRequests)
    .where(and(eq(signingRequests.id, id), eq(signingRequests.workspaceId, workspaceId)));
  return row;
}

/** What an outcome may write beside the status. */
export type SigningOutcomeFields = Partial<
  Pick<
    SigningRequestRow,
    'statusReason' | 'mpcCorrelationId' | 'errorCode' | 'errorReason' | 'signature' | 'publicKey' | 'address'
  >
>;

/** Moves a signing operation along one arrow, by compare-and-set. False when it no longer stood at `from`. */
export async function advanceSigningRequest(
  db: Database,
  id: string,
  from: SigningStatus,
  to: SigningStatus,
  fields: SigningOutcomeFields = {},
): Promise<boolean> {
  assertArrow(signingArrows, from, to);
  const final = signingArrows[to].length === 0;
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
    .returning({ id: signingRequests.id });
  return moved.length === 1;
}
