// Seals the rows of before there were seals, once, at the upgrade; and seals anew what was sealed under a former
// key-encryption key. Safe to interrupt and to run beside the service. Seals nothing a second time: a row that has no
// seal after the upgrade was not written by this service.

import { insertOperatorEntryForAll, toKeptText } from '../../drizzle/audit/audit-entries.ts';
import { recordInactive } from '../../drizzle/audit/inactive-rows.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { sealedTables } from '../../drizzle/sealed-rows/all-sealed-tables.ts';
import { findSealedAt, markSealed } from '../../drizzle/sealed-rows/row-sealing.ts';
import type { SealedKind, Seals } from '../../drizzle/seals/seals.ts';
import { listInactiveWallets, lockInactiveWallet } from '../../drizzle/wallets/wallet-queries.ts';

export type SealedRows = Partial<Record<SealedKind, number>>;

/** Answers how many of each kind; since when it is done, when it was done before. */
export async function sealRows(db: Database, seals: Seals): Promise<SealedRows | Date> {
  const before = await findSealedAt(db);
  if (before !== undefined) return before;
  const sealed: SealedRows = {};
  for (const table of sealedTables) sealed[table.kind] = await table.sealAll(db, seals);
  await recordInactiveWallets(db, seals);
  await db.transaction(async (tx) => {
    await markSealed(tx);
    await insertOperatorEntryForAll(tx, { action: 'workspace seal-rows', after: toKeptText(sealed) });
  });
  return sealed;
}

export interface Resealing {
  resealed: number;
  /** `KIND ID` of those whose seal does not hold. */
  broken: string[];
}

export async function resealRows(db: Database, seals: Seals): Promise<Resealing> {
  const all: Resealing = { resealed: 0, broken: [] };
  for (const table of sealedTables) {
    const { resealed, broken } = await table.resealAll(db, seals);
    all.resealed += resealed;
    all.broken.push(...broken.map((id) => `${table.kind} ${id}`));
  }
  await recordInactiveWallets(db, seals);
  return all;
}

/**
 * The audit log records which wallets are frozen or archived, under the key-encryption key of that time: recorded again
 * under the one of today, and for the first time where an older version froze them.
 */
async function recordInactiveWallets(db: Database, seals: Seals): Promise<void> {
  for (const id of await listInactiveWallets(db))
    await db.transaction(async (tx) => {
      const wallet = await lockInactiveWallet(tx, id);
      if (wallet === undefined) return;
      const { status, workspaceId } = wallet;
      await recordInactive(tx, seals, { kind: 'wallet', id, walletId: id, workspaceId }, { status });
    });
}

/** One sentence for who ran it. */
export function describeSealing(sealed: SealedRows | Date): string {
  if (sealed instanceof Date)
    return `Rows were sealed at ${sealed.toISOString()}, and are sealed once: one without a seal since then was not written by this service.`;
  const counts = Object.entries(sealed).filter(([, count]) => count > 0);
  const words = counts.map(([kind, count]) => `${kind.replaceAll('_', ' ')} ${count}`).join(', ');
  return words === '' ? 'No row of before had to be sealed.' : `Rows of before the upgrade are sealed: ${words}.`;
}
