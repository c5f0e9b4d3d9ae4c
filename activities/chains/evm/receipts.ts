// The receipts of one block's transactions: each is asked for once, whatever the block moved by it, and several at a
// time, so that a distant node costs a block with many movements of ours no more than a few of its answers' time.
import type { Hex, RpcTransactionReceipt } from 'viem';
import { ChainError } from '../port/chain-error.ts';
import type { Block } from '../port/movements.ts';
import type { AskNode } from './node-client.ts';

/** One block, and whom to ask about it. */
export interface AskedBlock {
  ask: AskNode;
  block: Block;
  receiptOf: (txHash: string) => Promise<RpcTransactionReceipt>;
}

const QUESTIONS_AT_ONCE = 8;

export function askOfBlock(ask: AskNode, block: Block): AskedBlock {
  const known = new Map<string, Promise<RpcTransactionReceipt>>();
  const receiptOf = (txHash: string) => {
    const receipt = known.get(txHash) ?? readReceipt(ask, block, txHash);
    known.set(txHash, receipt);
    return receipt;
  };
  return { ask, block, receiptOf };
}

async function readReceipt(ask: AskNode, block: Block, txHash: string): Promise<RpcTransactionReceipt> {
  const receipt = await ask({ method: 'eth_getTransactionReceipt', params: [txHash as Hex] });
  if (receipt?.blockHash !== block.hash) throw new ChainError(`the receipt of ${txHash} is not of block ${block.hash}`);
  return receipt;
}

/** What `ask` answers for each, in their order. */
export async function askSeveral<Item, Result>(
  items: readonly Item[],
  ask: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += QUESTIONS_AT_ONCE)
    results.push(...(await Promise.all(items.slice(start, start + QUESTIONS_AT_ONCE).map(ask))));
  return results;
}
