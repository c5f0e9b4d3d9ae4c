// How networks and assets of the catalogue are shown, alone and inside what belongs to a wallet.
import type { CatalogAsset } from './assets.ts';
import type { CatalogNetwork } from './networks.ts';
import type { Prices } from './prices.ts';

export function toNetwork(row: CatalogNetwork) {
  return {
    id: row.id,
    name: row.name,
    native_currency: row.nativeCurrency,
    internal_code: row.internalCode,
    logo_url: row.logoUrl ?? '',
    is_evm: row.isEvm,
    is_testnet: row.isTestnet,
    disabled: row.disabled,
    chain_id: row.chainId,
    confirmation_blocks: row.confirmationBlocks,
    capabilities: row.capabilities,
  };
}

export function toAsset({ asset: row, network: on }: CatalogAsset, prices: Prices) {
  const contract = row.contractAddress ?? '';
  return {
    id: row.id,
    name: row.name,
    symbol: row.symbol,
    address: contract,
    contract_address: contract,
    asset_type: row.assetType,
    address_type: on.addressType,
    network_id: row.networkId,
    logo_url: row.logoUrl ?? '',
    decimals: row.decimals,
    is_native: row.isNative,
    is_whitelisted: row.isWhitelisted,
    network: toNetwork(on),
    // Coins of a test network carry the symbol of the real ones, and are worth nothing.
    price_usd: on.isTestnet ? null : (prices.get(row.symbol.toUpperCase()) ?? null),
  };
}
