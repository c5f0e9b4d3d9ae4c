// The port's chain for EVM networks: native currency and ERC-20 tokens, through one JSON-RPC node. Puts the parts together and decides nothing itself.
import type { Address, Hex } from 'viem';
import type { Asset, Chain } from './chain.ts';
import { canonicalEvmAddress } from './evm-address.ts';
import { broadcastEvmTransaction } from './evm-broadcast.ts';
import { estimateEvmFee } from './evm-fees.ts';
import { followEvmTransaction, readBlock, readHead } from './evm-follow.ts';
import { readPlainArrivals, readTracedArrivals } from './evm-native-arrivals.ts';
import { type AskNode, askEvmNode, readQuantity } from './evm-node.ts';
import { readTokenArrivals } from './evm-token-arrivals.ts';
import { readTokenBalance } from './evm-token-balance.ts';
import { assembleEvmTransaction, buildEvmTransaction } from './evm-transaction.ts';

export interface EvmChainOptions {
  rpcUrl: string;
  chainId: number;
  /** After how many blocks what a block says is final here: a nonce that another transaction took is, not before. */
  confirmations?: number;
  /** The node answers `debug_traceBlockByHash`: native amounts that contracts pass on are seen. */
  trace?: boolean;
}

const CONFIRMATIONS = 12;

export function evmChain({ rpcUrl, chainId, confirmations = CONFIRMATIONS, trace = false }: EvmChainOptions): Chain {
  const ask = askEvmNode(rpcUrl, chainId);
  const readNativeArrivals = trace ? readTracedArrivals : readPlainArrivals;
  return {
    canonicalAddress: canonicalEvmAddress,
    balance: (address, asset) => readBalance(ask, address as Address, asset),
    nextNonce: async (address) => {
      const params: [Address, 'pending'] = [address as Address, 'pending'];
      return Number(readQuantity(await ask({ method: 'eth_getTransactionCount', params }), 'nonce'));
    },
    estimateFee: (transfer, level) => estimateEvmFee(ask, transfer, level),
    build: async (transfer, fee, reservation) => buildEvmTransaction(chainId, transfer, fee, reservation),
    assemble: (unsigned, signatures, publicKey) => assembleEvmTransaction(chainId, unsigned, signatures, publicKey),
    broadcast: (raw) => broadcastEvmTransaction(ask, raw as Hex, confirmations),
    follow: (txHash) => followEvmTransaction(ask, txHash as Hex),
    head: () => readHead(ask),
    block: (number) => readBlock(ask, number),
    arrivals: async (block, isOurs) => [
      ...(await readNativeArrivals(ask, block, isOurs)),
      ...(await readTokenArrivals(ask, block, isOurs)),
    ],
  };
}

async function readBalance(ask: AskNode, address: Address, { contract }: Asset): Promise<bigint> {
  if (contract !== null) return readTokenBalance(ask, contract as Address, address);
  return readQuantity(await ask({ method: 'eth_getBalance', params: [address, 'latest'] }), 'balance');
}
