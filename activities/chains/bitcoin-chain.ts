// Bitcoin behind the port, with P2WPKH addresses, on a node of Bitcoin Core or btcd with --txindex (btcd also with --addrindex). It uses what both
// have: getblockchaininfo, getbestblockhash, getblockhash, getblockheader, getblock, getrawtransaction, sendrawtransaction; and of one
// or the other estimatesmartfee or estimatefee, scantxoutset with gettxout or searchrawtransactions. Hashes are as Bitcoin writes them, without 0x.
import type { BitcoinNetwork } from '../../drizzle/bitcoin-networks.ts';
import { BitcoinAddresses } from './bitcoin-addresses.ts';
import { readArrivals, readBlock, readHead } from './bitcoin-blocks.ts';
import { broadcastTransaction, followTransaction } from './bitcoin-broadcast.ts';
import { CHANGE_DUST, typicalVsize } from './bitcoin-coins.ts';
import { estimateRate } from './bitcoin-fees.ts';
import { findCoins } from './bitcoin-history.ts';
import { BitcoinNode } from './bitcoin-rpc.ts';
import { assembleTransaction, assertNative, buildTransaction, planTransfer } from './bitcoin-transaction.ts';
import type { Chain, FeeLevel, FeeQuote, Reservation, Transfer } from './chain.ts';

export function bitcoinChain({ rpcUrl, network }: { rpcUrl: string; network: BitcoinNetwork }): Chain {
  const node = new BitcoinNode(rpcUrl, network);
  const addresses = new BitcoinAddresses(network);
  const coins = (address: string) => findCoins(node, addresses, address);
  return {
    canonicalAddress: (text) => addresses.canonical(text),
    coins,
    // What can be spent now: a coin counts neither while its own block is awaited nor once it is spent by what waits.
    balance: async (address, asset) => {
      assertNative(asset);
      return (await coins(address)).reduce((sum, { amount }) => sum + amount, 0n);
    },
    estimateFee: async (transfer, level, reservation) =>
      quote(addresses, transfer, level, await estimateRate(node, level), reservation),
    build: async (transfer, fee, { coins: reserved = [] }) => buildTransaction(addresses, transfer, fee, reserved),
    assemble: assembleTransaction,
    broadcast: (raw) => broadcastTransaction(node, raw),
    follow: (txHash) => followTransaction(node, txHash),
    head: () => readHead(node),
    block: (number) => readBlock(node, number),
    arrivals: (block, isOurs) => readArrivals(node, addresses, block, isOurs),
  };
}

/** `parameters`: the rate in sat/vB and the size in vB. With reserved coins `maxFee` is what they will pay; else a guess, to choose coins by. */
function quote(
  addresses: BitcoinAddresses,
  transfer: Transfer,
  level: FeeLevel,
  rate: bigint,
  reservation: Reservation | undefined,
): FeeQuote {
  const reserved = reservation?.coins;
  if (reserved === undefined) {
    const maxFee = rate * BigInt(typicalVsize) + CHANGE_DUST;
    return { level, maxFee, parameters: { rate: `${rate}`, vsize: `${typicalVsize}` } };
  }
  const { fee, vsize } = planTransfer(addresses, transfer, rate, reserved);
  return { level, maxFee: fee, parameters: { rate: `${rate}`, vsize: `${vsize}` } };
}
