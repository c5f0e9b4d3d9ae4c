// Which deposits may be confirmed, and which departures booked: those above the operator's threshold only when a second
// node, of another operator, tells of them what the first one did (controls D8). What it does not confirm stays as it
// is, is logged, and is asked for again.
import { log } from '@temporalio/activity';
import { finalBlock } from '../../domain/deposits/block-depths.ts';
import { parseAmount } from '../../domain/money.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { listOpenDepartures, type OpenDeparture } from '../../drizzle/departures/departures.ts';
import { listPendingDeposits, type PendingDeposit } from '../../drizzle/deposits/deposits.ts';
import { type Depths, type MayConfirm, type Sighting, withFee } from '../../drizzle/deposits/network-steps.ts';
import { findPromisedBalance } from '../../drizzle/deposits/promised-balances.ts';
import type { Chain } from '../chains/port/chain.ts';
import { ChainError } from '../chains/port/chain-error.ts';
import { departedAtSecond, seenBySecond } from '../chains/second-source.ts';

/**
 * By symbol: amounts up to this one (in the asset's unit) are taken on the first node's word. An asset that is not
 * named is always asked about.
 */
export type SecondSourceAbove = Readonly<Record<string, string>>;

/** What is to be believed, and how a second node is asked for it. */
export interface MovementToConfirm extends Sighting {
  what: 'a deposit stays pending' | 'what left a wallet is not booked';
  logged: Record<string, unknown>;
  /** Absent for what is believed already, and has only got its depth. */
  seenBy?: (second: Chain) => Promise<boolean>;
}

const ASK_AGAIN_MS = 10_000;
const REMEMBERED_MAX = 10_000;
/** More than any asset has. */
const SCALE = 36;

export class SecondSource {
  readonly #above: SecondSourceAbove;
  /** When a deposit that was not confirmed is asked for again. */
  readonly #againAtMs = new Map<string, number>();

  constructor(above: SecondSourceAbove) {
    this.#above = above;
  }

  async ask(second: Chain | undefined, due: readonly MovementToConfirm[]): Promise<MayConfirm> {
    if (second === undefined) return () => true;
    const agreed = new Set<string>();
    for (const each of due) {
      const { seenBy } = each;
      if (seenBy === undefined || !this.#isAbove(each)) continue;
      if (await this.#agrees(each, () => seenBy(second))) agreed.add(sightingOf(each));
    }
    return (sighting) => !this.#isAbove(sighting) || agreed.has(sightingOf(sighting));
  }

  #isAbove({ symbol, decimals, amountBaseUnits }: Sighting): boolean {
    const threshold = this.#above[symbol];
    return threshold === undefined || amountBaseUnits * 10n ** BigInt(SCALE - decimals) > parseAmount(threshold, SCALE);
  }

  async #agrees(due: MovementToConfirm, isSeen: () => Promise<boolean>): Promise<boolean> {
    const sighting = sightingOf(due);
    if (Date.now() < (this.#againAtMs.get(sighting) ?? 0)) return false;
    const { what, logged } = due;
    try {
      if (await isSeen()) return this.#againAtMs.delete(sighting) || true;
      log.error(`${what}: the second node does not tell of it what the first one did`, logged);
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
      log.warn(`${what}: the second node cannot be asked`, { ...logged, reason: error.message });
    }
    if (this.#againAtMs.size >= REMEMBERED_MAX) this.#againAtMs.clear();
    this.#againAtMs.set(sighting, Date.now() + ASK_AGAIN_MS);
    return false;
  }
}

/** The word of the second node is about a movement as it stands in one block. */
const sightingOf = ({ id, blockHash }: Sighting) => `${id} ${blockHash}`;

/** What may be confirmed, booked or finished once `lastBlock` is read. */
export async function listMovementsToConfirm(
  db: Database,
  network: Depths,
  lastBlock: number,
): Promise<MovementToConfirm[]> {
  const final = finalBlock(network, lastBlock);
  const deposits = await listPendingDeposits(db, network.id, final);
  const departures = await listOpenDepartures(db, network.id, { lastBlock, finalBlock: final });
  return [...deposits.map((deposit) => depositToConfirm(db, deposit)), ...departures.map(departureToConfirm)];
}

function depositToConfirm(db: Database, deposit: PendingDeposit): MovementToConfirm {
  const { id, txHash, arrivalIndex: index, contract, fromAddress: from, toAddress: to, amountBaseUnits } = deposit;
  const inboundTransfer = { txHash, index, contract, from, to, amount: amountBaseUnits, block: blockOf(deposit) };
  return {
    ...deposit,
    what: 'a deposit stays pending',
    logged: { depositId: id, txHash, blockNumber: deposit.blockNumber },
    seenBy: (second) => seenBySecond(second, inboundTransfer, () => findPromisedBalance(db, deposit)),
  };
}

function departureToConfirm(row: OpenDeparture): MovementToConfirm {
  const departure = withFee(row);
  const { id, txHash, departureIndex: index, contract, fromAddress: from, amountBaseUnits: amount } = departure;
  const departed = { txHash, index, contract, from, amount, fee: row.feeBaseUnits, block: blockOf(row) };
  return {
    ...departure,
    what: 'what left a wallet is not booked',
    logged: { departureId: id, txHash, blockNumber: row.blockNumber },
    ...(row.status === 'seen' && { seenBy: (second) => departedAtSecond(second, departed) }),
  };
}

const blockOf = ({ blockNumber, blockHash }: Pick<PendingDeposit, 'blockNumber' | 'blockHash'>) => ({
  number: blockNumber,
  hash: blockHash,
  parentHash: '',
});
