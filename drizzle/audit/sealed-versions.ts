// Which version of a sealed row is the newest: each change of one says so in its audit entry, which the audit chain
// keeps. So an older version that is put back, although its seal holds, is found. Decides nothing.
import { and, asc, gt, isNotNull } from 'drizzle-orm';
import { canonicalJson } from '../../domain/canonical-json.ts';
import type { Database } from '../database/connection.ts';
import type { SealedVersion, Seals } from '../seals/seals.ts';
import { auditLogs } from './audit-tables.ts';

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
  createdAt: Date;
}

const PAGE_ROWS = 1_000;

/**
 * What the audit log says of versions after `fromPosition`, in its order. Entries without a mark of ours are not ours,
 * and are passed over.
 */
export async function* readVersions(db: Database, seals: Seals, fromPosition: number): AsyncGenerator<VersionEntry> {
  let after = fromPosition;
  const { position, workspaceId, sealed, createdAt } = auditLogs;
  for (;;) {
    const rows = await db
      .select({ position, workspaceId, sealed, createdAt })
      .from(auditLogs)
      .where(and(isNotNull(sealed), gt(position, after)))
      .orderBy(asc(position))
      .limit(PAGE_ROWS);
    for (const { sealed: text, ...entry } of rows)
      for (const version of readSealedVersions(seals, entry.workspaceId, text ?? '')) yield { ...version, ...entry };
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ROWS) return;
    after = last.position;
  }
}

/** The versions in the `sealed` of an entry of that workspace that have a mark of ours. */
export const readSealedVersions = (seals: Seals, workspaceId: string, text: string): SealedVersion[] =>
  readMarked(text)
    .filter((version) => seals.holds('version', contentOf(workspaceId, version), version.mark))
    .map(withoutMark);

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
