// The catalogue of networks as a request sees it: read from the database, remembered for a few seconds, with the
// operator's settings applied.

import { capabilitiesOf, type NetworkCapabilities } from '../../domain/catalog/capabilities.ts';
import {
  aboveFeeCap,
  type FeeBound,
  type FeeCap,
  type FeeCapSettings,
  feeCapOf,
} from '../../domain/withdrawals/fee-caps.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { listReadNetworkIds } from '../../drizzle/networks/network-states.ts';
import { listNetworks, type NetworkRow } from '../../drizzle/networks/networks.ts';
import { ApiError } from '../http/errors.ts';
import { Remembered } from './remembered.ts';

const REMEMBERED_MS = 5_000;

/** Internal codes that the deployment switches on or off, whatever the database says. A code in both lists is off. */
export interface NetworksEnabled {
  enabled: readonly string[];
  disabled: readonly string[];
}

export interface CatalogNetwork extends NetworkRow {
  capabilities: NetworkCapabilities;
}

interface Loaded {
  list: readonly CatalogNetwork[];
  byCode: ReadonlyMap<string, CatalogNetwork>;
  byId: ReadonlyMap<string, CatalogNetwork>;
}

export class NetworkCatalog {
  readonly #loaded: Remembered<Loaded>;
  readonly #feeCaps: FeeCapSettings;

  constructor(db: Database, switches: NetworksEnabled = { enabled: [], disabled: [] }, feeCaps: FeeCapSettings = {}) {
    this.#feeCaps = feeCaps;
    this.#loaded = new Remembered(REMEMBERED_MS, async () => {
      const [rows, read] = await Promise.all([listNetworks(db), listReadNetworkIds(db)]);
      const list = rows.map((row) => {
        const network = { ...row, disabled: isDisabled(row, switches) };
        return { ...network, capabilities: capabilitiesOf(network, read.has(row.id)) };
      });
      return {
        list,
        byCode: new Map(list.map((row) => [row.internalCode, row])),
        byId: new Map(list.map((row) => [row.id, row])),
      };
    });
  }

  /**
   * Throws when what a transaction may pay is above the operator's cap of its network. `what` is the subject of the
   * sentence.
   */
  assertFeeWithinCap(network: NetworkRow, bound: FeeBound, what: string): void {
    const exceeded = aboveFeeCap(network, bound, this.#feeCaps);
    if (exceeded === undefined) return;
    throw new ApiError(
      'invalid_request',
      `${what} may pay too much: ${exceeded}. Lower its gas or its price, or have the operator raise the cap.`,
    );
  }

  /** What a transaction on this network may pay at most. */
  feeCapOf(network: NetworkRow): FeeCap {
    return feeCapOf(network, this.#feeCaps);
  }

  /** The network with this internal code, also when it is disabled. */
  async find(internalCode: string): Promise<CatalogNetwork | undefined> {
    return (await this.#loaded.get()).byCode.get(internalCode);
  }

  /** The network with this id, also when it is disabled. */
  async findById(id: string): Promise<CatalogNetwork | undefined> {
    return (await this.#loaded.get()).byId.get(id.toLowerCase());
  }

  /** Every network, the disabled ones included. */
  async list(): Promise<readonly CatalogNetwork[]> {
    return (await this.#loaded.get()).list;
  }
}

function isDisabled(row: NetworkRow, { enabled, disabled }: NetworksEnabled): boolean {
  if (disabled.includes(row.internalCode)) return true;
  return row.disabled && !enabled.includes(row.internalCode);
}
