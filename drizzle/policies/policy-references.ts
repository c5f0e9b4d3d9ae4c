// Whether what a policy names is there: networks, assets, wallets and users. Decides nothing.
import { and, eq } from 'drizzle-orm';
import type { Transaction } from '../database/connection.ts';
import { anyOf } from '../database/page.ts';
import { assets } from '../networks/assets.ts';
import { networks } from '../networks/networks.ts';
import { users } from '../users/users.ts';
import { wallets } from '../wallets/wallets.ts';

export interface References {
  networkCodes: readonly string[];
  assetIds: readonly string[];
  walletIds: readonly string[];
  userIds: readonly string[];
}

export interface FoundReferences {
  networkCodes: ReadonlySet<string>;
  /** Decimals by asset. */
  assets: ReadonlyMap<string, number>;
  /** Those that fees are paid in. */
  nativeAssets: ReadonlySet<string>;
  walletIds: ReadonlySet<string>;
  /** Without the disabled. */
  userIds: ReadonlySet<string>;
}

export async function findReferences(
  tx: Transaction,
  workspaceId: string,
  wanted: References,
): Promise<FoundReferences> {
  const code = networks.internalCode;
  const codes = await tx.select({ code }).from(networks).where(anyOf(code, wanted.networkCodes));
  const found = await tx
    .select({ id: assets.id, decimals: assets.decimals, isNative: assets.isNative })
    .from(assets)
    .where(anyOf(assets.id, wanted.assetIds));
  const ofWorkspace = await tx
    .select({ id: wallets.id })
    .from(wallets)
    .where(and(eq(wallets.workspaceId, workspaceId), anyOf(wallets.id, wanted.walletIds)));
  const voters = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.workspaceId, workspaceId), eq(users.status, 'active'), anyOf(users.id, wanted.userIds)));
  return {
    networkCodes: new Set(codes.map((row) => row.code)),
    assets: new Map(found.map(({ id, decimals }) => [id, decimals])),
    nativeAssets: new Set(found.flatMap(({ id, isNative }) => (isNative ? [id] : []))),
    walletIds: new Set(ofWorkspace.map(({ id }) => id)),
    userIds: new Set(voters.map(({ id }) => id)),
  };
}
