// Wallets with their public keys and addresses. Only public material is stored here: shares live in the MPC nodes.

import { and, desc, eq, getTableColumns, inArray, notInArray, sql } from 'drizzle-orm';
import { index, jsonb, type PgColumn, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { mainCluster } from '../../domain/clusters.ts';
import type { EventType } from '../../domain/events/event-types.ts';
import { type FailureCode } from '../../domain/failures.ts';
import {
  assertArrow,
  type Curve,
  curves,
  type WalletStatus,
  walletArrows,
  walletStatuses,
} from '../../domain/statuses.ts';
import { type AddressType, addressTypes } from '../../domain/wallets/address-types.ts';
import type { WalletMetadata } from '../../domain/wallets/wallet-metadata.ts';
import { walletTypes } from '../../domain/wallets/wallet-types.ts';
import { lowerCaseOf } from '../database/any-case.ts';
import { bytes, moment } from '../database/columns.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { notify } from '../database/notifications.ts';
import { anyOf } from '../database/page.ts';
import { recordEvent } from '../events/events.ts';
import type { RecordedRow } from '../events/recorded-rows.ts';
import { sealedTable } from '../seals/sealed-tables.ts';
import type { Seals } from '../seals/seals.ts';
import { findWorkspace, workspaces } from '../workspaces/workspaces.ts';
import { walletAddressContent, walletContent, walletKeyContent } from './wallet-content.ts';
import { metadataTerms } from './wallet-metadata.ts';

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

/**
 * Sealed, in the cluster that its workspace has for new wallets. False when its external id names one that is there
 * already; a concurrent one is waited for.
 */
export async function insertWallet(
  tx: Transaction,
  seals: Seals,
  wallet: Omit<typeof wallets.$inferInsert, 'cluster' | 'seal' | 'metadataTerms'>,
): Promise<boolean> {
  const workspace = await findWorkspace(tx, wallet.workspaceId);
  if (workspace === undefined) throw new Error('the workspace of a wallet is not there');
  const row = { ...wallet, cluster: workspace.cluster };
  const terms = metadataTerms(wallet.workspaceId, wallet.metadata ?? {});
  const inserted = await tx
    .insert(wallets)
    .values({ ...row, metadataTerms: terms, seal: seals.seal('wallet', walletContent(row)) })
    .onConflictDoNothing({ target: [wallets.workspaceId, wallets.externalId] })
    .returning({ id: wallets.id });
  return inserted.length === 1;
}

/** Which of the workspace's has this name. */
export async function findWalletNamed(
  db: Database | Transaction,
  workspaceId: string,
  externalId: string,
): Promise<{ id: string; walletId: string } | undefined> {
  const [row] = await db
    .select({ id: wallets.id, walletId: wallets.id })
    .from(wallets)
    .where(and(eq(wallets.workspaceId, workspaceId), eq(wallets.externalId, externalId)));
  return row;
}

/**
 * The name of the cluster that holds its keys, for ever; undefined when there is no such wallet. Throws
 * BrokenSealError.
 */
export async function findWalletCluster(db: Database, seals: Seals, id: string): Promise<string | undefined> {
  const [row] = await db.select().from(wallets).where(eq(wallets.id, id));
  if (row !== undefined) sealedWallets.assert(seals, row);
  return row?.cluster;
}

/** Undefined when there is no such wallet. */
export async function findWalletWorkspace(db: Database | Transaction, id: string): Promise<string | undefined> {
  const [row] = await db.select({ workspaceId: wallets.workspaceId }).from(wallets).where(eq(wallets.id, id));
  return row?.workspaceId;
}

const isInactive = inArray(wallets.status, ['frozen', 'archived']);

/** Those that sign nothing, of all workspaces. */
export async function listInactiveWallets(db: Database): Promise<string[]> {
  const rows = await db.select({ id: wallets.id }).from(wallets).where(isInactive).orderBy(wallets.id);
  return rows.map(({ id }) => id);
}

/** Held against other changes until the transaction ends; undefined when it signs by now. */
export async function lockInactiveWallet(tx: Transaction, id: string): Promise<WalletRow | undefined> {
  const [row] = await tx
    .select()
    .from(wallets)
    .where(and(eq(wallets.id, id), isInactive))
    .for('no key update');
  return row;
}

/** A wallet of that cluster that has its keys, the newest one; undefined when there is none. */
export async function findWalletOf(db: Database, cluster: string): Promise<string | undefined> {
  const [row] = await db
    .select({ id: wallets.id })
    .from(wallets)
    .where(and(eq(wallets.cluster, cluster), notInArray(wallets.status, ['creating', 'failed'])))
    .orderBy(desc(wallets.createdAt))
    .limit(1);
  return row?.id;
}

export async function findWallet(
  db: Database | Transaction,
  workspaceId: string,
  id: string,
): Promise<WalletRow | undefined> {
  const [row] = await db
    .select()
    .from(wallets)
    .where(and(eq(wallets.id, id), eq(wallets.workspaceId, workspaceId)));
  return row;
}

/**
 * The wallet, held against other changes until the transaction ends: `share` lets others read it under the same hold.
 */
export async function lockWallet(
  tx: Transaction,
  workspaceId: string,
  id: string,
  strength: 'share' | 'no key update',
): Promise<WalletRow | undefined> {
  const [row] = await tx
    .select()
    .from(wallets)
    .where(and(eq(wallets.id, id), eq(wallets.workspaceId, workspaceId)))
    .for(strength);
  return row;
}

export async function updateWallet(
  tx: Transaction,
  { workspaceId, id }: Pick<WalletRow, 'workspaceId' | 'id'>,
  fields: Partial<Pick<WalletRow, 'name' | 'walletPurpose' | 'metadata'>>,
): Promise<WalletRow> {
  const { metadata } = fields;
  const terms = metadata === undefined ? {} : { metadataTerms: metadataTerms(workspaceId, metadata) };
  const [row] = await tx
    .update(wallets)
    .set({ ...fields, ...terms, updatedAt: sql`now()` })
    .where(eq(wallets.id, id))
    .returning();
  if (row === undefined) throw new Error('a wallet that was locked is not there');
  return row;
}

export interface KeyOwner {
  workspaceId: string;
  walletId: string;
}

/** As it was sealed for this very workspace. Throws BrokenSealError. */
export async function findSealedKey(
  db: Database,
  seals: Seals,
  { workspaceId, walletId }: KeyOwner,
  curve: Curve,
): Promise<WalletKeyRow | undefined> {
  const row = await findWalletKey(db, walletId, curve);
  if (row !== undefined) sealedWalletKeys.assert(seals, { ...row, workspaceId });
  return row;
}

export async function findWalletKey(db: Database, walletId: string, curve: Curve): Promise<WalletKeyRow | undefined> {
  const [row] = await db
    .select()
    .from(walletKeys)
    .where(and(eq(walletKeys.walletId, walletId), eq(walletKeys.curve, curve)));
  return row;
}

export type KeyPlace = Pick<WalletKeyRow, 'walletId' | 'curve'>;

export interface KeyFilter {
  walletId?: string | undefined;
  cluster?: string | undefined;
  after?: KeyPlace | undefined;
  limit: number;
}

/** In the order of wallets and curves, behind `after`; of one wallet or of one cluster when it is named. */
export async function listWalletKeys(
  db: Database,
  { walletId, cluster, after, limit }: KeyFilter,
): Promise<WalletKeyRow[]> {
  const isBehind =
    after && sql`(${walletKeys.walletId}, ${walletKeys.curve}) > (${after.walletId}::uuid, ${after.curve})`;
  const isOfCluster =
    cluster === undefined
      ? undefined
      : sql`exists (select from wallets where wallets.id = ${walletKeys.walletId} and wallets.cluster = ${cluster})`;
  return db
    .select()
    .from(walletKeys)
    .where(and(walletId === undefined ? undefined : eq(walletKeys.walletId, walletId), isOfCluster, isBehind))
    .orderBy(walletKeys.walletId, walletKeys.curve)
    .limit(limit);
}

/** What may be shown as the wallet's own, and taken from. Throws BrokenSealError. */
export async function findSealedAddress(
  db: Database | Transaction,
  seals: Seals,
  { workspaceId, id }: Pick<WalletRow, 'workspaceId' | 'id'>,
  addressType: AddressType,
): Promise<WalletAddressRow | undefined> {
  const row = await findWalletAddress(db, id, addressType);
  if (row !== undefined) sealedWalletAddresses.assert(seals, { ...row, workspaceId });
  return row;
}

export async function findWalletAddress(
  db: Database | Transaction,
  walletId: string,
  addressType: AddressType,
): Promise<WalletAddressRow | undefined> {
  const [row] = await db
    .select()
    .from(walletAddresses)
    .where(and(eq(walletAddresses.walletId, walletId), eq(walletAddresses.addressType, addressType)));
  return row;
}

/**
 * What may be shown as the wallets' own, of several at once. One whose seal does not hold is left out, and reported.
 */
export async function listSealedAddresses(
  db: Database | Transaction,
  seals: Seals,
  owners: readonly Pick<WalletRow, 'workspaceId' | 'id'>[],
): Promise<WalletAddressRow[]> {
  if (owners.length === 0) return [];
  const workspaceOf = new Map(owners.map(({ id, workspaceId }) => [id, workspaceId]));
  const rows = await db
    .select()
    .from(walletAddresses)
    .where(anyOf(walletAddresses.walletId, [...workspaceOf.keys()]));
  return rows.filter((row) =>
    sealedWalletAddresses.counts(seals, { ...row, workspaceId: workspaceOf.get(row.walletId) ?? '' }),
  );
}

const {
  seal: _seal,
  metadata: _metadata,
  metadataTerms: _terms,
  workflowId: _workflow,
  ...publicColumns
} = getTableColumns(wallets);

/** What its events record. What callers keep with it is for who reads it. */
export const recordedWallet = {
  ...publicColumns,
  walletId: wallets.id,
  /** By chain family, when it gets them. */
  addresses: sql<Readonly<Partial<Record<AddressType, string>>> | null>`null`,
};
export type RecordedWallet = RecordedRow<typeof recordedWallet>;

/** One that is archived has no event. */
function eventOf(from: WalletStatus, to: WalletStatus): EventType | undefined {
  if (from === 'creating') return to === 'active' ? 'wallet.created' : 'wallet.creation_failed';
  return to === 'frozen' ? 'wallet.frozen' : to === 'active' ? 'wallet.unfrozen' : undefined;
}

type WalletFields = Partial<Pick<WalletRow, 'statusReason' | 'reason' | 'errorCode' | 'errorReason'>>;

interface WalletMove {
  from: WalletStatus;
  to: WalletStatus;
  fields?: WalletFields;
  /** Of one that becomes active for the first time: what its event tells. */
  addresses?: readonly Pick<WalletAddressRow, 'addressType' | 'address'>[];
}

/** Moves a wallet along one arrow, by compare-and-set. False when it no longer stood at `from`. */
export async function advanceWallet(
  tx: Database | Transaction,
  id: string,
  { from, to, fields, addresses = [] }: WalletMove,
): Promise<boolean> {
  assertArrow(walletArrows, from, to);
  const event = eventOf(from, to);
  const byType = Object.fromEntries(addresses.map(({ addressType, address }) => [addressType, address]));
  const given = event === 'wallet.created' ? { addresses: sql`${JSON.stringify(byType)}::jsonb` } : {};
  const moved = await tx
    .update(wallets)
    .set({ statusReason: null, reason: null, ...fields, status: to, updatedAt: sql`now()` })
    .where(and(eq(wallets.id, id), eq(wallets.status, from)))
    .returning({
      id: wallets.id,
      ...(from === 'creating' ? { announced: notify(wallets.id) } : {}),
      ...(event === undefined ? {} : { eventId: recordEvent(event, { ...recordedWallet, ...given }) }),
    });
  return moved.length === 1;
}

/** Says why a wallet is still being created; a wallet that is no longer `creating` is left alone. */
export async function noteWalletWaiting(db: Database, id: string, statusReason: string): Promise<void> {
  await db
    .update(wallets)
    .set({ statusReason, updatedAt: sql`now()` })
    .where(and(eq(wallets.id, id), eq(wallets.status, 'creating')));
}

export interface WalletMaterial {
  keys: readonly Omit<WalletKeyRow, 'walletId' | 'seal'>[];
  addresses: readonly Omit<WalletAddressRow, 'walletId' | 'seal'>[];
}

/**
 * Keys and addresses appear, sealed, in the same commit as `active`. Safe to repeat: a wallet that is already active is
 * left alone. Throws BrokenSealError when the wallet's own row does not count.
 */
export async function activateWallet(
  db: Database,
  seals: Seals,
  walletId: string,
  { keys, addresses }: WalletMaterial,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [wallet] = await tx.select().from(wallets).where(eq(wallets.id, walletId));
    if (wallet === undefined) return false;
    sealedWallets.assert(seals, wallet);
    if (!(await advanceWallet(tx, walletId, { from: 'creating', to: 'active', addresses }))) return false;
    const owner = { walletId, workspaceId: wallet.workspaceId };
    const sealedKeys = keys.map((key) => ({
      ...key,
      walletId,
      seal: seals.seal('wallet_key', walletKeyContent({ ...key, ...owner })),
    }));
    const sealedAddresses = addresses.map((address) => ({
      ...address,
      walletId,
      seal: seals.seal('wallet_address', walletAddressContent({ ...address, ...owner })),
    }));
    if (keys.length > 0) await tx.insert(walletKeys).values(sealedKeys);
    if (addresses.length > 0) await tx.insert(walletAddresses).values(sealedAddresses);
    return true;
  });
}
