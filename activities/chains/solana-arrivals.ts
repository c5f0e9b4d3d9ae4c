// What one executed Solana transaction brought to addresses of ours: the gain of an address in lamports, and that of its associated token account
// in each mint. Which mints are wanted is for the caller to say: anyone can make one that looks like another.
import { address } from '@solana/kit';
import type { Arrival, Block } from './chain.ts';
import type { Executed, TokenHolding } from './solana-executed.ts';
import { tokenAccountOf } from './solana-tokens.ts';

/** `index` holds the address: one transaction may pay several of ours. */
export async function arrivalsOf(
  executed: Executed,
  block: Block,
  isOurs: (address: string) => boolean,
): Promise<Arrival[]> {
  if (!executed.succeeded) return [];
  const { txHash } = executed;
  const ofLamports = executed.lamports
    .filter(({ account, before, after }) => after > before && isOurs(account))
    .map(({ account: to, before, after }) => {
      const from = payerOf(executed, to);
      return { txHash, index: `lamports:${to}`, contract: null, from, to, amount: after - before, block };
    });
  const ofTokens: Arrival[] = [];
  for (const { account, mint, owner: to, amount: after } of executed.tokensAfter) {
    if (!isOurs(to) || account !== (await tokenAccountOf(address(to), address(mint)))) continue;
    const before = amountIn(executed.tokensBefore, account, to);
    if (after <= before) continue;
    const from = tokenPayerOf(executed, mint, to);
    ofTokens.push({ txHash, index: `token:${mint}:${to}`, contract: mint, from, to, amount: after - before, block });
  }
  return [...ofLamports, ...ofTokens];
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
