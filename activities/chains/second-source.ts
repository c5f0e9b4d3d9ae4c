// Asks a second node whether it sees an arrival just as the first one told it (controls D8): one node that lies or lags then credits nothing. Which
// arrivals are worth the question, and what becomes of the others, is for the caller to say.
import type { Arrival, Chain } from './port/chain.ts';

/**
 * False while the second node has not come to the block, has another one at its number, or reads another amount or none. It may be true later: a node
 * lags, or the first one's block is reorganised away. Throws `ChainError` when the second node cannot be asked.
 */
export async function seenBySecond(second: Chain, arrival: Arrival): Promise<boolean> {
  const { block, contract, to } = arrival;
  const own = await second.block(block.number);
  if (own?.hash !== block.hash) return false;
  const arrivals = await second.arrivals(own, {
    contracts: new Set(contract === null ? [] : [contract]),
    ours: async (addresses) => new Set(addresses.filter((address) => address === to)),
  });
  return arrivals.some((seen) => isSame(seen, arrival));
}

function isSame(seen: Arrival, told: Arrival): boolean {
  return (
    seen.txHash === told.txHash &&
    seen.index === told.index &&
    seen.contract === told.contract &&
    seen.to === told.to &&
    seen.amount === told.amount
  );
}
