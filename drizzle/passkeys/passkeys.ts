// Passkeys: the public keys of authenticators by which users sign in and vote. One that is removed stays, so that votes
// of it can be explained. Each is sealed, so that nobody who can only write the database enrols one.
import { and, asc, eq, getTableColumns, isNull, ne, sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { apiKeys } from '../api-keys/api-keys.ts';
import { bytes, moment } from '../database/columns.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { recordEvent } from '../events/events.ts';
import type { RecordedRow } from '../events/recorded-rows.ts';
import { sealedTable } from '../seals/sealed-tables.ts';
import type { Sealing } from '../seals/sealing.ts';
import type { SealedContent, Seals } from '../seals/seals.ts';
import { users } from '../users/users.ts';
import { workspaces } from '../workspaces/workspaces.ts';

export const passkeys = pgTable(
  'passkeys',
  {
    id: uuid('id').primaryKey(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    /** base64url, as the authenticator names it. */
    credentialId: text('credential_id').notNull().unique(),
    /** COSE, as the authenticator gave it. */
    publicKey: bytes('public_key').notNull(),
    /** The same as SubjectPublicKeyInfo, DER, base64: what verifies evidence offline. */
    publicKeySpki: text('public_key_spki').notNull(),
    /** Of the last assertion; 0 for the many authenticators that do not count. */
    counter: bigint('counter', { mode: 'number' }).notNull(),
    /** Whether it may be copied to other devices of its owner, and whether it was. */
    backupEligible: boolean('backup_eligible').notNull(),
    backedUp: boolean('backed_up').notNull(),
    transports: text('transports').array().notNull().default([]),
    /** Which model it says to be; nobody has attested it. */
    aaguid: text('aaguid').notNull(),
    name: text('name').notNull(),
    /** The enrolment link that it was made by; null for one that was added in a session. */
    linkId: uuid('link_id'),
    seal: text('seal'),
    sealVersion: integer('seal_version').notNull().default(0),
    lastUsedAt: moment('last_used_at'),
    removedAt: moment('removed_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [index('passkeys_user').on(table.userId, table.createdAt, table.id)],
);

export type PasskeyRow = typeof passkeys.$inferSelect;
export type NewPasskey = Omit<PasskeyRow, 'seal' | 'sealVersion' | 'lastUsedAt' | 'removedAt' | 'createdAt'>;

/** What its events record. */
export const recordedPasskey = {
  id: passkeys.id,
  workspaceId: passkeys.workspaceId,
  userId: passkeys.userId,
  name: passkeys.name,
  publicKeySpki: passkeys.publicKeySpki,
  removedAt: passkeys.removedAt,
  createdAt: passkeys.createdAt,
};
export type RecordedPasskey = RecordedRow<typeof recordedPasskey>;

const contentOf = (row: Omit<PasskeyRow, 'seal' | 'lastUsedAt' | 'createdAt'>) =>
  ({
    id: row.id,
    workspace_id: row.workspaceId,
    user_id: row.userId,
    credential_id: row.credentialId,
    public_key: Buffer.from(row.publicKey).toString('hex'),
    public_key_spki: row.publicKeySpki,
    counter: row.counter,
    backup_eligible: row.backupEligible,
    removed_at: row.removedAt?.toISOString() ?? null,
    version: row.sealVersion,
  }) satisfies SealedContent;

export const sealedPasskeys = sealedTable<PasskeyRow>({
  kind: 'passkey',
  table: passkeys,
  key: [passkeys.id],
  seal: passkeys.seal,
  sealOf: (row) => row.seal,
  contentOf,
});

/** Undefined when the authenticator's credential is enrolled already, by whomever. */
export async function insertPasskey(
  tx: Transaction,
  { seals, note }: Sealing,
  passkey: NewPasskey,
): Promise<PasskeyRow | undefined> {
  const versioned = { ...passkey, removedAt: null, sealVersion: 1 };
  const seal = seals.seal('passkey', contentOf(versioned));
  const [row] = await tx
    .insert(passkeys)
    .values({ ...versioned, seal })
    .onConflictDoNothing()
    .returning({ ...getTableColumns(passkeys), eventId: recordEvent('passkey.enrolled', recordedPasskey) });
  if (row !== undefined) note({ kind: 'passkey', id: row.id, version: row.sealVersion });
  return row;
}

/** Also one that is removed. */
export async function findPasskeyByCredential(
  db: Database | Transaction,
  credentialId: string,
): Promise<PasskeyRow | undefined> {
  const [row] = await db.select().from(passkeys).where(eq(passkeys.credentialId, credentialId));
  return row;
}

/** Held until the transaction ends, so that of two assertions with one counter the second is found. */
export async function lockPasskeyByCredential(tx: Transaction, credentialId: string): Promise<PasskeyRow | undefined> {
  const [row] = await tx.select().from(passkeys).where(eq(passkeys.credentialId, credentialId)).for('update');
  return row;
}

export async function findPasskey(
  db: Database | Transaction,
  workspaceId: string,
  id: string,
): Promise<PasskeyRow | undefined> {
  const [row] = await db
    .select()
    .from(passkeys)
    .where(and(eq(passkeys.id, id), eq(passkeys.workspaceId, workspaceId)));
  return row;
}

/** Those that are not removed. */
export async function listPasskeys(
  db: Database | Transaction,
  workspaceId: string,
  userId: string,
): Promise<PasskeyRow[]> {
  return db
    .select()
    .from(passkeys)
    .where(and(eq(passkeys.workspaceId, workspaceId), eq(passkeys.userId, userId), isNull(passkeys.removedAt)))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id));
}

/** Whether anybody could vote by passkey: an active user with a role has one. */
export async function hasPasskeys(db: Database | Transaction, workspaceId: string): Promise<boolean> {
  return (await listPasskeyUsers(db, workspaceId)).length > 0;
}

/** Active users with a passkey and a role, with the scopes of that. */
export async function listPasskeyUsers(
  db: Database | Transaction,
  workspaceId: string,
): Promise<{ userId: string; scopes: string[] }[]> {
  return db
    .selectDistinct({ userId: users.id, scopes: apiKeys.scopes })
    .from(passkeys)
    .innerJoin(users, and(eq(users.id, passkeys.userId), eq(users.status, 'active')))
    .innerJoin(apiKeys, and(eq(apiKeys.userId, users.id), eq(apiKeys.provedBy, 'passkey'), isNull(apiKeys.revokedAt)))
    .where(and(eq(passkeys.workspaceId, workspaceId), isNull(passkeys.removedAt)));
}

/** After an assertion was verified. No new version: the counter only goes up, and whoever is let in checks it. */
export async function notePasskeyUse(
  tx: Transaction,
  seals: Seals,
  row: PasskeyRow,
  { counter, backedUp }: Pick<PasskeyRow, 'counter' | 'backedUp'>,
): Promise<void> {
  const seal = seals.seal('passkey', contentOf({ ...row, counter }));
  await tx.update(passkeys).set({ counter, backedUp, seal, lastUsedAt: sql`now()` }).where(eq(passkeys.id, row.id));
}

/**
 * For ever. Undefined when it was removed before; throws BrokenSealError for one that somebody else has written.
 * `lastIsKept`: false is answered in the place of removing the last one of its user.
 */
export async function removePasskey(
  tx: Transaction,
  { seals, note }: Sealing,
  id: string,
  { lastIsKept }: { lastIsKept: boolean },
): Promise<PasskeyRow | 'last' | undefined> {
  const [before] = await tx.select().from(passkeys).where(eq(passkeys.id, id)).for('update');
  if (before === undefined || before.removedAt !== null) return undefined;
  sealedPasskeys.assert(seals, before);
  // Two that are removed at once wait here for each other.
  await tx.select({ id: users.id }).from(users).where(eq(users.id, before.userId)).for('update');
  if (lastIsKept && !(await hasAnother(tx, before))) return 'last';
  const after = { ...before, removedAt: new Date(), sealVersion: before.sealVersion + 1 };
  const seal = seals.seal('passkey', contentOf(after));
  const [row] = await tx
    .update(passkeys)
    .set({ removedAt: after.removedAt, sealVersion: after.sealVersion, seal })
    .where(eq(passkeys.id, id))
    .returning({ ...getTableColumns(passkeys), eventId: recordEvent('passkey.removed', recordedPasskey) });
  if (row === undefined) throw new Error('a passkey that was locked is not there');
  note({ kind: 'passkey', id, version: row.sealVersion });
  return row;
}

async function hasAnother(tx: Transaction, { id, userId }: PasskeyRow): Promise<boolean> {
  const others = await tx
    .select({ id: passkeys.id })
    .from(passkeys)
    .where(and(eq(passkeys.userId, userId), ne(passkeys.id, id), isNull(passkeys.removedAt)))
    .limit(1);
  return others.length > 0;
}
