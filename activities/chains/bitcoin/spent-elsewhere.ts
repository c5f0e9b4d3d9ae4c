// Tells whether a transaction can never land, since another has spent one of its coins for good. Sends nothing. What it
// cannot tell for certain is no.
import { Transaction } from '@scure/btc-signer';
import { readHeader, readTransactions } from './blocks.ts';
import type { ShownTransaction } from './node-records.ts';
import { type BitcoinNode, RpcError, rpcCodes } from './rpc.ts';

interface Outpoint {
  txid: string;
  vout: number;
}

/** `confirmations`: how many the other one must have. For a transaction that is neither in a block nor waiting. */
export async function hasLostCoin(node: BitcoinNode, hex: string, confirmations: number): Promise<boolean> {
  const best = await node.ask<string>('getbestblockhash');
  const spent: Outpoint[] = [];
  for (const coin of coinsOf(hex)) if (await isSpent(node, coin)) spent.push(coin);
  if (spent.length === 0) return false;
  const lately = await readSpends(node, best, confirmations - 1);
  // All of this is of one chain only if no block came or went meanwhile.
  return spent.some((coin) => !lately.has(nameOf(coin))) && (await node.ask<string>('getbestblockhash')) === best;
}

const nameOf = ({ txid, vout }: Outpoint): string => `${txid}:${vout}`;

function coinsOf(hex: string): Outpoint[] {
  const options = { allowUnknownInputs: true, allowUnknownOutputs: true };
  const transaction = Transaction.fromRaw(Buffer.from(hex, 'hex'), options);
  return Array.from({ length: transaction.inputsLength }, (_, at) => {
    const { txid = new Uint8Array(), index = 0 } = transaction.getInput(at);
    return { txid: Buffer.from(txid).toString('hex'), vout: index };
  });
}

/** In a block: it was made in one, and is not among what is unspent. */
async function isSpent(node: BitcoinNode, { txid, vout }: Outpoint): Promise<boolean> {
  if ((await readConfirmations(node, txid)) < 1) return false;
  return (await node.ask<object | null>('gettxout', [txid, vout, false])) === null;
}

async function readConfirmations(node: BitcoinNode, txid: string): Promise<number> {
  try {
    const { blockhash } = await node.ask<ShownTransaction>('getrawtransaction', [txid, 1]);
    return blockhash === undefined ? 0 : (await readHeader(node, blockhash)).confirmations;
  } catch (error) {
    if (error instanceof RpcError && error.rpcCode === rpcCodes.notFound) return 0;
    throw error;
  }
}

/** What the newest `blocks` blocks up to this one have spent. */
async function readSpends(node: BitcoinNode, newest: string, blocks: number): Promise<Set<string>> {
  const spends = new Set<string>();
  let hash: string | undefined = newest;
  for (let left = blocks; left > 0 && hash !== undefined; left--) {
    for (const { vin } of await readTransactions(node, hash))
      for (const { txid, vout } of vin)
        if (txid !== undefined && vout !== undefined) spends.add(nameOf({ txid, vout }));
    hash = (await readHeader(node, hash)).previousblockhash;
  }
  return spends;
}
