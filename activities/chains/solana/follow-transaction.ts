// Sends signed Solana transactions and tells what became of them, by the finalized chain only: what it shows is not
// taken back.
import { isSignature, type Signature, SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED } from '@solana/kit';
import { ChainError } from '../port/chain-error.ts';
import type { Broadcast, TransactionStatus } from '../port/transactions.ts';
import { showSolanaBlock } from './blocks.ts';
import { readExecuted, rentOfNewAccounts } from './executed-transaction.ts';
import { type AskSolana, SolanaNodeError } from './rpc.ts';
import { readSigned } from './wire-format.ts';

/**
 * The node tries the transaction first, so that what would fail costs no fee. Such a refusal is not the chain's last
 * word (funds may come, a node may be behind) and is thrown. `rejected` are only bytes that no node can take, and, with
 * `validUntil`, those that expired without having landed.
 */
export async function broadcastSolana(ask: AskSolana, raw: string, validUntil?: number): Promise<Broadcast> {
  const signed = readSigned(raw);
  if (signed === undefined) return { outcome: 'rejected', reason: 'The bytes are not a signed Solana transaction.' };
  const { wire, txHash } = signed;
  try {
    await ask((rpc) => rpc.sendTransaction(wire, { encoding: 'base64', preflightCommitment: 'confirmed' }));
    return { outcome: 'accepted' };
  } catch (error) {
    if (!(error instanceof SolanaNodeError)) throw error;
    if (error.solanaCode === SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED) return { outcome: 'accepted' };
    // A node forgets what it processed as soon as the blockhash has expired, and then only its history tells.
    if ((await findStatus(ask, txHash)).status !== null) return { outcome: 'accepted' };
    if (validUntil !== undefined && (await isExpiredSolana(ask, txHash, validUntil)))
      return {
        outcome: 'rejected',
        reason: `It did not land before block height ${validUntil}, its last.`,
        dead: true,
      };
    throw error;
  }
}

/** Whether it has not landed and never will: then, and only then, another may be signed in its place. */
export async function isExpiredSolana(ask: AskSolana, txHash: string, validUntil: number): Promise<boolean> {
  const { blockHeight, absoluteSlot } = await ask((rpc) => rpc.getEpochInfo({ commitment: 'finalized' }));
  if (blockHeight <= BigInt(validUntil)) return false;
  const { status, asOfSlot } = await findStatus(ask, readTxHash(txHash));
  // Behind one address may stand many nodes: one that is behind knows nothing of what landed last.
  if (asOfSlot < absoluteSlot) throw new ChainError('The Solana node is behind the one that was asked before it.');
  return status === null;
}

export async function followSolana(ask: AskSolana, text: string): Promise<TransactionStatus> {
  const txHash = readTxHash(text);
  const { status } = await findStatus(ask, txHash);
  if (status === null) return { state: 'unknown' };
  if (status.confirmationStatus !== 'finalized') return { state: 'pending' };
  const shown = await ask((rpc) =>
    rpc.getTransaction(txHash, { encoding: 'json', commitment: 'finalized', maxSupportedTransactionVersion: 0 }),
  );
  if (shown === null) throw new ChainError('The Solana node does not show a finalized transaction yet.');
  const executed = readExecuted(shown);
  const head = Number(await ask((rpc) => rpc.getSlot({ commitment: 'finalized' })));
  const block = await showSolanaBlock(ask, Number(shown.slot));
  if (block === undefined || block === 'skipped')
    throw new ChainError('The Solana node does not show the block of a finalized transaction.');
  return {
    state: 'included',
    blockNumber: block.number,
    blockHash: block.hash,
    confirmations: Math.max(1, head - block.number + 1),
    succeeded: executed.succeeded,
    feePaid: executed.fee + rentOfNewAccounts(executed),
  };
}

export async function findStatus(ask: AskSolana, txHash: Signature) {
  const { context, value } = await ask((rpc) => rpc.getSignatureStatuses([txHash], { searchTransactionHistory: true }));
  const [status] = value;
  if (status === undefined) throw new ChainError('The Solana node left out the status that was asked for.');
  return { status, asOfSlot: context.slot };
}

export function readTxHash(text: string): Signature {
  if (!isSignature(text)) throw new Error('A Solana transaction is named by its base58 signature.');
  return text;
}
