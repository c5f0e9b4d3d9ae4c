// Bitcoin behind the port, with P2WPKH addresses, on a node of Bitcoin Core or btcd with --txindex (btcd also with
// --addrindex). It uses what both have: getblockchaininfo, getbestblockhash, getblockhash, getblockheader, getblock,
// getrawtransaction, gettxout, sendrawtransaction; and of one or the other estimatesmartfee or estimatefee,
// scantxoutset or searchrawtransactions. Hashes are as Bitcoin writes them, without 0x.
import type { BitcoinNetwork } from '../../../domain/catalog/bitcoin-networks.ts';
import type { UtxoChain } from '../port/chain.ts';
import { asTransfer } from '../port/transactions.ts';
import { BitcoinAddresses } from './addresses.ts';
import { headReader, readBlock, readInboundTransfers, readMovements } from './blocks.ts';
import { broadcastTransaction, followTransaction } from './broadcast.ts';
import {
  assembleTransaction,
  assertNative,
  buildTransaction,
  coinsOf,
  paymentOf,
  planPayment,
} from './build-transaction.ts';
import { selectCoins } from './coin-selection.ts';
import { priceOf, quoteOf, raiseBitcoinFee } from './fee-quotes.ts';
import { estimateRate } from './fees.ts';
import { BitcoinNode } from './rpc.ts';
import { fateOfBitcoin } from './transaction-fate.ts';
import { findCoins } from './transaction-lookup.ts';

export interface BitcoinChainOptions {
  rpcUrl: string;
  network: BitcoinNetwork;
  /**
   * After how many blocks what a block says is final here: a coin that another transaction spent is lost, not before.
   */
  confirmations?: number;
}

const CONFIRMATIONS = 6;

export function bitcoinChain({ rpcUrl, network, confirmations = CONFIRMATIONS }: BitcoinChainOptions): UtxoChain {
  const node = new BitcoinNode(rpcUrl, network);
  const addresses = new BitcoinAddresses(network);
  const coins = (address: string) => findCoins(node, addresses, address);
  return {
    model: 'utxo',
    canonicalAddress: (text) => addresses.canonical(text),
    coins,
    // What can be spent now: a coin counts neither while its own block is awaited nor once it is spent by what waits.
    balance: async (address, asset) => {
      assertNative(asset);
      return (await coins(address)).free.reduce((sum, { amount }) => sum + amount, 0n);
    },
    selectCoins: (among, transfer, quote) => selectCoins(among, paymentOf(addresses, transfer), priceOf(quote)),
    estimateFee: async (what, level, reservation) => {
      const payment = paymentOf(addresses, asTransfer(what));
      const rate = await estimateRate(node, level);
      if (reservation?.coins === undefined) return quoteOf(level, rate);
      return quoteOf(level, rate, planPayment(payment, { rate, feeMin: 0n }, reservation.coins));
    },
    raiseFee: raiseBitcoinFee,
    build: async (what, fee, { coins: reserved = [] }) => buildTransaction(addresses, asTransfer(what), fee, reserved),
    coinsOf,
    assemble: assembleTransaction,
    broadcast: (raw) => broadcastTransaction(node, raw, confirmations),
    follow: (txHash) => followTransaction(node, txHash),
    fateOf: (sent) => fateOfBitcoin(node, sent, confirmations),
    head: headReader(node),
    block: (number) => readBlock(node, number),
    next: async (after) => after + 1,
    inboundTransfers: (block, watched) => readInboundTransfers(node, addresses, block, watched),
    movements: (block, watched) => readMovements(node, addresses, block, watched),
  };
}
