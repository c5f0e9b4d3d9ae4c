// What one executed Solana transaction brought: the gain of an address in lamports, and that of its associated token
// account in each mint that is watched. Anyone can make a mint that looks like another; it is never read.
import { address } from '@solana/kit';
import type { Block, InboundTransfer } from '../port/movements.ts';
import type { Executed, TokenHolding } from './executed-transaction.ts';
import { tokenAccountOf } from './token-accounts.ts';

/** What a balance gained, of lamports or, with a mint, in a token account of any kind. */
interface Gain {
  to: string;
  mint: string | null;
  account: string;
  amount: bigint;
}

export function gainsOf(
  { succeeded, lamports, tokensBefore, tokensAfter }: Executed,
  mints: ReadonlySet<string>,
): Gain[] {
  if (!succeeded) return [];
  const ofLamports = lamports.map(({ account, before, after }) => ({
    to: account,
    mint: null,
    account,
    amount: after - before,
  }));
  const ofTokens = tokensAfter
    .filter(({ mint }) => mints.has(mint))
    .map(({ account, mint, owner, amount }) => ({
      to: owner,
      mint,
      account,
      amount: amount - amountIn(tokensBefore, account, owner),
    }));
  return [...ofLamports, ...ofTokens].filter(({ amount }) => amount > 0n);
}

/**
 * Of the gains at addresses of ours those that count. `index` holds the address: one transaction may pay several of
 * ours.
 */
export async function inboundTransfersOf(
  executed: Executed,
  gains: readonly Gain[],
  block: Block,
): Promise<InboundTransfer[]> {
  const inboundTransfers: InboundTransfer[] = [];
  for (const { to, mint, account, amount } of gains) {
    const common = { txHash: executed.txHash, contract: mint, to, amount, block };
    if (mint === null) inboundTransfers.push({ ...common, index: `lamports:${to}`, from: payerOf(executed, to) });
    else if (account === (await tokenAccountOf(address(to), address(mint))))
      inboundTransfers.push({ ...common, index: `token:${mint}:${to}`, from: tokenPayerOf(executed, mint, to) });
  }
  return inboundTransfers;
}

/** The one account that lost lamports beyond the fee; null when there are several. */
function payerOf({ lamports, fee }: Executed, to: string): string | null {
  const losers = lamports.filter(({ account, before, after }, index) => {
    const paidFee = index === 0 ? fee : 0n;
    return account !== to && before - after > paidFee;
  });
  return onlyOne(losers.map(({ account }) => account));
}

/** The one owner who lost of this mint; null when there are several, or when it was minted. */
function tokenPayerOf({ tokensBefore, tokensAfter }: Executed, mint: string, to: string): string | null {
  const losers = tokensBefore.filter(
    ({ account, mint: other, owner, amount }) =>
      other === mint && owner !== to && amount > amountIn(tokensAfter, account, owner),
  );
  return onlyOne(losers.map(({ owner }) => owner));
}

function amountIn(holdings: readonly TokenHolding[], account: string, owner: string): bigint {
  return holdings.find((each) => each.account === account && each.owner === owner)?.amount ?? 0n;
}

function onlyOne(addresses: readonly string[]): string | null {
  const [first, ...others] = new Set(addresses);
  return first !== undefined && others.length === 0 ? first : null;
}
