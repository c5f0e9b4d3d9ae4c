// The user that a path names, or 404.
import type { Database, Transaction } from '../../drizzle/database/connection.ts';
import { findUser, type UserRow } from '../../drizzle/users/users.ts';
import { notFound } from '../http/errors.ts';

export async function requireUser(db: Database | Transaction, workspaceId: string, id: string): Promise<UserRow> {
  const row = await findUser(db, workspaceId, id);
  if (row === undefined) throw notFound('user');
  return row;
}
