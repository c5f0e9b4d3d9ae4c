// Disables a user and revokes every key of theirs, or makes one active again. To be called with the workspace locked.

import { listKeysOfUser } from '../../drizzle/api-keys/api-key-queries.ts';
import { changeApiKey } from '../../drizzle/api-keys/api-key-steps.ts';
import type { ApiKeyRow } from '../../drizzle/api-keys/api-keys.ts';
import type { Transaction } from '../../drizzle/database/connection.ts';
import type { Sealing } from '../../drizzle/seals/sealing.ts';
import { changeUser, type UserRow } from '../../drizzle/users/users.ts';
import { assertAdministratorRemainsWithout, assertReaches } from '../api-keys/grants.ts';
import type { UsableKey } from '../authentication/key-ring.ts';

/** Answers the keys that ended, too. The calling key must reach each of them. */
export async function disableUser(
  tx: Transaction,
  sealing: Sealing,
  caller: UsableKey,
  user: UserRow,
): Promise<{ row: UserRow; revoked: ApiKeyRow[] }> {
  const keys = await listKeysOfUser(tx, user.id);
  for (const key of keys) assertReaches(caller, key);
  await assertAdministratorRemainsWithout(tx, keys);
  const end = { revokedAt: new Date(), previousSecretEncrypted: null, previousSecretExpiresAt: null };
  const revoked: ApiKeyRow[] = [];
  for (const key of keys) {
    const row = await changeApiKey(tx, sealing, key.id, end);
    if (row !== undefined) revoked.push(row);
  }
  return { row: await changeUser(tx, sealing, user.id, { status: 'disabled' }), revoked };
}
