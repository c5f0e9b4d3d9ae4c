// Records of wallets with their addresses, which are read and checked for all of them at once.
import type { Database, Transaction } from '../../drizzle/database/connection.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import { listSealedAddresses } from '../../drizzle/wallets/wallet-keys.ts';
import type { WalletRow } from '../../drizzle/wallets/wallets.ts';
import { toWalletRecord, type WalletAddresses } from './wallets.response.ts';

/** How these wallets are shown. An archived one has no address for anybody any more. */
export async function showWallets(db: Database | Transaction, seals: Seals, wallets: readonly WalletRow[]) {
  const receiving = wallets.filter(({ status }) => status !== 'archived');
  const byWallet = new Map<string, WalletAddresses>();
  for (const { walletId, addressType, address } of await listSealedAddresses(db, seals, receiving))
    byWallet.set(walletId, { ...byWallet.get(walletId), [addressType]: address });
  return (wallet: WalletRow) => toWalletRecord(wallet, byWallet.get(wallet.id) ?? {});
}

export async function showWallet(db: Database | Transaction, seals: Seals, wallet: WalletRow) {
  return (await showWallets(db, seals, [wallet]))(wallet);
}
