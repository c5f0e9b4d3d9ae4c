// What an executed Solana transaction took from addresses, as the chain's own balances tell it: lamports, the fee of a
// transaction that failed too, and tokens of a watched mint in any account that the address owns. Its own moves between
// two of its token accounts leave one of them.
import { address, getBase58Encoder } from '@solana/kit';
import type { Block, OutboundTransfer } from '../port/movements.ts';
import type { Executed } from './executed-transaction.ts';
import { tokenAccountOf } from './token-accounts.ts';

interface Loss {
  from: string;
  mint: string | null;
  account: string;
  index: string;
  amount: bigint;
}

export function lossesOf({ lamports, tokensBefore, tokensAfter }: Executed, mints: ReadonlySet<string>): Loss[] {
  const ofLamports = lamports.map(({ account, before, after }) => ({
    from: account,
    mint: null,
    account,
    index: `lamports:${account}`,
    amount: before - after,
  }));
  const ofTokens = tokensBefore
    .filter(({ mint }) => mints.has(mint))
    .map(({ account, mint, owner, amount }) => {
      // An account that was given to another owner is lost whole.
      const left = tokensAfter.find((each) => each.account === account && each.owner === owner)?.amount ?? 0n;
      return { from: owner, mint, account, index: `token:${mint}:${account}`, amount: amount - left };
    });
  return [...ofLamports, ...ofTokens].filter(({ amount }) => amount > 0n);
}

/** For losses at addresses of ours. Tokens may be moved without a signature of their owner, by whom he has approved. */
export async function outboundTransfersOf(
  executed: Executed,
  losses: readonly Loss[],
  block: Block,
): Promise<OutboundTransfer[]> {
  const { txHash, signatures, succeeded } = executed;
  const outboundTransfers: OutboundTransfer[] = [];
  for (const loss of losses) {
    const { from, mint, account, index, amount } = loss;
    const signature = signatures.get(from);
    outboundTransfers.push({
      txHash,
      index,
      contract: mint,
      from,
      to: receiverOf(executed, loss),
      amount,
      fee: feeIn(executed, loss),
      succeeded,
      // What programs were called for it is not told apart here.
      method: 'transfer',
      isCounted: mint === null || account === (await tokenAccountOf(address(from), address(mint))),
      block,
      signatures: signature === undefined ? [] : [hexOf(signature)],
    });
  }
  return outboundTransfers;
}

/** The payer is the first account. Whoever gives lamports in the same transaction may have covered some of it. */
function feeIn({ lamports, fee }: Executed, { mint, from, amount }: Loss): bigint {
  if (mint !== null || lamports[0]?.account !== from) return 0n;
  return fee < amount ? fee : amount;
}

/** The one that gained of the same: null when there are several, or none. */
function receiverOf({ lamports, tokensBefore, tokensAfter }: Executed, { mint, from }: Loss): string | null {
  const before = ({ account, owner }: Executed['tokensAfter'][number]) =>
    tokensBefore.find((each) => each.account === account && each.owner === owner)?.amount ?? 0n;
  const gainers =
    mint === null
      ? lamports.filter((each) => each.after > each.before).map(({ account }) => account)
      : tokensAfter
          .filter((each) => each.mint === mint && each.owner !== from && each.amount > before(each))
          .map(({ owner }) => owner);
  const [gainer, ...others] = new Set(gainers);
  return gainer !== undefined && others.length === 0 ? gainer : null;
}

const hexOf = (base58: string): string => `0x${Buffer.from(getBase58Encoder().encode(base58)).toString('hex')}`;
