// Which wallets there are, read one by one or held against other changes. Writes nothing; pages are in list-wallets.ts.
import { and, desc, eq, inArray, notInArray } from 'drizzle-orm';
import type { Database, Transaction } from '../database/connection.ts';
import type { Seals } from '../seals/seals.ts';
import { sealedWallets, type WalletRow, wallets } from './wallets.ts';

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
