// The time of the sandbox's Solana chain: a slot every 400 ms since its first start, also while it is stopped, and the
// blockhash of each slot, both computed and never stored. There are no forks; every completed slot is final.
import { createHash } from 'node:crypto';
import { type Blockhash, blockhash, getBase58Decoder } from '@solana/kit';

const SLOT_MS = 400;
/** A blockhash is good for so many blocks, as on the real chain. */
export const BLOCKHASH_LIFETIME_BLOCKS = 150;
export const SLOTS_IN_EPOCH = 432_000;

export class Slots {
  readonly genesisMs: number;
  readonly #now: () => number;
  #newest: number;

  /** `newest` is a slot that was in use before this start. */
  constructor(genesisMs: number, newest: number, now: () => number) {
    this.genesisMs = genesisMs;
    this.#newest = newest;
    this.#now = now;
  }

  /** The newest completed slot: nothing is added to it any more. Its number is its block's height too. */
  get completed(): number {
    return this.current - 1;
  }

  /**
   * The slot in which a transaction that arrives now is executed. Stands still while the machine's clock is set back.
   */
  get current(): number {
    this.#newest = Math.max(this.#newest, 1 + Math.floor((this.#now() - this.genesisMs) / SLOT_MS));
    return this.#newest;
  }

  blockTimeS(slot: number): number {
    return Math.floor((this.genesisMs + slot * SLOT_MS) / 1000);
  }

  blockhash(slot: number): Blockhash {
    const digest = createHash('sha256').update(`countersign sandbox ${this.genesisMs} ${slot}`).digest();
    return blockhash(getBase58Decoder().decode(digest));
  }

  /** Counted from the slot that would execute: what a client holds for expired is never executed later. */
  isRecent(hash: string): boolean {
    const newest = this.current;
    for (let slot = newest - 1; slot >= Math.max(0, newest - BLOCKHASH_LIFETIME_BLOCKS); slot--)
      if (this.blockhash(slot) === hash) return true;
    return false;
  }
}
