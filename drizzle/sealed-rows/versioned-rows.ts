// The rows that are sealed with a version, as they stand now; and what may go on by its status alone, open operations
// and active wallets. Judges none.
import { and, eq } from 'drizzle-orm';
import { apiKeys, sealedApiKeys } from '../api-keys/api-keys.ts';
import type { Database } from '../database/connection.ts';
import { anyOf } from '../database/page.ts';
import { enrolmentLinks, sealedEnrolmentLinks } from '../passkeys/enrolment-links.ts';
import { passkeys, sealedPasskeys } from '../passkeys/passkeys.ts';
import { addressBook, sealedAddresses } from '../policies/address-book.ts';
import { policies, sealedPolicies } from '../policies/policies.ts';
import type { RowSeals } from '../seals/sealed-tables.ts';
import type { SealedKind, Seals } from '../seals/seals.ts';
import { isSigningOpen, signingRequests } from '../signing-requests/signing-requests.ts';
import { sealedUsers, users } from '../users/users.ts';
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

/** All rows of a table. */
const allOf =
  <Row extends { id: string; sealVersion: number }>(
    read: (db: Database) => Promise<Row[]>,
    sealed: Pick<RowSeals<Row>, 'kind' | 'holds'>,
  ): ReadRows =>
  async (db, seals) =>
    (await read(db)).map((row) => ({
      kind: sealed.kind,
      id: row.id,
      version: row.sealVersion,
      holds: sealed.holds(seals, row),
    }));

const toOpen = (kind: SealedKind) => (row: { id: string }) => ({ kind, id: row.id, version: 1, holds: true });

/** One entry a kind: what `readVersions` says of it is held against these. */
export const versionedRows: Partial<Record<SealedKind, ReadRows>> = {
  workspace: allOf(async (db) => db.select().from(workspaces), { kind: 'workspace', holds: holdsFreeze }),
  user: allOf(async (db) => db.select().from(users), sealedUsers),
  api_key: allOf(async (db) => db.select().from(apiKeys), sealedApiKeys),
  passkey: allOf(async (db) => db.select().from(passkeys), sealedPasskeys),
  enrolment_link: allOf(async (db) => db.select().from(enrolmentLinks), sealedEnrolmentLinks),
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
  policy: allOf(async (db) => db.select().from(policies), sealedPolicies),
  address_book_entry: allOf(async (db) => db.select().from(addressBook), sealedAddresses),
};
