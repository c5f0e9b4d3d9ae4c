// Whether an asset of a wallet is in use. One that is disabled is still booked when it arrives, since the chain asks
// nobody; nobody is told where to send it, and no withdrawal of it is accepted.
import type { Database, Transaction } from '../../drizzle/database/connection.ts';
import type { AssetRow } from '../../drizzle/networks/assets.ts';
import { isAssetDisabled } from '../../drizzle/wallets/wallet-assets.ts';
import { ApiError } from '../http/errors.ts';

export async function assertAssetEnabled(
  db: Database | Transaction,
  walletId: string,
  { id, symbol }: Pick<AssetRow, 'id' | 'symbol'>,
): Promise<void> {
  if (await isAssetDisabled(db, walletId, id))
    throw new ApiError('invalid_state', `${symbol} is disabled in this wallet: set its status to active first.`);
}
