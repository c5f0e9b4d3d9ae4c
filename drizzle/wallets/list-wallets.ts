// Lists of wallets: which ones a filter means, each filter by an index of its own.
import { eq, type SQL, sql } from 'drizzle-orm';
import { type WalletStatus, walletStatuses } from '../../domain/statuses.ts';
import { type WalletType, walletTypes } from '../../domain/wallets/wallet-types.ts';
import { lowerCaseOf } from '../database/any-case.ts';
import type { Database } from '../database/connection.ts';
import { anyOf, arrayOf, type OneOf, type Page, selectPage } from '../database/page.ts';
import { metadataTerm } from './wallet-metadata.ts';
import { type WalletRow, walletAddresses, wallets } from './wallets.ts';

/** Which wallets; what is absent means any. */
export interface WalletFilter {
  workspaceId: string;
  /** Only these; empty for all. */
  walletIds: readonly string[];
  statuses?: readonly WalletStatus[] | undefined;
  walletTypes?: readonly WalletType[] | undefined;
  /** There is one at most of each. */
  externalIds?: readonly string[] | undefined;
  /** Whole, in any case. */
  name?: string | undefined;
  metadata?: { name: string; value: string } | undefined;
  /** In the form in which they are stored. */
  addresses?: readonly string[] | undefined;
}

/** One row more than the page asks for, when there is one. */
export async function listWallets(db: Database, filter: WalletFilter, page: Page): Promise<WalletRow[]> {
  const parts = partsOf(filter);
  return selectPage(db, wallets, { where: matching(filter, parts), parts, page });
}

/** What the list looks up value by value. Metadata, an address and the wallets of a key are telling by themselves. */
function partsOf(filter: WalletFilter): readonly OneOf[] {
  const { walletIds, statuses, walletTypes: types, externalIds, name, metadata, addresses } = filter;
  if (externalIds !== undefined) return [[wallets.externalId, externalIds]];
  if ([name, metadata, addresses].some((each) => each !== undefined) || walletIds.length > 0) return [];
  if (statuses === undefined && types === undefined) return [];
  return [
    [wallets.status, statuses ?? walletStatuses],
    [wallets.walletType, types ?? walletTypes],
  ];
}

function matching(filter: WalletFilter, parts: readonly OneOf[]): SQL[] {
  const { workspaceId, walletIds, name, metadata, addresses } = filter;
  const lists = [
    [wallets.id, walletIds.length === 0 ? undefined : walletIds],
    [wallets.status, filter.statuses],
    [wallets.walletType, filter.walletTypes],
    [wallets.externalId, filter.externalIds],
  ] as const;
  return [
    eq(wallets.workspaceId, workspaceId),
    ...lists.flatMap(([column, values]) =>
      values === undefined || parts.some(([part]) => part === column) ? [] : [anyOf(column, values)],
    ),
    ...(name === undefined ? [] : [sql`${lowerCaseOf(wallets.name)} = lower(${name}::text)`]),
    ...(metadata === undefined ? [] : [keeps(metadataTerm(workspaceId, metadata.name, metadata.value))]),
    ...(addresses === undefined ? [] : [hasAddress(addresses)]),
  ];
}

/** As an array that is there before the list is read, so that PostgreSQL does not walk the list for it. */
const isAmong = (ids: SQL) => sql`${wallets.id} = any(array(${ids}))`;

const keeps = (term: string) =>
  isAmong(sql`select keeper.id from wallets keeper where keeper.metadata_terms @> ${arrayOf('text', [term])}`);

const hasAddress = (addresses: readonly string[]) =>
  isAmong(
    sql`select ${walletAddresses.walletId} from ${walletAddresses} where ${anyOf(walletAddresses.address, addresses)}`,
  );
