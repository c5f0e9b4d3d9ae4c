// What a withdrawal would cost, from the fees that the workers last asked the nodes for. A guess upwards: what it is
// held to is the worker's quote. Stores nothing.
import type { FastifyRequest } from 'fastify';
import { formatAmount } from '../../domain/money.ts';
import type { LevelFee } from '../../domain/networks/stored-fees.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { readLedgerBalance } from '../../drizzle/ledger/ledger.ts';
import { findNetworkState } from '../../drizzle/networks/network-states.ts';
import { assertHasNode, requireFees } from '../catalog/require-node.ts';
import { requireWallet } from '../wallets/require-wallet.ts';
import { expectedFee } from './expected-fee.ts';
import { type Catalogs, readMaxFee, readRecipient, readTransfer } from './read-withdrawal.ts';
import type { TransferIntent } from './withdrawal-intent.ts';
import type { EstimateBody } from './withdrawals.schema.ts';

export async function estimateWithdrawal(
  { db, ...catalogs }: Catalogs & { db: Database },
  request: FastifyRequest,
  walletId: string,
  body: EstimateBody,
) {
  const transfer = await readTransfer(catalogs, body);
  const { network, asset, feeAsset, amount } = transfer;
  if (body.recipient_address !== undefined) await readRecipient(catalogs, network, body.recipient_address);
  readMaxFee(feeAsset, body.max_fee);
  const wallet = await requireWallet(db, request.caller.key.workspaceId, walletId);
  const state = await findNetworkState(db, network.id);
  assertHasNode(network, state);
  const fees = requireFees(network, state);
  const [available, feeAvailable] = await Promise.all(
    [asset.id, feeAsset.id].map((assetId) => readLedgerBalance(db, wallet.id, assetId, 'available')),
  );
  const atLevel = (level: LevelFee) => {
    const maxFee = expectedFee(transfer, level);
    const sufficient = covers(transfer, { available, feeAvailable }, maxFee);
    return { max_fee: formatAmount(maxFee, feeAsset.decimals), sufficient };
  };
  return {
    wallet_id: wallet.id,
    asset_id: asset.id,
    network_id: network.id,
    fee_asset_id: feeAsset.id,
    amount: formatAmount(amount, asset.decimals),
    available: formatAmount(atLeastZero(available), asset.decimals),
    fee_available: formatAmount(atLeastZero(feeAvailable), feeAsset.decimals),
    fees: { low: atLevel(fees.low), medium: atLevel(fees.medium), high: atLevel(fees.high) },
    quoted_at: fees.quotedAt,
  };
}

interface Funds {
  available: bigint | undefined;
  feeAvailable: bigint | undefined;
}

function covers({ asset, amount }: TransferIntent, { available = 0n, feeAvailable = 0n }: Funds, maxFee: bigint) {
  if (asset.isNative) return available >= amount + maxFee;
  return available >= amount && feeAvailable >= maxFee;
}

/** A reorg may have taken back what was spent already. */
const atLeastZero = (baseUnits: bigint | undefined) => (baseUnits !== undefined && baseUnits > 0n ? baseUnits : 0n);
