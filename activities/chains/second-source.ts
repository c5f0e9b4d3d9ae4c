// Asks a second node whether it sees a movement just as the first one told it (controls D8): one node that lies or lags
// then credits and books nothing. Which movements are worth the question, and what becomes of the others, is for the
// caller to say.
import type { Chain } from './port/chain.ts';
import { ChainError } from './port/chain-error.ts';
import type { Block, InboundTransfer, OutboundTransfer, PrunedData, Watched } from './port/movements.ts';

/** What the address has to hold, by the ledger, once the blocks up to `readTo` are read. */
export interface Promised {
  readTo: Pick<Block, 'number' | 'hash'>;
  baseUnits: bigint;
}

/**
 * False while the second node has not come to the block, has another one at its number, or reads another amount or
 * none. It may be true later: a node lags, or the first one's block is reorganised away. Throws `ChainError` when the
 * second node cannot be asked. Of a block whose state it has pruned it knows what a token's log claims, and not what
 * the balance gained; then its balance must still cover all that is `promised` (decision 123).
 */
export async function seenBySecond(
  second: Chain,
  inboundTransfer: InboundTransfer,
  promised: () => Promise<Promised | undefined>,
): Promise<boolean> {
  const { block, contract, to } = inboundTransfer;
  const own = await blockAtSecond(second, block);
  if (own === undefined) return false;
  const pruned = new Pruned();
  const inboundTransfers = await second.inboundTransfers(own, watchedFor(contract, to, pruned));
  const isSeen = inboundTransfers.some((seen) => isSame(seen, inboundTransfer) && seen.to === to);
  if (!isSeen) return pruned.deny();
  const states = pruned.reasonOf('states');
  if (states !== undefined && contract !== null)
    await assertCovered(second, { contract, address: to, block, reason: states, promised: await promised() });
  return true;
}

interface Claim {
  contract: string;
  address: string;
  block: Block;
  /** Why the second node cannot tell what the balance gained. */
  reason: string;
  promised: Promised | undefined;
}

async function assertCovered(second: Chain, { contract, address, block, reason, promised }: Claim): Promise<void> {
  const cannotTell = (why: string) => new ChainError(`${reason} (${why})`);
  if (second.model !== 'account' || promised === undefined) throw cannotTell('the ledger is further than the chain');
  const { number, hash } = promised.readTo;
  if ((await second.block(number))?.hash !== hash) throw cannotTell('it has not come to what is read');
  const least = await second.balanceBeforeArrivals({ contract, address }, block.number, promised.readTo);
  if (least < promised.baseUnits) throw cannotTell('its balance does not cover what the ledger has');
}

/** What is known of an outbound transfer of ours: the rest of it is not a matter of money. */
export type Departed = Pick<OutboundTransfer, 'txHash' | 'index' | 'contract' | 'from' | 'amount' | 'fee' | 'block'>;

/** The same of what left an address. */
export async function departedAtSecond(second: Chain, departed: Departed): Promise<boolean> {
  const { block, contract, from, fee } = departed;
  const own = await blockAtSecond(second, block);
  if (own === undefined) return false;
  const pruned = new Pruned();
  const { outboundTransfers } = await second.movements(own, watchedFor(contract, from, pruned));
  const isSeen = outboundTransfers.some((seen) => isSame(seen, departed) && seen.from === from && seen.fee === fee);
  return isSeen || pruned.deny();
}

/** What the second node could not tell of a block any more, and why. */
class Pruned {
  readonly #reasons = new Map<PrunedData, string>();

  readonly note = (what: PrunedData, reason: string): true => {
    this.#reasons.set(what, reason);
    return true;
  };

  reasonOf(what: PrunedData): string | undefined {
    return this.#reasons.get(what);
  }

  /** What is not there is denied only by who could have seen it. */
  deny(): false {
    const reason = this.reasonOf('traces') ?? this.reasonOf('states');
    if (reason !== undefined) throw new ChainError(reason);
    return false;
  }
}

async function blockAtSecond(second: Chain, { number, hash }: Block): Promise<Block | undefined> {
  const own = await second.block(number);
  return own?.hash === hash ? own : undefined;
}

const watchedFor = (contract: string | null, address: string, pruned: Pruned): Watched => ({
  contracts: new Set(contract === null ? [] : [contract]),
  allowMissing: pruned.note,
  ours: async (addresses) => new Set(addresses.filter((each) => each === address)),
});

type Sighted = Pick<InboundTransfer, 'txHash' | 'index' | 'contract' | 'amount'>;

const isSame = (seen: Sighted, claimed: Sighted): boolean =>
  seen.txHash === claimed.txHash &&
  seen.index === claimed.index &&
  seen.contract === claimed.contract &&
  seen.amount === claimed.amount;
