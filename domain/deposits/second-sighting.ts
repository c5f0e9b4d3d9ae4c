// What becomes of a deposit whose inbound transfer is seen again, in the block in which it is known or in another one.
import type { DepositStatus } from '../statuses.ts';

/** What makes a credit the same one: a contract may do something else when its transaction is executed again. */
interface SightedCredit {
  walletId: string;
  assetId: string;
  toAddress: string;
  amountBaseUnits: bigint;
  blockHash: string;
}

/**
 * `known`: nothing is new. `moved`: the same credit is in another block. `replaced`: its transaction credits something
 * else in another block, so that it is taken back and comes again. `returned`: a reorganisation had taken it back.
 */
export type SecondSighting = 'known' | 'moved' | 'replaced' | 'returned';

export function judgeSecondSighting(
  stored: SightedCredit & { status: DepositStatus },
  seen: SightedCredit,
): SecondSighting {
  if (stored.status === 'confirmed' || stored.blockHash === seen.blockHash) return 'known';
  if (stored.status === 'reorged') return 'returned';
  return isSameCredit(stored, seen) ? 'moved' : 'replaced';
}

const isSameCredit = (stored: SightedCredit, seen: SightedCredit): boolean =>
  stored.walletId === seen.walletId &&
  stored.assetId === seen.assetId &&
  stored.toAddress === seen.toAddress &&
  stored.amountBaseUnits === seen.amountBaseUnits;
