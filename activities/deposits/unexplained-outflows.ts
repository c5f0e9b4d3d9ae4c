// Which departures of a block are outflows that nobody here made. Reads rows; records nothing.

import type { OutflowKind } from '../../domain/statuses.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import type { CreditedAsset, Receiver } from '../../drizzle/deposits/deposits.ts';
import { type Outflow, withoutExplained } from '../../drizzle/outflows/outflows.ts';
import type { Departure } from '../chains/port/chain.ts';

export interface Known {
  byContract: ReadonlyMap<string | null, CreditedAsset>;
  byAddress: ReadonlyMap<string, Receiver>;
}

export async function findOutflows(
  db: Database,
  networkId: string,
  departures: readonly Departure[],
  { byContract, byAddress }: Known,
): Promise<Outflow[]> {
  const suspects = departures.map((departure) => ({ ...departure, walletId: walletAt(byAddress, departure) }));
  return (await withoutExplained(db, networkId, suspects)).map((departure) => ({
    networkId,
    txHash: departure.txHash,
    departureIndex: departure.index,
    walletId: departure.walletId,
    assetId: byContract.get(departure.contract)?.id ?? null,
    kind: kindOf(departure),
    fromAddress: departure.from,
    amountBaseUnits: departure.amount,
    blockNumber: departure.block.number,
    blockHash: departure.block.hash,
  }));
}

function walletAt(byAddress: Known['byAddress'], { from, txHash }: Departure): string {
  const wallet = byAddress.get(from);
  if (wallet === undefined) throw new Error(`a departure of ${txHash} is from no address of ours`);
  return wallet.walletId;
}

function kindOf({ signatures, contract }: Departure): OutflowKind {
  if (signatures.length > 0) return 'signed_elsewhere';
  return contract === null ? 'native_moved_by_other' : 'token_moved_by_other';
}
