// Over which keys one decides, what it may give them, and what must never be taken from the last administrator. Throws what refuses a change; changes nothing.
import { type ApiKeyRow, findWalletIds, hasLastingKey } from '../../drizzle/api-keys.ts';
import type { Transaction } from '../../drizzle/database.ts';
import { ApiError } from '../http/errors.ts';
import { parseRange } from './ip-allowlist.ts';
import type { UsableKey } from './key-ring.ts';
import type { Scope } from './scopes.ts';

const ADMINISTRATION: Scope = 'api_keys:admin';

type Reach = Pick<ApiKeyRow, 'scopes' | 'walletIds'>;

/**
 * A key decides over no key that can do more than itself, and makes none that could: what it lacks it would have by way of the other one. Scopes and
 * wallets count together, since a scope is worth what it reaches.
 */
export function assertReaches(caller: UsableKey, other: Reach): void {
  const beyond = other.scopes.find((scope) => !isIn(caller.scopes, scope));
  if (beyond !== undefined)
    throw new ApiError(
      'insufficient_scope',
      `This key lacks the scope ${beyond}: it can neither grant it nor change a key that has it.`,
    );
  if (!reachesWallets(caller.walletIds, other.walletIds))
    throw new ApiError(
      'insufficient_scope',
      'This key is bound to wallets: it can neither grant others nor change a key that reaches others.',
    );
}

/** Empty lists mean every wallet. */
function reachesWallets(from: readonly string[], wanted: readonly string[]): boolean {
  if (from.length === 0) return true;
  return wanted.length > 0 && wanted.every((id) => isIn(from, id));
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

/**
 * One key must stay that administers every key for ever, else only an operator could help. `after` is undefined for a revocation. To be called with the
 * workspace locked: two keys that end each other at once would otherwise leave none.
 */
export async function assertAdministratorRemains(tx: Transaction, before: ApiKeyRow, after?: ApiKeyRow): Promise<void> {
  const isUsable = before.revokedAt === null && (before.expiresAt === null || before.expiresAt.getTime() > Date.now());
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
