// Transactions as later parts of the service will write them: one at a time with chosen fields, or very many at once.
import { sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Database } from '../../../drizzle/database/connection.ts';
import { networks } from '../../../drizzle/networks/networks.ts';
import { type TransactionRow, transactions } from '../../../drizzle/transactions/transactions.ts';

export interface TestAsset {
  assetId: string;
  networkId: string;
}

/** An asset of the test's own, on a network of the catalogue. */
export async function makeAsset(db: Database, internalCode = 'ETHEREUM_SANDBOX'): Promise<TestAsset> {
  const assetId = uuidv7();
  const [network] = await db.select().from(networks).where(sql`${networks.internalCode} = ${internalCode}`);
  if (network === undefined) throw new Error(`no network ${internalCode}`);
  await db.execute(sql`
    insert into assets (id, network_id, name, symbol, asset_type, contract_address, decimals, is_native)
    values (${assetId}, ${network.id}, 'Test', 'TST', 'token', ${`0x${assetId.replaceAll('-', '')}`}, 6, false)`);
  return { assetId, networkId: network.id };
}

type Given = TestAsset & { workspaceId: string; walletId: string } & Partial<TransactionRow>;

export async function insertTransaction(db: Database, given: Given): Promise<TransactionRow> {
  const id = uuidv7();
  const fields = {
    id,
    transactionId: id,
    direction: 'in',
    method: 'transfer',
    amountBaseUnits: 1_500_000n,
    decimals: 6,
    status: 'completed',
    ...given,
  } as const;
  const [row] = await db.insert(transactions).values(fields).returning();
  if (row === undefined) throw new Error('an insert returned no row');
  return row;
}

/**
 * Numbered from 1: row n has the amount n, was created n seconds after the year began and updated the other way round.
 */
export async function insertManyTransactions(
  db: Database,
  { workspaceId, assetId, networkId }: TestAsset & { workspaceId: string },
  walletIds: readonly string[],
  { rows, blockHashLength = 66 }: { rows: number; blockHashLength?: number },
): Promise<void> {
  const wallets = sql.raw(`'{${walletIds.join(',')}}'::uuid[]`);
  await db.execute(sql`
    insert into transactions (id, transaction_id, workspace_id, wallet_id, asset_id, network_id, direction, method, amount_base_units, decimals,
      status, tx_hash, from_address, to_address, recipient_address, block_number, block_hash, gas_used, effective_gas_price_wei, confirmed_at,
      created_at, updated_at)
    select id, id, ${workspaceId}::uuid, (${wallets})[1 + n % ${sql.raw(String(walletIds.length))}], ${assetId}::uuid, ${networkId}::uuid,
      case when n % 4 = 0 then 'out' else 'in' end, 'transfer', n, 6, 'completed',
      '0x' || lpad(to_hex(n), 64, '0'), '0xA' || lpad(to_hex(n % 5000), 39, '0'), '0xB' || lpad(to_hex(n), 39, '0'),
      '0xB' || lpad(to_hex(n), 39, '0'), n, lpad(to_hex(n), ${sql.raw(String(blockHashLength))}, 'c'), 21000, 1000000007, created_at, created_at,
      timestamptz '2026-06-01Z' - n * interval '1 second'
    from (
      select n, gen_random_uuid() as id, timestamptz '2026-01-01Z' + n * interval '1 second' as created_at
      from generate_series(1, ${sql.raw(String(rows))}) as n
    ) as numbered`);
}
