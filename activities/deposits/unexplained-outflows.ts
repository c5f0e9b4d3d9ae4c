// Which outbound transfers of a block are outflows that nobody here made. Reads rows; records nothing.

import type { OutflowKind } from '../../domain/statuses.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import type { CreditedAsset, Receiver } from '../../drizzle/deposits/deposits.ts';
import { type Outflow, withoutExplained } from '../../drizzle/outflows/outflows.ts';
import type { OutboundTransfer } from '../chains/port/movements.ts';

export interface Known {
  byContract: ReadonlyMap<string | null, CreditedAsset>;
  byAddress: ReadonlyMap<string, Receiver>;
}

export async function findOutflows(
  db: Database,
  networkId: string,
  outboundTransfers: readonly OutboundTransfer[],
  { byContract, byAddress }: Known,
): Promise<Outflow[]> {
  const suspects = outboundTransfers.map((outboundTransfer) => ({
    ...outboundTransfer,
    walletId: walletAt(byAddress, outboundTransfer),
  }));
  return (await withoutExplained(db, networkId, suspects)).map((outboundTransfer) => ({
    networkId,
    txHash: outboundTransfer.txHash,
    departureIndex: outboundTransfer.index,
    walletId: outboundTransfer.walletId,
    assetId: byContract.get(outboundTransfer.contract)?.id ?? null,
    kind: kindOf(outboundTransfer),
    fromAddress: outboundTransfer.from,
    amountBaseUnits: outboundTransfer.amount,
    blockNumber: outboundTransfer.block.number,
    blockHash: outboundTransfer.block.hash,
  }));
}

function walletAt(byAddress: Known['byAddress'], { from, txHash }: OutboundTransfer): string {
  const wallet = byAddress.get(from);
  if (wallet === undefined) throw new Error(`an outbound transfer of ${txHash} is from no address of ours`);
  return wallet.walletId;
}

function kindOf({ signatures, contract }: OutboundTransfer): OutflowKind {
  if (signatures.length > 0) return 'signed_elsewhere';
  return contract === null ? 'native_moved_by_other' : 'token_moved_by_other';
}
