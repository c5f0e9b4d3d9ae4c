// The rows that are sealed with a version, as they stand now. Judges none.
import type { Database } from './database.ts';
import type { SealedKind, Seals } from './seals.ts';
import { holdsFreeze, workspaces } from './workspaces.ts';

export interface VersionedRow {
  kind: SealedKind;
  id: string;
  version: number;
  /** False when the row itself says that it was written by somebody else. */
  holds: boolean;
}

type ReadRows = (db: Database, seals: Seals) => Promise<VersionedRow[]>;

const freezes: ReadRows = async (db, seals) => {
  const rows = await db.select().from(workspaces);
  return rows.map((row) => ({
    kind: 'workspace',
    id: row.id,
    version: row.sealVersion,
    holds: holdsFreeze(seals, row),
  }));
};

/** One entry a kind: what `readVersions` says of it is held against these. */
export const versionedRows: Partial<Record<SealedKind, ReadRows>> = { workspace: freezes };
