// What a transaction is to the port: what it moves, what it costs, what it spends, its bytes, and what a node says of
// it. Amounts are whole base units throughout. Names no family's own terms beyond nonces, coins and hashes.
import type { SigningPayload } from '../../../domain/signing/signing-payload.ts';
import type { FeeLevel } from '../../../domain/withdrawals/fee-levels.ts';
import { ImpossibleTransfer } from './chain-error.ts';

export interface Asset {
  /** Null for the chain's native currency; else the contract (EIP-55) or mint. */
  contract: string | null;
  decimals: number;
}

/**
 * To the sender itself with amount 0 of the native currency it moves nothing: that cancels a waiting transaction by
 * replacing it.
 */
export interface Transfer {
  from: string;
  to: string;
  asset: Asset;
  amount: bigint;
}

/**
 * A transaction as somebody else wrote it: on EVM chains a contract's call, of which what is given is used as it is and
 * the rest is estimated; on Solana a whole message, in which only the blockhash is another.
 */
export interface Call {
  from: string;
  to: string;
  value: bigint;
  /** 0x hex. Of an EVM call `0x` calls nothing; of Solana the serialized message. */
  data: string;
  accessList?: readonly { address: string; storageKeys: readonly string[] }[];
  gasLimit?: bigint;
  maxFeePerGas?: bigint;
  maxPriorityFeePerGas?: bigint;
}

export const isCall = (what: Transfer | Call): what is Call => 'data' in what;

/** For chains without contract calls. */
export function asTransfer(what: Transfer | Call): Transfer {
  if (isCall(what))
    throw new ImpossibleTransfer(
      'This chain takes no transactions that others have written: only EVM chains and Solana do.',
    );
  return what;
}

/**
 * What a transaction will cost at most, in native base units, and the chain's own numbers behind it (plain JSON, bigint
 * as decimal text).
 */
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

export type Outpoint = Pick<ReservedCoin, 'txHash' | 'index'>;

/** Those of one address that can be spent in the next block, and those that a waiting transaction spends. */
export interface AddressCoins {
  /** In a block, mature, and not spent, not even by what waits. */
  free: Coin[];
  /** As far as the node knows of what waits. */
  spentByWaiting: Outpoint[];
}

/** What the caller has reserved for one transaction, journaled before it is built. */
export interface Reservation {
  /** Of an account chain. */
  nonce?: number;
  /** Of a UTXO chain: what is spent, and nothing else. */
  coins?: readonly ReservedCoin[];
}

export interface UnsignedTransaction {
  /** 0x hex; rebuilt byte for byte from the same transfer, quote and reservation, unless `validUntil` is given. */
  unsigned: string;
  /** One for each signature that is needed, in order. */
  payloads: readonly SigningPayload[];
  /** Of an expiring chain: the last block height at which it may land. A transaction is signed anew only past it. */
  validUntil?: number;
}

export interface SignedTransaction {
  /** 0x hex: what is stored before it is broadcast, and broadcast again on every retry. */
  raw: string;
  txHash: string;
}

/**
 * `rejected`: this node does not take these bytes and will not; `reason` is one sentence. `dead`: besides, they can
 * never land, whoever has them: another transaction has their nonce or a coin of theirs for good, or they have expired.
 * Bytes that the chain has already are `accepted`.
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
 * What one node can say of a signed transaction that is to be given up. `alive`: it has landed, it waits, or it may
 * still land. `dead`: the node's history begins before the transaction was built, the transaction is not in it, and it
 * never can be. `unsure`: the node cannot tell, so that its word counts neither way. `reason` is a clause that goes on
 * from "the node says that".
 */
export interface Fate {
  state: 'alive' | 'dead' | 'unsure';
  reason: string;
  /** Of one that was built: under which it has landed. */
  txHash?: string;
}
