// What one Solana node says of a signed transaction that is to be given up: whether it may still land. Believes no height that the node which gave the blockhash named: it may have lied then.
import type { Slot } from '@solana/kit';
import { ChainError, type Fate, type SentTransaction } from './chain.ts';
import type { AskSolana } from './solana-rpc.ts';
import { findStatus, readTxHash } from './solana-standing.ts';
import { readSigned } from './solana-wire.ts';

/** By how much the cluster's clock and ours may differ. */
const CLOCKS_DIFFER_MS = 30_000;
/** No true last block height is so far ahead of the finalized one: a blockhash is good for 150 blocks. */
const BLOCKS_AHEAD_MAX = 1_000n;

const alive = (reason: string): Fate => ({ state: 'alive', reason });
const unsure = (reason: string): Fate => ({ state: 'unsure', reason });

/**
 * Dead when the node's finalized chain has gone on since the transaction was built, no longer takes its blockhash, and does not hold it, though the node's history begins before it. The
 * blockhash was known when it was built, so that a chain which has come further and does not take it has left it behind, or never had it.
 */
export async function fateOfSolana(ask: AskSolana, { raw, builtAt, validUntil }: SentTransaction): Promise<Fate> {
  const signed = readSigned(raw);
  if (signed === undefined) return unsure('the bytes are not a signed transaction');
  const { blockHeight, absoluteSlot } = await ask((rpc) => rpc.getEpochInfo({ commitment: 'finalized' }));
  const last = BigInt(validUntil ?? 0);
  if (blockHeight <= last && last <= blockHeight + BLOCKS_AHEAD_MAX) return alive(`it may land until block ${last}`);
  if ((await timeOf(ask, absoluteSlot)) < builtAt.getTime() + CLOCKS_DIFFER_MS)
    return alive('no block is final yet that is younger than it');
  const { value: isValid } = await ask((rpc) =>
    rpc.isBlockhashValid(signed.blockhash, { commitment: 'finalized', minContextSlot: absoluteSlot }),
  );
  if (isValid) return alive('its blockhash is still good');
  // After the blockhash, so that nothing can have landed between the two questions.
  const { status, asOfSlot } = await findStatus(ask, readTxHash(signed.txHash));
  // Behind one address may stand many nodes: one that is behind knows nothing of what landed last.
  if (asOfSlot < absoluteSlot) throw new ChainError('The Solana node is behind the one that was asked before it.');
  if (status !== null) return alive('it has landed');
  const first = await ask((rpc) => rpc.getFirstAvailableBlock());
  if (first > 0n && (await timeOf(ask, first)) > builtAt.getTime() - CLOCKS_DIFFER_MS)
    return unsure(`its history begins with slot ${first}, after the transaction was built`);
  return { state: 'dead', reason: 'it did not land before its blockhash expired' };
}

/** In milliseconds. */
async function timeOf(ask: AskSolana, slot: Slot): Promise<number> {
  const seconds = await ask((rpc) => rpc.getBlockTime(slot));
  if (seconds === null) throw new ChainError(`The Solana node does not know the time of slot ${slot}.`);
  return Number(seconds) * 1_000;
}
