// The catalogue of networks as a request sees it: read from the database, remembered for a few seconds, with the operator's settings applied.
import type { Database } from '../../drizzle/database.ts';
import { listNetworks, type NetworkRow } from '../../drizzle/networks.ts';
import { Remembered } from './remembered.ts';

const REMEMBERED_MS = 5_000;

/** Internal codes that the deployment switches on or off, whatever the database says. A code in both lists is off. */
export interface NetworkSwitches {
  enabled: readonly string[];
  disabled: readonly string[];
}

interface Loaded {
  list: readonly NetworkRow[];
  byCode: ReadonlyMap<string, NetworkRow>;
  byId: ReadonlyMap<string, NetworkRow>;
}

export class NetworkCatalog {
  readonly #loaded: Remembered<Loaded>;

  constructor(db: Database, switches: NetworkSwitches = { enabled: [], disabled: [] }) {
    this.#loaded = new Remembered(REMEMBERED_MS, async () => {
      const list = (await listNetworks(db)).map((row) => ({ ...row, disabled: isDisabled(row, switches) }));
      return {
        list,
        byCode: new Map(list.map((row) => [row.internalCode, row])),
        byId: new Map(list.map((row) => [row.id, row])),
      };
    });
  }

  /** The network with this internal code, also when it is disabled. */
  async find(internalCode: string): Promise<NetworkRow | undefined> {
    return (await this.#loaded.get()).byCode.get(internalCode);
  }

  /** The network with this id, also when it is disabled. */
  async findById(id: string): Promise<NetworkRow | undefined> {
    return (await this.#loaded.get()).byId.get(id.toLowerCase());
  }

  /** Every network, the disabled ones included. */
  async list(): Promise<readonly NetworkRow[]> {
    return (await this.#loaded.get()).list;
  }
}

function isDisabled(row: NetworkRow, { enabled, disabled }: NetworkSwitches): boolean {
  if (disabled.includes(row.internalCode)) return true;
  return row.disabled && !enabled.includes(row.internalCode);
}
