// Where a transaction of an EVM chain stands, and which blocks there are. Believes a receipt only while its block is on
// the chain.
import { type Hex, type RpcBlock, type RpcTransactionReceipt, toHex } from 'viem';
import { ChainError } from '../port/chain-error.ts';
import type { Block } from '../port/movements.ts';
import type { Inclusion, TransactionStatus } from '../port/transactions.ts';
import { type AskNode, readQuantity } from './node-client.ts';

export async function readHead(ask: AskNode): Promise<Block> {
  const newest = await ask({ method: 'eth_getBlockByNumber', params: ['latest', false] });
  if (newest === null) throw new ChainError('the node knows no newest block');
  return blockOf(newest);
}

export async function readBlock(ask: AskNode, number: number): Promise<Block | undefined> {
  const found = await ask({ method: 'eth_getBlockByNumber', params: [toHex(number), false] });
  if (found === null) return undefined;
  const block = blockOf(found);
  if (block.number !== number) throw new ChainError('the node answered with a block of another height');
  return block;
}

function blockOf({ number, hash, parentHash }: Pick<RpcBlock, 'number' | 'hash' | 'parentHash'>): Block {
  if (typeof hash !== 'string' || typeof parentHash !== 'string')
    throw new ChainError('the node answered a block without a hash');
  return { number: Number(readQuantity(number, 'block number')), hash, parentHash };
}

export async function followEvmTransaction(ask: AskNode, txHash: Hex): Promise<TransactionStatus> {
  const receipt = await ask({ method: 'eth_getTransactionReceipt', params: [txHash] });
  if (receipt !== null) {
    const number = Number(readQuantity(receipt.blockNumber, 'block number'));
    const [block, head] = await Promise.all([readBlock(ask, number), readHead(ask)]);
    if (block !== undefined && block.hash === receipt.blockHash)
      return { state: 'included', ...inclusionOf(receipt, block, head) };
  }
  const transaction = await ask({ method: 'eth_getTransactionByHash', params: [txHash] });
  return { state: transaction === null ? 'unknown' : 'pending' };
}

/** What a rollup of the OP stack charges for its place on the chain below comes on top of the gas. */
type RollupReceipt = RpcTransactionReceipt & { l1Fee?: Hex | null };

function inclusionOf(receipt: RollupReceipt, block: Block, head: Block): Inclusion {
  const gasUsed = readQuantity(receipt.gasUsed, 'gas used');
  const effectiveGasPriceWei = readQuantity(receipt.effectiveGasPrice, 'effective gas price');
  return {
    blockNumber: block.number,
    blockHash: block.hash,
    // A node behind a balancer may answer for the head from further back.
    confirmations: Math.max(1, head.number - block.number + 1),
    succeeded: hasSucceeded(receipt),
    feePaid: feePaidOf(receipt),
    gasUsed,
    effectiveGasPriceWei,
  };
}

/** With that of blobs (EIP-4844), which have a gas of their own. */
export function feePaidOf({ gasUsed, effectiveGasPrice, l1Fee, blobGasUsed, blobGasPrice }: RollupReceipt): bigint {
  const price = readQuantity(effectiveGasPrice, 'effective gas price');
  const quantityOr0 = (quantity: Hex | null | undefined, what: string) =>
    quantity == null ? 0n : readQuantity(quantity, what);
  const ofBlobs = quantityOr0(blobGasUsed, 'blob gas used') * quantityOr0(blobGasPrice, 'blob gas price');
  return readQuantity(gasUsed, 'gas used') * price + quantityOr0(l1Fee, 'L1 fee') + ofBlobs;
}

export function hasSucceeded({ status }: Pick<RpcTransactionReceipt, 'status'>): boolean {
  if (status !== '0x1' && status !== '0x0') throw new ChainError('the node answered a receipt without a status');
  return status === '0x1';
}
