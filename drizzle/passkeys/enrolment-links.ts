// Links by which a user enrols a passkey: each once, for a limited time, and, where changes need it, only once another
// user has approved it. Of the token only the hash is kept.
import { and, eq } from 'drizzle-orm';
import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from '../database/columns.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { sealedTable } from '../seals/sealed-tables.ts';
import type { Sealing } from '../seals/sealing.ts';
import type { SealedContent } from '../seals/seals.ts';
import { users } from '../users/users.ts';
import { workspaces } from '../workspaces/workspaces.ts';

/** `pending`: it waits for approval. `void`: that was refused. */
export const enrolmentLinkStatuses = ['pending', 'open', 'used', 'void'] as const;

export const enrolmentLinks = pgTable(
  'enrolment_links',
  {
    id: uuid('id').primaryKey(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    /** SHA-256 of the token, hex. */
    tokenHash: text('token_hash').notNull().unique(),
    status: text('status', { enum: enrolmentLinkStatuses }).notNull(),
    /** From when it is open. */
    lifeSeconds: integer('life_seconds').notNull(),
    /** Null while it waits. */
    expiresAt: moment('expires_at'),
    /** The id of the user who made it, or `operator`. */
    createdBy: text('created_by').notNull(),
    seal: text('seal'),
    sealVersion: integer('seal_version').notNull().default(0),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [index('enrolment_links_user').on(table.userId)],
);

export type EnrolmentLinkRow = typeof enrolmentLinks.$inferSelect;

const contentOf = (row: Omit<EnrolmentLinkRow, 'seal' | 'createdAt'>) =>
  ({
    id: row.id,
    workspace_id: row.workspaceId,
    user_id: row.userId,
    token_hash: row.tokenHash,
    status: row.status,
    life_seconds: row.lifeSeconds,
    expires_at: row.expiresAt?.toISOString() ?? null,
    created_by: row.createdBy,
    version: row.sealVersion,
  }) satisfies SealedContent;

export const sealedEnrolmentLinks = sealedTable<EnrolmentLinkRow>({
  kind: 'enrolment_link',
  table: enrolmentLinks,
  key: [enrolmentLinks.id],
  seal: enrolmentLinks.seal,
  sealOf: (row) => row.seal,
  contentOf,
});

export type NewEnrolmentLink = Pick<
  EnrolmentLinkRow,
  'id' | 'workspaceId' | 'userId' | 'tokenHash' | 'lifeSeconds' | 'createdBy'
> & { status: 'pending' | 'open' };

export async function insertEnrolmentLink(
  tx: Transaction,
  { seals, note }: Sealing,
  link: NewEnrolmentLink,
): Promise<EnrolmentLinkRow> {
  const versioned = { ...link, expiresAt: endOf(link), sealVersion: 1 };
  const seal = seals.seal('enrolment_link', contentOf(versioned));
  const [row] = await tx
    .insert(enrolmentLinks)
    .values({ ...versioned, seal })
    .returning();
  if (row === undefined) throw new Error('an insert returned no row');
  note({ kind: 'enrolment_link', id: row.id, version: row.sealVersion });
  return row;
}

const endOf = ({ status, lifeSeconds }: Pick<EnrolmentLinkRow, 'status' | 'lifeSeconds'>) =>
  status === 'pending' ? null : new Date(Date.now() + lifeSeconds * 1000);

export async function findEnrolmentLink(
  db: Database | Transaction,
  tokenHash: string,
): Promise<EnrolmentLinkRow | undefined> {
  const [row] = await db.select().from(enrolmentLinks).where(eq(enrolmentLinks.tokenHash, tokenHash));
  return row;
}

/**
 * By compare-and-set, so that of two who use it at once one does. Undefined when it no longer stood at `from`. Throws
 * BrokenSealError for one that somebody else has written.
 */
export async function advanceEnrolmentLink(
  tx: Transaction,
  { seals, note }: Sealing,
  id: string,
  { from, to }: { from: 'pending' | 'open'; to: 'open' | 'used' | 'void' },
): Promise<EnrolmentLinkRow | undefined> {
  const isAtFrom = and(eq(enrolmentLinks.id, id), eq(enrolmentLinks.status, from));
  const [before] = await tx.select().from(enrolmentLinks).where(isAtFrom).for('update');
  if (before === undefined) return undefined;
  sealedEnrolmentLinks.assert(seals, before);
  const moved = { ...before, status: to, sealVersion: before.sealVersion + 1 };
  const after = to === 'open' ? { ...moved, expiresAt: endOf(moved) } : moved;
  const seal = seals.seal('enrolment_link', contentOf(after));
  const { status, expiresAt, sealVersion } = after;
  await tx.update(enrolmentLinks).set({ status, expiresAt, sealVersion, seal }).where(eq(enrolmentLinks.id, id));
  note({ kind: 'enrolment_link', id, version: sealVersion });
  return { ...after, seal };
}
