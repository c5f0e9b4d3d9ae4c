// Names for ids: of assets, networks, wallets, users and destinations. Where a name may not be read, the id stands.
import { useMemo } from 'react';
import type { Data } from '../../src/client/api-types.ts';
import type { ConsoleClient } from '../client/console-client.ts';
import { useSession } from '../session/session.ts';
import { shortened } from '../text/words.ts';
import { useAsked } from './use-service.ts';

const ASSETS = '/api/v1/assets';
const WALLETS = '/api/v1/workspaces/{workspace_id}/wallets';
const USERS = '/api/v1/workspaces/{workspace_id}/users';
const ADDRESS_BOOK = '/api/v1/workspaces/{workspace_id}/address-book';
const NETWORKS = '/api/v1/networks';
/** Of each kind; whoever has more sees ids of the others. */
const NAMED_MAX = 1_000;
const NAMES_AGAIN_MS = 60_000;

export type Asset = Data<'get', typeof ASSETS>[number];
type Wallet = Data<'get', typeof WALLETS>[number];
const none: readonly Wallet[] = [];

export function useAssets() {
  const { data = [] } = useAsked({
    path: ASSETS,
    input: 'all',
    againMs: false,
    ask: (client) => client.read(ASSETS, {}),
  });
  return useMemo(() => new Map(data.map((asset) => [asset.id, asset])), [data]);
}

export function useNetworks() {
  const { data = [] } = useAsked({
    path: NETWORKS,
    input: 'all',
    againMs: false,
    ask: (client) => client.read(NETWORKS, {}),
  });
  return useMemo(() => new Map(data.map((network) => [network.id, network])), [data]);
}

async function firstRows<Row>(rows: AsyncGenerator<Row, void>): Promise<Row[]> {
  const taken: Row[] = [];
  for await (const row of rows) {
    taken.push(row);
    if (taken.length === NAMED_MAX) break;
  }
  return taken;
}

/** Those that the key reaches; none where it may not read any. */
export function useNamedWallets(): readonly Wallet[] {
  const ask = (client: ConsoleClient) => firstRows(client.list(WALLETS, { query: { limit: 200 } }));
  const { data = none } = useAsked({ path: WALLETS, input: 'names', againMs: NAMES_AGAIN_MS, ask });
  return data;
}

export function useWalletNames(): (id: string) => string {
  const wallets = useNamedWallets();
  return useMemo(() => naming(new Map(wallets.map(({ id, name }) => [id, name]))), [wallets]);
}

export function useUserNames(): (id: string) => string {
  const { key } = useSession();
  const ask = (client: ConsoleClient) => firstRows(client.list(USERS, { query: { limit: 200 } }));
  const { data = [] } = useAsked({ path: USERS, input: 'names', againMs: NAMES_AGAIN_MS, ask });
  return useMemo(() => {
    const name = naming(new Map(data.map((user) => [user.id, user.name])));
    return (id) => (id === key.user_id ? `${name(id)} (you)` : name(id));
  }, [data, key.user_id]);
}

/** What the address book calls an address; undefined for a stranger. */
export function useDestinationNames(): (networkId: string, address: string) => string | undefined {
  const ask = (client: ConsoleClient) => firstRows(client.list(ADDRESS_BOOK, { query: { limit: 200 } }));
  const { data = [] } = useAsked({ path: ADDRESS_BOOK, input: 'names', againMs: NAMES_AGAIN_MS, ask });
  return useMemo(() => {
    const active = data.filter(({ status }) => status === 'active');
    const names = new Map(active.map((entry) => [`${entry.network_id} ${entry.address}`, entry.label]));
    return (networkId, address) => names.get(`${networkId} ${address}`);
  }, [data]);
}

const naming = (names: ReadonlyMap<string, string>) => (id: string) => names.get(id) ?? shortened(id);
