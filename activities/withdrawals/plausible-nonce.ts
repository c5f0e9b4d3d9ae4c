// Which nonce comes next, as far as nodes are believed: one that says more than was ever signed here, or than another
// node says, would make a transaction that never lands and holds up all that come after it.
import { log } from '@temporalio/activity';
import type { Database } from '../../drizzle/database/connection.ts';
import { findNetworkState } from '../../drizzle/networks/network-states.ts';
import {
  type Account,
  countForeignNonces,
  findFreeNonce,
  findLastNonce,
  findNonceFloor,
  hasSignedBesides,
} from '../../drizzle/withdrawals/nonces.ts';
import type { Chain, CountedTransactions } from '../chains/port/chain.ts';
import { ChainError } from '../chains/port/chain-error.ts';

/**
 * So many nonces in all may be used by signatures that the record has lost, as after a restore, once what they sent has
 * landed and was read: then an operator has been told of it. An operator allows more (src/commands/repair-nonces.ts).
 */
const UNEXPLAINED_MAX = 8;

/**
 * From where on the next nonce is to be taken. The first node's word is enough while it leads to the nonce after the
 * last one of the record; whatever else it leads to, all nodes must agree on. No word counts that needs more signatures
 * than the wallet's key has made, but for a few. Throws `ChainError` when nodes are not believed: the withdrawal waits.
 */
export async function findBelievedNonce(
  db: Database,
  [first, ...others]: readonly Chain[],
  account: Account & { walletId: string; networkCode: string },
): Promise<number> {
  const { address, walletId } = account;
  const floor = await findNonceFloor(db, account);
  const answered = Math.max(floor, await askNext(first, address));
  const next = await findFreeNonce(db, account, answered);
  const following = Math.max(floor, (await findLastNonce(db, account)) + 1);
  if (next === following && answered <= following) return answered;
  for (const other of others) {
    const word = Math.max(floor, await askNext(other, address));
    if ((await findFreeNonce(db, account, word)) !== next)
      throw refusal(account, `The nodes do not agree on the next nonce of ${address}: ${answered}, and ${word}`);
  }
  const foreign = await countForeignNonces(db, account, { floor, next: answered });
  if (await hasSignedBesides(db, walletId, foreign)) return answered;
  if (await hasSignedBesides(db, walletId, foreign - UNEXPLAINED_MAX)) {
    await assertLandedAndRead(db, first, account, floor);
    return answered;
  }
  throw refusal(
    account,
    `The node says that the next nonce of ${address} is ${answered}, which takes ${foreign} signatures that were never made here`,
  );
}

/** What the record has lost may be the very payment that is asked for: it is found before another one is made. */
async function assertLandedAndRead(
  db: Database,
  chain: Chain | undefined,
  { networkId, networkCode, address }: Account & { networkCode: string },
  floor: number,
): Promise<void> {
  const [all, landed] = [await askNext(chain, address), await askNext(chain, address, 'landed')];
  if (landed < all && floor < all)
    throw new ChainError(
      `transactions of ${address} are on their way that are not known here (nonce ${landed} of ${all})`,
    );
  const state = await findNetworkState(db, networkId);
  // A network that was never read holds nothing back: nothing was ever paid there.
  if (state === undefined) return;
  // Not "up to the head": where blocks come fast there is always one more.
  const throughBlock = state.nextBlock - 1;
  const read = throughBlock < 0 ? 0 : await askNext(chain, address, { throughBlock });
  if (read < landed)
    throw new ChainError(
      `${networkCode} has to be read on first: transactions of ${address} have landed that are not known here`,
    );
}

async function askNext(
  chain: Chain | undefined,
  address: string,
  counted: CountedTransactions = 'waiting',
): Promise<number> {
  if (chain?.model !== 'account') throw new ChainError('a node of a chain with nonces does not tell them');
  const answered = await chain.nextNonce(address, counted);
  if (!Number.isSafeInteger(answered)) throw new ChainError(`a node calls ${answered} the next nonce of ${address}`);
  return answered;
}

function refusal({ address, walletId }: { address: string; walletId: string }, reason: string): ChainError {
  log.error('a nonce is not believed: no transaction is made', { address, walletId, reason });
  return new ChainError(reason);
}
