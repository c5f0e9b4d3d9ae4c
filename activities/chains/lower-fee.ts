// Has the prices of two nodes count where there are two: the lower one is offered, so that one node that lies cannot
// have an absurd tip signed. How much gas a transaction takes is the first node's word: gas that is not used is not
// paid.

import { lowerEvmFee } from './evm/fees.ts';
import type { Chain } from './port/chain.ts';
import { ChainError } from './port/chain-error.ts';

/**
 * The chain behind its first node, with the lower price of the two. While the second node cannot be asked, or cannot
 * quote, the first one's price stands alone, bounded by the network's cap like every other.
 */
export function withLowerFee(chain: Chain, second: Chain): Chain {
  return {
    ...chain,
    estimateFee: async (what, level, reservation) => {
      const [quote, other] = await Promise.all([
        chain.estimateFee(what, level, reservation),
        second.estimateFee(what, level, reservation).catch(unlessMistaken),
      ]);
      if (other === undefined) return quote;
      if (chain.model === 'account') return lowerEvmFee(quote, other);
      return other.maxFee < quote.maxFee ? other : quote;
    },
  };
}

function unlessMistaken(error: unknown): undefined {
  if (!(error instanceof ChainError)) throw error;
}
