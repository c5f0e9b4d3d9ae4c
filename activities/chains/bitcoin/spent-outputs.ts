// What the inputs of a transaction spend: the node shows an input without its amount and script. Needs the node's index
// of all transactions (--txindex).

import { ChainError } from '../port/chain-error.ts';
import type { ShownInput, ShownOutput, ShownTransaction } from './node-records.ts';
import type { BitcoinNode } from './rpc.ts';

/** One for each input, in order; none for a coinbase transaction. */
export async function readSpentOutputs(node: BitcoinNode, inputs: readonly ShownInput[]): Promise<ShownOutput[]> {
  const parents = new Map<string, ShownTransaction>();
  const spent: ShownOutput[] = [];
  for (const { txid, vout } of inputs) {
    if (txid === undefined) continue;
    const parent = parents.get(txid) ?? (await node.ask<ShownTransaction>('getrawtransaction', [txid, 1]));
    parents.set(txid, parent);
    const output = parent.vout.find(({ n }) => n === vout);
    if (output === undefined) throw new ChainError(`The Bitcoin node does not show output ${vout} of ${txid}.`);
    spent.push(output);
  }
  return spent;
}
