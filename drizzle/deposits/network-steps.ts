// How the reading of a network goes on and back: cursor, kept blocks, deposits and their money change in one
// transaction, by compare-and-set of the cursor. No block is skipped, and none counts twice, whoever reads and whenever
// they die (controls D7).
import { and, asc, eq, gte, inArray } from 'drizzle-orm';
import { type BlockDepths, finalBlock, windowBlocks } from '../../domain/deposits/block-depths.ts';
import { insertOperatorEntryForAll, toKeptText } from '../audit/audit-entries.ts';
import type { Database, Transaction } from '../database/connection.ts';
import {
  clearHalt,
  findNetworkBlockFrom,
  forgetNetworkBlocks,
  keepNetworkBlock,
  lockNetworkState,
  moveCursor,
  type NetworkBlockRow,
} from '../networks/network-states.ts';
import { noteReorgedOutflows, type Outflow, type RecordedOutflow, recordOutflows } from '../outflows/outflows.ts';
import type { Seals } from '../seals/seals.ts';
import { type Credit, confirmDeposit, loseDeposit, orphanDeposit, seeDeposit } from './deposit-steps.ts';
import { deposits, listPendingDeposits, type PendingDeposit } from './deposits.ts';

/** What of a network decides over its deposits. */
export interface Depths extends BlockDepths {
  id: string;
}

export type MayConfirm = (deposit: PendingDeposit) => boolean;

export interface BlockRead {
  /** The cursor as it stood when the block was read. */
  from: number;
  block: Omit<NetworkBlockRow, 'networkId'>;
  credits: readonly Credit[];
  /** What left wallets by no transaction of ours. */
  outflows: readonly Outflow[];
  /** False where these freeze no wallets; else the seals for the audit entry of a freeze. */
  freeze: Seals | false;
}

/** What became of deposits in one transaction. */
export interface Changes {
  seen: number;
  confirmed: number;
  reorged: number;
}

/**
 * One block, whole: undefined, and nothing is changed, when the cursor was moved by somebody else or the network is
 * halted.
 */
export async function recordBlock(
  db: Database,
  network: Depths,
  { from, block, credits, outflows, freeze }: BlockRead,
  mayConfirm: MayConfirm,
): Promise<(Changes & { outflows: RecordedOutflow[] }) | undefined> {
  return db.transaction(async (tx) => {
    if (!(await moveCursor(tx, network.id, from, block.number + 1))) return undefined;
    await keepNetworkBlock(tx, { networkId: network.id, ...block }, block.number - windowBlocks(network) + 1);
    const found = await recordOutflows(tx, outflows, freeze);
    const seen = await seeAll(tx, credits);
    return { seen, ...(await settle(tx, network, block.number, mayConfirm)), outflows: found };
  });
}

/** Deposits that are due by what is read already. For what was recorded late, or could not be confirmed before. */
export async function settleDeposits(db: Database, network: Depths, mayConfirm: MayConfirm): Promise<Changes> {
  return db.transaction(async (tx) => {
    const state = await lockNetworkState(tx, network.id);
    if (state === undefined || state.haltedReason !== null) return { seen: 0, confirmed: 0, reorged: 0 };
    return { seen: 0, ...(await settle(tx, network, state.nextBlock - 1, mayConfirm)) };
  });
}

/**
 * `unread`: the cursor has not passed the block. `contradiction`: at its number another one was read, or the network is
 * halted.
 */
export type Recording = { outcome: 'recorded'; seen: number } | { outcome: 'unread' } | { outcome: 'contradiction' };

/** Deposits of a block that was read before, and in which they were missed. */
export async function recordMissed(
  db: Database,
  network: Depths,
  block: Pick<NetworkBlockRow, 'number' | 'hash'>,
  credits: readonly Credit[],
): Promise<Recording> {
  return db.transaction(async (tx): Promise<Recording> => {
    const state = await lockNetworkState(tx, network.id);
    if (state === undefined || state.haltedReason !== null) return { outcome: 'contradiction' };
    if (block.number >= state.nextBlock) return { outcome: 'unread' };
    const kept = await findNetworkBlockFrom(tx, network.id, block.number);
    if (kept?.number === block.number && kept.hash !== block.hash) return { outcome: 'contradiction' };
    return { outcome: 'recorded', seen: await seeAll(tx, credits) };
  });
}

export interface RolledBack {
  reversed: number;
  orphaned: number;
}

/**
 * As if nothing from `first` on had been read. What was confirmed there is taken back at once; what was pending waits
 * for its transaction to be mined again, and is lost when the chain has grown past without it. Undefined when the
 * cursor was moved by somebody else or the network is halted.
 */
export async function rollBack(
  db: Database,
  networkId: string,
  from: number,
  first: number,
): Promise<RolledBack | undefined> {
  return db.transaction(async (tx) => {
    if (!(await moveCursor(tx, networkId, from, first))) return undefined;
    return takeBack(tx, networkId, first);
  });
}

/**
 * The operator's word: reads on, from `first` when it is given (never further on than it was read). False when the
 * network was never read.
 */
export async function resumeNetwork(
  db: Database,
  networkId: string,
  first?: number,
  skipTracesUntil?: number,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const state = await lockNetworkState(tx, networkId);
    if (state === undefined) return false;
    await clearHalt(tx, networkId, skipTracesUntil);
    const after = toKeptText({
      network_id: networkId,
      from_block: first ?? state.nextBlock,
      ...(skipTracesUntil === undefined ? {} : { skip_traces_until: skipTracesUntil }),
    });
    await insertOperatorEntryForAll(tx, { action: 'resume-network', after });
    if (first === undefined || first >= state.nextBlock) return true;
    await moveCursor(tx, networkId, state.nextBlock, first);
    await takeBack(tx, networkId, first);
    return true;
  });
}

async function takeBack(tx: Transaction, networkId: string, first: number): Promise<RolledBack> {
  await forgetNetworkBlocks(tx, networkId, first);
  await noteReorgedOutflows(tx, networkId, first);
  const affected = await tx
    .select()
    .from(deposits)
    .where(
      and(
        eq(deposits.networkId, networkId),
        inArray(deposits.status, ['pending', 'confirmed']),
        gte(deposits.blockNumber, first),
      ),
    )
    .orderBy(asc(deposits.walletId), asc(deposits.assetId), asc(deposits.id));
  const confirmed = affected.filter(({ status }) => status === 'confirmed');
  for (const row of confirmed) await loseDeposit(tx, row);
  const pending = affected.filter(({ status }) => status === 'pending');
  for (const row of pending) await orphanDeposit(tx, row);
  return { reversed: confirmed.length, orphaned: pending.length };
}

/**
 * In one order, in which each locks the accounts of the ledger: two transactions wait for each other, never both ways.
 */
async function seeAll(tx: Transaction, credits: readonly Credit[]): Promise<number> {
  let seen = 0;
  for (const credit of credits.toSorted(byAccount)) if (await seeDeposit(tx, credit)) seen += 1;
  return seen;
}

const byAccount = (one: Credit, other: Credit) =>
  `${one.walletId} ${one.assetId}` < `${other.walletId} ${other.assetId}` ? -1 : 1;

async function settle(
  tx: Transaction,
  network: Depths,
  lastBlock: number,
  mayConfirm: MayConfirm,
): Promise<Pick<Changes, 'confirmed' | 'reorged'>> {
  const changes = { confirmed: 0, reorged: 0 };
  for (const deposit of await listPendingDeposits(tx, network.id, finalBlock(network, lastBlock))) {
    if (deposit.blockHash === '') changes.reorged += Number(await loseDeposit(tx, deposit));
    else if (mayConfirm(deposit)) changes.confirmed += Number(await confirmDeposit(tx, deposit));
  }
  return changes;
}
