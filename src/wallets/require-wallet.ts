// The wallet that a route names, or the 404 that every route answers with when the workspace has none of this id.
import type { Database } from '../../drizzle/database/connection.ts';
import { findWallet } from '../../drizzle/wallets/wallet-queries.ts';
import type { WalletRow } from '../../drizzle/wallets/wallets.ts';
import { notFound } from '../http/errors.ts';

export async function requireWallet(db: Database, workspaceId: string, walletId: string): Promise<WalletRow> {
  return requireFound(await findWallet(db, workspaceId, walletId));
}

export function requireFound(wallet: WalletRow | undefined): WalletRow {
  if (wallet === undefined) throw notFound('wallet');
  return wallet;
}
