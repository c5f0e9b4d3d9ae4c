// The rows that are sealed with a version, as they stand now; and operations that people have ended, which shall never be open again. Judges none.
import { inArray } from 'drizzle-orm';
import { apiKeys, holdsApiKey } from './api-keys.ts';
import type { Database } from './database.ts';
import { addressBook, holdsAddress, holdsPolicy, policies } from './policies.ts';
import type { SealedKind, SealedVersion, Seals } from './seals.ts';
import { signingRequests } from './signing-requests.ts';
import { holdsUser, users } from './users.ts';
import { withdrawals } from './withdrawals.ts';
import { holdsFreeze, workspaces } from './workspaces.ts';

export interface VersionedRow {
  kind: SealedKind;
  id: string;
  version: number;
  /** False when the row itself says that it was written by somebody else. */
  holds: boolean;
}

/** What the audit entry of a cancellation or a rejection tells: of this operation no open row may stand there any more. */
export const endedByPeople = (kind: 'withdrawal' | 'signing_request', id: string): SealedVersion => ({
  ...{ kind, id },
  version: 2,
  gone: true,
});

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

const toOpen = (kind: SealedKind) => (row: { id: string }) => ({ kind, id: row.id, version: 1, holds: true });

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
  withdrawal: async (db) => {
    const { id, status } = withdrawals;
    const isOpen = inArray(status, ['pending', 'pending_approval', 'approved', 'processing']);
    return (await db.select({ id }).from(withdrawals).where(isOpen)).map(toOpen('withdrawal'));
  },
  signing_request: async (db) => {
    const { id, status } = signingRequests;
    const isOpen = inArray(status, ['pending', 'submitted']);
    return (await db.select({ id }).from(signingRequests).where(isOpen)).map(toOpen('signing_request'));
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
