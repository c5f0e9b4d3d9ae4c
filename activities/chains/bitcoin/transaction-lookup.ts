// Which coins an address has. Asks the address index of btcd (--addrindex), else Bitcoin Core's set of unspent outputs:
// whichever the node has.
import { COIN_SCAN_MAX_MS } from '../../../domain/time-limits.ts';
import { ChainError } from '../port/chain-error.ts';
import type { AddressCoins } from '../port/transactions.ts';
import type { BitcoinAddresses } from './addresses.ts';
import { COINBASE_CONFIRMATIONS, isCoinbase, type ShownTransaction, toSatoshis } from './node-records.ts';
import { type BitcoinNode, RpcError, rpcCodes } from './rpc.ts';

/**
 * One answer holds them all: those that wait come in another order each time, so that pages of them would not fit
 * together.
 */
const HISTORY_MAX = 10_000;
const ATTEMPTS = 3;

export async function findCoins(
  node: BitcoinNode,
  addresses: BitcoinAddresses,
  address: string,
): Promise<AddressCoins> {
  try {
    return coinsIn(await readHistory(node, address), Buffer.from(addresses.scriptOf(address)).toString('hex'));
  } catch (error) {
    if (!(error instanceof RpcError) || error.rpcCode !== rpcCodes.methodNotFound) throw error;
    return scanUnspent(node, address);
  }
}

/**
 * Everything that pays the address or spends from it. Read again when a block came meanwhile, which could have hidden
 * what it confirmed.
 */
async function readHistory(node: BitcoinNode, address: string): Promise<ShownTransaction[]> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const best = await node.ask<string>('getbestblockhash');
    const history = await searchTransactions(node, address);
    if (history.length >= HISTORY_MAX)
      throw new ChainError(`The address ${address} has more transactions than are read here (${HISTORY_MAX}).`);
    if ((await node.ask<string>('getbestblockhash')) === best) return history;
  }
  throw new ChainError('Blocks come faster than the transactions of an address can be read.');
}

async function searchTransactions(node: BitcoinNode, address: string): Promise<ShownTransaction[]> {
  try {
    return await node.ask<ShownTransaction[]>('searchrawtransactions', [address, 1, 0, HISTORY_MAX]);
  } catch (error) {
    if (error instanceof RpcError && error.rpcCode === rpcCodes.notFound) return []; // an address never used
    throw error;
  }
}

function coinsIn(history: readonly ShownTransaction[], script: string): AddressCoins {
  const inputsOf = (among: readonly ShownTransaction[]) =>
    new Set(among.flatMap(({ vin }) => vin.map(({ txid, vout }) => `${txid}:${vout}`)));
  const spent = inputsOf(history);
  const waiting = inputsOf(history.filter(({ confirmations = 0 }) => confirmations === 0));
  const all = history.flatMap((transaction) =>
    transaction.vout
      .filter(({ scriptPubKey }) => scriptPubKey.hex === script)
      .map(({ n, value }) => ({ transaction, txHash: transaction.txid, index: n, value })),
  );
  const free = all
    .filter(({ transaction, txHash, index }) => isMature(transaction) && !spent.has(`${txHash}:${index}`))
    .map(({ transaction: { confirmations = 0 }, txHash, index, value }) => {
      return { txHash, index, amount: toSatoshis(value), confirmations };
    });
  const spentByWaiting = all
    .filter(({ txHash, index }) => waiting.has(`${txHash}:${index}`))
    .map(({ txHash, index }) => ({ txHash, index }));
  return { free, spentByWaiting };
}

const isMature = (transaction: ShownTransaction) =>
  (transaction.confirmations ?? 0) >= (isCoinbase(transaction) ? COINBASE_CONFIRMATIONS : 1);

interface Scan {
  success: boolean;
  unspents: { txid: string; vout: number }[];
}

interface Unspent {
  value: number;
  confirmations: number;
  coinbase: boolean;
}

/** The whole set is read for it: minutes on the main network, and one scan at a time. */
async function scanUnspent(node: BitcoinNode, address: string): Promise<AddressCoins> {
  const scan = await node.ask<Scan>('scantxoutset', ['start', [`addr(${address})`]], COIN_SCAN_MAX_MS);
  if (!scan.success) throw new ChainError('The Bitcoin node did not finish its scan of the unspent outputs.');
  const coins: AddressCoins = { free: [], spentByWaiting: [] };
  for (const { txid: txHash, vout: index } of scan.unspents) {
    const unspent = await node.ask<Unspent | null>('gettxout', [txHash, index, true]);
    if (unspent === null) {
      coins.spentByWaiting.push({ txHash, index });
      continue;
    }
    const { value, confirmations, coinbase } = unspent;
    if (confirmations < (coinbase ? COINBASE_CONFIRMATIONS : 1)) continue;
    coins.free.push({ txHash, index, amount: toSatoshis(value), confirmations });
  }
  return coins;
}
