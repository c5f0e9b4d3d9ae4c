// Wallets with their public keys and addresses. Only public material is stored here: shares live in the MPC nodes.

import { sql } from 'drizzle-orm';
import { index, jsonb, type PgColumn, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { mainCluster } from '../../domain/clusters.ts';
import type { FailureCode } from '../../domain/failures.ts';
import { curves, walletStatuses } from '../../domain/statuses.ts';
import { addressTypes } from '../../domain/wallets/address-types.ts';
import type { WalletMetadata } from '../../domain/wallets/wallet-metadata.ts';
import { walletTypes } from '../../domain/wallets/wallet-types.ts';
import { lowerCaseOf } from '../database/any-case.ts';
import { bytes, moment } from '../database/columns.ts';
import { sealedTable } from '../seals/sealed-tables.ts';
import { workspaces } from '../workspaces/workspaces.ts';
import { walletAddressContent, walletContent, walletKeyContent } from './wallet-content.ts';

/** Few values each: one index serves both filters, alone and together. */
const kindOf = <Column>(table: Record<'workspaceId' | 'status' | 'walletType', Column>) =>
  [table.workspaceId, table.status, table.walletType] as const;

export const wallets = pgTable(
  'wallets',
  {
    id: uuid('id').primaryKey(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    name: text('name').notNull(),
    walletType: text('wallet_type', { enum: walletTypes }).notNull(),
    walletPurpose: text('wallet_purpose'),
    /** The caller's own name for it. */
    externalId: text('external_id'),
    /** What the caller keeps with it. Nothing here decides by it. */
    metadata: jsonb('metadata').$type<WalletMetadata>().notNull().default({}),
    /** The same as terms that an index finds (wallet-metadata.ts). */
    metadataTerms: text('metadata_terms').array().notNull().default([]),
    /** Whose nodes hold its keys: what its workspace said when it was made. The database lets nobody change it. */
    cluster: text('cluster').notNull().default(mainCluster),
    status: text('status', { enum: walletStatuses }).notNull().default('creating'),
    statusReason: text('status_reason'),
    /** What who froze, unfroze or archived it gave as the reason. */
    reason: text('reason'),
    errorCode: text('error_code').$type<FailureCode>(),
    errorReason: text('error_reason'),
    /**
     * Of whose it is, and of the cluster that holds its keys. Null in rows of before there were seals, until the
     * operator has them sealed; so below.
     */
    seal: text('seal'),
    /** The id of the workflow that makes it (domain/workflow-ids.ts). Null in rows of before ids carried the type. */
    workflowId: text('workflow_id'),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    index('wallets_workspace_created').on(table.workspaceId, table.createdAt, table.id),
    index('wallets_workspace_updated').on(table.workspaceId, table.updatedAt, table.id),
    index('wallets_kind_created').on(...kindOf(table), table.createdAt, table.id),
    index('wallets_kind_updated').on(...kindOf(table), table.updatedAt, table.id),
    index('wallets_name_created').on(table.workspaceId, lowerCaseOf(table.name), table.createdAt, table.id),
    index('wallets_name_updated').on(table.workspaceId, lowerCaseOf(table.name), table.updatedAt, table.id),
    // For ever, as in withdrawals.
    uniqueIndex('wallets_external_id').on(table.workspaceId, table.externalId),
    index('wallets_metadata').using('gin', table.metadataTerms),
    index('wallets_creating').on(table.id).where(sql`${table.status} = 'creating'`),
  ],
);

export const walletKeys = pgTable(
  'wallet_keys',
  {
    walletId: uuid('wallet_id')
      .notNull()
      .references(() => wallets.id),
    curve: text('curve', { enum: curves }).notNull(),
    publicKey: bytes('public_key').notNull(),
    chainCode: bytes('chain_code').notNull(),
    seal: text('seal'),
  },
  (table) => [primaryKey({ columns: [table.walletId, table.curve] })],
);

export const walletAddresses = pgTable(
  'wallet_addresses',
  {
    walletId: uuid('wallet_id')
      .notNull()
      .references(() => wallets.id),
    addressType: text('address_type', { enum: addressTypes }).notNull(),
    address: text('address').notNull(),
    derivationPath: text('derivation_path').notNull(),
    seal: text('seal'),
  },
  (table) => [
    primaryKey({ columns: [table.walletId, table.addressType] }),
    index('wallet_addresses_address').on(table.address),
  ],
);

export type WalletRow = typeof wallets.$inferSelect;
export type WalletKeyRow = typeof walletKeys.$inferSelect;
export type WalletAddressRow = typeof walletAddresses.$inferSelect;

export const sealedWallets = sealedTable<WalletRow>({
  kind: 'wallet',
  table: wallets,
  key: [wallets.id],
  seal: wallets.seal,
  sealOf: (row) => row.seal,
  contentOf: walletContent,
});

/** Whose wallet it is stands in the wallet's row only. */
const ownerOf = (walletId: PgColumn) => ({
  workspaceId: sql<string>`(select owner.workspace_id from wallets owner where owner.id = ${walletId})`,
});

export const sealedWalletKeys = sealedTable<WalletKeyRow & { workspaceId: string }>({
  kind: 'wallet_key',
  table: walletKeys,
  key: [walletKeys.walletId, walletKeys.curve],
  more: ownerOf(walletKeys.walletId),
  seal: walletKeys.seal,
  sealOf: (row) => row.seal,
  contentOf: walletKeyContent,
});

export const sealedWalletAddresses = sealedTable<WalletAddressRow & { workspaceId: string }>({
  kind: 'wallet_address',
  table: walletAddresses,
  key: [walletAddresses.walletId, walletAddresses.addressType],
  more: ownerOf(walletAddresses.walletId),
  seal: walletAddresses.seal,
  sealOf: (row) => row.seal,
  contentOf: walletAddressContent,
});
