// Gives a signed transaction to a Bitcoin node and says what became of it. Signs nothing and changes nothing in it.
import { Transaction } from '@scure/btc-signer';
import type { Broadcast, TransactionStatus } from '../port/transactions.ts';
import { readHeader } from './blocks.ts';
import { type ShownOutput, type ShownTransaction, toSatoshis } from './node-records.ts';
import { type BitcoinNode, RpcError, rpcCodes } from './rpc.ts';
import { hasLostCoin } from './spent-elsewhere.ts';
import { readSpentOutputs } from './spent-outputs.ts';

const { malformed, transactionError, transactionRejected, alreadyInChain } = rpcCodes;

const LOST_COINS = /missingorspent|missing inputs|orphan transaction/i;
const LOST_FOR_GOOD = 'Another transaction has spent a coin of it.';

/**
 * What a refusal means, by words of Bitcoin Core and btcd; `undefined`: another time the node may take the same bytes.
 * The first that fits.
 */
const refusals: [words: RegExp, reason: string | undefined][] = [
  [
    /mempool full|too-long-mempool-chain|txn-mempool-conflict|already spent in mempool|non-final|sequence locks/i,
    undefined,
  ],
  [LOST_COINS, 'An input of the transaction is spent, or unknown to the chain.'],
  [/max-fee-exceeded|absurdly-high-fee/i, 'The fee is higher than the node allows.'],
  [/\bfees?\b|insufficient priority/i, 'The fee is too low for the node to take the transaction.'],
];
const REASON_MAX_CHARACTERS = 200;

/** `confirmations`: how many what spends a coin of it must have before it is said that it can never land. */
export async function broadcastTransaction(node: BitcoinNode, raw: string, confirmations: number): Promise<Broadcast> {
  const hex = raw.replace(/^0x/, '');
  try {
    await node.ask<string>('sendrawtransaction', [hex]);
    return { outcome: 'accepted' };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    if (error.rpcCode === alreadyInChain) return { outcome: 'accepted' };
    if (error.rpcCode === malformed) return { outcome: 'rejected', reason: reasonOf(error) };
    if (error.rpcCode !== transactionError && error.rpcCode !== transactionRejected) throw error;
    // Its own inputs are spent, once it is mined: only the chain can tell whether by itself.
    const { state } = await followTransaction(node, idOf(hex));
    if (state !== 'unknown') return { outcome: 'accepted' };
    if (LOST_COINS.test(error.message) && (await hasLostCoin(node, hex, confirmations)))
      return { outcome: 'rejected', reason: LOST_FOR_GOOD, dead: true };
    return { outcome: 'rejected', reason: reasonOf(error) };
  }
}

const idOf = (hex: string): string =>
  Transaction.fromRaw(Buffer.from(hex, 'hex'), { allowUnknownInputs: true, allowUnknownOutputs: true }).id;

function reasonOf(error: RpcError): string {
  const known = refusals.find(([words]) => words.test(error.message));
  if (known === undefined) return error.message.slice(0, REASON_MAX_CHARACTERS);
  const [, reason] = known;
  if (reason === undefined) throw error;
  return reason;
}

export async function followTransaction(node: BitcoinNode, txHash: string): Promise<TransactionStatus> {
  const transaction = await findTransaction(node, txHash);
  if (transaction === undefined) return { state: 'unknown' };
  const { blockhash } = transaction;
  if (blockhash === undefined) return { state: 'pending' };
  const header = await readHeader(node, blockhash);
  if (header.confirmations < 1) return { state: 'unknown' }; // in a block that a reorg took off the chain
  return {
    state: 'included',
    blockNumber: header.height,
    blockHash: blockhash,
    confirmations: header.confirmations,
    succeeded: true,
    feePaid: await feeOf(node, transaction),
  };
}

/** Undefined only when a node that has an index of all transactions (--txindex) says that there is none. */
async function findTransaction(node: BitcoinNode, txHash: string): Promise<ShownTransaction | undefined> {
  try {
    return await node.ask<ShownTransaction>('getrawtransaction', [txHash, 1]);
  } catch (error) {
    if (!(error instanceof RpcError) || error.rpcCode !== rpcCodes.notFound) throw error;
    if (/No such mempool or blockchain transaction|No information available/.test(error.message)) return undefined;
    throw error;
  }
}

async function feeOf(node: BitcoinNode, { vin, vout }: ShownTransaction): Promise<bigint> {
  return sumOf(await readSpentOutputs(node, vin)) - sumOf(vout);
}

const sumOf = (outputs: readonly ShownOutput[]): bigint =>
  outputs.reduce((sum, { value }) => sum + toSatoshis(value), 0n);
