// What one EVM node says of a signed transaction that is to be given up: whether it may still land.
import { type Hex, toHex } from 'viem';
import type { Fate, SentTransaction } from '../port/transactions.ts';
import { isNonceUsed } from './broadcast.ts';
import { followEvmTransaction } from './follow-transaction.ts';
import { type AskNode, readQuantity } from './node-client.ts';

/** By how much the chain's clock and ours may differ. */
const CLOCKS_DIFFER_MS = 60_000;

/**
 * Dead when its nonce was used `confirmations` deep, and this node, whose history begins before it, knows no
 * transaction of its hash.
 */
export async function fateOfEvm(ask: AskNode, sent: SentTransaction, confirmations: number): Promise<Fate> {
  const { raw, txHash, builtAt } = sent;
  if (!(await isNonceUsed(ask, raw as Hex, confirmations))) return { state: 'alive', reason: 'its nonce is not used' };
  // After the nonce: what used it is known by now, if the node keeps it.
  const { state } = await followEvmTransaction(ask, txHash as Hex);
  if (state === 'included') return { state: 'alive', reason: 'it has landed' };
  if (state === 'pending') return { state: 'alive', reason: 'it waits for a block' };
  if (!(await knowsSince(ask, builtAt.getTime() - CLOCKS_DIFFER_MS)))
    return { state: 'unsure', reason: 'its history begins after the transaction was built' };
  return { state: 'dead', reason: 'another transaction has taken this nonce' };
}

/**
 * Whether the node has a block from before this time and can find the transactions in it: nodes that prune lose blocks,
 * receipts or the index of transactions, the oldest first. Goes back in steps that double, to a block that is not
 * empty, or to the first one of the chain.
 */
async function knowsSince(ask: AskNode, timeMs: number): Promise<boolean> {
  const head = Number(readQuantity(await ask({ method: 'eth_blockNumber' }), 'block number'));
  for (let back = 1; ; back *= 2) {
    const number = Math.max(0, head - back);
    const block = await ask({ method: 'eth_getBlockByNumber', params: [toHex(number), false] });
    if (block === null) return false;
    const [hash] = block.transactions;
    const isOld = Number(readQuantity(block.timestamp, 'time of a block')) * 1_000 <= timeMs;
    if (isOld && typeof hash === 'string')
      return (await ask({ method: 'eth_getTransactionReceipt', params: [hash] })) !== null;
    if (number === 0) return true;
  }
}
