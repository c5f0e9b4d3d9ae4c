// Asks a second node whether it sees an inbound transfer just as the first one told it (controls D8): one node that
// lies or lags then credits nothing. Which inbound transfers are worth the question, and what becomes of the others, is
// for the caller to say.
import type { Chain } from './port/chain.ts';
import type { InboundTransfer } from './port/movements.ts';

/**
 * False while the second node has not come to the block, has another one at its number, or reads another amount or
 * none. It may be true later: a node lags, or the first one's block is reorganised away. Throws `ChainError` when the
 * second node cannot be asked.
 */
export async function seenBySecond(second: Chain, inboundTransfer: InboundTransfer): Promise<boolean> {
  const { block, contract, to } = inboundTransfer;
  const own = await second.block(block.number);
  if (own?.hash !== block.hash) return false;
  const inboundTransfers = await second.inboundTransfers(own, {
    contracts: new Set(contract === null ? [] : [contract]),
    ours: async (addresses) => new Set(addresses.filter((address) => address === to)),
  });
  return inboundTransfers.some((seen) => isSame(seen, inboundTransfer));
}

function isSame(seen: InboundTransfer, claimed: InboundTransfer): boolean {
  return (
    seen.txHash === claimed.txHash &&
    seen.index === claimed.index &&
    seen.contract === claimed.contract &&
    seen.to === claimed.to &&
    seen.amount === claimed.amount
  );
}
