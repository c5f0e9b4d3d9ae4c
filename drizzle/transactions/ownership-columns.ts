// Where money is or was: the columns that every table of movements has. No table and no query lives here.
import { uuid } from 'drizzle-orm/pg-core';
import { assets } from '../networks/assets.ts';
import { networks } from '../networks/networks.ts';
import { wallets } from '../wallets/wallets.ts';
import { workspaces } from '../workspaces/workspaces.ts';

export const ownershipColumns = () => ({
  workspaceId: uuid('workspace_id')
    .notNull()
    .references(() => workspaces.id),
  walletId: uuid('wallet_id')
    .notNull()
    .references(() => wallets.id),
  assetId: uuid('asset_id')
    .notNull()
    .references(() => assets.id),
  networkId: uuid('network_id')
    .notNull()
    .references(() => networks.id),
});
