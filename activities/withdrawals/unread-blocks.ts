// Holds a transaction back while the chain may know of one that the record has lost: a database that was put back to an
// earlier moment, or a standby that lagged behind, would have the same thing paid twice. What the reading of blocks
// finds freezes the wallet (control O1).
import { isSandboxCode } from '../../domain/catalog/sandbox.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { readDatabaseLife } from '../../drizzle/database/database-life.ts';
import { findNetworkState, findNewestNetworkBlock } from '../../drizzle/networks/network-states.ts';
import type { NetworkRow } from '../../drizzle/networks/networks.ts';
import { isSent } from '../../drizzle/withdrawals/chain-transactions.ts';
import type { Chain } from '../chains/port/chain.ts';
import { ChainError } from '../chains/port/chain-error.ts';
import type { Block } from '../chains/port/movements.ts';

type Network = Pick<NetworkRow, 'id' | 'internalCode'>;

/** For so many blocks a transaction without a nonce may still land (Solana's processing age). */
const EXPIRES_AFTER_BLOCKS = 150;

/** Who lags further behind reads on first. */
const UNREAD_BLOCKS_MAX = 8;

/** Of one network, in one life of the database. */
interface Target {
  life: string;
  head: Block;
  isRead: boolean;
}

/**
 * Throws `ChainError` until a network is read as far as its chain stood when this process first asked in this life of
 * the database; on chains whose transactions expire, until what was out then has expired too. A network that was never
 * read holds nothing back: nothing was ever paid there.
 */
export function holdBackUntilRead(db: Database): (chain: Chain, network: Network) => Promise<void> {
  const targets = new Map<string, Target>();
  return async (chain, network) => {
    const life = await readDatabaseLife(db);
    let target = targets.get(network.id);
    if (target?.life !== life) {
      target = { life, head: await chain.head(), isRead: false };
      targets.set(network.id, target);
    }
    if (target.isRead) return;
    await assertReadUpTo(db, { chain, network }, target.head, settlingBlocks(chain, network));
    target.isRead = true;
  };
}

const settlingBlocks = ({ model }: Chain, { internalCode }: Network) =>
  model === 'expiring' && !isSandboxCode(internalCode) ? EXPIRES_AFTER_BLOCKS : 0;

/**
 * Throws `ChainError` while a block that is not read yet has taken from this address what no withdrawal sent: it may be
 * the very payment that is asked for. Looks itself, since where blocks come fast one is always unread.
 */
export async function assertNothingLeftUnread(
  db: Database,
  { chain, network }: { chain: Chain; network: Network },
  address: string,
): Promise<void> {
  const state = await findNetworkState(db, network.id);
  if (state === undefined) return;
  const head = await chain.head();
  const watched = { contracts: new Set<string>(), ours: async () => new Set([address]) };
  const unread = new ChainError(
    `${network.internalCode} has to be read on first: ${address} has paid what is not known here`,
  );
  if (head.number - state.nextBlock >= UNREAD_BLOCKS_MAX) throw unread;
  for (let number = state.nextBlock; number <= head.number; number = await chain.next(number)) {
    const block = await chain.block(number);
    if (block === undefined) throw unread;
    const { outboundTransfers } = await chain.movements(block, watched);
    for (const { from, txHash } of outboundTransfers)
      if (from === address && !(await isSent(db, network.id, txHash))) throw unread;
  }
}

/** Up to this head of the chain, and so many blocks beyond. */
async function assertReadUpTo(
  db: Database,
  { chain, network }: { chain: Chain; network: Network },
  head: Block,
  further = 0,
): Promise<void> {
  const state = await findNetworkState(db, network.id);
  const block = head.number + further;
  if (state === undefined || state.nextBlock > block) return;
  // A chain that skips numbers may have nothing up to there, and at its head a number without a block.
  if (head.hash === head.parentHash) {
    const newest = await findNewestNetworkBlock(db, network.id, state.nextBlock);
    if (newest?.hash === head.hash) return;
  }
  if ((await chain.next(state.nextBlock - 1)) > block) return;
  const reason = state.haltedReason === null ? '' : ' (its reading is halted)';
  // The same sentence each time: how far it is read would be a new line of the history at every try.
  throw new ChainError(
    `${network.internalCode} has to be read up to block ${block} first${reason}, since it may hold payments that a restored database does not know`,
  );
}
