// The policies of a workspace: every version that was ever asked for.
import { and, eq, max, sql } from 'drizzle-orm';
import { integer, jsonb, pgTable, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { PolicyDocument } from '../../domain/policies/policy-document.ts';
import { policyStatuses } from '../../domain/statuses.ts';
import { moment } from '../database/columns.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { preparedQuery } from '../database/prepared-query.ts';
import { sealedTable } from '../seals/sealed-tables.ts';
import type { Sealing } from '../seals/sealing.ts';
import type { SealedContent, Seals } from '../seals/seals.ts';
import { workspaces } from '../workspaces/workspaces.ts';

export const policies = pgTable(
  'policies',
  {
    id: uuid('id').primaryKey(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    version: integer('version').notNull(),
    document: jsonb('document').$type<PolicyDocument>().notNull(),
    status: text('status', { enum: policyStatuses }).notNull(),
    createdBy: uuid('created_by').notNull(),
    seal: text('seal'),
    sealVersion: integer('seal_version').notNull().default(0),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    unique('policies_version').on(table.workspaceId, table.version),
    uniqueIndex('policies_active').on(table.workspaceId).where(sql`${table.status} = 'active'`),
    uniqueIndex('policies_pending').on(table.workspaceId).where(sql`${table.status} = 'pending'`),
  ],
);

export type PolicyRow = typeof policies.$inferSelect;

/** What a seal of a version is over. */
const policyContentOf = ({ id, workspaceId, version, document, status, createdBy, sealVersion }: PolicyRow) =>
  ({
    id,
    workspace_id: workspaceId,
    version,
    document,
    status,
    created_by: createdBy,
    seal_version: sealVersion,
  }) satisfies SealedContent;

export const sealedPolicies = sealedTable<PolicyRow>({
  kind: 'policy',
  table: policies,
  key: [policies.id],
  seal: policies.seal,
  sealOf: (row) => row.seal,
  contentOf: policyContentOf,
});

/** The active version; every version, where none is active. */
const deciding = preparedQuery((db) =>
  db
    .select()
    .from(policies)
    .where(
      and(
        eq(policies.workspaceId, sql.placeholder('workspaceId')),
        sql`(${policies.status} = 'active' or not exists (
          select from policies other where other.workspace_id = ${sql.placeholder('workspaceId')} and other.status = 'active'))`,
      ),
    )
    .prepare('find_deciding_policies'),
);

/**
 * Undefined for a workspace that has never set one; `broken` when somebody else has written it, or has taken the active
 * one away: nothing may be decided by what is left then.
 */
export async function findActivePolicy(
  db: Database | Transaction,
  seals: Seals,
  workspaceId: string,
): Promise<PolicyRow | 'broken' | undefined> {
  const rows = await deciding(db).execute({ workspaceId });
  const areAllOurs = rows.every((row) => sealedPolicies.counts(seals, row));
  return areAllOurs ? rows.find(({ status }) => status === 'active') : 'broken';
}

/** Any version, whether or not its seal holds. */
export async function findPolicy(
  db: Database | Transaction,
  workspaceId: string,
  id: string,
): Promise<PolicyRow | undefined> {
  const [row] = await db
    .select()
    .from(policies)
    .where(and(eq(policies.id, id), eq(policies.workspaceId, workspaceId)));
  return row;
}

/** Whether or not its seal holds: for who puts another one in its place. */
export async function findActivePolicyId(tx: Transaction, workspaceId: string): Promise<string | undefined> {
  const [row] = await tx
    .select({ id: policies.id })
    .from(policies)
    .where(and(eq(policies.workspaceId, workspaceId), eq(policies.status, 'active')));
  return row?.id;
}

/** The change that waits for approvals. There is one at most. */
export async function findPendingPolicy(
  db: Database | Transaction,
  workspaceId: string,
): Promise<PolicyRow | undefined> {
  const [row] = await db
    .select()
    .from(policies)
    .where(and(eq(policies.workspaceId, workspaceId), eq(policies.status, 'pending')));
  return row;
}

type NewPolicy = Pick<PolicyRow, 'id' | 'workspaceId' | 'document' | 'createdBy'> & { status: 'active' | 'pending' };

/** The next version. To be called with the workspace locked. */
export async function insertPolicy(tx: Transaction, { seals, note }: Sealing, policy: NewPolicy): Promise<PolicyRow> {
  const [newest] = await tx
    .select({ version: max(policies.version) })
    .from(policies)
    .where(eq(policies.workspaceId, policy.workspaceId));
  const versioned = { ...policy, version: (newest?.version ?? 0) + 1, sealVersion: 1 };
  const seal = seals.seal('policy', policyContentOf(versioned as PolicyRow));
  const [row] = await tx
    .insert(policies)
    .values({ ...versioned, seal })
    .returning();
  if (row === undefined) throw new Error('an insert returned no row');
  note({ kind: 'policy', id: row.id, version: row.sealVersion });
  return row;
}

/**
 * By compare-and-set. False when it no longer stood at `from`. Throws BrokenSealError for one that would come into
 * force and that somebody else has written.
 */
export async function advancePolicy(
  tx: Transaction,
  { seals, note }: Sealing,
  id: string,
  { from, to }: { from: 'pending' | 'active'; to: 'active' | 'superseded' | 'rejected' },
): Promise<boolean> {
  const isAtFrom = and(eq(policies.id, id), eq(policies.status, from));
  const [before] = await tx.select().from(policies).where(isAtFrom).for('update');
  if (before === undefined) return false;
  if (to === 'active') sealedPolicies.assert(seals, before);
  const sealVersion = before.sealVersion + 1;
  const seal = seals.seal('policy', policyContentOf({ ...before, status: to, sealVersion }));
  await tx.update(policies).set({ status: to, sealVersion, seal, updatedAt: sql`now()` }).where(eq(policies.id, id));
  note({ kind: 'policy', id, version: sealVersion });
  return true;
}
