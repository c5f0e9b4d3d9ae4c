// The rows that are sealed with a version, as they stand now; and what may go on by its status alone, open operations
// and active wallets. Judges none.
import { and, eq } from 'drizzle-orm';
import { apiKeys, holdsApiKey } from '../api-keys/api-keys.ts';
import type { Database } from '../database/connection.ts';
import { anyOf } from '../database/page.ts';
import { addressBook, holdsAddress } from '../policies/address-book.ts';
import { holdsPolicy, policies } from '../policies/policies.ts';
import type { SealedKind, Seals } from '../seals/seals.ts';
import { isSigningOpen, signingRequests } from '../signing-requests/signing-requests.ts';
import { holdsUser, users } from '../users/users.ts';
import { wallets } from '../wallets/wallets.ts';
import { isWithdrawalOpen, withdrawals } from '../withdrawals/withdrawals.ts';
import { holdsFreeze, workspaces } from '../workspaces/workspaces.ts';

export interface VersionedRow {
  kind: SealedKind;
  id: string;
  version: number;
  /** False when the row itself says that it was written by somebody else. */
  holds: boolean;
}

/** `recorded`: the ids of this kind of which the audit log has a record. */
type ReadRows = (db: Database, seals: Seals, recorded: readonly string[]) => Promise<VersionedRow[]>;

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
    const { id } = withdrawals;
    return (await db.select({ id }).from(withdrawals).where(isWithdrawalOpen)).map(toOpen('withdrawal'));
  },
  signing_request: async (db) => {
    const { id } = signingRequests;
    return (await db.select({ id }).from(signingRequests).where(isSigningOpen)).map(toOpen('signing_request'));
  },
  wallet: async (db, _seals, recorded) => {
    const { id, status } = wallets;
    const isActive = and(anyOf(id, recorded), eq(status, 'active'));
    return (await db.select({ id }).from(wallets).where(isActive)).map(toOpen('wallet'));
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
