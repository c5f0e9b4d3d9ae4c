// The life of a wallet: each statement that makes or changes one, with the event that it records.
import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import type { EventType } from '../../domain/events/event-types.ts';
import { assertArrow, type WalletStatus, walletArrows } from '../../domain/statuses.ts';
import type { AddressType } from '../../domain/wallets/address-types.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { notify } from '../database/notifications.ts';
import { recordEvent } from '../events/events.ts';
import type { RecordedRow } from '../events/recorded-rows.ts';
import type { Seals } from '../seals/seals.ts';
import { findWorkspace } from '../workspaces/workspaces.ts';
import { walletAddressContent, walletContent, walletKeyContent } from './wallet-content.ts';
import { metadataTerms } from './wallet-metadata.ts';
import {
  sealedWallets,
  type WalletAddressRow,
  type WalletKeyRow,
  type WalletRow,
  walletAddresses,
  walletKeys,
  wallets,
} from './wallets.ts';

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
