// Sessions of the console: whose browser was signed in by which passkey, and until when. Of the token in the cookie
// only the hash is kept, and a row is sealed, so that whoever reads or writes the database alone gets no session.
import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { type ApiKeyRow, apiKeys } from '../api-keys/api-keys.ts';
import { moment } from '../database/columns.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { sealedTable } from '../seals/sealed-tables.ts';
import type { SealedContent, Seals } from '../seals/seals.ts';
import { type UserRow, users } from '../users/users.ts';
import { workspaces } from '../workspaces/workspaces.ts';
import { type PasskeyRow, passkeys } from './passkeys.ts';

export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    /** By which it acts: when that is revoked, it has ended. */
    apiKeyId: uuid('api_key_id')
      .notNull()
      .references(() => apiKeys.id),
    /** By which it was begun: when that is removed, it has ended. */
    passkeyId: uuid('passkey_id')
      .notNull()
      .references(() => passkeys.id),
    /** SHA-256 of the token, hex. */
    tokenHash: text('token_hash').notNull().unique(),
    expiresAt: moment('expires_at').notNull(),
    seal: text('seal'),
    lastUsedAt: moment('last_used_at').notNull().defaultNow(),
    endedAt: moment('ended_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [index('sessions_user').on(table.userId), index('sessions_expires').on(table.expiresAt)],
);

export type SessionRow = typeof sessions.$inferSelect;
export type NewSession = Pick<
  SessionRow,
  'id' | 'workspaceId' | 'userId' | 'apiKeyId' | 'passkeyId' | 'tokenHash' | 'expiresAt'
>;

const contentOf = (row: NewSession) =>
  ({
    id: row.id,
    workspace_id: row.workspaceId,
    user_id: row.userId,
    api_key_id: row.apiKeyId,
    passkey_id: row.passkeyId,
    token_hash: row.tokenHash,
    expires_at: row.expiresAt.toISOString(),
  }) satisfies SealedContent;

export const sealedSessions = sealedTable<SessionRow>({
  kind: 'session',
  table: sessions,
  key: [sessions.id],
  seal: sessions.seal,
  sealOf: (row) => row.seal,
  contentOf,
});

export async function insertSession(tx: Transaction, seals: Seals, session: NewSession): Promise<void> {
  await tx.insert(sessions).values({ ...session, seal: seals.seal('session', contentOf(session)) });
}

export interface FoundSession {
  session: SessionRow;
  key: ApiKeyRow;
  user: UserRow;
  passkey: PasskeyRow;
}

/** Also one that has ended: who asks must look. */
export async function findSession(db: Database, tokenHash: string): Promise<FoundSession | undefined> {
  const [row] = await db
    .select({ session: sessions, key: apiKeys, user: users, passkey: passkeys })
    .from(sessions)
    .innerJoin(apiKeys, eq(apiKeys.id, sessions.apiKeyId))
    .innerJoin(users, and(eq(users.id, sessions.userId), eq(users.id, apiKeys.userId)))
    .innerJoin(passkeys, and(eq(passkeys.id, sessions.passkeyId), eq(passkeys.userId, users.id)))
    .where(eq(sessions.tokenHash, tokenHash));
  return row;
}

export async function noteSessionUse(db: Database, id: string): Promise<void> {
  await db.update(sessions).set({ lastUsedAt: sql`now()` }).where(eq(sessions.id, id));
}

/** Answers how many have ended by it. */
export async function endSessions(
  db: Database | Transaction,
  which: { id: string } | { userId: string } | { passkeyId: string },
): Promise<number> {
  const [column, value] =
    'id' in which
      ? [sessions.id, which.id]
      : 'userId' in which
        ? [sessions.userId, which.userId]
        : [sessions.passkeyId, which.passkeyId];
  const ended = await db
    .update(sessions)
    .set({ endedAt: sql`now()` })
    .where(and(eq(column, value), isNull(sessions.endedAt)))
    .returning({ id: sessions.id });
  return ended.length;
}

/** A few of those that have been over for a day: whoever signs in removes them. */
export async function removeOldSessions(tx: Transaction): Promise<void> {
  const dayAgo = sql`now() - interval '1 day'`;
  await tx
    .delete(sessions)
    .where(
      sql`${sessions.id} in (select id from sessions where ${or(
        lt(sessions.expiresAt, dayAgo),
        lt(sessions.endedAt, dayAgo),
      )} limit 100 for update skip locked)`,
    );
}
