// The port to one chain: what the workflows need to move an asset on it and to see what arrives. One file a family stands behind it; nothing here may
// name a family's own terms beyond addresses, hashes and blocks. It holds no key and keeps no state: nonces, held coins and the signed bytes
// are rows, and whoever calls decides by them.
import type { SigningPayload } from '../signing-requests.ts';

/** Amounts are whole base units throughout. */
export interface Asset {
  /** Null for the chain's native currency; else the contract (EIP-55) or mint. */
  contract: string | null;
  decimals: number;
}

export interface Transfer {
  from: string;
  to: string;
  asset: Asset;
  amount: bigint;
}

export const feeLevels = ['low', 'medium', 'high'] as const;
export type FeeLevel = (typeof feeLevels)[number];

/** What a transaction will cost at most, in native base units, and the chain's own numbers behind it (plain JSON, bigint as decimal text). */
export interface FeeQuote {
  level: FeeLevel;
  maxFee: bigint;
  parameters: Record<string, string>;
}

/** A coin that a UTXO chain spends; other chains have none. */
export interface Coin {
  txHash: string;
  index: number;
  amount: bigint;
}

/** What the caller has reserved for one transaction, journaled before it is built. */
export interface Reservation {
  /** Account chains with a nonce. */
  nonce?: number;
  /** UTXO chains: what is spent, and nothing else. */
  coins?: readonly Coin[];
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

/** `rejected`: the chain will never take these bytes; `reason` is one sentence. Bytes that it has already are `accepted`. */
export type Broadcast = { outcome: 'accepted' } | { outcome: 'rejected'; reason: string };

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
export type Standing = { state: 'unknown' } | { state: 'pending' } | ({ state: 'included' } & Inclusion);

export interface Block {
  number: number;
  hash: string;
  parentHash: string;
}

/** An amount that arrived at an address: what the balance gained, not what a log or a caller claims. */
export interface Arrival {
  txHash: string;
  /** Tells arrivals of one transaction apart, and is the same whenever and in whichever block it is read. */
  index: string;
  /** Null for the native currency. */
  contract: string | null;
  from: string | null;
  to: string;
  amount: bigint;
  block: Block;
}

export interface Chain {
  /** The address in its canonical form, or undefined when it is none on this very chain. */
  canonicalAddress(text: string): string | undefined;
  balance(address: string, asset: Asset): Promise<bigint>;
  /** UTXO chains: the confirmed coins of an address. Absent elsewhere. */
  coins?(address: string): Promise<Coin[]>;
  /** Chains with a nonce: that of the next transaction, those waiting included. Absent elsewhere. */
  nextNonce?(address: string): Promise<number>;
  estimateFee(transfer: Transfer, level: FeeLevel, reservation?: Reservation): Promise<FeeQuote>;
  build(transfer: Transfer, fee: FeeQuote, reservation: Reservation): Promise<UnsignedTransaction>;
  /** `signatures` as the signing operations show them (0x r‖s‖v, or 64 bytes), in the order of the payloads; `publicKey` is the child key, hex. */
  assemble(unsigned: string, signatures: readonly string[], publicKey: string): SignedTransaction;
  /**
   * Safe to repeat with the same bytes. Throws when the node cannot be asked, and when it refuses for now what it may take later, such as a sender
   * that lacks funds. `validUntil` from the build: without it nothing is rejected for having expired.
   */
  broadcast(raw: string, validUntil?: number): Promise<Broadcast>;
  /** Chains whose transactions expire: true only when this one has not landed and never will. Absent elsewhere. */
  isExpired?(txHash: string, validUntil: number): Promise<boolean>;
  follow(txHash: string): Promise<Standing>;
  /** The newest block. */
  head(): Promise<Block>;
  /**
   * The block at this number on the chain as it is now; undefined beyond the head, or while the node cannot tell yet: ask again later. On a chain that
   * skips numbers, a number without a block has its predecessor's hash and parent hash.
   */
  block(number: number): Promise<Block | undefined>;
  /** What arrived in this block at any of the addresses for which `isOurs` says so. Fails rather than leave something out. */
  arrivals(block: Block, isOurs: (address: string) => boolean): Promise<Arrival[]>;
}

/** The node answered what it must not, or not at all; the same call may succeed later. `message` holds no address of the node with its credentials. */
export class ChainError extends Error {
  override name = 'ChainError';
}
