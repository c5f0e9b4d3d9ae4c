// What the ledger says of one asset of a wallet, and as of which block: for the question to a chain whether it is all
// there. Reads only.
import { sql } from 'drizzle-orm';
import type { Database } from '../database/connection.ts';
import type { DepositRow } from './deposits.ts';

export interface PromisedBalance {
  /** The newest block that is read. */
  readTo: { number: number; hash: string };
  /** Available, held and pending, without the deposits of blocks above that of the deposit in question. */
  baseUnits: bigint;
}

type Deposit = Pick<DepositRow, 'networkId' | 'walletId' | 'assetId' | 'blockNumber'>;

/**
 * In one statement, so that balance and block belong together. Undefined while a withdrawal of the wallet has ended in
 * a block that is not read yet: the ledger would be further than the block.
 */
export async function findPromisedBalance(
  db: Database,
  { networkId, walletId, assetId, blockNumber }: Deposit,
): Promise<PromisedBalance | undefined> {
  const [row] = await db.execute<{ number: string; hash: string; promised: string }>(sql`
    select block.number, block.hash,
      (select coalesce(sum(balance), 0) from ledger_accounts
        where wallet_id = ${walletId} and asset_id = ${assetId} and kind <> 'outside')
      - (select coalesce(sum(amount_base_units), 0) from deposits
        where network_id = ${networkId} and status in ('pending', 'confirmed') and block_number > ${blockNumber}
          and block_hash <> '' and wallet_id = ${walletId} and asset_id = ${assetId}) as promised
    from network_states state
    cross join lateral (select number, hash from network_blocks
      where network_id = state.network_id and number < state.next_block order by number desc limit 1) as block
    where state.network_id = ${networkId} and not exists (select from withdrawals
      where wallet_id = ${walletId} and withdrawals.network_id = ${networkId} and block_number > block.number)`);
  if (row === undefined) return undefined;
  return { readTo: { number: Number(row.number), hash: row.hash }, baseUnits: BigInt(row.promised) };
}
