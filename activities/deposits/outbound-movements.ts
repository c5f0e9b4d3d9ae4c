// What left wallets in a block, and whose doing it was: a departure of a transaction that we signed, which the ledger
// has to learn of, or an outflow that nobody here made. What withdrawals settle is neither. Reads rows; records
// nothing.
import type { OutflowKind } from '../../domain/statuses.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import type { Departure } from '../../drizzle/departures/departure-steps.ts';
import type { CreditedAsset, Receiver } from '../../drizzle/deposits/deposits.ts';
import type { Outflow } from '../../drizzle/outflows/outflows.ts';
import { type AttributedTransfer, attributeTransfers } from '../../drizzle/outflows/transfer-origins.ts';
import type { OutboundTransfer } from '../chains/port/movements.ts';

export interface AssetsAndReceivers {
  byContract: ReadonlyMap<string | null, CreditedAsset>;
  byAddress: ReadonlyMap<string, Receiver>;
}

type UnattributedTransfer = OutboundTransfer & Pick<Receiver, 'walletId' | 'workspaceId'>;

export interface OutboundMovements {
  departures: Departure[];
  outflows: Outflow[];
}

export async function readOutbound(
  db: Database,
  networkId: string,
  outboundTransfers: readonly OutboundTransfer[],
  known: AssetsAndReceivers,
): Promise<OutboundMovements> {
  const transfers = outboundTransfers.map((each) => ({ ...each, ...walletAt(known.byAddress, each) }));
  const { attributed, unattributed } = await attributeTransfers(db, networkId, transfers);
  return {
    departures: attributed.flatMap((each) => departureOf(networkId, each, known) ?? []),
    outflows: unattributed.map((each) => outflowOf(networkId, each, known)),
  };
}

function walletAt(byAddress: AssetsAndReceivers['byAddress'], { from, txHash }: OutboundTransfer) {
  const wallet = byAddress.get(from);
  if (wallet === undefined) throw new Error(`an outbound transfer of ${txHash} is from no address of ours`);
  return { walletId: wallet.walletId, workspaceId: wallet.workspaceId };
}

/** Undefined for what the ledger has otherwise, or does not have at all. */
function departureOf(
  networkId: string,
  { transfer, origin }: AttributedTransfer<UnattributedTransfer>,
  { byContract }: AssetsAndReceivers,
): Departure | undefined {
  const asset = byContract.get(transfer.contract);
  if (asset === undefined || origin === undefined || !transfer.isCounted) return undefined;
  if (origin.settledAssetIds.includes(asset.id)) return undefined;
  return {
    workspaceId: transfer.workspaceId,
    walletId: transfer.walletId,
    assetId: asset.id,
    networkId,
    transactionId: origin.id,
    externalId: origin.externalId,
    txHash: transfer.txHash,
    departureIndex: transfer.index,
    fromAddress: transfer.from,
    toAddress: transfer.to,
    amountBaseUnits: transfer.amount - transfer.fee,
    feeBaseUnits: transfer.fee,
    succeeded: transfer.succeeded,
    blockNumber: transfer.block.number,
    blockHash: transfer.block.hash,
    decimals: asset.decimals,
    method: transfer.method,
  };
}

const outflowOf = (networkId: string, transfer: UnattributedTransfer, { byContract }: AssetsAndReceivers): Outflow => ({
  networkId,
  txHash: transfer.txHash,
  departureIndex: transfer.index,
  walletId: transfer.walletId,
  assetId: (transfer.isCounted && byContract.get(transfer.contract)?.id) || null,
  kind: kindOf(transfer),
  fromAddress: transfer.from,
  toAddress: transfer.to,
  amountBaseUnits: transfer.amount,
  feeBaseUnits: transfer.fee,
  blockNumber: transfer.block.number,
  blockHash: transfer.block.hash,
});

function kindOf({ signatures, contract }: OutboundTransfer): OutflowKind {
  if (signatures.length > 0) return 'signed_elsewhere';
  return contract === null ? 'native_moved_by_other' : 'token_moved_by_other';
}
