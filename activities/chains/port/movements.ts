// What a block moved to addresses and from them, and which of that is asked for. Amounts are whole base units.
import type { transactionMethods } from '../../../domain/statuses.ts';

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
  /** Null where the chain names no single receiver. */
  to: string | null;
  /**
   * With the fee where this address paid it; what comes back in the same movement is no part of it. Never negative.
   */
  amount: bigint;
  /** How much of the amount it is; 0 where another paid it, or another movement of the transaction has it. */
  fee: bigint;
  /** False when the chain took the fee and undid the rest. */
  succeeded: boolean;
  method: (typeof transactionMethods)[number];
  /** False for what was no part of the address's balance, as the port shows it and inbound transfers add to it. */
  isCounted: boolean;
  block: Block;
  /**
   * What the key of the address has signed of this transaction: r‖s with the low s, or the 64 bytes of ed25519, in 0x
   * hex. Empty when another made it go.
   */
  signatures: readonly string[];
}

export interface Movements {
  inboundTransfers: InboundTransfer[];
  outboundTransfers: OutboundTransfer[];
}

/**
 * Which movements are wanted. Those of other contracts are never read: anybody can make a token that looks like
 * another.
 */
export interface Watched {
  /** Canonical contracts or mints of the assets that are credited. The native currency is always watched. */
  contracts: ReadonlySet<string>;
  /**
   * Those of these addresses that are ours, in the form they were asked in: canonical, each once. Asked once a block,
   * for all that it may have moved.
   */
  ours(addresses: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Asked when the node has the block and can no longer tell this of it: true to go on without. Where it is absent the
   * reading fails.
   */
  allowMissing?: ((what: PrunedData, reason: string) => boolean) | undefined;
}

/**
 * What a node may have pruned. `traces`: what contracts passed on within a transaction. `states`: balances as they
 * were; the transfers of a token then count as its logs say.
 */
export type PrunedData = 'traces' | 'states';
