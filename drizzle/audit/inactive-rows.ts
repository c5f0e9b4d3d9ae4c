// Which rows the audit log records as inactive: an operation that has ended, and a wallet that is frozen or archived.
// Their statuses have no seal; the audit entry of each such move has a sealed record of it, which whoever reads the row
// for a signature reads as well. So a status that SQL sets back opens nothing. Moves no row.
import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { OperationKind } from '../../domain/workflow-inputs.ts';
import type { Database, Transaction } from '../database/connection.ts';
import type { SealedVersion, Seals } from '../seals/seals.ts';
import { insertAuditEntry, toKeptText } from './audit-entries.ts';
import { auditLogs } from './audit-tables.ts';
import { readSealedVersions, toSealedText } from './sealed-versions.ts';

export interface RowReference {
  kind: OperationKind;
  workspaceId: string;
  id: string;
}

/**
 * Version 1 is that of a row of which the audit log has no record yet. An operation ends once, as version 2: a higher
 * one says that it was open again in between.
 */
export const ENDED_VERSION = 2;

/**
 * For a query that reads the rows with these ids: the column `sealed` of their audit entries. It looks into the small
 * index of such entries, once for each id.
 */
export const sealedEntriesOf = (...ids: readonly PgColumn[]): SQL<string[]> => {
  const texts = ids.map((id) => sql`${id}::text`);
  return sql`(select coalesce(json_agg(entry.sealed), '[]')::text from audit_logs entry
    where entry.resource_id in (${sql.join(texts, sql`, `)}) and entry.sealed is not null)`.mapWith(
    (text: string) => JSON.parse(text) as string[],
  );
};

/**
 * Whether the newest record says that it is inactive. A record without a mark of ours is not ours, and does not count.
 */
export const isRecordedInactive = (seals: Seals, sealedEntries: readonly string[], row: RowReference): boolean =>
  newestOf(seals, sealedEntries, row)?.gone === true;

function newestOf(
  seals: Seals,
  sealedEntries: readonly string[],
  { kind, workspaceId, id }: RowReference,
): SealedVersion | undefined {
  return sealedEntries
    .flatMap((text) => readSealedVersions(seals, workspaceId, text))
    .filter((version) => version.kind === kind && version.id === id)
    .toSorted((one, other) => other.version - one.version)[0];
}

/**
 * The record for the audit entry of a move that makes a row inactive (`gone`), or active again. To be called in the
 * transaction of the move, which holds the row.
 */
export async function nextSealedVersion(
  db: Database | Transaction,
  seals: Seals,
  row: RowReference,
  gone = true,
): Promise<SealedVersion> {
  const { kind, id } = row;
  const entries = await db
    .select({ sealed: auditLogs.sealed })
    .from(auditLogs)
    .where(and(eq(auditLogs.resourceId, id), isNotNull(auditLogs.sealed)));
  const newest = newestOf(
    seals,
    entries.map(({ sealed }) => sealed ?? ''),
    row,
  );
  return { kind, id, version: (newest?.version ?? 1) + 1, ...(gone ? { gone } : {}) };
}

/** An operation ends, and a wallet that was made is frozen or archived. */
const actionOf = (kind: OperationKind): string =>
  kind === 'wallet' ? 'wallet stopped' : `${kind.replaceAll('_', ' ')} ended`;

/** The audit entry of a wallet that signs again by a change that was approved: the entry of the vote is not of it. */
export async function recordActiveAgain(
  tx: Transaction,
  seals: Seals,
  row: RowReference & { walletId: string },
  { before, after }: { before: object; after: object },
): Promise<void> {
  const { workspaceId, walletId, id: resourceId } = row;
  const sealed = toSealedText(seals, workspaceId, [await nextSealedVersion(tx, seals, row, false)]);
  const texts = { before: toKeptText(before), after: toKeptText(after), sealed };
  const about = { workspaceId, walletId, resourceId, action: 'wallet unfrozen', ...texts };
  await insertAuditEntry(tx, { ...about, actor: 'system', actorId: null, outcome: 'accepted' });
}

/**
 * The audit entry of such a move that nobody asked for over HTTP; `after` is what the row says now. Once for each move:
 * in its transaction, after the compare-and-set.
 */
export async function recordInactive(
  tx: Transaction,
  seals: Seals,
  row: RowReference & { walletId: string },
  after: object,
): Promise<void> {
  const { kind, workspaceId, walletId, id: resourceId } = row;
  const sealed = toSealedText(seals, workspaceId, [await nextSealedVersion(tx, seals, row)]);
  const about = { workspaceId, walletId, resourceId, action: actionOf(kind), after: toKeptText(after), sealed };
  await insertAuditEntry(tx, { ...about, actor: 'system', actorId: null, outcome: 'accepted' });
}
