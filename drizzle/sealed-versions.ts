// Which version of a sealed row is the newest: each change of one says so in its audit entry, which the audit chain keeps. So an older version that is put back,
// although its seal holds, is found. Decides nothing.
import { and, asc, gt, isNotNull } from 'drizzle-orm';
import { auditLogs } from './audit.ts';
import { canonicalJson } from './canonical-json.ts';
import type { Database } from './database.ts';
import type { SealedKind, Seals } from './seals.ts';

/** A change of a row that is sealed with its version. */
export interface SealedVersion {
  kind: SealedKind;
  id: string;
  /** As it is after the change: one more than before, and 1 for a row that is new. */
  version: number;
  /** Of a row that is deleted: nothing may stand in its place. */
  gone?: true;
}

/** What stands in an audit entry: the versions, each with a mark that nobody makes who can only write the database. */
export type MarkedVersion = SealedVersion & { mark: string };

const contentOf = (workspaceId: string, { kind, id, version, gone }: SealedVersion) => ({
  workspace_id: workspaceId,
  kind,
  id,
  version,
  gone: gone === true,
});

/** Canonical JSON for the column `sealed` of an audit entry; null without a change. */
export function toSealedText(seals: Seals, workspaceId: string, versions: readonly SealedVersion[]): string | null {
  if (versions.length === 0) return null;
  const marked = versions.map((version) => ({
    ...version,
    mark: seals.seal('version', contentOf(workspaceId, version)),
  }));
  return canonicalJson(marked);
}

export interface VersionEntry extends SealedVersion {
  workspaceId: string;
  /** Of the audit entry. */
  position: number;
}

const PAGE_ROWS = 1_000;

/** What the audit log says of versions after `position`, in its order. Entries without a mark of ours are not ours, and are passed over. */
export async function* readVersions(db: Database, seals: Seals, position: number): AsyncGenerator<VersionEntry> {
  let after = position;
  for (;;) {
    const rows = await db
      .select({ position: auditLogs.position, workspaceId: auditLogs.workspaceId, sealed: auditLogs.sealed })
      .from(auditLogs)
      .where(and(isNotNull(auditLogs.sealed), gt(auditLogs.position, after)))
      .orderBy(asc(auditLogs.position))
      .limit(PAGE_ROWS);
    for (const row of rows)
      for (const version of readMarked(row.sealed ?? ''))
        if (seals.holds('version', contentOf(row.workspaceId, version), version.mark))
          yield { ...withoutMark(version), workspaceId: row.workspaceId, position: row.position };
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ROWS) return;
    after = last.position;
  }
}

const withoutMark = ({ mark: _mark, ...version }: MarkedVersion): SealedVersion => version;

function readMarked(text: string): MarkedVersion[] {
  try {
    const value = JSON.parse(text) as unknown;
    return Array.isArray(value) ? value.filter(isMarked) : [];
  } catch {
    return [];
  }
}

function isMarked(value: unknown): value is MarkedVersion {
  const { kind, id, version, mark } = (value ?? {}) as Record<string, unknown>;
  const areTexts = [kind, id, mark].every((text) => typeof text === 'string');
  return areTexts && Number.isSafeInteger(version);
}
