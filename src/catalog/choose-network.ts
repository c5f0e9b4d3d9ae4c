// The network that a request names, by its internal code or by its chain id. Only networks that are switched on.
import type { NetworkRow } from '../../drizzle/networks/networks.ts';
import { ApiError } from '../http/errors.ts';
import type { NetworkCatalog } from './networks.ts';

export interface NetworkChoice {
  network_internal_code?: string;
  chain_id?: number | string;
}

export async function chooseNetwork(networks: NetworkCatalog, choice: NetworkChoice): Promise<NetworkRow> {
  const { network_internal_code: code, chain_id: chainId } = choice;
  if (code === undefined) return findByChainId(networks, chainId);
  const network = await networks.find(code);
  if (network === undefined)
    throw new ApiError('invalid_request', 'network_internal_code is not in the catalogue of networks.');
  if (network.disabled) throw new ApiError('invalid_request', `The network ${network.internalCode} is disabled here.`);
  if (chainId !== undefined && network.chainId !== Number(chainId))
    throw new ApiError(
      'conflicting_aliases',
      `chain_id is not that of ${network.internalCode}: send one of the two, or both of one network.`,
    );
  return network;
}

/** Refuses a network of another family than the payload is for. */
export function assertEvm(network: NetworkRow, what: string): void {
  if (!network.isEvm)
    throw new ApiError('invalid_request', `${what} is for EVM networks, and ${network.internalCode} is none.`);
}

/**
 * The one network of a family that is enabled here, for what names none. `field`: by which the caller chooses among
 * several.
 */
export async function chooseOnlyNetwork(
  networks: NetworkCatalog,
  family: 'evm' | 'sol',
  field: 'chainId' | 'network_internal_code',
): Promise<NetworkRow> {
  const enabled = (await networks.list()).filter((row) => !row.disabled && row.addressType === family);
  const [only, another] = enabled;
  const name = family === 'evm' ? 'EVM' : 'Solana';
  if (only === undefined) throw new ApiError('invalid_request', `No ${name} network is enabled here.`);
  if (another === undefined) return only;
  const choices = enabled.map(({ chainId, internalCode }) =>
    field === 'chainId' ? `${chainId} (${internalCode})` : internalCode,
  );
  throw new ApiError(
    'invalid_request',
    `Several ${name} networks are enabled here: send ${field}, one of ${choices.join(', ')}.`,
  );
}

async function findByChainId(networks: NetworkCatalog, chainId: number | string | undefined): Promise<NetworkRow> {
  if (chainId === undefined)
    throw new ApiError('invalid_request', 'The network is missing: send network_internal_code or chain_id.');
  const wanted = Number(chainId);
  const list = await networks.list();
  const network = list.find((row) => row.isEvm && !row.disabled && row.chainId === wanted);
  if (network === undefined)
    throw new ApiError('invalid_request', `No EVM network that is enabled here has the chain id ${wanted}.`);
  return network;
}
