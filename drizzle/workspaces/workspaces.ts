// Workspaces: the tenants. Made by an operator's command, never over HTTP.
import { eq, getTableColumns, sql } from 'drizzle-orm';
import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { mainCluster } from '../../domain/clusters.ts';
import { moment } from '../database/columns.ts';
import type { Transaction } from '../database/connection.ts';
import { recordEvent } from '../events/events.ts';
import type { RecordedRow } from '../events/recorded-rows.ts';
import type { SealedContent, SealedVersion, Seals } from '../seals/seals.ts';

export const workspaces = pgTable('workspaces', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
  /** Set while an operator holds every withdrawal and signature of the workspace back. */
  withdrawalsFrozenAt: moment('withdrawals_frozen_at'),
  /** What who froze or unfroze it last gave as the reason. */
  freezeReason: text('freeze_reason'),
  /** Of the freeze: null and 0 while it never was one. */
  seal: text('seal'),
  sealVersion: integer('seal_version').notNull().default(0),
  /** Of wallets to come: whose nodes hold their keys. */
  cluster: text('cluster').notNull().default(mainCluster),
  createdAt: moment('created_at').notNull().defaultNow(),
});

export type WorkspaceRow = typeof workspaces.$inferSelect;

export async function insertWorkspace(
  tx: Transaction,
  workspace: { id: string; name: string; cluster?: string },
): Promise<void> {
  await tx.insert(workspaces).values(workspace);
}

export async function findWorkspace(tx: Transaction, id: string): Promise<WorkspaceRow | undefined> {
  const [row] = await tx.select().from(workspaces).where(eq(workspaces.id, id));
  return row;
}

/** Of wallets to come; those that exist stay where they are. */
export async function setWorkspaceCluster(tx: Transaction, id: string, cluster: string): Promise<void> {
  await tx.update(workspaces).set({ cluster }).where(eq(workspaces.id, id));
}

/** Until the transaction ends, whoever else locks this workspace waits. Rows that refer to it may still be inserted. */
export async function lockWorkspace(tx: Transaction, id: string): Promise<void> {
  await tx.select({ id: workspaces.id }).from(workspaces).where(eq(workspaces.id, id)).for('no key update');
}

/** What the events of its freeze record. */
export const recordedFreeze = {
  workspaceId: workspaces.id,
  withdrawalsFrozenAt: workspaces.withdrawalsFrozenAt,
  freezeReason: workspaces.freezeReason,
  /** RFC 3339. */
  updatedAt: sql<string>`now()`,
};
export type RecordedFreeze = RecordedRow<typeof recordedFreeze>;

/** What the seal of a workspace is over. */
const freezeOf = ({ id, withdrawalsFrozenAt, sealVersion }: WorkspaceRow): SealedContent => ({
  id,
  withdrawals_frozen_at: withdrawalsFrozenAt?.toISOString() ?? null,
  version: sealVersion,
});

/** Whether its freeze is as this service wrote it last. One that never was frozen has no seal. */
export const holdsFreeze = (seals: Seals, row: WorkspaceRow): boolean =>
  row.sealVersion === 0
    ? row.seal === null && row.withdrawalsFrozenAt === null
    : seals.holds('workspace', freezeOf(row), row.seal);

export interface FreezeChange {
  row: WorkspaceRow;
  /** For the audit entry of the change; empty when nothing changed. */
  sealed: readonly SealedVersion[];
}

/**
 * A workspace that is frozen already keeps the moment since when it is, and has no event. To be called with the
 * workspace locked. A freeze that was written by somebody else counts as none.
 */
export async function setWithdrawalsFrozen(
  tx: Transaction,
  seals: Seals,
  id: string,
  { frozen, reason = null }: { frozen: boolean; reason?: string | null },
): Promise<FreezeChange> {
  const before = await findWorkspace(tx, id);
  if (before === undefined) throw new Error('a workspace is not there');
  if ((before.withdrawalsFrozenAt !== null) === frozen && holdsFreeze(seals, before))
    return { row: before, sealed: [] };
  return writeFreeze(tx, seals, before, { frozen, reason, version: before.sealVersion + 1 });
}

/** Writes the freeze under this version, whatever stands there. */
export async function writeFreeze(
  tx: Transaction,
  seals: Seals,
  before: WorkspaceRow,
  { frozen, reason = null, version }: { frozen: boolean; reason?: string | null; version: number },
): Promise<FreezeChange> {
  const { id } = before;
  const after = { ...before, withdrawalsFrozenAt: frozen ? new Date() : null, sealVersion: version };
  const { withdrawalsFrozenAt, sealVersion } = after;
  const seal = seals.seal('workspace', freezeOf(after));
  const event = frozen ? 'workspace.withdrawals_frozen' : 'workspace.withdrawals_unfrozen';
  const [row] = await tx
    .update(workspaces)
    .set({ withdrawalsFrozenAt, freezeReason: reason, sealVersion, seal })
    .where(eq(workspaces.id, id))
    .returning({ ...getTableColumns(workspaces), eventId: recordEvent(event, recordedFreeze) });
  if (row === undefined) throw new Error('a workspace that was locked is not there');
  return { row, sealed: [{ kind: 'workspace', id, version }] };
}
