// Gives a signed transaction to an EVM node, and reads its refusal: whether the chain will never take these bytes, or
// only not now.
import {
  type Hex,
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerialized,
  toHex,
} from 'viem';
import { ChainError } from '../port/chain-error.ts';
import type { Broadcast } from '../port/transactions.ts';
import { type AskNode, NodeRefusal, readQuantity } from './node-client.ts';

/**
 * The words of geth, which others repeat or vary. Only what is listed is final: all else, also what a sender cannot pay
 * now, a base fee that is too high now and a nonce that is not due yet, is a `ChainError`, and the same bytes may go
 * later.
 */
const finalRefusals: readonly [words: RegExp, reason: string][] = [
  [
    /replacement transaction underpriced|replacement fee too low|could not replace existing/i,
    'A transaction with the same nonce is waiting, and this one does not offer enough more to replace it.',
  ],
  [/transaction underpriced|tip below minimum/i, 'The transaction offers less than the node takes.'],
  [/intrinsic gas too low|floor data gas/i, 'The gas limit is too low for this transaction.'],
  [
    /exceeds (the )?block gas limit|intrinsic gas too high|gas limit too high/i,
    'The gas limit is higher than that of a block.',
  ],
  [/invalid chain ?id/i, 'The transaction is for another chain.'],
  [/(type not supported|unsupported transaction type)/i, 'The chain does not take transactions of this type.'],
  [/invalid (sender|signature)|failed to decode|rlp: /i, 'The bytes are not a signed transaction.'],
];
const KNOWN = /already known|already imported|known transaction|already exists/i;
const NONCE_TOO_LOW = /nonce too low|old nonce|nonce is too low/i;
/** Further back, a node need not know how many transactions an account had. */
const DEPTH_MAX_BLOCKS = 64;

/**
 * `confirmations`: in how many blocks another transaction must have stood before it is said to have taken the nonce.
 */
export async function broadcastEvmTransaction(ask: AskNode, raw: Hex, confirmations: number): Promise<Broadcast> {
  const txHash = keccak256(raw);
  try {
    const answered = await ask({ method: 'eth_sendRawTransaction', params: [raw] });
    if (answered !== txHash) throw new ChainError('the node answered with the hash of another transaction');
    return { outcome: 'accepted' };
  } catch (error) {
    if (!(error instanceof NodeRefusal)) throw error;
    if (KNOWN.test(error.message) || (await isKnown(ask, txHash))) return { outcome: 'accepted' };
    if (NONCE_TOO_LOW.test(error.message)) return refusalOfNonce(ask, raw, confirmations, error);
    const final = finalRefusals.find(([words]) => words.test(error.message));
    if (final !== undefined) return { outcome: 'rejected', reason: final[1] };
    throw error;
  }
}

/** By this transaction or another, in a block with so many confirmations. */
export async function isNonceUsed(ask: AskNode, raw: Hex, confirmations: number): Promise<boolean> {
  const sender = await recoverTransactionAddress({ serializedTransaction: raw as TransactionSerialized });
  const depthBlocks = BigInt(Math.min(Math.max(confirmations, 1), DEPTH_MAX_BLOCKS) - 1);
  const head = readQuantity(await ask({ method: 'eth_blockNumber' }), 'block number');
  if (head < depthBlocks) return false;
  const at = toHex(head - depthBlocks);
  const used = readQuantity(await ask({ method: 'eth_getTransactionCount', params: [sender, at] }), 'nonce');
  return used > BigInt(parseTransaction(raw).nonce ?? 0);
}

async function isKnown(ask: AskNode, txHash: Hex): Promise<boolean> {
  return (await ask({ method: 'eth_getTransactionByHash', params: [txHash] })) !== null;
}

/**
 * "Nonce too low" from a node whose neighbour does not know the hash yet would be our own transaction; and one that
 * took the nonce may be reorganised away. So it is final only once the nonce was used deep enough and the hash is still
 * unknown.
 */
async function refusalOfNonce(ask: AskNode, raw: Hex, confirmations: number, refusal: NodeRefusal): Promise<Broadcast> {
  if (!(await isNonceUsed(ask, raw, confirmations))) throw refusal;
  if (await isKnown(ask, keccak256(raw))) return { outcome: 'accepted' };
  return { outcome: 'rejected', reason: 'Another transaction has taken this nonce.', dead: true };
}
