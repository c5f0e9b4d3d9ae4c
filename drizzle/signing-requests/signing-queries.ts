// Signing operations, as callers list them and workers read them. Writes nothing.
import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import type { SigningStatus, WalletStatus } from '../../domain/statuses.ts';
import { approvalRounds } from '../approvals/approvals.ts';
import { sealedEntriesOf } from '../audit/inactive-rows.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { anyOf, type Page, selectPage } from '../database/page.ts';
import { preparedQuery } from '../database/prepared-query.ts';
import { wallets } from '../wallets/wallets.ts';
import { workspaces } from '../workspaces/workspaces.ts';
import { type SigningRequestRow, signingRequests } from './signing-requests.ts';

const byId = preparedQuery((db) =>
  db
    .select()
    .from(signingRequests)
    .where(
      and(
        eq(signingRequests.id, sql.placeholder('id')),
        eq(signingRequests.workspaceId, sql.placeholder('workspaceId')),
      ),
    )
    .prepare('find_signing_request'),
);

export async function findSigningRequest(
  db: Database | Transaction,
  workspaceId: string,
  id: string,
): Promise<SigningRequestRow | undefined> {
  const [row] = await byId(db).execute({ id, workspaceId });
  return row;
}

/** For the worker, which knows an operation by its id alone. */
export async function readSigningRequest(
  db: Database | Transaction,
  id: string,
): Promise<SigningRequestRow | undefined> {
  const [row] = await anyById(db).execute({ id });
  return row;
}

const anyById = preparedQuery((db) =>
  db
    .select()
    .from(signingRequests)
    .where(eq(signingRequests.id, sql.placeholder('id')))
    .prepare('read_signing_request'),
);

/**
 * The operation with what may hold it back: where its wallet stands, and what the audit log records of the two
 * (inactive-rows.ts).
 */
export type SigningWork = SigningRequestRow & {
  walletStatus: WalletStatus;
  sealedEntries: string[];
  /** Whether it waits, or has waited, for approvals. */
  hasRound: boolean;
};

/** In the order of the ids. */
export async function readSigningWorks(db: Database, ids: readonly string[]): Promise<(SigningWork | undefined)[]> {
  const found = await workByIds(db).execute({ ids: `{${ids.join(',')}}` });
  const works = new Map(found.map((work) => [work.id, work]));
  return ids.map((id) => works.get(id));
}

const workByIds = preparedQuery((db) =>
  db
    .select({
      ...getTableColumns(signingRequests),
      walletStatus: wallets.status,
      sealedEntries: sealedEntriesOf(signingRequests.id, signingRequests.walletId),
      hasRound: sql<boolean>`exists (select from ${approvalRounds} where ${approvalRounds.subjectId} = ${signingRequests.id})`,
    })
    .from(signingRequests)
    .innerJoin(wallets, eq(wallets.id, signingRequests.walletId))
    .where(sql`${signingRequests.id} = any(${sql.placeholder('ids')}::uuid[])`)
    .prepare('read_signing_works'),
);

/** Those of these ids that are there, in no order. */
export async function findSigningRequests(
  db: Database | Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<SigningRequestRow[]> {
  return db
    .select()
    .from(signingRequests)
    .where(and(anyOf(signingRequests.id, ids), eq(signingRequests.workspaceId, workspaceId)));
}

export interface SigningRequestFilter {
  workspaceId: string;
  /** Absent for all. */
  walletIds: readonly string[] | undefined;
  statuses: readonly SigningStatus[] | undefined;
  networkCodes: readonly string[] | undefined;
  /** There is one at most of each. */
  externalIds: readonly string[] | undefined;
  /** As they are stored. Of what is not signed yet there is none. */
  addresses: readonly string[] | undefined;
}

/** One row more than the page asks for, when there is one. */
export async function listSigningRequests(
  db: Database,
  { workspaceId, walletIds, statuses, networkCodes, externalIds, addresses }: SigningRequestFilter,
  page: Page,
): Promise<SigningRequestRow[]> {
  const { walletId, status, networkInternalCode, externalId, address } = signingRequests;
  const where = [
    eq(signingRequests.workspaceId, workspaceId),
    ...(networkCodes === undefined ? [] : [anyOf(networkInternalCode, networkCodes)]),
  ];
  const withStatus = statuses === undefined ? [] : [anyOf(status, statuses)];
  const ofWallets = walletIds === undefined ? [] : [anyOf(walletId, walletIds)];
  if (externalIds !== undefined) {
    const signedBy = addresses === undefined ? [] : [anyOf(address, addresses)];
    const narrowed = [...where, ...withStatus, ...ofWallets, ...signedBy];
    return selectPage(db, signingRequests, { where: narrowed, parts: [[externalId, externalIds]], page });
  }
  if (addresses !== undefined) {
    const narrowed = [...where, ...withStatus, ...ofWallets];
    return selectPage(db, signingRequests, { where: narrowed, parts: [[address, addresses]], page });
  }
  if (walletIds === undefined)
    return selectPage(db, signingRequests, { where, parts: statuses === undefined ? [] : [[status, statuses]], page });
  return selectPage(db, signingRequests, { where: [...where, ...withStatus], parts: [[walletId, walletIds]], page });
}

/** Which of the workspace's has this name. */
export async function findSigningNamed(
  db: Database | Transaction,
  workspaceId: string,
  name: string,
): Promise<{ id: string; walletId: string } | undefined> {
  const { id, walletId, externalId } = signingRequests;
  const [row] = await db
    .select({ id, walletId })
    .from(signingRequests)
    .where(and(eq(signingRequests.workspaceId, workspaceId), eq(externalId, name)));
  return row;
}

/** What decides whether a wallet may sign now. Undefined when the workspace has no such wallet. */
export async function findSigner(
  tx: Transaction,
  workspaceId: string,
  walletId: string,
): Promise<{ walletStatus: WalletStatus; withdrawalsFrozenAt: Date | null } | undefined> {
  const [row] = await signerById(tx).execute({ walletId, workspaceId });
  return row;
}

const signerById = preparedQuery((db) =>
  db
    .select({ walletStatus: wallets.status, withdrawalsFrozenAt: workspaces.withdrawalsFrozenAt })
    .from(wallets)
    .innerJoin(workspaces, eq(workspaces.id, wallets.workspaceId))
    .where(and(eq(wallets.id, sql.placeholder('walletId')), eq(wallets.workspaceId, sql.placeholder('workspaceId'))))
    .prepare('find_signer'),
);
