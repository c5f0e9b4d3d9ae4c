// What one key may give to another, and what must never be taken from the last one. Throws what refuses a change; changes nothing.
import { type ApiKeyRow, findWalletIds, hasOtherUsableKey } from '../../drizzle/api-keys.ts';
import type { Transaction } from '../../drizzle/database.ts';
import { ApiError } from '../http/errors.ts';
import { parseRange } from './ip-allowlist.ts';
import type { UsableKey } from './key-ring.ts';

type Reach = Pick<ApiKeyRow, 'scopes' | 'walletIds'>;

/** A key may hand out only what it holds itself; what the other key has already is no gift. */
export function assertMayGrant(caller: UsableKey, after: Reach, before?: Reach): void {
  const beyond = after.scopes.find((scope) => !isIn(caller.scopes, scope) && !isIn(before?.scopes ?? [], scope));
  if (beyond !== undefined)
    throw new ApiError('insufficient_scope', `This key lacks the scope ${beyond} and cannot grant it.`);
  if (!reachesWallets(caller.walletIds, after.walletIds) && !reachesWallets(before?.walletIds, after.walletIds))
    throw new ApiError(
      'insufficient_scope',
      'This key is bound to wallets and cannot grant others: name some of its own.',
    );
}

/** Empty lists mean every wallet. */
function reachesWallets(from: readonly string[] | undefined, wanted: readonly string[]): boolean {
  if (from === undefined) return false;
  if (from.length === 0) return true;
  return wanted.length > 0 && wanted.every((id) => isIn(from, id));
}

/** Whoever learns a secret can do all that its key can: so the caller must be able to do that already. */
export function assertMayLearnSecret(caller: UsableKey, of: Reach): void {
  assertMayGrant(caller, of);
}

export async function assertWalletsExist(tx: Transaction, workspaceId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const found = await findWalletIds(tx, workspaceId, ids);
  const missing = ids.find((id) => !isIn(found, id));
  if (missing !== undefined)
    throw new ApiError('invalid_request', `body.wallet_ids: there is no wallet ${missing} in this workspace.`);
}

export function assertRanges(texts: readonly string[]): void {
  const malformed = texts.find((text) => parseRange(text) === undefined);
  if (malformed !== undefined)
    throw new ApiError(
      'invalid_request',
      'body.ip_allowlist takes plain IPv4 and IPv6 addresses and CIDR ranges without host bits.',
    );
}

export function readFutureMoment(text: string): Date {
  const moment = new Date(text);
  if (moment.getTime() <= Date.now()) throw new ApiError('invalid_request', 'body.expires_at must be in the future.');
  return moment;
}

/** To be called with the workspace locked: two keys that end each other at once would otherwise leave none. */
export async function assertAdministratorRemains(tx: Transaction, key: ApiKeyRow): Promise<void> {
  const scope = 'api_keys:admin';
  const isUsable = key.revokedAt === null && (key.expiresAt === null || key.expiresAt.getTime() > Date.now());
  if (!isUsable || !key.scopes.includes(scope)) return;
  if (await hasOtherUsableKey(tx, { workspaceId: key.workspaceId, scope, exceptId: key.id })) return;
  throw new ApiError('invalid_state', `This is the last usable key with ${scope}: make another one first.`);
}

const isIn = (list: readonly string[], value: string) => list.includes(value);
