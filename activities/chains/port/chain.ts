// The port to one chain: what the workflows need to move an asset on it and to see what arrives. One folder a family
// stands behind it; nothing here may name a family's own terms beyond addresses, hashes and blocks. A chain holds no
// key and keeps no state: nonces, held coins and the signed bytes are rows, and whoever calls decides by them.
import type { FeeLevel } from '../../../domain/withdrawals/fee-levels.ts';
import type { Block, InboundTransfer, Movements, Watched } from './movements.ts';
import type {
  AddressCoins,
  Asset,
  Broadcast,
  BuiltTransaction,
  Call,
  Coin,
  Fate,
  FeeQuote,
  Reservation,
  ReservedCoin,
  SentTransaction,
  SignedTransaction,
  TransactionStatus,
  Transfer,
  UnsignedTransaction,
} from './transactions.ts';

/**
 * What every chain can do. Its methods throw `ChainError` and, where it says so, `ImpossibleTransfer`; anything else is
 * a mistake of the caller.
 */
interface ChainBase {
  /** The address in its canonical form, or undefined when it is none on this very chain. */
  canonicalAddress(text: string): string | undefined;
  balance(address: string, asset: Asset): Promise<bigint>;
  /**
   * With reserved coins `maxFee` is what they will pay; without them it is a guess to choose coins by, where the chain
   * has coins. Throws also `ImpossibleTransfer`.
   */
  estimateFee(what: Transfer | Call, level: FeeLevel, reservation?: Reservation): Promise<FeeQuote>;
  /** Throws also `ImpossibleTransfer`. */
  build(what: Transfer | Call, fee: FeeQuote, reservation: Reservation): Promise<UnsignedTransaction>;
  /**
   * `signatures` are as the signing operations show them (0x r‖s‖v, or 64 bytes), in the order of the payloads;
   * `publicKey` is the child key in hex.
   */
  assemble(unsigned: string, signatures: readonly string[], publicKey: string): SignedTransaction;
  /**
   * Safe to repeat with the same bytes. Throws when the node cannot be asked, and when it refuses for now what it may
   * take later, such as a sender that lacks funds. `validUntil` is that of the build: without it nothing is rejected
   * for having expired.
   */
  broadcast(raw: string, validUntil?: number): Promise<Broadcast>;
  follow(txHash: string): Promise<TransactionStatus>;
  /**
   * What this node alone says of a signed transaction. No money is given back and nothing is signed anew unless all
   * nodes of the network agree (witnesses.ts).
   */
  fateOf(sent: SentTransaction): Promise<Fate>;
  /** The newest block. */
  head(): Promise<Block>;
  /**
   * The block at this number on the chain as it is now; undefined beyond the head, or while the node cannot tell yet:
   * ask again later. On a chain that skips numbers, a number without a block has its predecessor's hash and parent
   * hash.
   */
  block(number: number): Promise<Block | undefined>;
  /**
   * The number to read after this one: `after + 1`, but for a chain that skips numbers. There is no block in between,
   * and perhaps none yet at the number itself. The parent of the block there is the newest block up to `after`.
   */
  next(after: number): Promise<number>;
  /** What arrived in this block of what is watched. Fails rather than leave something out. */
  inboundTransfers(block: Block, watched: Watched): Promise<InboundTransfer[]>;
  /** The same and what left, in one reading. Fails rather than leave something out. */
  movements(block: Block, watched: Watched): Promise<Movements>;
}

/** A waiting transaction can be replaced by another one over the same nonce or coins. */
interface Replaceable {
  /**
   * The quote of the transaction that replaces the one of `quote`. `percent` says by how much more it pays, at least
   * 10; it may come out higher where nodes ask for more. The same transfer is built with it to speed it up, or one that
   * moves nothing to cancel it.
   */
  raiseFee(quote: FeeQuote, percent: number): FeeQuote;
}

/** Balances of accounts, whose transactions are ordered by nonces: the EVM. */
export interface AccountChain extends ChainBase, Replaceable {
  readonly model: 'account';
  /** The nonce of the next transaction after those `counted`: what waits included, unless it says what has landed. */
  nextNonce(address: string, counted?: CountedTransactions): Promise<number>;
  /**
   * What of a token the address held at the block `at`, less all that transfers since the block numbered `since` say
   * they brought it: never more than what was there before them. It needs no state but that of `at`.
   */
  balanceBeforeArrivals(holder: TokenHolder, since: number, at: Pick<Block, 'number' | 'hash'>): Promise<bigint>;
}

/** The balance of one contract at one address. */
export interface TokenHolder {
  contract: string;
  address: string;
}

/** All that a node knows, what is in a block, or what is in one up to this number. */
export type CountedTransactions = 'waiting' | 'landed' | { throughBlock: number };

/** Coins that are spent whole: Bitcoin. */
export interface UtxoChain extends ChainBase, Replaceable {
  readonly model: 'utxo';
  coins(address: string): Promise<AddressCoins>;
  /**
   * Which of these coins to reserve for a transfer at the rate of a quote (one without coins will do). Pure; throws
   * `ChainError` `insufficient_funds`.
   */
  selectCoins(coins: readonly Coin[], transfer: Transfer, quote: FeeQuote): Coin[];
  /** What a transaction that `build` made spends. Pure. */
  coinsOf(unsigned: string): ReservedCoin[];
}

/** Transactions that expire, and that nothing can replace since they have neither nonces nor coins: Solana. */
export interface ExpiringChain extends ChainBase {
  readonly model: 'expiring';
  /** What this node alone says of a transaction that was built, whoever has signed it with our key. */
  fateOfBuilt(built: BuiltTransaction): Promise<Fate>;
}

/** Callers switch on `model`: a method is never asked for by whether it is there. */
export type Chain = AccountChain | UtxoChain | ExpiringChain;
