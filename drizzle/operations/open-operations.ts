// Operations that have been open for long, for whoever asks what became of their workflows. Decides nothing.
import { and, eq, gt, lt, notExists, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { SigningStatus } from '../../domain/statuses.ts';
import type { Database } from '../database/connection.ts';
import { networks } from '../networks/networks.ts';
import { isSigningOpen, signingRequests } from '../signing-requests/signing-requests.ts';
import { wallets } from '../wallets/wallets.ts';
import { isWithdrawalOpen, withdrawals } from '../withdrawals/withdrawals.ts';
import { outbox } from '../writes/workflow-outbox.ts';

export interface OpenPage {
  openForMs: number;
  /** Ids are in the order of time: those after this one. */
  afterId: string;
  limit: number;
}

/** Oldest first, without those whose workflow is not started yet. */
export async function listOpenSigningRequests(
  db: Database,
  page: OpenPage,
): Promise<{ id: string; status: SigningStatus }[]> {
  const { id, status, createdAt } = signingRequests;
  return db
    .select({ id, status })
    .from(signingRequests)
    .where(and(isSigningOpen, ...oldAndStarted(db, id, createdAt, page)))
    .orderBy(id)
    .limit(page.limit);
}

/** Oldest first, without those whose workflow is not started yet. */
export async function listOpenWallets(db: Database, page: OpenPage): Promise<{ id: string }[]> {
  const { id, status, createdAt } = wallets;
  return db
    .select({ id })
    .from(wallets)
    .where(and(sql`${status} = 'creating'`, ...oldAndStarted(db, id, createdAt, page)))
    .orderBy(id)
    .limit(page.limit);
}

/** Oldest first, with what its workflow takes; without those whose workflow is not started yet. */
export async function listOpenWithdrawals(
  db: Database,
  page: OpenPage,
): Promise<{ id: string; workspaceId: string; walletId: string; networkCode: string }[]> {
  const { id, createdAt, workspaceId, walletId, networkId } = withdrawals;
  return db
    .select({ id, workspaceId, walletId, networkCode: networks.internalCode })
    .from(withdrawals)
    .innerJoin(networks, eq(networks.id, networkId))
    .where(and(isWithdrawalOpen, ...oldAndStarted(db, id, createdAt, page)))
    .orderBy(id)
    .limit(page.limit);
}

function oldAndStarted(db: Database, id: AnyPgColumn, createdAt: AnyPgColumn, page: OpenPage): SQL[] {
  return [
    gt(id, page.afterId),
    lt(createdAt, sql`now() - ${page.openForMs} * interval '1 millisecond'`),
    notExists(db.select({ id: outbox.id }).from(outbox).where(eq(outbox.workflowId, id))),
  ];
}
