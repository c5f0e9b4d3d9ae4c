// A node of a simulated chain, behind the port: by a seeded chance it loses questions and answers, refuses, and lags.
// It builds and checks with the product's own code. For simulations only.
import type { TransactionSerialized } from 'viem';
import { assembleEvmTransaction, buildEvmTransaction } from '../../../activities/chains/evm/build-transaction.ts';
import { raiseEvmFee } from '../../../activities/chains/evm/fees.ts';
import type { AccountChain } from '../../../activities/chains/port/chain.ts';
import { ChainError } from '../../../activities/chains/port/chain-error.ts';
import type { Block } from '../../../activities/chains/port/movements.ts';
import type {
  Broadcast,
  Fate,
  SentTransaction,
  TransactionStatus,
} from '../../../activities/chains/port/transactions.ts';
import { GAS, type SimulatedChain, type Taking } from './simulated-chain.ts';

const CHAIN_ID = 31_337;
const PRICE = 1_000_000_000n;

export class SimulatedNode implements AccountChain {
  readonly model = 'account';
  /** While true, chance strikes. */
  faulty = false;
  readonly #chain: SimulatedChain;
  readonly #chance: () => number;
  readonly #lags: boolean;

  /** `chance`: from 0 to 1. One that lags tells at times what it knew before. */
  constructor(chain: SimulatedChain, chance: () => number, { lags }: { lags: boolean }) {
    this.#chain = chain;
    this.#chance = chance;
    this.#lags = lags;
  }

  canonicalAddress = (text: string) => text;
  raiseFee = raiseEvmFee;
  build: AccountChain['build'] = async (what, fee, reservation) =>
    buildEvmTransaction(CHAIN_ID, what, fee, reservation);
  assemble: AccountChain['assemble'] = (unsigned, signatures, publicKey) =>
    assembleEvmTransaction(CHAIN_ID, unsigned, signatures, publicKey);
  inboundTransfers = async () => [];
  /** It has no tokens. */
  balanceBeforeArrivals = async () => 0n;
  movements = async () => ({ inboundTransfers: [], outboundTransfers: [] });
  head = async (): Promise<Block> => this.#chain.head();
  block = async (number: number): Promise<Block | undefined> => this.#chain.block(number);
  next = async (after: number): Promise<number> => after + 1;

  async balance(address: string): Promise<bigint> {
    this.#meet(0.1);
    return this.#chain.balanceOf(address);
  }

  nextNonce: AccountChain['nextNonce'] = async (address, counted) => {
    this.#meet(0.1);
    if (typeof counted === 'object')
      return this.#chain.nonceOf(address, this.#chain.head().number - counted.throughBlock);
    if (counted === 'landed') return this.#chain.nonceOf(address);
    return this.#isBehind(0.15) ? this.#chain.nonceOf(address) : this.#chain.nextNonceOf(address);
  };

  estimateFee: AccountChain['estimateFee'] = async (_what, level) => {
    this.#meet(0.1);
    const parameters = { gasLimit: `${GAS}`, maxFeePerGas: `${PRICE}`, maxPriorityFeePerGas: '1' };
    return { level, maxFee: GAS * PRICE, parameters };
  };

  async broadcast(raw: string): Promise<Broadcast> {
    this.#meet(0.1);
    if (this.#strikes(0.25)) return { outcome: 'rejected', reason: 'It offers too little.' };
    const answer = answers[await this.#chain.take(raw as TransactionSerialized)];
    this.#meet(0.25); // it has it, and nobody hears of that
    return answer();
  }

  async follow(txHash: string): Promise<TransactionStatus> {
    this.#meet(0.1);
    return this.#isBehind(0.05) ? { state: 'unknown' } : this.#chain.statusOf(txHash);
  }

  async fateOf({ raw, txHash }: SentTransaction): Promise<Fate> {
    this.#meet(0.1);
    if (this.#chain.statusOf(txHash).state !== 'unknown') return { state: 'alive', reason: 'it has it' };
    const isDead = await this.#chain.isUsedUp(raw as TransactionSerialized);
    return isDead
      ? { state: 'dead', reason: 'another transaction has taken this nonce' }
      : { state: 'alive', reason: 'its nonce is not used' };
  }

  #isBehind(probability: number): boolean {
    return this.#lags && this.#strikes(probability);
  }

  #strikes(probability: number): boolean {
    return this.faulty && this.#chance() < probability;
  }

  #meet(probability: number): void {
    if (this.#strikes(probability)) throw new ChainError('the node does not answer', 'unavailable');
  }
}

/** As the product's own port to the EVM answers them (activities/chains/evm/broadcast.ts). */
const answers: Record<Taking, () => Broadcast> = {
  taken: () => ({ outcome: 'accepted' }),
  known: () => ({ outcome: 'accepted' }),
  used: () => {
    throw new ChainError('nonce too low');
  },
  dead: () => ({ outcome: 'rejected', reason: 'Another transaction has taken this nonce.', dead: true }),
  poor: () => {
    throw new ChainError('the sender lacks funds', 'insufficient_funds');
  },
  cheap: () => ({ outcome: 'rejected', reason: 'It offers too little.' }),
};
