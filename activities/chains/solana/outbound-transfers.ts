// What an executed Solana transaction took from addresses, as the chain's own balances tell it: lamports, the fee of a
// transaction that failed too, and tokens of a watched mint in any account that the address owns. Its own moves between
// two of its token accounts leave one of them.
import { getBase58Encoder } from '@solana/kit';
import type { Block, OutboundTransfer } from '../port/movements.ts';
import type { Executed } from './executed-transaction.ts';

interface Loss {
  from: string;
  mint: string | null;
  index: string;
  amount: bigint;
}

export function lossesOf({ lamports, tokensBefore, tokensAfter }: Executed, mints: ReadonlySet<string>): Loss[] {
  const ofLamports = lamports.map(({ account, before, after }) => ({
    from: account,
    mint: null,
    index: `lamports:${account}`,
    amount: before - after,
  }));
  const ofTokens = tokensBefore
    .filter(({ mint }) => mints.has(mint))
    .map(({ account, mint, owner, amount }) => {
      // An account that was given to another owner is lost whole.
      const left = tokensAfter.find((each) => each.account === account && each.owner === owner)?.amount ?? 0n;
      return { from: owner, mint, index: `token:${mint}:${account}`, amount: amount - left };
    });
  return [...ofLamports, ...ofTokens].filter(({ amount }) => amount > 0n);
}

/** For losses at addresses of ours. Tokens may be moved without a signature of their owner, by whom he has approved. */
export function outboundTransfersOf(
  { txHash, signatures }: Executed,
  losses: readonly Loss[],
  block: Block,
): OutboundTransfer[] {
  return losses.map(({ from, mint, index, amount }) => {
    const signature = signatures.get(from);
    return {
      txHash,
      index,
      contract: mint,
      from,
      amount,
      block,
      signatures: signature === undefined ? [] : [hexOf(signature)],
    };
  });
}

const hexOf = (base58: string): string => `0x${Buffer.from(getBase58Encoder().encode(base58)).toString('hex')}`;
