// The Solana network of a request that seldom names one: existing callers send a chain id that is the same for all of
// them.
import type { Database } from '../../drizzle/database/connection.ts';
import { findNetworkState } from '../../drizzle/networks/network-states.ts';
import type { NetworkRow } from '../../drizzle/networks/networks.ts';
import { ApiError } from '../http/errors.ts';
import { chooseNetwork, chooseOnlyNetwork } from './choose-network.ts';
import type { NetworkCatalog } from './networks.ts';

/** Solana's number where SDK callers number chains of every kind. */
const SOLANA_CHAIN_ID = 1_399_811_149;

export function assertSolanaChainId(name: string, chainId: number | string | undefined): void {
  if (chainId === undefined || [0, SOLANA_CHAIN_ID].includes(Number(chainId))) return;
  throw new ApiError('invalid_request', `${name} must be ${SOLANA_CHAIN_ID}, which is Solana's, or 0.`);
}

/**
 * The named one, or the only one that is enabled here. Of several, `any` takes the main network: for what is valid on
 * all of them alike, and is judged for all. With a database it is for what is sent: the only one that ever had a node
 * here, else it refuses and names the choices.
 */
export async function chooseSolanaNetwork(
  networks: NetworkCatalog,
  code: string | undefined,
  wanted: 'any' | Database,
): Promise<NetworkRow> {
  if (code !== undefined) {
    const network = await chooseNetwork(networks, { network_internal_code: code });
    if (network.addressType === 'sol') return network;
    throw new ApiError('invalid_request', `network_internal_code must be of a Solana network, and ${code} is none.`);
  }
  const enabled = (await networks.list()).filter((row) => !row.disabled && row.addressType === 'sol');
  if (wanted === 'any') {
    const main = enabled.find(({ isTestnet }) => !isTestnet) ?? enabled[0];
    if (main !== undefined) return main;
  } else {
    const states = await Promise.all(enabled.map(({ id }) => findNetworkState(wanted, id)));
    const [only, another] = enabled.filter((_row, index) => states[index] !== undefined);
    if (only !== undefined && another === undefined) return only;
  }
  return chooseOnlyNetwork(networks, 'sol', 'network_internal_code');
}
