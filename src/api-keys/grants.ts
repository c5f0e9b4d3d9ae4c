// Over which keys one decides, what it may give them, and what must never be taken from the last administrator. Throws
// what refuses a change; changes nothing.

import type { Scope } from '../../domain/scopes.ts';
import { approvingScopes } from '../../domain/votes/vote-rules.ts';
import { findWalletIds, hasLastingKey } from '../../drizzle/api-keys/api-key-queries.ts';
import { type ApiKeyRow, awaitsSecret } from '../../drizzle/api-keys/api-keys.ts';
import type { Transaction } from '../../drizzle/database/connection.ts';
import type { UsableKey } from '../authentication/key-ring.ts';
import { ApiError } from '../http/errors.ts';
import { isWithinRanges, parseRange, type Range } from '../http/ip-ranges.ts';

const ADMINISTRATION: Scope = 'api_keys:admin';

/** What a key can do, on what, from where and until when. */
export type Power = Pick<ApiKeyRow, 'scopes' | 'walletIds' | 'ipAllowlist' | 'expiresAt'>;

/**
 * A key takes power only from keys that can do no more than itself. Scopes and wallets count together, since a scope is
 * worth what it reaches. Who approves can be stopped by who does not: the first key of a workspace cannot approve, and
 * must be able to end an approver's key that was stolen.
 */
export function assertReaches(caller: UsableKey, other: Pick<Power, 'scopes' | 'walletIds'>): void {
  assertScopes(caller, other.scopes, { except: approvingScopes });
  if (!reachesWallets(caller.walletIds, other.walletIds)) throw beyondWallets();
}

/**
 * A key gives nothing that it lacks: what it lacks it would have by way of the other one. Where another user approves
 * what is given to another user's key, `except` names what may be given without having it.
 */
export function assertGrants(caller: UsableKey, power: Power, options: { except: readonly string[] }): void {
  assertWithinOwnGrants(caller, power, options);
  assertGrantsLimits(caller, power);
}

export function assertWithinOwnGrants(
  caller: UsableKey,
  power: Pick<Power, 'scopes' | 'walletIds'>,
  options: { except: readonly string[] },
): void {
  assertScopes(caller, power.scopes, options);
  if (!reachesWallets(caller.walletIds, power.walletIds)) throw beyondWallets();
}

export function assertGrantsLimits(caller: UsableKey, power: Pick<Power, 'ipAllowlist' | 'expiresAt'>): void {
  if (!isWithinRanges(readRanges(power.ipAllowlist), caller.ipAllowlist))
    throw new ApiError(
      'insufficient_scope',
      'This key may be used from some addresses only: give the other one an ip_allowlist within its own.',
    );
  if (!endsWithin(power.expiresAt, caller.expiresAt))
    throw new ApiError('insufficient_scope', 'This key ends: give the other one an expires_at that is no later.');
}

function assertScopes(caller: UsableKey, scopes: readonly string[], { except }: { except: readonly string[] }): void {
  const beyond = scopes.find((scope) => !isIn(caller.scopes, scope) && !except.includes(scope));
  if (beyond !== undefined)
    throw new ApiError(
      'insufficient_scope',
      `This key lacks the scope ${beyond}: it can neither grant it nor change a key that has it.`,
    );
}

const beyondWallets = () =>
  new ApiError(
    'insufficient_scope',
    'This key is bound to wallets: it can neither grant others nor change a key that reaches others.',
  );

/** What `after` can that `before` could not. */
export function widened(before: Power, after: Power) {
  return {
    scopes: after.scopes.filter((scope) => !isIn(before.scopes, scope)),
    reach: !reachesWallets(before.walletIds, after.walletIds),
    /** The address list or the expiry are lifted, in part or as a whole. */
    limits:
      !isWithinRanges(readRanges(after.ipAllowlist), readRanges(before.ipAllowlist)) ||
      !endsWithin(after.expiresAt, before.expiresAt),
  };
}

/** Empty lists mean every wallet. */
function reachesWallets(from: readonly string[], wanted: readonly string[]): boolean {
  if (from.length === 0) return true;
  return wanted.length > 0 && wanted.every((id) => isIn(from, id));
}

const endsWithin = (end: Date | null, limit: Date | null): boolean =>
  limit === null || (end !== null && end.getTime() <= limit.getTime());

const readRanges = (texts: readonly string[]): Range[] =>
  texts.map((text) => {
    const range = parseRange(text);
    if (range === undefined) throw malformedRanges();
    return range;
  });

export async function assertWalletsExist(tx: Transaction, workspaceId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const found = await findWalletIds(tx, workspaceId, ids);
  const missing = ids.find((id) => !isIn(found, id));
  if (missing !== undefined)
    throw new ApiError('invalid_request', `body.wallet_ids: there is no wallet ${missing} in this workspace.`);
}

export const assertRanges = (texts: readonly string[]): void => void readRanges(texts);

const malformedRanges = () =>
  new ApiError(
    'invalid_request',
    'body.ip_allowlist takes plain IPv4 and IPv6 addresses and CIDR ranges without host bits.',
  );

export function readFutureMoment(text: string): Date {
  const moment = new Date(text);
  if (moment.getTime() <= Date.now()) throw new ApiError('invalid_request', 'body.expires_at must be in the future.');
  return moment;
}

/**
 * One key must stay that administers every key for ever, else only an operator could help. `after` is undefined for a
 * revocation. To be called with the workspace locked: two keys that end each other at once would otherwise leave none.
 */
export async function assertAdministratorRemains(tx: Transaction, before: ApiKeyRow, after?: ApiKeyRow): Promise<void> {
  const isUsable =
    before.revokedAt === null &&
    (before.expiresAt === null || before.expiresAt.getTime() > Date.now()) &&
    !(awaitsSecret(before) && before.previousSecretEncrypted === null);
  if (!isUsable || !isIn(before.scopes, ADMINISTRATION)) return;
  if (after !== undefined && isLastingAdministrator(after) && !isConfined(before, after)) return;
  await assertAnotherAdministrator(tx, before.workspaceId, [before.id]);
}

/** As `assertAdministratorRemains`, when all of these keys, which are of one user, end at once. */
export async function assertAdministratorRemainsWithout(tx: Transaction, keys: readonly ApiKeyRow[]): Promise<void> {
  const [first] = keys.filter(isLastingAdministrator);
  if (first === undefined) return;
  await assertAnotherAdministrator(
    tx,
    first.workspaceId,
    keys.map(({ id }) => id),
  );
}

async function assertAnotherAdministrator(tx: Transaction, workspaceId: string, exceptIds: readonly string[]) {
  if (await hasLastingKey(tx, { workspaceId, scope: ADMINISTRATION, exceptIds })) return;
  throw new ApiError(
    'invalid_state',
    `No key with ${ADMINISTRATION} would remain that never ends, reaches every wallet and is sure to be let in from where it was: make another one first.`,
  );
}

/** What `hasLastingKey` asks of the others. */
const isLastingAdministrator = ({ scopes, walletIds, expiresAt }: ApiKeyRow) =>
  isIn(scopes, ADMINISTRATION) && walletIds.length === 0 && expiresAt === null;

/** A new list of addresses may miss its owner's own. */
const isConfined = (before: ApiKeyRow, after: ApiKeyRow) =>
  after.ipAllowlist.length > 0 && after.ipAllowlist.join() !== before.ipAllowlist.join();

const isIn = (list: readonly string[], value: string) => list.includes(value);
