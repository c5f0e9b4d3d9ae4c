// What a Bitcoin node answers about transactions and blocks, as far as it is read here. Asks nothing.
import { ChainError } from '../port/chain-error.ts';

export interface ShownOutput {
  n: number;
  /** In BTC. */
  value: number;
  scriptPubKey: { hex: string };
}

export interface ShownInput {
  /** Absent in a coinbase transaction, which spends nothing. */
  txid?: string;
  vout?: number;
  /** Hex, in the order of the stack; absent where there is none. */
  txinwitness?: readonly string[];
}

export interface ShownTransaction {
  txid: string;
  vin: readonly ShownInput[];
  vout: readonly ShownOutput[];
  /** Absent while it waits. */
  blockhash?: string;
  confirmations?: number;
}

export interface ShownHeader {
  hash: string;
  height: number;
  /** Absent in the first block. */
  previousblockhash?: string;
  /** -1 beside the chain. */
  confirmations: number;
}

/** A coinbase output can be spent in the hundredth block after its own, so in the mempool one block earlier. */
export const COINBASE_CONFIRMATIONS = 100;

export const isCoinbase = ({ vin }: Pick<ShownTransaction, 'vin'>): boolean => vin[0]?.txid === undefined;

const SATOSHIS_PER_BITCOIN = 1e8;
const SUPPLY_SATOSHIS = 21e14;

/**
 * Exact: up to 21 million BTC, the double nearest to an amount of eight decimals is less than half a satoshi away from
 * it.
 */
export function toSatoshis(bitcoins: number): bigint {
  const satoshis = Math.round(bitcoins * SATOSHIS_PER_BITCOIN);
  if (!(satoshis >= 0 && satoshis <= SUPPLY_SATOSHIS))
    throw new ChainError('The Bitcoin node shows an amount that cannot exist.');
  return BigInt(satoshis);
}
