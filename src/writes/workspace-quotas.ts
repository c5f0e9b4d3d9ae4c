// How much of the service one workspace may take up, so that none uses up what all share: the keys that the nodes make
// in a day, the slots of the workers, the rows that are open. Holds for what callers ask for over HTTP, is counted in
// the transaction that accepts it, and answers 429 beyond it. Zero is no limit.
import type { Transaction } from '../../drizzle/database/connection.ts';
import {
  type Counting,
  countExportsUnderWay,
  countInWindow,
  countOpenOperations,
  countWalletsUnderWay,
  lockQuota,
} from '../../drizzle/operations/quotas.ts';
import { QuotaExceeded } from '../http/errors.ts';

export interface QuotaLimits {
  walletsUnderWayMax: number;
  /**
   * Of two a wallet, one for each curve. A node makes 10,000 in a UTC day, for all workspaces of its cluster
   * (mpc/src/limits.rs).
   */
  keyGenerationsPerDay: number;
  rescansPerHour: number;
  openOperationsMax: number;
  exportsUnderWayMax: number;
}

export const noQuotas: QuotaLimits = {
  walletsUnderWayMax: 0,
  keyGenerationsPerDay: 0,
  rescansPerHour: 0,
  openOperationsMax: 0,
  exportsUnderWayMax: 0,
};

const KEYS_A_WALLET = 2;
const DAY_SECONDS = 86_400;
const HOUR_SECONDS = 3_600;
/** When what is under way may have ended. */
const RETRY_AFTER_SECONDS = 5;
/**
 * More transactions than a database has connections: as far from the limit as this, racers cannot reach it, and nobody
 * waits for anybody.
 */
const RACERS_MAX = 500;

export class WorkspaceQuotas {
  readonly #limits: QuotaLimits;

  constructor(limits: QuotaLimits) {
    this.#limits = limits;
  }

  /** Throws `rate_limited` when the workspace may have no further wallet now. */
  async admitWallet(tx: Transaction, workspaceId: string): Promise<void> {
    const { walletsUnderWayMax: max, keyGenerationsPerDay } = this.#limits;
    if (max > 0) {
      await lockQuota(tx, workspaceId, 'wallets');
      if ((await countWalletsUnderWay(tx, workspaceId, max)) >= max)
        throw new QuotaExceeded(
          { name: 'wallets-under-way', max, retryAfterSeconds: RETRY_AFTER_SECONDS },
          `This workspace has ${max} wallets under way, as many as it may have: ask again when one of them is finished.`,
        );
    }
    await this.#count(tx, 'keys generated today', {
      workspaceId,
      quota: 'key_generations',
      windowSeconds: DAY_SECONDS,
      count: KEYS_A_WALLET,
      max: keyGenerationsPerDay,
    });
  }

  async admitRescan(tx: Transaction, workspaceId: string): Promise<void> {
    await this.#count(tx, 'rescans in this hour', {
      workspaceId,
      quota: 'rescans',
      windowSeconds: HOUR_SECONDS,
      count: 1,
      max: this.#limits.rescansPerHour,
    });
  }

  /** Of signing requests and withdrawals together, which are about to be stored. */
  async admitOperations(tx: Transaction, workspaceId: string, count = 1): Promise<void> {
    const max = this.#limits.openOperationsMax;
    if (max === 0) return;
    if (count === 1 && (await countOpenOperations(tx, workspaceId, max)) + RACERS_MAX < max) return;
    await lockQuota(tx, workspaceId, 'operations');
    if ((await countOpenOperations(tx, workspaceId, max)) + count > max)
      throw new QuotaExceeded(
        { name: 'open-operations', max, retryAfterSeconds: RETRY_AFTER_SECONDS },
        `This workspace may have ${max} signing requests and withdrawals that are open: wait for some to end, or cancel them.`,
      );
  }

  async admitExport(tx: Transaction, workspaceId: string): Promise<void> {
    const max = this.#limits.exportsUnderWayMax;
    if (max === 0) return;
    await lockQuota(tx, workspaceId, 'exports');
    if ((await countExportsUnderWay(tx, workspaceId, max)) >= max)
      throw new QuotaExceeded(
        { name: 'exports-under-way', max, retryAfterSeconds: RETRY_AFTER_SECONDS },
        `This workspace has ${max} exports under way, as many as it may have: ask again when one of them has ended.`,
      );
  }

  async #count(tx: Transaction, what: string, counting: Counting): Promise<void> {
    const { max, windowSeconds, quota } = counting;
    if (max === 0) return;
    const { counted, resetSeconds } = await countInWindow(tx, counting);
    if (counted) return;
    throw new QuotaExceeded(
      { name: quota.replaceAll('_', '-'), max, windowSeconds, retryAfterSeconds: resetSeconds },
      `This workspace has had as many ${what} as it may have (${max}): try again in ${resetSeconds} seconds.`,
    );
  }
}
