// The networks on which this deployment sees what arrives, and which of them stands for a chain family.
import { capabilitiesOf } from '../../domain/catalog/capabilities.ts';
import type { Database, Transaction } from '../../drizzle/database/connection.ts';
import { listReadNetworkIds } from '../../drizzle/networks/network-states.ts';
import type { CatalogNetwork, NetworkCatalog } from './networks.ts';

/** In the order of the catalogue, as the workers have them now. */
export async function receivingNetworks(
  db: Database | Transaction,
  networks: NetworkCatalog,
): Promise<readonly CatalogNetwork[]> {
  const [all, read] = await Promise.all([networks.list(), listReadNetworkIds(db)]);
  return all.filter((network) => capabilitiesOf(network, read.has(network.id)).deposit);
}

export const receivingIds = async (db: Database | Transaction, networks: NetworkCatalog): Promise<Set<string>> =>
  new Set((await receivingNetworks(db, networks)).map(({ id }) => id));
