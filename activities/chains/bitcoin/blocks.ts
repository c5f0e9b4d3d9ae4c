// The blocks of a Bitcoin network, what arrives in them and what leaves. Reads only; keeps no cursor.

import { ChainError } from '../port/chain-error.ts';
import type { Block, InboundTransfer, Movements, Watched } from '../port/movements.ts';
import type { BitcoinAddresses } from './addresses.ts';
import {
  COINBASE_CONFIRMATIONS,
  isCoinbase,
  type ShownHeader,
  type ShownTransaction,
  toSatoshis,
} from './node-records.ts';
import { type BlockSource, inputAddresses, readOutboundTransfers } from './outbound-transfers.ts';
import { type BitcoinNode, RpcError, rpcCodes } from './rpc.ts';
import { readSpentOutputs } from './spent-outputs.ts';

const NO_BLOCK = '0'.repeat(64);

export const readHeader = (node: BitcoinNode, hash: string): Promise<ShownHeader> =>
  node.ask<ShownHeader>('getblockheader', [hash, true]);

/** Reads the newest block. Its hash says what it is: while that stays the same nothing else is asked for. */
export function headReader(node: BitcoinNode): () => Promise<Block> {
  let newest: Block | undefined;
  return async () => {
    const hash = await node.ask<string>('getbestblockhash');
    if (newest?.hash === hash) return newest;
    const read = blockOf(await readHeader(node, hash));
    newest = read;
    return read;
  };
}

export async function readBlock(node: BitcoinNode, number: number): Promise<Block | undefined> {
  const hash = await findHash(node, number);
  return hash === undefined ? undefined : blockOf(await readHeader(node, hash));
}

const blockOf = ({ height, hash, previousblockhash = NO_BLOCK }: ShownHeader): Block => ({
  number: height,
  hash,
  parentHash: previousblockhash,
});

async function findHash(node: BitcoinNode, number: number): Promise<string | undefined> {
  try {
    return await node.ask<string>('getblockhash', [number]);
  } catch (error) {
    const isBeyond = error instanceof RpcError && / out of range/.test(error.message);
    if (isBeyond && (error.rpcCode === rpcCodes.invalidParameter || error.rpcCode === rpcCodes.misc)) return undefined;
    throw error;
  }
}

/**
 * An inbound transfer is known by (transaction, output), whatever block it is in (controls D4). Change is none: an
 * output to an address that the same transaction spends from. What a block pays its miner arrives in the block with
 * which it becomes spendable, 99 later: until then it could not be paid out.
 */
export async function readInboundTransfers(
  node: BitcoinNode,
  addresses: BitcoinAddresses,
  block: Block,
  watched: Watched,
): Promise<InboundTransfer[]> {
  const found = await findPayments(node, addresses, block);
  const ours = await askOurs(watched, recipientsOf(found));
  const inboundTransfers = await inboundTransfersAt({ node, addresses, block }, found, ours);
  await assertOnChain(node, block);
  return inboundTransfers;
}

export async function readMovements(
  node: BitcoinNode,
  addresses: BitcoinAddresses,
  block: Block,
  watched: Watched,
): Promise<Movements> {
  const found = await findPayments(node, addresses, block);
  const spending = found.map(({ transaction }) => transaction).filter((each) => !isCoinbase(each));
  const senders = spending.flatMap((transaction) => inputAddresses(transaction, addresses));
  const ours = await askOurs(watched, [...recipientsOf(found), ...senders]);
  const inboundTransfers = await inboundTransfersAt({ node, addresses, block }, found, ours);
  const outboundTransfers = await readOutboundTransfers({ node, addresses, block }, spending, ours);
  await assertOnChain(node, block);
  return { inboundTransfers, outboundTransfers };
}

interface Found {
  transaction: ShownTransaction;
  paid: readonly Payment[];
}

/** Of the block's transactions, and of the miner's that can be spent from it on. */
async function findPayments(node: BitcoinNode, addresses: BitcoinAddresses, block: Block): Promise<Found[]> {
  const transactions = (await readTransactions(node, block.hash)).filter((each) => !isCoinbase(each));
  transactions.push(...(await readMaturing(node, block.number)));
  return transactions.map((transaction) => ({ transaction, paid: paymentsIn(transaction, addresses) }));
}

const recipientsOf = (found: readonly Found[]) => found.flatMap(({ paid }) => paid.map(({ to }) => to));

async function askOurs(watched: Watched, asked: readonly string[]): Promise<ReadonlySet<string>> {
  const addresses = new Set(asked);
  return addresses.size === 0 ? addresses : watched.ours([...addresses]);
}

async function inboundTransfersAt(
  source: BlockSource,
  found: readonly Found[],
  ours: ReadonlySet<string>,
): Promise<InboundTransfer[]> {
  const inboundTransfers: InboundTransfer[] = [];
  for (const { transaction, paid } of found) {
    const toUs = paid.filter(({ to }) => ours.has(to));
    if (toUs.length > 0) inboundTransfers.push(...(await inboundTransfersIn(source, transaction, toUs)));
  }
  return inboundTransfers;
}

async function assertOnChain(node: BitcoinNode, block: Block): Promise<void> {
  if ((await findHash(node, block.number)) !== block.hash)
    throw new ChainError(`Block ${block.hash} is not on the chain any more.`);
}

/** The coinbase transaction that can be spent once this block is there. */
async function readMaturing(node: BitcoinNode, number: number): Promise<ShownTransaction[]> {
  if (number < COINBASE_CONFIRMATIONS) return []; // nobody can spend what the first block pays
  const hash = await findHash(node, number - COINBASE_CONFIRMATIONS + 1);
  return hash === undefined ? [] : (await readTransactions(node, hash)).filter(isCoinbase);
}

/** btcd names the list `rawtx`. */
export async function readTransactions(node: BitcoinNode, hash: string): Promise<ShownTransaction[]> {
  type Shown = { tx?: ShownTransaction[]; rawtx?: ShownTransaction[] };
  const { tx, rawtx } = await node.ask<Shown>('getblock', [hash, 2]);
  const transactions = rawtx ?? tx;
  const [first] = transactions ?? [];
  if (transactions === undefined || first === undefined || !isCoinbase(first))
    throw new ChainError(`The Bitcoin node shows block ${hash} without its transactions.`);
  return transactions;
}

type Payment = Pick<InboundTransfer, 'index' | 'to' | 'amount'>;

function paymentsIn({ vout }: ShownTransaction, addresses: BitcoinAddresses): Payment[] {
  return vout.flatMap(({ n, value, scriptPubKey }) => {
    const to = value > 0 ? addresses.ofScript(scriptPubKey.hex) : undefined;
    return to === undefined ? [] : [{ index: `vout:${n}`, to, amount: toSatoshis(value) }];
  });
}

async function inboundTransfersIn(
  { node, addresses, block }: BlockSource,
  { txid, vin }: ShownTransaction,
  payments: readonly Payment[],
): Promise<InboundTransfer[]> {
  const spent = await readSpentOutputs(node, vin);
  const senders = new Set(spent.map(({ scriptPubKey }) => addresses.ofScript(scriptPubKey.hex)));
  const [sender] = senders;
  const from = senders.size === 1 ? (sender ?? null) : null;
  return payments
    .filter(({ to }) => !senders.has(to))
    .map((payment) => ({ txHash: txid, contract: null, from, block, ...payment }));
}
