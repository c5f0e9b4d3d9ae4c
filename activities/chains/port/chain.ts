// The port to one chain: what the workflows need to move an asset on it and to see what arrives. One file a family stands behind it; nothing here may
// name a family's own terms beyond addresses, hashes and blocks. It holds no key and keeps no state: nonces, held coins and the signed bytes
// are rows, and whoever calls decides by them.

import type { SigningPayload } from '../../../domain/signing/signing-payload.ts';
import type { FeeLevel } from '../../../domain/withdrawals/fee-levels.ts';

/** Amounts are whole base units throughout. */
export interface Asset {
  /** Null for the chain's native currency; else the contract (EIP-55) or mint. */
  contract: string | null;
  decimals: number;
}

/** To the sender itself with amount 0 of the native currency it moves nothing: what replaces a waiting transaction that shall not happen (a cancellation). */
export interface Transfer {
  from: string;
  to: string;
  asset: Asset;
  amount: bigint;
}

/** A contract's call as somebody else wrote it, on EVM chains only. What is given is used as it is, and the rest is estimated. */
export interface Call {
  from: string;
  to: string;
  value: bigint;
  /** 0x hex; `0x` calls nothing. */
  data: string;
  accessList?: readonly { address: string; storageKeys: readonly string[] }[];
  gasLimit?: bigint;
  maxFeePerGas?: bigint;
  maxPriorityFeePerGas?: bigint;
}

/** What a transaction will cost at most, in native base units, and the chain's own numbers behind it (plain JSON, bigint as decimal text). */
export interface FeeQuote {
  level: FeeLevel;
  maxFee: bigint;
  parameters: Record<string, string>;
}

/** A coin that a UTXO chain spends, as it is held for one transaction; other chains have none. */
export interface ReservedCoin {
  txHash: string;
  index: number;
  amount: bigint;
}

/** A coin as it is on the chain now. */
export interface Coin extends ReservedCoin {
  /** 1 in the newest block. */
  confirmations: number;
}

/** What the caller has reserved for one transaction, journaled before it is built. */
export interface Reservation {
  /** Account chains with a nonce. */
  nonce?: number;
  /** UTXO chains: what is spent, and nothing else. */
  coins?: readonly ReservedCoin[];
}

export interface UnsignedTransaction {
  /** 0x hex; rebuilt byte for byte from the same transfer, quote and reservation, except where `validUntil` says otherwise. */
  unsigned: string;
  /** One for each signature that is needed, in order. */
  payloads: readonly SigningPayload[];
  /** Solana: the last block height at which it may land. A transaction is signed anew only past it. */
  validUntil?: number;
}

export interface SignedTransaction {
  /** 0x hex: what is stored before it is broadcast, and broadcast again on every retry. */
  raw: string;
  txHash: string;
}

/**
 * `rejected`: this node does not take these bytes and will not; `reason` is one sentence. `dead`: besides, they can never land, whoever has them: another
 * transaction has their nonce or a coin of theirs for good, or they have expired. Bytes that the chain has already are `accepted`.
 */
export type Broadcast = { outcome: 'accepted' } | { outcome: 'rejected'; reason: string; dead?: true };

export interface Inclusion {
  blockNumber: number;
  blockHash: string;
  /** 1 in the newest block. */
  confirmations: number;
  /** False when it was included and failed: it paid its fee and moved nothing. */
  succeeded: boolean;
  /** Everything that the payer lost beyond the amount. */
  feePaid: bigint;
  gasUsed?: bigint;
  effectiveGasPriceWei?: bigint;
}

/** `unknown`: neither in a block nor waiting for one, as far as this node knows. */
export type TransactionStatus = { state: 'unknown' } | { state: 'pending' } | ({ state: 'included' } & Inclusion);

/** A transaction of ours that is signed, as the journal has it. */
export interface SentTransaction {
  /** 0x hex. */
  raw: string;
  txHash: string;
  /** Before it was signed. */
  builtAt: Date;
  validUntil: number | null;
}

/** A transaction of ours of which somebody may have a signature that we do not: its hash is not known. */
export interface BuiltTransaction {
  /** 0x hex. */
  unsigned: string;
  builtAt: Date;
  validUntil: number | null;
}

/**
 * What one node can say of a signed transaction that is to be given up. `alive`: it has landed, it waits, or it may still land. `dead`: this node's history begins before the
 * transaction was built, the transaction is not in it, and it never can be. `unsure`: the node cannot tell, so that its word counts neither way. `reason` is a clause that goes on
 * from "the node says that".
 */
export interface Fate {
  state: 'alive' | 'dead' | 'unsure';
  reason: string;
  /** Of one that was built: under which it has landed. */
  txHash?: string;
}

export interface Block {
  number: number;
  hash: string;
  parentHash: string;
}

/** An amount that arrived at an address: what the balance gained, not what a log or a caller claims. */
export interface InboundTransfer {
  txHash: string;
  /** Tells inbound transfers of one transaction apart, and is the same whenever and in whichever block it is read. */
  index: string;
  /** Null for the native currency. */
  contract: string | null;
  from: string | null;
  to: string;
  amount: bigint;
  block: Block;
}

/** What left an address, whoever made it go. */
export interface OutboundTransfer {
  txHash: string;
  /** As that of an inbound transfer. */
  index: string;
  /** Null for the native currency. */
  contract: string | null;
  from: string;
  /** With the fee where this address paid it; what comes back in the same movement is no part of it. Never negative. */
  amount: bigint;
  block: Block;
  /** What the key of the address has signed of this transaction: r‖s with the low s, or the 64 bytes of ed25519, in 0x hex. None: another made it go. */
  signatures: readonly string[];
}

export interface Movements {
  inboundTransfers: InboundTransfer[];
  outboundTransfers: OutboundTransfer[];
}

/** What movements are wanted. Those of other contracts are never read: anybody can make a token that looks like another. */
export interface Watched {
  /** Canonical contracts or mints of the assets that are credited. The native currency is always watched. */
  contracts: ReadonlySet<string>;
  /** Those of these addresses that are ours, in the form they were asked in: canonical, each once. Asked once a block, for all that it may have moved. */
  ours(addresses: readonly string[]): Promise<ReadonlySet<string>>;
  /** Asked when the node has the block and can no longer tell this of it: true to go on without. Absent: false, and the reading fails. */
  allowMissing?: ((what: PrunedData, reason: string) => boolean) | undefined;
}

/**
 * What a node may have pruned. `traces`: what contracts passed on within a transaction. `states`: balances as they were;
 * the transfers of a token then count as its logs say.
 */
export type PrunedData = 'traces' | 'states';

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
   * ask again later. On a chain that skips numbers, a number without a block has its predecessor's hash and parent hash.
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
  /** The nonce of the next transaction, those waiting included. */
  nextNonce(address: string): Promise<number>;
}

/** Coins that are spent whole: Bitcoin. */
export interface UtxoChain extends ChainBase, Replaceable {
  readonly model: 'utxo';
  /** The coins of an address that are in a block and not spent, not even by what waits. */
  coins(address: string): Promise<Coin[]>;
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

/**
 * `insufficient_funds`: the payer lacks the amount or the fee now. `wrong_chain`: the node is on another chain than its network's; nothing that it says
 * is believed. `unavailable`: the node cannot be asked.
 */
export type ChainErrorCode = 'insufficient_funds' | 'wrong_chain' | 'unavailable';

/** The node answered what it must not, or not at all; the same call may succeed later. `message` holds no address of the node with its credentials. */
export class ChainError extends Error {
  override name = 'ChainError';
  readonly code: ChainErrorCode | undefined;

  constructor(message: string, code?: ChainErrorCode) {
    super(message);
    this.code = code;
  }
}

/** This can never be sent as it is, however often it is tried: an amount below dust, a recipient that would lose it, decimals that are not the mint's. */
export class ImpossibleTransfer extends Error {
  override name = 'ImpossibleTransfer';
}

export const isCall = (what: Transfer | Call): what is Call => 'data' in what;

/** For chains without contract calls. */
export function asTransfer(what: Transfer | Call): Transfer {
  if (isCall(what)) throw new ImpossibleTransfer('This chain knows no contract calls: only EVM chains do.');
  return what;
}
