// Solana's finalized blocks, numbered by slot. A slot may have no block: then it is shown with its predecessor's hash
// as its own and as its parent's, so that a walk by number finds each block's parent in the number before it, and
// nothing in between.
import {
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_BLOCK_NOT_AVAILABLE,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_BLOCK_STATUS_NOT_AVAILABLE_YET,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_LONG_TERM_STORAGE_SLOT_SKIPPED,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SLOT_SKIPPED,
  type SolanaErrorCode,
} from '@solana/kit';
import { ChainError } from '../port/chain-error.ts';
import type { Block, InboundTransfer, Movements, Watched } from '../port/movements.ts';
import { type Executed, readExecuted } from './executed-transaction.ts';
import { gainsOf, inboundTransfersOf } from './inbound-transfers.ts';
import { lossesOf, outboundTransfersOf } from './outbound-transfers.ts';
import { type AskSolana, SolanaNodeError } from './rpc.ts';

const commitment = 'finalized';
/** How many slots one question may span. */
const MAX_SLOTS = 500_000n;
const SKIPPED = new Set<SolanaErrorCode | undefined>([
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SLOT_SKIPPED,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_LONG_TERM_STORAGE_SLOT_SKIPPED,
]);
const NOT_YET = new Set<SolanaErrorCode | undefined>([
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_BLOCK_NOT_AVAILABLE,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_BLOCK_STATUS_NOT_AVAILABLE_YET,
]);

type SlotBlock = Block & { parentNumber: number };

/** `skipped` is what this node says: it says so too of a block that it has lost. Undefined: not finalized yet. */
export async function showSolanaBlock(ask: AskSolana, number: number): Promise<SlotBlock | 'skipped' | undefined> {
  try {
    const shown = await ask((rpc) =>
      rpc.getBlock(BigInt(number), { commitment, rewards: false, transactionDetails: 'none' }),
    );
    if (shown === null) return undefined;
    return {
      number,
      hash: shown.blockhash,
      parentHash: shown.previousBlockhash,
      parentNumber: Number(shown.parentSlot),
    };
  } catch (error) {
    if (error instanceof SolanaNodeError && SKIPPED.has(error.solanaCode)) return 'skipped';
    if (error instanceof SolanaNodeError && NOT_YET.has(error.solanaCode)) return undefined;
    throw error;
  }
}

/**
 * Only the parent that a later block names proves that there was no block in between: until there is one, the answer is
 * undefined.
 */
export async function solanaBlock(ask: AskSolana, number: number): Promise<Block | undefined> {
  const shown = await showSolanaBlock(ask, number);
  if (shown !== 'skipped') return shown && withoutParentNumber(shown);
  const [next] = await ask((rpc) => rpc.getBlocksWithLimit(BigInt(number), 1, { commitment }));
  const later = next === undefined ? undefined : await showSolanaBlock(ask, Number(next));
  if (later === undefined) return undefined;
  if (later === 'skipped' || later.parentNumber >= number)
    throw new ChainError(`The Solana node lacks blocks from slot ${number} on.`);
  return { number, hash: later.parentHash, parentHash: later.parentHash };
}

/**
 * The slot of the next finalized block, or the next slot while there is none. A gap that only this node has is not
 * taken for one without blocks.
 */
export async function nextSolanaSlot(ask: AskSolana, after: number): Promise<number> {
  const [next] = await ask((rpc) => rpc.getBlocksWithLimit(BigInt(after + 1), 1, { commitment }));
  if (next === undefined || Number(next) === after + 1) return after + 1;
  const block = await showSolanaBlock(ask, Number(next));
  if (block === undefined) return after + 1;
  if (block === 'skipped' || block.parentNumber > after)
    throw new ChainError(`The Solana node lacks blocks from slot ${after + 1} on.`);
  return block.number;
}

/**
 * The newest finalized slot has a block on every real cluster; the sandbox makes one only when there is a transaction.
 */
export async function solanaHead(ask: AskSolana): Promise<Block> {
  const newest = await ask((rpc) => rpc.getSlot({ commitment }));
  const shown = await showSolanaBlock(ask, Number(newest));
  if (shown === undefined) throw new ChainError('The Solana node does not show its newest block.');
  if (shown !== 'skipped') return withoutParentNumber(shown);
  for (let last = newest; last >= 0n; last -= MAX_SLOTS) {
    const first = last < MAX_SLOTS ? 0n : last - MAX_SLOTS + 1n;
    const earlier = (await ask((rpc) => rpc.getBlocks(first, last, { commitment }))).at(-1);
    const block = earlier === undefined ? undefined : await showSolanaBlock(ask, Number(earlier));
    if (typeof block === 'object') return { number: Number(newest), hash: block.hash, parentHash: block.hash };
  }
  throw new ChainError('The Solana node shows no block.');
}

export async function solanaInboundTransfers(
  ask: AskSolana,
  block: Block,
  watched: Watched,
): Promise<InboundTransfer[]> {
  const found = withGains(await readTransactions(ask, block), watched);
  const ours = await askOurs(
    watched,
    found.flatMap(({ gains }) => gains.map(({ to }) => to)),
  );
  return inboundTransfersAt(found, ours, block);
}

export async function solanaMovements(ask: AskSolana, block: Block, watched: Watched): Promise<Movements> {
  const found = withGains(await readTransactions(ask, block), watched).map((each) => ({
    ...each,
    losses: lossesOf(each.executed, watched.contracts),
  }));
  const ours = await askOurs(
    watched,
    found.flatMap(({ gains, losses }) => [...gains.map(({ to }) => to), ...losses.map(({ from }) => from)]),
  );
  const outboundTransfers = found.map(({ executed, losses }) =>
    outboundTransfersOf(
      executed,
      losses.filter(({ from }) => ours.has(from)),
      block,
    ),
  );
  return {
    inboundTransfers: await inboundTransfersAt(found, ours, block),
    outboundTransfers: (await Promise.all(outboundTransfers)).flat(),
  };
}

async function readTransactions(ask: AskSolana, block: Block): Promise<Executed[]> {
  if (block.hash === block.parentHash) return []; // a slot without a block
  const shown = await ask((rpc) =>
    rpc.getBlock(BigInt(block.number), {
      commitment,
      encoding: 'json',
      maxSupportedTransactionVersion: 0,
      rewards: false,
      transactionDetails: 'full',
    }),
  );
  if (shown === null || shown.blockhash !== block.hash)
    throw new ChainError(`The Solana node shows another block for slot ${block.number}.`);
  return shown.transactions.map((each) => readExecuted(each));
}

interface Found {
  executed: Executed;
  gains: ReturnType<typeof gainsOf>;
}

const withGains = (transactions: readonly Executed[], { contracts }: Watched): Found[] =>
  transactions.map((executed) => ({ executed, gains: gainsOf(executed, contracts) }));

async function askOurs(watched: Watched, asked: readonly string[]): Promise<ReadonlySet<string>> {
  const addresses = new Set(asked);
  return addresses.size === 0 ? addresses : watched.ours([...addresses]);
}

async function inboundTransfersAt(
  found: readonly Found[],
  ours: ReadonlySet<string>,
  block: Block,
): Promise<InboundTransfer[]> {
  const inboundTransfers = found.map(async ({ executed, gains }) =>
    inboundTransfersOf(
      executed,
      gains.filter(({ to }) => ours.has(to)),
      block,
    ),
  );
  return (await Promise.all(inboundTransfers)).flat();
}

function withoutParentNumber({ number, hash, parentHash }: SlotBlock): Block {
  return { number, hash, parentHash };
}
