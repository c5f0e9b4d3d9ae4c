// Whether a withdrawal that was looked at a moment ago can look otherwise by now: its chain has another head, or its
// row asks for something. Many who wait ask together, so that waiting costs a question or two however many there are.
import type { Database } from '../../drizzle/database/connection.ts';
import { servedTogether } from '../../drizzle/database/served-together.ts';
import { listChangedWhileOut } from '../../drizzle/withdrawals/withdrawals-out.ts';
import type { Chain } from '../chains/port/chain.ts';

/** A head that was asked for so recently serves others too: less than the shortest wait between two looks. */
const HEAD_YOUNG_MS = 250;
const ASKED_TOGETHER_MAX = 200;

export class WithdrawalNews {
  readonly #heads = new WeakMap<Chain, { atMs: number; hash: Promise<string> }>();
  readonly #isChanged: (id: string) => Promise<boolean>;

  constructor(db: Database) {
    const all = async (ids: readonly string[]) => {
      const changed = await listChangedWhileOut(db, ids);
      return ids.map((id) => changed.has(id));
    };
    this.#isChanged = servedTogether({ all, most: ASKED_TOGETHER_MAX });
  }

  /** The hash of the newest block, as it was a moment ago. */
  headOf(chain: Chain): Promise<string> {
    const known = this.#heads.get(chain);
    if (known !== undefined && performance.now() - known.atMs < HEAD_YOUNG_MS) return known.hash;
    const hash = chain.head().then((head) => head.hash);
    this.#heads.set(chain, { atMs: performance.now(), hash });
    return hash;
  }

  /** Since the head was the one that is named. */
  async isThere(withdrawalId: string, chain: Chain, headHash: string): Promise<boolean> {
    return (await this.#isChanged(withdrawalId)) || (await this.headOf(chain)) !== headHash;
  }
}
