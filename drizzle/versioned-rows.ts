// The rows that are sealed with a version, as they stand now. Judges none.
import { apiKeys, holdsApiKey } from './api-keys.ts';
import type { Database } from './database.ts';
import { addressBook, holdsAddress, holdsPolicy, policies } from './policies.ts';
import type { SealedKind, Seals } from './seals.ts';
import { holdsUser, users } from './users.ts';
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
export const versionedRows: Partial<Record<SealedKind, ReadRows>> = {
  workspace: freezes,
  user: async (db, seals) => {
    const rows = await db.select().from(users);
    return rows.map((row) => ({ kind: 'user', id: row.id, version: row.sealVersion, holds: holdsUser(seals, row) }));
  },
  api_key: async (db, seals) => {
    const rows = await db.select().from(apiKeys);
    return rows.map((row) => ({
      kind: 'api_key',
      id: row.id,
      version: row.sealVersion,
      holds: holdsApiKey(seals, row),
    }));
  },
  policy: async (db, seals) => {
    const rows = await db.select().from(policies);
    return rows.map((row) => ({
      kind: 'policy',
      id: row.id,
      version: row.sealVersion,
      holds: holdsPolicy(seals, row),
    }));
  },
  address_book_entry: async (db, seals) => {
    const rows = await db.select().from(addressBook);
    return rows.map((row) => ({
      kind: 'address_book_entry',
      id: row.id,
      version: row.sealVersion,
      holds: holdsAddress(seals, row),
    }));
  },
};
