// Which deposits may be confirmed: those above the operator's threshold only when a second node, of another operator,
// tells of them what the first one did (controls D8). What it does not confirm stays pending, is logged, and is asked
// for again.
import { log } from '@temporalio/activity';
import { parseAmount } from '../../domain/money.ts';
import type { PendingDeposit } from '../../drizzle/deposits/deposits.ts';
import type { MayConfirm } from '../../drizzle/deposits/network-steps.ts';
import type { Chain } from '../chains/port/chain.ts';
import { ChainError } from '../chains/port/chain-error.ts';
import { seenBySecond } from '../chains/second-source.ts';

/**
 * By symbol: amounts up to this one (in the asset's unit) are taken on the first node's word. An asset that is not
 * named is always asked about.
 */
export type SecondSourceAbove = Readonly<Record<string, string>>;

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

  async ask(second: Chain | undefined, due: readonly PendingDeposit[]): Promise<MayConfirm> {
    if (second === undefined) return () => true;
    const agreed = new Set<string>();
    for (const deposit of due)
      if (this.#isAbove(deposit) && (await this.#agrees(second, deposit))) agreed.add(sightingOf(deposit));
    return (deposit) => !this.#isAbove(deposit) || agreed.has(sightingOf(deposit));
  }

  #isAbove({ symbol, decimals, amountBaseUnits }: PendingDeposit): boolean {
    const threshold = this.#above[symbol];
    return threshold === undefined || amountBaseUnits * 10n ** BigInt(SCALE - decimals) > parseAmount(threshold, SCALE);
  }

  async #agrees(second: Chain, deposit: PendingDeposit): Promise<boolean> {
    const sighting = sightingOf(deposit);
    if (Date.now() < (this.#againAtMs.get(sighting) ?? 0)) return false;
    const { id: depositId, txHash, blockNumber } = deposit;
    try {
      if (await seenBySecond(second, inboundTransferOf(deposit))) return this.#againAtMs.delete(sighting) || true;
      log.error('a deposit stays pending: the second node does not tell of it what the first one did', {
        depositId,
        txHash,
        blockNumber,
      });
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
      log.warn('a deposit stays pending: the second node cannot be asked', { depositId, reason: error.message });
    }
    if (this.#againAtMs.size >= REMEMBERED_MAX) this.#againAtMs.clear();
    this.#againAtMs.set(sighting, Date.now() + ASK_AGAIN_MS);
    return false;
  }
}

/** The word of the second node is about the deposit as it stands in one block. */
const sightingOf = ({ id, blockHash }: PendingDeposit) => `${id} ${blockHash}`;

const inboundTransferOf = (deposit: PendingDeposit) => ({
  txHash: deposit.txHash,
  index: deposit.arrivalIndex,
  contract: deposit.contract,
  from: deposit.fromAddress,
  to: deposit.toAddress,
  amount: deposit.amountBaseUnits,
  block: { number: deposit.blockNumber, hash: deposit.blockHash, parentHash: '' },
});
