// The port's chain for EVM networks: native currency and ERC-20 tokens, through one JSON-RPC node. Puts the parts
// together and decides nothing itself.
import { type Address, type BlockTag, type Hex, numberToHex } from 'viem';
import { canonicalEvmAddress } from '../../../domain/payloads/canonical-address.ts';
import type { AccountChain, CountedTransactions } from '../port/chain.ts';
import type { Asset } from '../port/transactions.ts';
import { readBalanceBeforeArrivals } from './balance-before-arrivals.ts';
import { broadcastEvmTransaction } from './broadcast.ts';
import { assembleEvmTransaction, buildEvmTransaction } from './build-transaction.ts';
import { estimateEvmFee, raiseEvmFee } from './fees.ts';
import { followEvmTransaction, readBlock, readHead } from './follow-transaction.ts';
import { readEvmInboundTransfers, readEvmMovements } from './inbound-transfers.ts';
import { type AskNode, askEvmNode, readQuantity } from './node-client.ts';
import { readTokenBalance } from './token-balance.ts';
import { fateOfEvm } from './transaction-fate.ts';

export interface EvmChainOptions {
  rpcUrl: string;
  chainId: number;
  /** After how many blocks what a block says is final here: a nonce that another transaction took is, not before. */
  confirmations?: number;
  /** The node answers `debug_traceBlockByHash`: native amounts that contracts pass on are seen. */
  trace?: boolean;
}

const CONFIRMATIONS = 12;

export function evmChain(options: EvmChainOptions): AccountChain {
  const { rpcUrl, chainId, confirmations = CONFIRMATIONS, trace = false } = options;
  const ask = askEvmNode(rpcUrl, chainId);
  return {
    model: 'account',
    canonicalAddress: canonicalEvmAddress,
    balance: (address, asset) => readBalance(ask, address as Address, asset),
    nextNonce: async (address, counted = 'waiting') => {
      const params: [Address, BlockTag | Hex] = [address as Address, blockParameterOf(counted)];
      return Number(readQuantity(await ask({ method: 'eth_getTransactionCount', params }), 'nonce'));
    },
    balanceBeforeArrivals: (holder, since, at) => readBalanceBeforeArrivals(ask, holder, since, at),
    estimateFee: (what, level) => estimateEvmFee(ask, what, level),
    raiseFee: raiseEvmFee,
    build: async (what, fee, reservation) => buildEvmTransaction(chainId, what, fee, reservation),
    assemble: (unsigned, signatures, publicKey) => assembleEvmTransaction(chainId, unsigned, signatures, publicKey),
    broadcast: (raw) => broadcastEvmTransaction(ask, raw as Hex, confirmations),
    follow: (txHash) => followEvmTransaction(ask, txHash as Hex),
    fateOf: (sent) => fateOfEvm(ask, sent, confirmations),
    head: () => readHead(ask),
    block: (number) => readBlock(ask, number),
    next: async (after) => after + 1,
    inboundTransfers: (block, watched) => readEvmInboundTransfers(ask, block, watched, trace),
    movements: (block, watched) => readEvmMovements(ask, block, watched, trace),
  };
}

function blockParameterOf(counted: CountedTransactions): BlockTag | Hex {
  if (typeof counted === 'object') return numberToHex(counted.throughBlock);
  return counted === 'landed' ? 'latest' : 'pending';
}

async function readBalance(ask: AskNode, address: Address, { contract }: Asset): Promise<bigint> {
  if (contract !== null) return readTokenBalance(ask, contract as Address, address);
  return readQuantity(await ask({ method: 'eth_getBalance', params: [address, 'latest'] }), 'balance');
}
