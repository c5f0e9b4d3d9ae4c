// Makes a link by which a user enrols a passkey, at an operator's word, and gives the user roles where that is asked.
// The way to the first passkey of a workspace, and back for who has lost the last one.
import { v7 as uuidv7 } from 'uuid';
import { ENROLMENT_LINK_DEFAULT_SECONDS } from '../../domain/time-limits.ts';
import { roles as allRoles, type Role } from '../../domain/users/roles.ts';
import { findConsoleKey } from '../../drizzle/api-keys/api-key-queries.ts';
import { insertOperatorEntry, toKeptText } from '../../drizzle/audit/audit-entries.ts';
import { toSealedText } from '../../drizzle/audit/sealed-versions.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { insertEnrolmentLink } from '../../drizzle/passkeys/enrolment-links.ts';
import { findUser } from '../../drizzle/users/users.ts';
import { lockWorkspace } from '../../drizzle/workspaces/workspaces.ts';
import { rolesOf, setRoles } from '../api-keys/console-key.ts';
import { hashToken } from '../authentication/session-ring.ts';
import { enrolmentUrl, generateEnrolmentToken } from '../passkeys/enrolment-tokens.ts';
import { ConfigError } from '../process/config.ts';
import { type OperatorDependencies, sealingBy } from './operator-keys.ts';

export interface NewEnrolmentLink {
  workspaceId: string;
  userId: string;
  roles: readonly Role[];
  url: string;
  expiresAt: Date;
}

interface AskedLink {
  workspaceId: string;
  userId: string;
  /** In place of those that the user has; these stay when undefined. */
  roles: readonly Role[] | undefined;
  /** Where browsers find the console. */
  consoleOrigin: string;
}

/** One of those that `--roles` names. */
export function readRole(text: string): Role {
  const role = allRoles.find((each) => each === text.trim());
  if (role === undefined) throw new ConfigError(`--roles names ${text}, which is none of ${allRoles.join(', ')}.`);
  return role;
}

/** Undefined when there is no such workspace or user. */
export async function createEnrolmentLink(
  db: Database,
  { workspaceId, userId, roles, consoleOrigin }: AskedLink,
  dependencies: OperatorDependencies,
): Promise<NewEnrolmentLink | undefined> {
  const sealing = sealingBy(dependencies);
  const { action } = dependencies;
  return db.transaction(async (tx) => {
    if ((await findUser(tx, workspaceId, userId)) === undefined) return undefined;
    await lockWorkspace(tx, workspaceId);
    const user = await findUser(tx, workspaceId, userId);
    if (user?.status !== 'active') throw new ConfigError('This user is disabled: a passkey of theirs opens nothing.');
    if (roles !== undefined) await setRoles(tx, sealing, { workspaceId, userId, roles, createdBy: 'operator' });
    const held = rolesOf(await findConsoleKey(tx, workspaceId, userId));
    if (held.length === 0) throw new ConfigError('This user has no role and could not sign in: name --roles.');
    const [id, token] = [uuidv7(), generateEnrolmentToken()];
    const link = {
      id,
      workspaceId,
      userId,
      tokenHash: hashToken(token),
      status: 'open',
      createdBy: 'operator',
    } as const;
    const row = await insertEnrolmentLink(tx, sealing, { ...link, lifeSeconds: ENROLMENT_LINK_DEFAULT_SECONDS });
    const after = toKeptText({ id, user_id: userId, user_name: user.name, roles: held, expires_at: row.expiresAt });
    const sealed = toSealedText(sealing.seals, workspaceId, sealing.versions);
    await insertOperatorEntry(tx, { workspaceId, action, resourceId: id, after, sealed });
    const expiresAt = row.expiresAt ?? new Date();
    return { workspaceId, userId, roles: held, url: enrolmentUrl(consoleOrigin, token), expiresAt };
  });
}
