// What one Bitcoin node says of a signed transaction that is to be given up: whether it may still land. Its index of
// all transactions has no beginning but that of the chain.

import type { Fate, SentTransaction } from '../port/transactions.ts';
import { followTransaction } from './broadcast.ts';
import type { BitcoinNode } from './rpc.ts';
import { hasLostCoin } from './spent-elsewhere.ts';

/**
 * Dead when one of its coins was spent by another transaction, `confirmations` deep, and this node knows none of its
 * hash.
 */
export async function fateOfBitcoin(node: BitcoinNode, sent: SentTransaction, confirmations: number): Promise<Fate> {
  const { state } = await followTransaction(node, sent.txHash);
  if (state === 'included') return { state: 'alive', reason: 'it has landed' };
  if (state === 'pending') return { state: 'alive', reason: 'it waits for a block' };
  const isLost = await hasLostCoin(node, sent.raw.replace(/^0x/, ''), confirmations);
  return isLost
    ? { state: 'dead', reason: 'another transaction has spent a coin of it' }
    : { state: 'alive', reason: 'its coins are not spent' };
}
