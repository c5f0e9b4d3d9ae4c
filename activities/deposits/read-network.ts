// Reads a network on, block by block: each one with its deposits, and with what left wallets, in one SQL transaction,
// never one whose parent is not the block before it. Where the chain has taken another way, it goes back to where the
// ways part; further back than the window nothing is believed and the network is halted.
import { setTimeout as sleep } from 'node:timers/promises';
import { cancellationSignal, log } from '@temporalio/activity';
import { isSandboxCode } from '../../domain/catalog/sandbox.ts';
import { type BlockDepths, windowBlocks } from '../../domain/deposits/block-depths.ts';
import type { Credit } from '../../drizzle/deposits/deposit-steps.ts';
import { type CreditedAsset, listCreditedAssets } from '../../drizzle/deposits/deposits.ts';
import { recordBlock, rollBack, settleDeposits } from '../../drizzle/deposits/network-steps.ts';
import {
  findNetworkBlockFrom,
  findNetworkState,
  findNewestNetworkBlock,
  haltNetwork,
  insertNetworkState,
  listNetworkBlocks,
  type NetworkStateRow,
  noteHead,
  noteReadingFailure,
} from '../../drizzle/networks/network-states.ts';
import type { RecordedOutflow } from '../../drizzle/outflows/outflows.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import { listSettledFrom } from '../../drizzle/withdrawals/chain-transactions.ts';
import type { Chain } from '../chains/port/chain.ts';
import { ChainError } from '../chains/port/chain-error.ts';
import type { Block } from '../chains/port/movements.ts';
import { listMovementsToConfirm, type SecondSource } from './confirm-by-second-node.ts';
import { type CreditSource, readMovements } from './deposit-credits.ts';
import type { OutboundMovements } from './outbound-movements.ts';
import type { NetworkFeeQuotes } from './refresh-network-fees.ts';
import type { ReleaseOfSigned } from './release-signed.ts';

export interface WatchedNetwork extends CreditSource {
  /** The same chain behind another node, where there is one. */
  second: Chain | undefined;
  secondSource: SecondSource;
  feeQuotes: NetworkFeeQuotes;
  releases: ReleaseOfSigned;
  /** Whether this process sends a transaction to the network before `signal` aborts. */
  nextBroadcast: (signal: AbortSignal) => Promise<boolean>;
  /** False where an unexplained outflow freezes no wallet; else the seals for the audit entry of the freeze. */
  freeze: Seals | false;
}

export interface Reading {
  /** `unwatched`: the worker that was asked has no node of this network. */
  state: 'watching' | 'halted' | 'unwatched';
  /** How many were read now. */
  blocks: number;
  /** There is more to be read at once. */
  behind: boolean;
  nextBlock: number;
}

/** How often a network is looked at while nothing is behind. */
export interface Pace {
  shortestMs: number;
  longestMs: number;
  /** How long to go on looking before the answer; each answer costs an event or two of a workflow's history. */
  lingerMs: number;
  /** Between the last two looks. */
  delayMs: number;
}

/** Of one reading: so long it takes at most, and so much is read ahead at once. */
const READ_FOR_MS = 20_000;
const BLOCKS_AHEAD = 8;
/**
 * While the head stays the block that it was, nothing but the node is asked for so long: quiet networks, looked at
 * twice a second, took a tenth of a processor. What is looked after besides blocks is due as often.
 */
const QUIET_FOR_MS = 5_000;

/** What a poll has found. */
interface Poll {
  reading: Reading;
  headHash: string;
  atMs: number;
}

/** Reads until the time is over, or the next poll is further away than that; tells how long to wait then. */
export async function keepReading(watch: WatchedNetwork, pace: Pace): Promise<Reading & { delayMs: number }> {
  const untilMs = Date.now() + pace.lingerMs;
  const signal = cancellationSignal();
  let last: Poll | undefined;
  for (let { delayMs } = pace; ; ) {
    last = await poll(watch, last);
    const { reading } = last;
    delayMs = nextDelayMs({ ...pace, delayMs }, reading.blocks);
    const waitMs = reading.behind ? 0 : delayMs;
    if (reading.state === 'halted' || signal.aborted || Date.now() + waitMs >= untilMs) return { ...reading, delayMs };
    if (await hasSentWithin(watch, { shortestMs: pace.shortestMs, waitMs }, signal)) delayMs = pace.shortestMs;
  }
}

/**
 * Waits until the next poll, or until something was sent to the network, which a block will be of soon; never shorter
 * than polls are apart.
 */
async function hasSentWithin(
  { nextBroadcast }: WatchedNetwork,
  { shortestMs, waitMs }: { shortestMs: number; waitMs: number },
  signal: AbortSignal,
): Promise<boolean> {
  const sent = nextBroadcast(AbortSignal.any([signal, AbortSignal.timeout(waitMs)]));
  await sleep(Math.min(shortestMs, waitMs), undefined, { signal }).catch(() => undefined);
  return sent;
}

/**
 * Why a network is not read on stands in its state: an operator sees it there, and the failure goes on to Temporal,
 * which tries again.
 */
async function poll(watch: WatchedNetwork, last: Poll | undefined): Promise<Poll> {
  const recordFailure = (failure: string | null) => noteReadingFailure(watch.db, watch.network.id, failure);
  try {
    const head = await watch.chain.head();
    if (last !== undefined && isQuiet(last, head)) return last;
    const reading = await readNetwork(watch, head);
    await recordFailure(null);
    return { reading, headHash: head.hash, atMs: Date.now() };
  } catch (error) {
    if (error instanceof ChainError) await recordFailure(error.message);
    throw error;
  }
}

const isQuiet = ({ reading, headHash, atMs }: Poll, head: Block): boolean =>
  reading.state === 'watching' &&
  reading.blocks === 0 &&
  !reading.behind &&
  head.hash === headHash &&
  Date.now() - atMs < QUIET_FOR_MS;

/**
 * Settles at about the time between two blocks, whatever network it is: longer when none came, shorter when several
 * did.
 */
function nextDelayMs({ delayMs, shortestMs, longestMs }: Pace, blocks: number): number {
  const wanted = blocks === 1 ? delayMs : blocks === 0 ? delayMs * 1.5 : delayMs / 2;
  return Math.round(Math.min(Math.max(wanted, shortestMs), longestMs));
}

async function readNetwork(watch: WatchedNetwork, head: Block): Promise<Reading> {
  const { db, chain, network, feeQuotes } = watch;
  const state = (await findNetworkState(db, network.id)) ?? (await begin(watch, head));
  const newest = await newestToRead(watch, state, head);
  await noteHead(db, network.id, newest, await feeQuotes.quote(chain, network));
  if (state.haltedReason !== null) {
    log.error('the network is halted: no deposit is seen', {
      networkCode: network.internalCode,
      reason: state.haltedReason,
    });
    return { state: 'halted', blocks: 0, behind: false, nextBlock: state.nextBlock };
  }
  const reading = (await goBackFrom(watch, state, head)) ?? (await readOn(watch, state, head));
  if (reading.blocks === 0) await settle(watch, reading.nextBlock - 1);
  await watch.releases.poll(watch);
  return reading;
}

/**
 * On a chain that skips numbers the head may be one without a block: then what was read last is the newest that there
 * is, and nothing is unread.
 */
async function newestToRead(
  { db, network }: WatchedNetwork,
  { nextBlock }: NetworkStateRow,
  head: Block,
): Promise<number> {
  if (head.hash !== head.parentHash) return head.number;
  const newest = await findNewestNetworkBlock(db, network.id, nextBlock);
  return newest?.hash === head.hash ? nextBlock - 1 : head.number;
}

/**
 * The first time: a window before the head, so that a reorg finds where the ways part; what arrived before is no
 * deposit. The sandbox's own networks are read from their beginning.
 */
async function begin({ db, network }: WatchedNetwork, head: Block): Promise<NetworkStateRow> {
  const isSandbox = isSandboxCode(network.internalCode);
  const nextBlock = isSandbox ? 0 : Math.max(0, head.number - windowBlocks(network) + 1);
  await insertNetworkState(db, { networkId: network.id, nextBlock, headBlock: head.number });
  log.info('a network is read for the first time', { networkCode: network.internalCode, nextBlock });
  const state = await findNetworkState(db, network.id);
  if (state === undefined) throw new Error('a network state that was inserted is not there');
  return state;
}

/**
 * A chain may have come back shorter than it was read, or as long: its head then is another block than the one that was
 * read there.
 */
async function goBackFrom(watch: WatchedNetwork, state: NetworkStateRow, head: Block): Promise<Reading | undefined> {
  const kept = await findNetworkBlockFrom(watch.db, watch.network.id, head.number);
  if (kept?.number !== head.number || kept.hash === head.hash) return undefined;
  return goBack(watch, state.nextBlock, head.number);
}

async function readOn(watch: WatchedNetwork, state: NetworkStateRow, head: Block): Promise<Reading> {
  const { db, network } = watch;
  const untilMs = Date.now() + READ_FOR_MS;
  const assets = await listCreditedAssets(db, network.id);
  const skipping = { ...watch, skipTracesUntil: state.skipTracesUntil };
  let { nextBlock } = state;
  let newest: Pick<Block, 'number' | 'hash'> | undefined = await findNewestNetworkBlock(db, network.id, nextBlock);
  let blocks = 0;
  const reading = (behind: boolean): Reading => ({ state: 'watching', blocks, behind, nextBlock });
  while (Date.now() < untilMs && !cancellationSignal().aborted) {
    const numbers = await numbersFrom(watch.chain, nextBlock, head.number);
    if (numbers.length === 0) return reading(false);
    for (const read of await Promise.all(numbers.map((number) => readBlock(skipping, assets, number)))) {
      if (read === undefined) {
        // A head without a block of its own has the hash of the block before it: then all is read.
        if (newest?.hash !== head.hash) requireLag(network, nextBlock, head);
        return reading(false);
      }
      if (newest !== undefined && read.block.parentHash !== newest.hash)
        return { ...(await goBack(watch, nextBlock, newest.number)), blocks };
      if (!(await record(watch, nextBlock, read))) return reading(true);
      newest = read.block;
      nextBlock = read.block.number + 1;
      blocks += 1;
    }
  }
  return reading(true);
}

/** Behind a balancer one node may be some blocks behind another; one that is further behind lacks the block. */
function requireLag(network: BlockDepths, missing: number, head: Block): void {
  if (head.number - missing > windowBlocks(network))
    throw new ChainError(`The node has no block ${missing}, although its newest is block ${head.number}.`);
}

/** The numbers that are read next, side by side; none when all up to the head is read. */
async function numbersFrom(chain: Chain, nextBlock: number, head: number): Promise<number[]> {
  const numbers: number[] = [];
  for (let after = nextBlock - 1; numbers.length < BLOCKS_AHEAD; ) {
    const number = await chain.next(after);
    if (number > head) break;
    numbers.push(number);
    after = number;
  }
  return numbers;
}

interface Read extends OutboundMovements {
  block: Block;
  credits: readonly Credit[];
}

async function readBlock(
  watch: WatchedNetwork,
  assets: readonly CreditedAsset[],
  number: number,
): Promise<Read | undefined> {
  const block = await watch.chain.block(number);
  return block === undefined ? undefined : { block, ...(await readMovements(watch, assets, block)) };
}

/** False when another reader was faster, or the network was halted meanwhile. */
async function record(watch: WatchedNetwork, from: number, read: Read): Promise<boolean> {
  const { db, network, freeze } = watch;
  const mayConfirm = await decide(watch, read.block.number);
  const recorded = await recordBlock(db, network, { from, ...read, freeze }, mayConfirm);
  if (recorded === undefined) return false;
  const { outflows, ...changes } = recorded;
  for (const outflow of outflows) logOutflow(network.internalCode, outflow);
  if (Object.values(changes).some((count) => count > 0))
    log.info('deposits', { networkCode: network.internalCode, block: read.block.number, ...changes });
  return true;
}

/** Somebody is to be woken by it. */
function logOutflow(networkCode: string, outflow: RecordedOutflow): void {
  const { id, kind, walletId, txHash, departureIndex: index, assetId, amountBaseUnits, blockNumber, frozen } = outflow;
  log.error('money left a wallet by a transaction that was not made here', {
    networkCode,
    outflowId: id,
    kind,
    walletId,
    frozen,
    txHash,
    index,
    assetId,
    amountBaseUnits: `${amountBaseUnits}`,
    blockNumber,
  });
}

async function settle(watch: WatchedNetwork, lastBlock: number): Promise<void> {
  const { db, network, second, secondSource } = watch;
  const due = await listMovementsToConfirm(db, network, lastBlock);
  if (due.length === 0) return;
  const changes = await settleDeposits(db, network, await secondSource.ask(second, due));
  if (Object.values(changes).some((count) => count > 0))
    log.info('deposits', { networkCode: network.internalCode, ...changes });
}

async function decide({ db, network, second, secondSource }: WatchedNetwork, lastBlock: number) {
  return second === undefined
    ? () => true
    : secondSource.ask(second, await listMovementsToConfirm(db, network, lastBlock));
}

/** To the newest block, up to `atMost`, that was read and still is on the chain. */
async function goBack(watch: WatchedNetwork, nextBlock: number, atMost: number): Promise<Reading> {
  const { db, network } = watch;
  const { internalCode: networkCode } = network;
  const kept = (await listNetworkBlocks(db, network.id)).filter(({ number }) => number <= atMost);
  const ancestor = await findAncestor(watch, kept);
  if (ancestor === undefined) return halt(watch, nextBlock, kept.at(-1)?.number ?? atMost);
  if (ancestor.number === kept[0]?.number) throw new ChainError('The node contradicts itself about its newest blocks.');
  const first = ancestor.number + 1;
  await sendAgain(watch, first);
  const rolledBack = await rollBack(db, network.id, nextBlock, first);
  if (rolledBack !== undefined) log.warn('a reorganisation', { networkCode, firstBlock: first, ...rolledBack });
  return { state: 'watching', blocks: 0, behind: true, nextBlock: first };
}

/**
 * What a withdrawal has ended by is not followed any more. Where the chain took its block back all the same, deeper
 * than what counts as final, the same bytes go out again: whoever comes after it in the order of nonces would wait for
 * ever. Before the cursor goes back, so that a reader that dies does it again.
 */
async function sendAgain({ db, chain, network }: WatchedNetwork, first: number): Promise<void> {
  for (const { withdrawalId, signed, txHash, validUntil } of await listSettledFrom(db, network.id, first)) {
    if (signed === null) continue;
    const outcome = await chain.broadcast(signed, validUntil ?? undefined).catch((error: Error) => error.message);
    log.error('a withdrawal that had ended was taken back by a reorganisation, and is sent again', {
      networkCode: network.internalCode,
      withdrawalId,
      txHash,
      outcome,
    });
  }
}

/** The first of these that is on the chain: the ways part after it. */
async function findAncestor(
  { chain }: WatchedNetwork,
  kept: readonly Pick<Block, 'number' | 'hash'>[],
): Promise<Pick<Block, 'number'> | undefined> {
  for (const { number, hash } of kept) {
    const block = await chain.block(number);
    if (block === undefined) throw new ChainError('The node lags behind what it has shown before.', 'unavailable');
    if (block.hash === hash) return block;
  }
  return undefined;
}

async function halt({ db, network }: WatchedNetwork, nextBlock: number, lowest: number): Promise<Reading> {
  const { internalCode: networkCode } = network;
  const reason = `The chain is another one than was read, back to block ${lowest} or further: that is no reorganisation to believe. An operator says where to go on.`;
  if (await haltNetwork(db, network.id, nextBlock, reason)) log.error('a network is halted', { networkCode, reason });
  return { state: 'halted', blocks: 0, behind: false, nextBlock };
}
