// A second person at the console, who may approve what others ask for and signs in with a key.
import { approverScopes } from '../../../domain/users/roles.ts';
import { connectDatabase } from '../../../drizzle/database/connection.ts';
import { createUser } from '../../../src/commands/operator-keys.ts';
import type { Stack } from '../processes/stack.ts';
import type { Key } from './console-pages.ts';

export async function makeApprover({ databaseUrl, workspaceId, keyEncryptionKey }: Stack): Promise<Key> {
  const connection = connectDatabase(databaseUrl, { poolSize: 1, name: 'test-console' });
  const user = { workspaceId, name: 'approver', keyName: 'approver', scopes: approverScopes };
  const made = await createUser(connection.db, user, { keyEncryptionKey, action: 'workspace create-user' });
  await connection.close();
  if (made === undefined) throw new Error('the workspace has no approver');
  return made;
}
