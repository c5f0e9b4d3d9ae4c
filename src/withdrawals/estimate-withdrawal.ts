// What a withdrawal would cost, from the fees that the workers last asked the nodes for. A guess upwards: what it is
// held to is the worker's quote. Stores nothing.
import type { FastifyRequest } from 'fastify';
import { formatAmount } from '../../domain/money.ts';
import type { FeeLevel } from '../../domain/withdrawals/fee-levels.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { readLedgerBalance } from '../../drizzle/ledger/ledger.ts';
import { findNetworkState } from '../../drizzle/networks/network-states.ts';
import { countCoins } from '../../drizzle/withdrawals/coin-count.ts';
import { assertHasNode, requireFees } from '../catalog/require-node.ts';
import { requireWallet } from '../wallets/require-wallet.ts';
import { expectedFee, feeBoundOf } from './expected-fee.ts';
import { type Catalogs, readMaxFee, readRecipient, readTransfer } from './read-withdrawal.ts';
import { resolveAmount } from './resolve-amount.ts';
import type { TransferIntent } from './withdrawal-intent.ts';
import type { EstimateBody } from './withdrawals.schema.ts';

export async function estimateWithdrawal(
  { db, ...catalogs }: Catalogs & { db: Database },
  request: FastifyRequest,
  walletId: string,
  body: EstimateBody,
) {
  const transfer = await readTransfer(catalogs, body);
  const { network, asset, feeAsset } = transfer;
  if (body.recipient_address !== undefined) await readRecipient(catalogs, network, body.recipient_address);
  const ownMaxFee = readMaxFee(feeAsset, body.max_fee);
  const wallet = await requireWallet(db, request.caller.key.workspaceId, walletId);
  const state = await findNetworkState(db, network.id);
  assertHasNode(network, state);
  const fees = requireFees(network, state);
  const [available, feeAvailable] = await Promise.all(
    [asset.id, feeAsset.id].map((assetId) => readLedgerBalance(db, wallet.id, assetId, 'available')),
  );
  const coins = await coinsOf(db, wallet.id, transfer);
  const atLevel = (feeLevel: FeeLevel) => {
    const maxFee = expectedFee(transfer, fees[feeLevel]);
    const intent = { ...transfer, call: null, maxFee: ownMaxFee, feeLevel };
    const feeBound = feeBoundOf(intent, fees, catalogs.networks.feeCapOf(network), coins);
    const resolved = resolveAmount(transfer, { available: available ?? 0n, feeBound, isTold: true });
    const amount = 'refusal' in resolved ? undefined : resolved.amount;
    const sufficient =
      amount !== undefined && isSufficient({ ...transfer, amount }, { available, feeAvailable }, maxFee);
    return {
      max_fee: formatAmount(maxFee, feeAsset.decimals),
      fee_bound: formatAmount(feeBound, feeAsset.decimals),
      amount: formatAmount(amount ?? 0n, asset.decimals),
      sufficient,
    };
  };
  const levels = { low: atLevel('low'), medium: atLevel('medium'), high: atLevel('high') };
  return {
    wallet_id: wallet.id,
    asset_id: asset.id,
    network_id: network.id,
    fee_asset_id: feeAsset.id,
    amount: levels[body.fee_level ?? 'medium'].amount,
    available: formatAmount(atLeastZero(available), asset.decimals),
    fee_available: formatAmount(atLeastZero(feeAvailable), feeAsset.decimals),
    fees: levels,
    quoted_at: fees.quotedAt,
  };
}

/** Of a withdrawal that shall spend all coins of a chain like Bitcoin; else nobody asks. */
const coinsOf = async (db: Database, walletId: string, { network, asset, amountRule }: TransferIntent) =>
  network.addressType === 'btc' && amountRule !== undefined ? countCoins(db, walletId, asset.id) : 0;

interface Funds {
  available: bigint | undefined;
  feeAvailable: bigint | undefined;
}

function isSufficient({ asset, amount }: TransferIntent, { available = 0n, feeAvailable = 0n }: Funds, maxFee: bigint) {
  if (asset.isNative) return available >= amount + maxFee;
  return available >= amount && feeAvailable >= maxFee;
}

/** A reorg may have taken back what was spent already. */
const atLeastZero = (baseUnits: bigint | undefined) => (baseUnits !== undefined && baseUnits > 0n ? baseUnits : 0n);
