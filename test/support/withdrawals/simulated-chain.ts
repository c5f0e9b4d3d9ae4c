// A chain with nonces in memory, whose time is the test's: it takes transactions in, forgets, drops and turns back, by
// a seeded chance or when it is told to. Its transactions are the EVM's. How its nodes answer is simulated-node.ts. For
// simulations only.
import { randomBytes } from 'node:crypto';
import {
  type Hex,
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerialized,
  type TransactionSerializedEIP1559,
} from 'viem';
import type { Block } from '../../../activities/chains/port/movements.ts';
import type { TransactionStatus } from '../../../activities/chains/port/transactions.ts';

/** Of a transfer. */
export const GAS = 21_000n;

export interface SimulatedTransaction {
  hash: string;
  from: string;
  to: string;
  nonce: number;
  value: bigint;
  pricePerGas: bigint;
  /** Of somebody else with the same key: it costs nothing, so that the ledger has nothing to learn from it. */
  foreign?: true;
}

type SimulatedBlock = Block & { transactions: SimulatedTransaction[] };

/**
 * `known`: in a block or waiting. `used`: by another, which a reorg may take back; `dead`: for good. `cheap`: beside
 * the one that waits.
 */
export type Taking = 'taken' | 'known' | 'used' | 'dead' | 'poor' | 'cheap';

const feeOf = ({ pricePerGas, foreign }: SimulatedTransaction): bigint => (foreign ? 0n : pricePerGas * GAS);
const newHash = (): Hex => `0x${randomBytes(32).toString('hex')}`;
const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

export class SimulatedChain {
  readonly #chance: () => number;
  readonly #confirmations: number;
  readonly #funds = new Map<string, bigint>();
  readonly #waiting: SimulatedTransaction[] = [];
  /** What its nodes have forgotten, dropped or replaced, and others still have: it may land all the same. */
  readonly #elsewhere: SimulatedTransaction[] = [];
  /** The number of the newest block that stays for good, however often the chain turns back. */
  #final = 0;
  readonly #blocks: SimulatedBlock[] = [{ number: 0, hash: newHash(), parentHash: newHash(), transactions: [] }];

  /** `chance`: from 0 to 1. What has `confirmations` is final. */
  constructor(chance: () => number, confirmations: number) {
    this.#chance = chance;
    this.#confirmations = confirmations;
  }

  // What its nodes know.

  head(): SimulatedBlock {
    return this.#blocks.at(-1) as SimulatedBlock;
  }

  block(number: number): SimulatedBlock | undefined {
    return this.#blocks[number];
  }

  balanceOf(address: string): bigint {
    let balance = this.#funds.get(address.toLowerCase()) ?? 0n;
    for (const one of this.#all()) {
      if (same(one.from, address)) balance -= one.value + feeOf(one);
      if (same(one.to, address)) balance += one.value;
    }
    return balance;
  }

  /** As it was `blocksAgo`. */
  nonceOf(address: string, blocksAgo = 0): number {
    const last = this.head().number - blocksAgo;
    return this.#blocks
      .filter(({ number }) => number <= last)
      .flatMap(({ transactions }) => transactions)
      .filter(({ from }) => same(from, address)).length;
  }

  /** Those waiting included. */
  nextNonceOf(address: string): number {
    let next = this.nonceOf(address);
    while (this.#waiting.some(({ from, nonce }) => same(from, address) && nonce === next)) next += 1;
    return next;
  }

  statusOf(txHash: string): TransactionStatus {
    const head = this.head();
    for (const { number, hash, transactions } of this.#blocks) {
      const found = transactions.find((one) => one.hash === txHash);
      if (found === undefined) continue;
      const place = { blockNumber: number, blockHash: hash, confirmations: head.number - number + 1 };
      return { state: 'included', ...place, succeeded: true, feePaid: feeOf(found) };
    }
    return { state: this.#waiting.some(({ hash }) => hash === txHash) ? 'pending' : 'unknown' };
  }

  async take(raw: TransactionSerialized): Promise<Taking> {
    const { to, value = 0n, nonce = 0, maxFeePerGas = 0n } = parseTransaction(raw as TransactionSerializedEIP1559);
    const from = await recoverTransactionAddress({ serializedTransaction: raw });
    const transaction = { hash: keccak256(raw), from, to: to ?? '', nonce, value, pricePerGas: maxFeePerGas };
    if (this.statusOf(transaction.hash).state !== 'unknown') return 'known';
    if (nonce < this.nonceOf(from, this.#confirmations - 1)) return 'dead';
    if (nonce < this.nonceOf(from)) return 'used';
    if (this.balanceOf(from) < value + feeOf(transaction)) return 'poor';
    const place = this.#waiting.findIndex((one) => same(one.from, from) && one.nonce === nonce);
    const before = this.#waiting[place];
    if (before !== undefined && maxFeePerGas * 10n < before.pricePerGas * 11n) return 'cheap';
    if (before !== undefined) this.#elsewhere.push(...this.#waiting.splice(place, 1));
    this.#waiting.push(transaction);
    return 'taken';
  }

  /** Its nonce is, for good. */
  async isUsedUp(raw: TransactionSerialized): Promise<boolean> {
    const from = await recoverTransactionAddress({ serializedTransaction: raw });
    return (
      (parseTransaction(raw as TransactionSerializedEIP1559).nonce ?? 0) < this.nonceOf(from, this.#confirmations - 1)
    );
  }

  // What the test does, and what it sees.

  fund(address: string, amount: bigint): void {
    this.#funds.set(address.toLowerCase(), amount);
  }

  /** A block with all that may be in it. */
  mine(): void {
    if (this.#chance() < 0.5)
      for (const one of this.#elsewhere.splice(0)) (this.#mayWait(one) ? this.#waiting : this.#elsewhere).push(one);
    const block = this.#nextBlock();
    while (this.#includeOne(block));
  }

  #mayWait({ from, nonce }: SimulatedTransaction): boolean {
    const isTaken = this.#waiting.some((one) => same(one.from, from) && one.nonce === nonce);
    return !isTaken && nonce >= this.nonceOf(from);
  }

  #nextBlock(...transactions: SimulatedTransaction[]): SimulatedBlock {
    const head = this.head();
    const block = { number: head.number + 1, hash: newHash(), parentHash: head.hash, transactions };
    this.#blocks.push(block);
    this.#final = Math.max(this.#final, block.number - this.#confirmations + 1);
    return block;
  }

  /** False when there is none that may be in it. */
  #includeOne(block: SimulatedBlock): boolean {
    const place = this.#waiting.findIndex(
      (one) => one.nonce === this.nonceOf(one.from) && this.balanceOf(one.from) >= one.value + feeOf(one),
    );
    const [transaction] = place < 0 ? [] : this.#waiting.splice(place, 1);
    if (transaction !== undefined) block.transactions.push(transaction);
    this.#dropUsed();
    return transaction !== undefined;
  }

  /** Whose nonce is in a block waits no longer. */
  #dropUsed(): void {
    for (const one of this.#waiting.splice(0))
      (one.nonce < this.nonceOf(one.from) ? this.#elsewhere : this.#waiting).push(one);
  }

  /** Its nodes forget one that waits, or all, as when they are started anew. */
  forget(): void {
    const one = Math.floor(this.#chance() * this.#waiting.length);
    this.#elsewhere.push(...(this.#chance() < 0.5 ? this.#waiting.splice(0) : this.#waiting.splice(one, 1)));
  }

  /** Not beyond what is final. Half of what was in the blocks waits again, and the nodes have forgotten the rest. */
  turnBack(blocks: number): void {
    const depth = Math.min(blocks, this.head().number - this.#final);
    const gone = depth === 0 ? [] : this.#blocks.splice(-depth);
    for (const one of gone.flatMap(({ transactions }) => transactions)) {
      const waits = this.#mayWait(one) && this.#chance() < 0.5;
      (waits ? this.#waiting : this.#elsewhere).push(one);
    }
  }

  /** Somebody who has the same key uses the next nonce, in the next block. */
  intrude(address: string): void {
    const nonce = this.nonceOf(address);
    this.#nextBlock({
      hash: newHash(),
      from: address,
      to: address,
      nonce,
      value: 0n,
      pricePerGas: 0n,
      foreign: true,
    });
    this.#dropUsed();
  }

  /** In blocks, of what the service has sent. */
  transfersTo(address: string): SimulatedTransaction[] {
    return this.#all().filter(({ to, foreign }) => same(to, address) && foreign !== true);
  }

  #all = () => this.#blocks.flatMap(({ transactions }) => transactions);
}
