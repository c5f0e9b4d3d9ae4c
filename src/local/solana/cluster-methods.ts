// JSON-RPC methods about the node, its slots and its blocks. A slot without a transaction counts as skipped, so that a
// reader of blocks has nothing to read while nothing happens; the height counts every slot all the same.
import type { SolanaChain } from './chain.ts';
import { showTransaction } from './executed.ts';
import { type Methods, withContext } from './methods.ts';
import { readNumber, readOptions } from './parameters.ts';
import { blockNotAvailable, invalidParams, slotSkipped } from './rpc-error.ts';
import { SLOTS_IN_EPOCH } from './slots.ts';
import { showOptions } from './transaction-methods.ts';

/** How many slots one question may span, as on the real RPC. */
const MAX_SLOTS = 500_000;

export const clusterMethods: Methods = {
  getHealth: () => 'ok',
  getVersion: () => ({ 'solana-core': 'litesvm-1.4.1', 'feature-set': 0 }),
  getGenesisHash: (chain) => chain.slots.blockhash(0),
  getSlot: (chain) => chain.slots.completed,
  getBlockHeight: (chain) => chain.slots.completed,
  getFirstAvailableBlock: () => 0,
  getEpochInfo: (chain) => {
    const slot = chain.slots.completed;
    return {
      absoluteSlot: slot,
      blockHeight: slot,
      epoch: Math.floor(slot / SLOTS_IN_EPOCH),
      slotIndex: slot % SLOTS_IN_EPOCH,
      slotsInEpoch: SLOTS_IN_EPOCH,
      transactionCount: chain.transactionCount,
    };
  },
  getLatestBlockhash: (chain) => withContext(chain, chain.latestBlockhash()),
  isBlockhashValid: (chain, [blockhash]) => {
    if (typeof blockhash !== 'string') throw invalidParams('a blockhash was expected');
    return withContext(chain, chain.slots.isRecent(blockhash));
  },
  getBlockTime: (chain, [slot]) => {
    const wanted = readNumber(slot);
    if (wanted > chain.slots.completed) throw blockNotAvailable(wanted);
    return chain.slots.blockTimeS(wanted);
  },
  getBlocks: (chain, [first, last]) => {
    const start = readNumber(first);
    const end = typeof last === 'number' ? readNumber(last) : chain.slots.completed; // options may stand in its place
    if (end - start > MAX_SLOTS) throw invalidParams(`a range of at most ${MAX_SLOTS} slots was expected`);
    return slotsWithBlocks(chain).filter((slot) => slot >= start && slot <= end);
  },
  getBlocksWithLimit: (chain, [first, limit]) => {
    const start = readNumber(first);
    return slotsWithBlocks(chain)
      .filter((slot) => slot >= start)
      .slice(0, readNumber(limit, 0, MAX_SLOTS));
  },
  getBlock: (chain, [slot, options]) => showBlock(chain, readNumber(slot), options),
};

/** Ascending. The first block of the chain is empty, and the parent of the first that is not. */
function slotsWithBlocks(chain: SolanaChain): number[] {
  return [0, ...chain.slotsWithTransactions()];
}

function showBlock(chain: SolanaChain, slot: number, given: unknown): unknown {
  if (slot > chain.slots.completed) throw blockNotAvailable(slot);
  const executed = chain.inSlot(slot);
  if (!slotsWithBlocks(chain).includes(slot)) throw slotSkipped(slot);
  const { transactionDetails: details = 'full', rewards = true } = readOptions(given);
  if (details !== 'full' && details !== 'signatures' && details !== 'none')
    throw invalidParams(`this sandbox has no transactionDetails ${String(details)}`);
  const parentSlot = slotsWithBlocks(chain).findLast((earlier) => earlier < slot) ?? 0;
  return {
    blockHeight: slot,
    blockTime: chain.slots.blockTimeS(slot),
    blockhash: chain.slots.blockhash(slot),
    parentSlot,
    previousBlockhash: chain.slots.blockhash(parentSlot),
    ...(rewards !== false && { rewards: [] }),
    ...(details === 'signatures' && { signatures: executed.map(({ signature }) => signature) }),
    ...(details === 'full' && { transactions: executed.map((each) => showTransaction(each, showOptions(given))) }),
  };
}
