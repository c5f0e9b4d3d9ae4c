// Does what a change says, once it is approved: exactly that, and only while what it was asked of is still so. Counts
// no approvals, and makes no secret: a key's own user takes that.

import { canonicalJson } from '../../domain/canonical-json.ts';
import type { ChangeDetails, KeyPower } from '../../domain/users/authority-change.ts';
import { roles, scopesOfRoles } from '../../domain/users/roles.ts';
import { findApiKey, findConsoleKey } from '../../drizzle/api-keys/api-key-queries.ts';
import { changeApiKey, insertApiKey } from '../../drizzle/api-keys/api-key-steps.ts';
import { untaken } from '../../drizzle/api-keys/api-keys.ts';
import type { Transaction } from '../../drizzle/database/connection.ts';
import { advanceEnrolmentLink } from '../../drizzle/passkeys/enrolment-links.ts';
import type { Sealing } from '../../drizzle/seals/sealing.ts';
import type { AuthorityChangeRow } from '../../drizzle/users/authority-changes.ts';
import { changeUser, findUser, insertUser } from '../../drizzle/users/users.ts';
import { rolesOf, setRoles } from '../api-keys/console-key.ts';
import { requireActiveUser, toPower } from '../api-keys/create-api-key.ts';
import { assertAdministratorRemains } from '../api-keys/grants.ts';
import { offerSecret } from '../api-keys/key-secrets.ts';
import { unfreezeWithdrawals } from '../freezes/withdrawals-freeze.ts';
import { ApiError } from '../http/errors.ts';
import { unfreezeWallet } from '../wallets/unfreeze-wallet.ts';

/** To be called with the workspace locked. */
export async function applyChange(tx: Transaction, sealing: Sealing, row: AuthorityChangeRow): Promise<void> {
  const { workspaceId, targetId, details, createdBy } = row;
  switch (row.kind) {
    case 'create_user': {
      const { name = '', email = null } = details;
      await insertUser(tx, sealing, { id: targetId, workspaceId, name, email, createdBy });
      return;
    }
    case 'enable_user': {
      if ((await findUser(tx, workspaceId, targetId)) === undefined) throw outdated();
      await changeUser(tx, sealing, targetId, { status: 'active' });
      return;
    }
    case 'create_api_key': {
      await requireActiveUser(tx, workspaceId, row.userId);
      await insertApiKey(tx, sealing, { id: targetId, workspaceId, ...readKey(row), secretEncrypted: untaken() });
      return;
    }
    case 'rotate_api_key':
      return rotate(tx, sealing, row);
    case 'change_api_key':
      return change(tx, sealing, row);
    case 'give_roles':
      return giveRoles(tx, sealing, row);
    case 'enrol_passkey': {
      await requireActiveUser(tx, workspaceId, row.userId);
      const opened = await advanceEnrolmentLink(tx, sealing, targetId, { from: 'pending', to: 'open' });
      if (opened?.userId !== row.userId) throw outdated();
      return;
    }
    case 'unfreeze_withdrawals':
      return unfreezeWithdrawals(tx, sealing, row);
    case 'unfreeze_wallet':
      await unfreezeWallet(tx, sealing.seals, row);
  }
}

async function giveRoles(tx: Transaction, sealing: Sealing, row: AuthorityChangeRow): Promise<void> {
  const { workspaceId, userId, details, createdBy } = row;
  await requireActiveUser(tx, workspaceId, userId);
  const before = rolesOf(await findConsoleKey(tx, workspaceId, userId));
  if (canonicalJson([...before].sort()) !== canonicalJson(required(details.roles_before).toSorted())) throw outdated();
  const asked = required(details.roles).map((name) => required(roles.find((role) => role === name)));
  // What was approved is what the roles meant then.
  if (canonicalJson(scopesOfRoles(asked)) !== canonicalJson(required(details.scopes))) throw outdated();
  await setRoles(tx, sealing, { workspaceId, userId, roles: asked, createdBy });
}

async function rotate(tx: Transaction, sealing: Sealing, row: AuthorityChangeRow): Promise<void> {
  const key = await requireUnchanged(tx, row);
  const { overlap_seconds } = row.details;
  if (overlap_seconds !== undefined) await assertAdministratorRemains(tx, key);
  await changeApiKey(tx, sealing, key.id, offerSecret(key, overlap_seconds));
}

async function change(tx: Transaction, sealing: Sealing, row: AuthorityChangeRow): Promise<void> {
  const key = await requireUnchanged(tx, row);
  const { name } = row.details;
  const after = { ...readPower(row.details), ...(name === undefined ? {} : { name }) };
  await assertAdministratorRemains(tx, key, { ...key, ...after });
  await changeApiKey(tx, sealing, key.id, after);
}

/** The key, unless it is revoked or can do something else than it could when the change was asked for. */
async function requireUnchanged(tx: Transaction, { workspaceId, targetId, details }: AuthorityChangeRow) {
  const key = await findApiKey(tx, workspaceId, targetId);
  if (key === undefined || key.revokedAt !== null || details.before === undefined) throw outdated();
  if (canonicalJson(toPower(key)) !== canonicalJson(details.before)) throw outdated();
  return key;
}

const outdated = () =>
  new ApiError(
    'invalid_state',
    'What it is about was changed since this was asked for: reject it, and ask for it again.',
  );

const readKey = ({ userId, createdBy, details }: AuthorityChangeRow) => ({
  userId,
  createdBy,
  name: details.name ?? '',
  apiKey: required(details.api_key),
  ...readPower(details),
  legacyPathSigning: details.legacy_path_signing === true,
});

function readPower(details: ChangeDetails) {
  const { scopes, wallet_ids, ip_allowlist, expires_at }: Partial<KeyPower> = details;
  const end = required(expires_at);
  return {
    scopes: required(scopes),
    walletIds: required(wallet_ids),
    ipAllowlist: required(ip_allowlist),
    expiresAt: end === null ? null : new Date(end),
  };
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('a change lacks what it says');
  return value;
}
