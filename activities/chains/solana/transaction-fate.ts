// What one Solana node says of a signed transaction that is to be given up: whether it may still land. Believes no
// height that the node which gave the blockhash named: it may have lied then.
import type { Blockhash, Signature, Slot } from '@solana/kit';
import { ChainError } from '../port/chain-error.ts';
import type { BuiltTransaction, Fate, SentTransaction } from '../port/transactions.ts';
import { findStatus, readTxHash } from './follow-transaction.ts';
import type { AskSolana } from './rpc.ts';
import { isOfMessage, readMessage, readSigned } from './wire-format.ts';

/** By how much the cluster's clock and ours may differ. */
const CLOCKS_DIFFER_MS = 30_000;
/** No true last block height is so far ahead of the finalized one: a blockhash is good for 150 blocks. */
const BLOCKS_AHEAD_MAX = 1_000n;

const alive = (reason: string): Fate => ({ state: 'alive', reason });
const unsure = (reason: string): Fate => ({ state: 'unsure', reason });

/**
 * Dead when the node's finalized chain has gone on since the transaction was built, no longer takes its blockhash, and
 * does not hold it, though the node's history begins before it. The blockhash was known when it was built, so that a
 * chain which has come further and does not take it has left it behind, or never had it.
 */
export async function fateOfSolana(ask: AskSolana, { raw, ...built }: SentTransaction): Promise<Fate> {
  const signed = readSigned(raw);
  if (signed === undefined) return unsure('the bytes are not a signed transaction');
  return afterExpiry(ask, { ...built, blockhash: signed.blockhash }, async (finalSlot) => {
    const { status, asOfSlot } = await findStatus(ask, readTxHash(signed.txHash));
    // Behind one address may stand many nodes: one that is behind knows nothing of what landed last.
    if (asOfSlot < finalSlot) throw new ChainError('The Solana node is behind the one that was asked before it.');
    return status === null ? undefined : alive('it has landed');
  });
}

/** More than a wallet sends while one of its transactions is given up. */
const LANDED_MAX = 1_000;

/** The same of a transaction whose signature is not known: by all that its payer has paid for since it was built. */
export async function fateOfBuiltSolana(ask: AskSolana, { unsigned, ...built }: BuiltTransaction): Promise<Fate> {
  const { payer, blockhash } = readMessage(unsigned);
  return afterExpiry(ask, { ...built, blockhash }, async (finalSlot) => {
    const options = { limit: LANDED_MAX, commitment: 'finalized', minContextSlot: finalSlot } as const;
    const shown = await ask((rpc) => rpc.getSignaturesForAddress(payer, options));
    const earliestMs = built.builtAt.getTime() - CLOCKS_DIFFER_MS;
    const since = shown.filter(({ blockTime }) => blockTime === null || Number(blockTime) * 1_000 >= earliestMs);
    if (since.length === LANDED_MAX) return unsure('more has happened at its address since than can be looked through');
    for (const { signature } of since)
      if (isOfMessage(await showWire(ask, signature), unsigned))
        return { ...alive(`it has landed as ${signature}`), txHash: signature };
    return undefined;
  });
}

async function showWire(ask: AskSolana, signature: Signature): Promise<string> {
  const options = { encoding: 'base64', commitment: 'finalized', maxSupportedTransactionVersion: 0 } as const;
  const shown = await ask((rpc) => rpc.getTransaction(signature, options));
  if (shown === null) throw new ChainError('The Solana node does not show a transaction that it has listed.');
  return shown.transaction[0];
}

/**
 * `findLanded` is asked once the blockhash has expired, so that nothing can land any more. Undefined from it: it has
 * not landed.
 */
async function afterExpiry(
  ask: AskSolana,
  { blockhash, builtAt, validUntil }: { blockhash: Blockhash; builtAt: Date; validUntil: number | null },
  findLanded: (finalSlot: Slot) => Promise<Fate | undefined>,
): Promise<Fate> {
  const { blockHeight, absoluteSlot } = await ask((rpc) => rpc.getEpochInfo({ commitment: 'finalized' }));
  const last = BigInt(validUntil ?? 0);
  if (blockHeight <= last && last <= blockHeight + BLOCKS_AHEAD_MAX) return alive(`it may land until block ${last}`);
  if ((await timeOf(ask, absoluteSlot)) < builtAt.getTime() + CLOCKS_DIFFER_MS)
    return alive('no block is final yet that is younger than it');
  const { value: isValid } = await ask((rpc) =>
    rpc.isBlockhashValid(blockhash, { commitment: 'finalized', minContextSlot: absoluteSlot }),
  );
  if (isValid) return alive('its blockhash is still good');
  const landed = await findLanded(absoluteSlot);
  if (landed !== undefined) return landed;
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
