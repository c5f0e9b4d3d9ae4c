// The attempts of a signing operation as the worker makes them: begun only while the wallet and the workspace may sign, noted on the row.
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Database } from './database.ts';
import { signingRequests } from './signing-requests.ts';
import { assertArrow, type SigningStatus, type SigningStatusReason, signingArrows } from './status.ts';
import { wallets } from './wallets.ts';
import { workspaces } from './workspaces.ts';

const mayOpen: SigningStatus[] = ['pending', 'submitted'];

/**
 * Begins an attempt: pending → submitted, or notes a further attempt of one that is submitted. False when the operation is closed, or while its
 * wallet is not active or its workspace is frozen: nothing is written then.
 */
export async function beginSigningAttempt(db: Database, id: string, mpcCorrelationId: string): Promise<boolean> {
  assertArrow(signingArrows, 'pending', 'submitted');
  const begun = await db
    .update(signingRequests)
    .set({ status: 'submitted', mpcCorrelationId, updatedAt: sql`now()` })
    .from(wallets)
    .innerJoin(workspaces, eq(workspaces.id, wallets.workspaceId))
    .where(
      and(
        eq(signingRequests.id, id),
        inArray(signingRequests.status, mayOpen),
        eq(wallets.id, signingRequests.walletId),
        eq(wallets.status, 'active'),
        sql`${workspaces.withdrawalsFrozenAt} is null`,
      ),
    )
    .returning({ id: signingRequests.id });
  return begun.length === 1;
}

export interface SigningStanding {
  status: SigningStatus;
  mpcCorrelationId: string | null;
  walletStatus: string;
  workspaceFrozen: boolean;
}

/** Where an operation stands, and what may hold it back. */
export async function findSigningStanding(db: Database, id: string): Promise<SigningStanding | undefined> {
  const [standing] = await db
    .select({
      status: signingRequests.status,
      mpcCorrelationId: signingRequests.mpcCorrelationId,
      walletStatus: wallets.status,
      workspaceFrozen: sql<boolean>`${workspaces.withdrawalsFrozenAt} is not null`,
    })
    .from(signingRequests)
    .innerJoin(wallets, eq(wallets.id, signingRequests.walletId))
    .innerJoin(workspaces, eq(workspaces.id, signingRequests.workspaceId))
    .where(eq(signingRequests.id, id));
  return standing;
}

/** Says why an attempt waits; an operation that is not `submitted` is left alone. */
export async function noteSigningWait(db: Database, id: string, statusReason: SigningStatusReason): Promise<void> {
  await db
    .update(signingRequests)
    .set({ statusReason, updatedAt: sql`now()` })
    .where(and(eq(signingRequests.id, id), eq(signingRequests.status, 'submitted')));
}
