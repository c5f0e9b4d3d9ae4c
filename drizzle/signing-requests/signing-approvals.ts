// Signing operations that must be approved: read with what was said of them, held while something is decided, and let
// go.
import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import { type ApprovalView, approvalRounds, listApprovals, votesOfRound } from '../approvals/approvals.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { anyOf } from '../database/page.ts';
import { preparedQuery } from '../database/prepared-query.ts';
import { servedTogether } from '../database/served-together.ts';
import { type SigningRequestRow, signingRequests } from './signing-requests.ts';

/** `approval` is undefined when none was needed. */
export type SigningRequestView = SigningRequestRow & { approval: ApprovalView | undefined };

/** Most have no round: what one is made of is asked for only where there is one. */
const viewById = preparedQuery((db) =>
  db
    .select({
      ...getTableColumns(signingRequests),
      hasRound: sql<boolean>`exists (select from ${approvalRounds} where ${approvalRounds.subjectId} = ${signingRequests}.id)`,
    })
    .from(signingRequests)
    .where(
      and(
        eq(signingRequests.id, sql.placeholder('id')),
        eq(signingRequests.workspaceId, sql.placeholder('workspaceId')),
      ),
    )
    .prepare('view_signing_request'),
);

const selectViews = (db: Database | Transaction) =>
  db
    .select({ row: signingRequests, round: approvalRounds, votes: votesOfRound })
    .from(signingRequests)
    .leftJoin(approvalRounds, eq(approvalRounds.subjectId, signingRequests.id));

export async function viewSigningRequest(
  db: Database | Transaction,
  workspaceId: string,
  id: string,
): Promise<SigningRequestView | undefined> {
  const [found] = await viewById(db).execute({ id, workspaceId });
  if (found === undefined) return undefined;
  const { hasRound, ...row } = found;
  const approval = hasRound ? (await listApprovals(db, [row.id])).get(row.id) : undefined;
  return { ...row, approval };
}

const viewByIds = preparedQuery((db) =>
  db
    .select({
      ...getTableColumns(signingRequests),
      hasRound: sql<boolean>`exists (select from ${approvalRounds} where ${approvalRounds.subjectId} = ${signingRequests}.id)`,
    })
    .from(signingRequests)
    .where(sql`${signingRequests.id} = any(${sql.placeholder('ids')}::uuid[])`)
    .prepare('view_signing_requests'),
);

const READ_TOGETHER_MAX = 64;

/**
 * As `viewSigningRequest`, with all that are read at once in one statement: what a read costs most is its own round
 * trip. Of another workspace's id there is nothing.
 */
export function signingViewsTogether(
  db: Database,
): (workspaceId: string, id: string) => Promise<SigningRequestView | undefined> {
  const read = servedTogether<{ workspaceId: string; id: string }, SigningRequestView | undefined>({
    most: READ_TOGETHER_MAX,
    all: async (asked) => {
      const found = await viewByIds(db).execute({ ids: `{${asked.map(({ id }) => id).join(',')}}` });
      const rows = new Map(found.map((row) => [row.id, row]));
      const decided = found.filter(({ hasRound }) => hasRound).map(({ id }) => id);
      const approvals = await listApprovals(db, decided);
      return asked.map(({ workspaceId, id }) => {
        const row = rows.get(id);
        return row?.workspaceId === workspaceId ? { ...row, approval: approvals.get(id) } : undefined;
      });
    },
  });
  return (workspaceId, id) => read({ workspaceId, id: id.toLowerCase() });
}

/** Those of these ids that are there, in no order. */
export async function viewSigningRequests(
  db: Database | Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<SigningRequestView[]> {
  const found = await selectViews(db).where(
    and(anyOf(signingRequests.id, ids), eq(signingRequests.workspaceId, workspaceId)),
  );
  return found.map(toView);
}

/** Rows that were read already, in their order. */
export async function withApprovals(
  db: Database | Transaction,
  rows: readonly SigningRequestRow[],
): Promise<SigningRequestView[]> {
  const approvals = await listApprovals(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ ...row, approval: approvals.get(row.id) }));
}

function toView({ row, round, votes }: Awaited<ReturnType<typeof selectViews>>[number]): SigningRequestView {
  return { ...row, approval: round === null ? undefined : { round, votes } };
}

/** Held against other changes until the transaction ends. */
export async function lockSigningRequest(tx: Transaction, id: string): Promise<SigningRequestRow | undefined> {
  const [row] = await tx.select().from(signingRequests).where(eq(signingRequests.id, id)).for('no key update');
  return row;
}

/** Lets an operation that waited for approvals go on, by compare-and-set. False when it does not wait for them. */
export async function releaseSigningRequest(tx: Transaction, id: string): Promise<boolean> {
  const { status, statusReason } = signingRequests;
  const released = await tx
    .update(signingRequests)
    .set({ statusReason: null, updatedAt: sql`now()` })
    .where(and(eq(signingRequests.id, id), eq(status, 'pending'), eq(statusReason, 'awaiting_approval')))
    .returning({ id: signingRequests.id });
  return released.length === 1;
}
