// Wallets with their public keys and addresses. Only public material is stored here: shares live in the MPC nodes.
import { and, desc, eq, notInArray, type SQL, sql } from 'drizzle-orm';
import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { mainCluster } from './clusters.ts';
import { bytes, moment } from './columns.ts';
import type { Database, Transaction } from './database.ts';
import type { EventType } from './event-types.ts';
import { momentText, tell } from './events.ts';
import { announce } from './notifications.ts';
import { anyOf, type Page, selectPage } from './page.ts';
import { assertArrow, type Curve, curves, type WalletStatus, walletArrows, walletStatuses } from './status.ts';
import { workspaces } from './workspaces.ts';

export const addressTypes = ['evm', 'sol', 'btc', 'tron'] as const;
export type AddressType = (typeof addressTypes)[number];

export const wallets = pgTable(
  'wallets',
  {
    id: uuid('id').primaryKey(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    name: text('name').notNull(),
    walletType: text('wallet_type', { enum: ['standard', 'mpc'] }).notNull(),
    walletPurpose: text('wallet_purpose'),
    /** Whose nodes hold its keys: what its workspace said when it was made. The database lets nobody change it. */
    cluster: text('cluster').notNull().default(mainCluster),
    status: text('status', { enum: walletStatuses }).notNull().default('creating'),
    statusReason: text('status_reason'),
    errorCode: text('error_code'),
    errorReason: text('error_reason'),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    index('wallets_workspace_created').on(table.workspaceId, table.createdAt, table.id),
    index('wallets_workspace_updated').on(table.workspaceId, table.updatedAt, table.id),
    index('wallets_status_created').on(table.workspaceId, table.status, table.createdAt, table.id),
    index('wallets_status_updated').on(table.workspaceId, table.status, table.updatedAt, table.id),
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
  },
  (table) => [
    primaryKey({ columns: [table.walletId, table.addressType] }),
    index('wallet_addresses_address').on(table.address),
  ],
);

export type WalletRow = typeof wallets.$inferSelect;
export type WalletKeyRow = typeof walletKeys.$inferSelect;
export type WalletAddressRow = typeof walletAddresses.$inferSelect;

/** In the cluster that its workspace has for new wallets. */
export async function insertWallet(
  tx: Transaction,
  wallet: Omit<typeof wallets.$inferInsert, 'cluster'>,
): Promise<void> {
  const cluster = sql`(select cluster from workspaces where id = ${wallet.workspaceId})`;
  await tx.insert(wallets).values({ ...wallet, cluster });
}

/** The name of the cluster that holds its keys, for ever; undefined when there is no such wallet. */
export async function findWalletCluster(db: Database, id: string): Promise<string | undefined> {
  const [row] = await db.select({ cluster: wallets.cluster }).from(wallets).where(eq(wallets.id, id));
  return row?.cluster;
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

/** The wallet, held against other changes until the transaction ends: `share` lets others read it under the same hold. */
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
  id: string,
  fields: Partial<Pick<WalletRow, 'name' | 'walletPurpose'>>,
): Promise<WalletRow> {
  const [row] = await tx
    .update(wallets)
    .set({ ...fields, updatedAt: sql`now()` })
    .where(eq(wallets.id, id))
    .returning();
  if (row === undefined) throw new Error('a wallet that was locked is not there');
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

export interface WalletFilter {
  workspaceId: string;
  /** Only these; empty for all. */
  walletIds: readonly string[];
  statuses: readonly WalletStatus[] | undefined;
}

/** One row more than the page asks for, when there is one. */
export async function listWallets(db: Database, filter: WalletFilter, page: Page): Promise<WalletRow[]> {
  const { workspaceId, walletIds, statuses } = filter;
  const ofWorkspace = eq(wallets.workspaceId, workspaceId);
  if (walletIds.length === 0)
    return selectPage(db, wallets, [ofWorkspace], statuses === undefined ? [] : [[wallets.status, statuses]], page);
  const withStatus = statuses === undefined ? [] : [anyOf(wallets.status, statuses)];
  return selectPage(db, wallets, [ofWorkspace, anyOf(wallets.id, walletIds), ...withStatus], [], page);
}

/** What callers hear of a wallet, as it is after the change; `more` by its name on the wire. */
const tellWallet = (type: EventType, more: Readonly<Record<string, SQL>> = {}) =>
  tell({
    type,
    workspaceId: wallets.workspaceId,
    walletId: wallets.id,
    data: {
      id: wallets.id,
      wallet_id: wallets.id,
      workspace_id: wallets.workspaceId,
      name: wallets.name,
      wallet_type: wallets.walletType,
      wallet_purpose: wallets.walletPurpose,
      status: wallets.status,
      error_code: wallets.errorCode,
      error_reason: wallets.errorReason,
      created_at: momentText(wallets.createdAt),
      updated_at: momentText(wallets.updatedAt),
      ...more,
    },
  });

/** Nothing is told of one that is archived. */
function eventOf(from: WalletStatus, to: WalletStatus): EventType | undefined {
  if (from === 'creating') return to === 'active' ? 'wallet.created' : 'wallet.creation_failed';
  return to === 'frozen' ? 'wallet.frozen' : to === 'active' ? 'wallet.unfrozen' : undefined;
}

type WalletFields = Partial<Pick<WalletRow, 'statusReason' | 'errorCode' | 'errorReason'>>;

/** Moves a wallet along one arrow, by compare-and-set. False when it no longer stood at `from`. */
export async function advanceWallet(
  tx: Database | Transaction,
  id: string,
  from: WalletStatus,
  to: WalletStatus,
  fields: WalletFields = {},
): Promise<boolean> {
  return moveWallet(tx, id, from, to, fields, []);
}

async function moveWallet(
  tx: Database | Transaction,
  id: string,
  from: WalletStatus,
  to: WalletStatus,
  fields: WalletFields,
  addresses: readonly Pick<WalletAddressRow, 'addressType' | 'address'>[],
): Promise<boolean> {
  assertArrow(walletArrows, from, to);
  const event = eventOf(from, to);
  const byType = Object.fromEntries(addresses.map(({ addressType, address }) => [addressType, address]));
  const more = event === 'wallet.created' ? { addresses: sql`${JSON.stringify(byType)}::jsonb` } : {};
  const moved = await tx
    .update(wallets)
    .set({ statusReason: null, ...fields, status: to, updatedAt: sql`now()` })
    .where(and(eq(wallets.id, id), eq(wallets.status, from)))
    .returning({
      id: wallets.id,
      ...(from === 'creating' ? { announced: announce(wallets.id) } : {}),
      ...(event === undefined ? {} : { told: tellWallet(event, more) }),
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

/** Keys and addresses appear in the same commit as `active`. Safe to repeat: a wallet that is already active is left alone. */
export async function activateWallet(
  db: Database,
  id: string,
  keys: readonly (typeof walletKeys.$inferInsert)[],
  addresses: readonly (typeof walletAddresses.$inferInsert)[],
): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await moveWallet(tx, id, 'creating', 'active', {}, addresses))) return false;
    await tx.insert(walletKeys).values([...keys]);
    await tx.insert(walletAddresses).values([...addresses]);
    return true;
  });
}
