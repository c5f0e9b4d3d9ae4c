// Asks a second node whether it sees a movement just as the first one told it (controls D8): one node that lies or lags
// then credits and books nothing. Which movements are worth the question, and what becomes of the others, is for the
// caller to say.
import type { Chain } from './port/chain.ts';
import type { Block, InboundTransfer, OutboundTransfer, Watched } from './port/movements.ts';

/**
 * False while the second node has not come to the block, has another one at its number, or reads another amount or
 * none. It may be true later: a node lags, or the first one's block is reorganised away. Throws `ChainError` when the
 * second node cannot be asked.
 */
export async function seenBySecond(second: Chain, inboundTransfer: InboundTransfer): Promise<boolean> {
  const { block, contract, to } = inboundTransfer;
  const own = await blockAtSecond(second, block);
  if (own === undefined) return false;
  const inboundTransfers = await second.inboundTransfers(own, watchedFor(contract, to));
  return inboundTransfers.some((seen) => isSame(seen, inboundTransfer) && seen.to === to);
}

/** What is known of an outbound transfer of ours: the rest of it is not a matter of money. */
export type Departed = Pick<OutboundTransfer, 'txHash' | 'index' | 'contract' | 'from' | 'amount' | 'fee' | 'block'>;

/** The same of what left an address. */
export async function departedAtSecond(second: Chain, departed: Departed): Promise<boolean> {
  const { block, contract, from, fee } = departed;
  const own = await blockAtSecond(second, block);
  if (own === undefined) return false;
  const { outboundTransfers } = await second.movements(own, watchedFor(contract, from));
  return outboundTransfers.some((seen) => isSame(seen, departed) && seen.from === from && seen.fee === fee);
}

async function blockAtSecond(second: Chain, { number, hash }: Block): Promise<Block | undefined> {
  const own = await second.block(number);
  return own?.hash === hash ? own : undefined;
}

const watchedFor = (contract: string | null, address: string): Watched => ({
  contracts: new Set(contract === null ? [] : [contract]),
  ours: async (addresses) => new Set(addresses.filter((each) => each === address)),
});

type Sighted = Pick<InboundTransfer, 'txHash' | 'index' | 'contract' | 'amount'>;

const isSame = (seen: Sighted, claimed: Sighted): boolean =>
  seen.txHash === claimed.txHash &&
  seen.index === claimed.index &&
  seen.contract === claimed.contract &&
  seen.amount === claimed.amount;
