// The catalogue of assets as a request sees it: each with its network, read from the database and remembered for a few
// seconds.

import type { Database } from '../../drizzle/database/connection.ts';
import { type AssetRow, listAssets } from '../../drizzle/networks/assets.ts';
import type { CatalogNetwork, NetworkCatalog } from './networks.ts';
import { Remembered } from './remembered.ts';

const REMEMBERED_MS = 5_000;

export interface CatalogAsset {
  asset: AssetRow;
  network: CatalogNetwork;
}

export interface AssetFilter {
  /** Exact, in any case. */
  symbol?: string | undefined;
  networkId?: string | undefined;
  isNative?: boolean | undefined;
  /** Part of the name or the symbol, in any case. */
  text?: string | undefined;
}

export class AssetCatalog {
  readonly #networks: NetworkCatalog;
  readonly #rows: Remembered<AssetRow[]>;

  constructor(db: Database, networks: NetworkCatalog) {
    this.#networks = networks;
    this.#rows = new Remembered(REMEMBERED_MS, () => listAssets(db));
  }

  /** The asset with this id, also on a disabled network. */
  async find(id: string): Promise<CatalogAsset | undefined> {
    const [found] = await this.#withNetworks((row) => row.id === id.toLowerCase());
    return found;
  }

  /** Every asset, also of disabled networks: money may have been there before. */
  async all(): Promise<CatalogAsset[]> {
    return this.#withNetworks(() => true);
  }

  /** The assets of enabled networks that pass every filter. */
  async list(filter: AssetFilter): Promise<CatalogAsset[]> {
    const listed = await this.#withNetworks((row) => passes(row, filter));
    return listed.filter(({ network }) => !network.disabled);
  }

  /** An asset that is newer than the remembered networks appears together with its network. */
  async #withNetworks(wanted: (row: AssetRow) => boolean): Promise<CatalogAsset[]> {
    const [rows, networks] = await Promise.all([this.#rows.get(), this.#networks.list()]);
    const byId = new Map(networks.map((network) => [network.id, network]));
    return rows.filter(wanted).flatMap((asset) => {
      const network = byId.get(asset.networkId);
      return network === undefined ? [] : [{ asset, network }];
    });
  }
}

function passes(row: AssetRow, { symbol, networkId, isNative, text }: AssetFilter): boolean {
  if (symbol !== undefined && row.symbol.toLowerCase() !== symbol.toLowerCase()) return false;
  if (networkId !== undefined && row.networkId !== networkId.toLowerCase()) return false;
  if (isNative !== undefined && row.isNative !== isNative) return false;
  return text === undefined || [row.symbol, row.name].some((name) => name.toLowerCase().includes(text.toLowerCase()));
}
