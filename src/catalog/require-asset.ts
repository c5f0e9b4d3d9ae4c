// The asset or network of the catalogue that a request names. What is unknown or disabled here is wrong whatever a
// wallet holds: 400.
import type { NetworkRow } from '../../drizzle/networks/networks.ts';
import { ApiError } from '../http/errors.ts';
import type { AssetCatalog, CatalogAsset } from './assets.ts';
import type { NetworkCatalog } from './networks.ts';

export async function requireAsset(assets: AssetCatalog, assetId: string): Promise<CatalogAsset> {
  const found = await assets.find(assetId);
  if (found === undefined) throw new ApiError('invalid_request', 'asset_id is not in the catalogue of assets.');
  assertEnabled(found.network);
  return found;
}

export async function requireNetwork(networks: NetworkCatalog, networkId: string): Promise<NetworkRow> {
  const network = await networks.findById(networkId);
  if (network === undefined) throw new ApiError('invalid_request', 'network_id is not in the catalogue of networks.');
  assertEnabled(network);
  return network;
}

function assertEnabled(network: NetworkRow): void {
  if (network.disabled) throw new ApiError('invalid_request', `The network ${network.internalCode} is disabled here.`);
}
