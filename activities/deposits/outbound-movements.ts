// What left wallets in a block, and whose doing it was: a departure of a transaction that we signed, which the ledger
// has to learn of, or an outflow that nobody here made. What withdrawals settle is neither. Reads rows; records
// nothing.
import type { OutflowKind } from '../../domain/statuses.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import type { Departure } from '../../drizzle/departures/departure-steps.ts';
import type { CreditedAsset, Receiver } from '../../drizzle/deposits/deposits.ts';
import { type Explained, explain } from '../../drizzle/outflows/explanations.ts';
import type { Outflow } from '../../drizzle/outflows/outflows.ts';
import type { OutboundTransfer } from '../chains/port/movements.ts';

export interface Known {
  byContract: ReadonlyMap<string | null, CreditedAsset>;
  byAddress: ReadonlyMap<string, Receiver>;
}

type Suspect = OutboundTransfer & Pick<Receiver, 'walletId' | 'workspaceId'>;

export interface OutboundMovements {
  departures: Departure[];
  outflows: Outflow[];
}

export async function readOutbound(
  db: Database,
  networkId: string,
  outboundTransfers: readonly OutboundTransfer[],
  known: Known,
): Promise<OutboundMovements> {
  const suspects = outboundTransfers.map((each) => ({ ...each, ...walletAt(known.byAddress, each) }));
  const { explained, unexplained } = await explain(db, networkId, suspects);
  return {
    departures: explained.flatMap((each) => departureOf(networkId, each, known) ?? []),
    outflows: unexplained.map((each) => outflowOf(networkId, each, known)),
  };
}

function walletAt(byAddress: Known['byAddress'], { from, txHash }: OutboundTransfer) {
  const wallet = byAddress.get(from);
  if (wallet === undefined) throw new Error(`an outbound transfer of ${txHash} is from no address of ours`);
  return { walletId: wallet.walletId, workspaceId: wallet.workspaceId };
}

/** Undefined for what the ledger has otherwise, or does not have at all. */
function departureOf(
  networkId: string,
  { suspect, maker }: Explained<Suspect>,
  { byContract }: Known,
): Departure | undefined {
  const asset = byContract.get(suspect.contract);
  if (asset === undefined || maker === undefined || !suspect.isCounted) return undefined;
  if (maker.settledAssetIds.includes(asset.id)) return undefined;
  return {
    workspaceId: suspect.workspaceId,
    walletId: suspect.walletId,
    assetId: asset.id,
    networkId,
    transactionId: maker.id,
    externalId: maker.externalId,
    txHash: suspect.txHash,
    departureIndex: suspect.index,
    fromAddress: suspect.from,
    toAddress: suspect.to,
    amountBaseUnits: suspect.amount - suspect.fee,
    feeBaseUnits: suspect.fee,
    succeeded: suspect.succeeded,
    blockNumber: suspect.block.number,
    blockHash: suspect.block.hash,
    decimals: asset.decimals,
    method: suspect.method,
  };
}

const outflowOf = (networkId: string, suspect: Suspect, { byContract }: Known): Outflow => ({
  networkId,
  txHash: suspect.txHash,
  departureIndex: suspect.index,
  walletId: suspect.walletId,
  assetId: byContract.get(suspect.contract)?.id ?? null,
  kind: kindOf(suspect),
  fromAddress: suspect.from,
  amountBaseUnits: suspect.amount,
  blockNumber: suspect.block.number,
  blockHash: suspect.block.hash,
});

function kindOf({ signatures, contract }: OutboundTransfer): OutflowKind {
  if (signatures.length > 0) return 'signed_elsewhere';
  return contract === null ? 'native_moved_by_other' : 'token_moved_by_other';
}
