// The key by which a user's sessions act: it is there while the user has a role, has the scopes of the roles, and never
// has a secret. Decides nobody's right to give one.
import { v7 as uuidv7 } from 'uuid';
import { type Role, scopesOfRoles } from '../../domain/users/roles.ts';
import { findConsoleKey } from '../../drizzle/api-keys/api-key-queries.ts';
import { changeApiKey, insertApiKey } from '../../drizzle/api-keys/api-key-steps.ts';
import { type ApiKeyRow, isConsoleKey, untaken } from '../../drizzle/api-keys/api-keys.ts';
import type { Transaction } from '../../drizzle/database/connection.ts';
import type { Sealing } from '../../drizzle/seals/sealing.ts';
import { generateApiKey } from '../authentication/generate-secrets.ts';
import { ApiError } from '../http/errors.ts';

const NAME = 'console';

export interface GivenRoles {
  workspaceId: string;
  userId: string;
  /** In place of all that the user has; empty for none. */
  roles: readonly Role[];
  /** The id of the user who gives them, or `operator`. */
  createdBy: string;
}

/** To be called with the workspace locked. Answers the key that was there before, which is to be forgotten. */
export async function setRoles(
  tx: Transaction,
  sealing: Sealing,
  { workspaceId, userId, roles, createdBy }: GivenRoles,
): Promise<ApiKeyRow | undefined> {
  const before = await findConsoleKey(tx, workspaceId, userId);
  const power = { roles: [...roles], scopes: scopesOfRoles(roles) };
  if (before !== undefined) {
    await changeApiKey(tx, sealing, before.id, roles.length === 0 ? { revokedAt: new Date() } : power);
  } else if (roles.length > 0) {
    const owner = { id: uuidv7(), workspaceId, userId, createdBy };
    const proof = { apiKey: generateApiKey(), secretEncrypted: untaken(), provedBy: 'passkey' as const };
    await insertApiKey(tx, sealing, { ...owner, ...proof, ...power, name: NAME });
  }
  return before;
}

/** Of a user who has none, none. */
export const rolesOf = (key: ApiKeyRow | undefined): readonly Role[] => key?.roles ?? [];

/** What it may do are the roles of its user, and a secret is for other keys. */
export function assertNoConsoleKey(key: ApiKeyRow): void {
  if (isConsoleKey(key))
    throw new ApiError('invalid_state', 'This is the key of the sessions of its user: change the roles of the user.');
}
