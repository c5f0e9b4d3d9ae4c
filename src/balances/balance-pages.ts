// Pages of balances, in the order of the wallets' creation. Most wallets of a large workspace hold nothing: a page
// looks at so many wallets and no more, and may therefore be short, or empty, with another page after it.
import type { FastifyRequest } from 'fastify';
import type { Database } from '../../drizzle/database/connection.ts';
import {
  type Balance,
  type BalanceBounds,
  type BalanceFilter,
  type BalancePlace,
  listBalances,
  listWalletPlaces,
  type WalletPlace,
} from '../../drizzle/ledger/balances.ts';
import { sumUnlanded } from '../../drizzle/signing-requests/caller-broadcasts.ts';
import { isStorable } from '../http/formats.ts';
import { invalidCursor, listOf } from '../http/paging.ts';

const WALLETS_OF_A_PAGE_MAX = 500;
/** After every asset of a wallet. */
const LAST_ASSET = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** With what signed transactions that are in no block may yet take from it. */
export type ShownBalance = Balance & { pendingOut: bigint };

export interface BalancePage {
  rows: ShownBalance[];
  /** Of the last row that was looked at; undefined on the last page. */
  next: BalancePlace | undefined;
}

export async function readWalletBalances(
  db: Database,
  wallet: WalletPlace,
  filter: BalanceFilter,
  { after, limit }: BalanceBounds,
): Promise<BalancePage> {
  return cut(db, await listBalances(db, [wallet], filter, { after, limit }), limit);
}

export async function readWorkspaceBalances(
  db: Database,
  {
    workspaceId,
    walletIds,
    ...filter
  }: BalanceFilter & { workspaceId: string; walletIds: readonly string[] | undefined },
  { after, limit }: BalanceBounds,
): Promise<BalancePage> {
  const places = await listWalletPlaces(db, { workspaceId, walletIds }, after, WALLETS_OF_A_PAGE_MAX);
  const rows = await listBalances(db, places, filter, { after, limit });
  const page = await cut(db, rows, limit);
  const last = places.at(-1);
  if (page.next !== undefined || last === undefined || places.length < WALLETS_OF_A_PAGE_MAX) return page;
  return { rows: page.rows, next: { ...last, assetId: LAST_ASSET } };
}

async function cut(db: Database, rows: readonly Balance[], limit: number): Promise<BalancePage> {
  const page = rows.slice(0, limit);
  const unlanded = await sumUnlanded(db, [...new Set(page.map(({ walletId }) => walletId))]);
  const pendingOut = new Map(unlanded.map((each) => [`${each.walletId} ${each.assetId}`, each.amountBaseUnits]));
  const shown = page.map((row) => ({ ...row, pendingOut: pendingOut.get(`${row.walletId} ${row.assetId}`) ?? 0n }));
  return { rows: shown, next: rows.length > limit ? page.at(-1) : undefined };
}

/** Bound to its list, as every cursor (paging.ts). */
export const writeBalanceCursor = (request: FastifyRequest, { createdAt, walletId, assetId }: BalancePlace) =>
  `${Buffer.from(JSON.stringify([createdAt.getTime(), walletId, assetId])).toString('base64url')}.${listOf(request)}`;

export function readBalanceCursor(request: FastifyRequest): BalancePlace | undefined {
  const { cursor } = request.query as { cursor?: string };
  if (cursor === undefined) return undefined;
  const [position = '', list] = cursor.split('.');
  const [at, walletId, assetId] = parse(position);
  const createdAt = new Date(Number.isSafeInteger(at) ? (at as number) : Number.NaN);
  if (list !== listOf(request) || !isStorable(createdAt) || !isUuid(walletId) || !isUuid(assetId))
    throw invalidCursor();
  return { createdAt, walletId, assetId };
}

const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);

function parse(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
