// Reads what a caller wants sent: which asset, how much, to whom. Everything here is wrong or right whatever is stored.

import { AmountError, parseAmount } from '../../domain/money.ts';
import type { AssetRow } from '../../drizzle/networks/assets.ts';
import type { NetworkRow } from '../../drizzle/networks/networks.ts';
import type { AssetCatalog, CatalogAsset } from '../catalog/assets.ts';
import type { NetworkCatalog } from '../catalog/networks.ts';
import { requireAddress } from '../catalog/require-address.ts';
import { requireAsset } from '../catalog/require-asset.ts';
import { ApiError } from '../http/errors.ts';
import { assertAmountInBounds } from './amount-limits.ts';
import type { TransferIntent, WithdrawalIntent } from './withdrawal-intent.ts';
import type { EstimateBody, WithdrawalBody } from './withdrawals.schema.ts';

export interface Catalogs {
  networks: NetworkCatalog;
  assets: AssetCatalog;
}

export async function readWithdrawal(catalogs: Catalogs, body: WithdrawalBody): Promise<WithdrawalIntent> {
  const transfer = await readTransfer(catalogs, body);
  const { network, feeAsset } = transfer;
  const recipient = await readRecipient(catalogs, network, body.recipient_address);
  return {
    ...transfer,
    recipient,
    payee: recipient,
    call: null,
    notes: body.notes ?? null,
    feeLevel: body.fee_level ?? 'medium',
    maxFee: readMaxFee(feeAsset, body.max_fee),
    externalId: body.external_id ?? null,
  };
}

/** Without whom it is for. */
export async function readTransfer(catalogs: Catalogs, body: EstimateBody): Promise<TransferIntent> {
  const { asset, network } = await chooseAsset(catalogs, body);
  if (!asset.isWhitelisted)
    throw new ApiError('invalid_request', `${asset.symbol} on ${network.internalCode} is switched off here.`);
  const feeAsset = await requireFeeAsset(catalogs, network);
  if (body.subtract_fee === true && asset.id !== feeAsset.id)
    throw new ApiError(
      'invalid_request',
      `subtract_fee: the fee of ${asset.symbol} on ${network.internalCode} is paid in ${feeAsset.symbol}, and cannot be taken out of the amount: leave it out.`,
    );
  // All that is available has its fee taken out of it as it is.
  if (body.amount === 'max') return { network, asset, feeAsset, amount: 0n, amountRule: 'max' };
  const amount = readAmount('amount', body.amount, asset);
  assertAmountInBounds(asset, network, amount);
  return { network, asset, feeAsset, amount, ...(body.subtract_fee === true ? { amountRule: 'fee_subtracted' } : {}) };
}

export function readMaxFee(feeAsset: AssetRow, text: string | undefined): bigint | null {
  if (text === undefined) return null;
  const maxFee = readAmount('max_fee', text, feeAsset);
  if (maxFee === 0n) throw new ApiError('invalid_request', 'max_fee must be above 0: every network takes a fee.');
  return maxFee;
}

export async function requireFeeAsset({ assets }: Catalogs, network: NetworkRow): Promise<AssetRow> {
  const [native] = await assets.list({ networkId: network.id, isNative: true });
  if (native === undefined) throw new Error(`the catalogue has no native asset of ${network.internalCode}`);
  return native.asset;
}

/**
 * In its canonical form. The contracts that are refused are those of the catalogue: nothing ever comes back from there.
 */
export async function readRecipient({ assets }: Catalogs, network: NetworkRow, text: string): Promise<string> {
  const address = requireAddress(network, 'recipient_address', text);
  const contracts = await assets.list({ networkId: network.id, isNative: false });
  const own = contracts.find(({ asset }) => asset.contractAddress === address);
  if (own !== undefined)
    throw new ApiError(
      'invalid_address',
      `recipient_address is the contract of ${own.asset.symbol}: what is sent there is lost.`,
    );
  return address;
}

function readAmount(name: string, text: string, { decimals }: AssetRow): bigint {
  try {
    return parseAmount(text, decimals);
  } catch (error) {
    if (error instanceof AmountError) throw new ApiError('invalid_request', `${name}: ${error.message}`);
    throw error;
  }
}

async function chooseAsset(catalogs: Catalogs, body: EstimateBody): Promise<CatalogAsset> {
  const { asset_id: assetId, asset: symbol, network: code } = body;
  const byId = assetId === undefined ? undefined : await requireAsset(catalogs.assets, assetId);
  if (byId === undefined) return findBySymbol(catalogs, symbol, code);
  const agrees =
    (symbol === undefined || symbol.toLowerCase() === byId.asset.symbol.toLowerCase()) &&
    (code === undefined || code === byId.network.internalCode);
  if (agrees) return byId;
  throw new ApiError(
    'conflicting_aliases',
    `asset_id is ${byId.asset.symbol} on ${byId.network.internalCode}, and asset or network say otherwise: send asset_id alone.`,
  );
}

async function findBySymbol(
  { networks, assets }: Catalogs,
  symbol: string | undefined,
  code: string | undefined,
): Promise<CatalogAsset> {
  if (symbol === undefined || code === undefined)
    throw new ApiError('invalid_request', 'The asset is missing: send asset_id, or asset and network.');
  const network = await networks.find(code);
  if (network === undefined) throw new ApiError('invalid_request', 'network is not in the catalogue of networks.');
  if (network.disabled) throw new ApiError('invalid_request', `The network ${code} is disabled here.`);
  const [found, another] = await assets.list({ symbol, networkId: network.id });
  if (found === undefined) throw new ApiError('invalid_request', `asset is not in the catalogue of assets on ${code}.`);
  if (another !== undefined)
    throw new ApiError('invalid_request', `Several assets on ${code} have this symbol: send asset_id.`);
  return found;
}
