// How the reading of a network goes on and back: cursor, kept blocks, deposits, departures and their money change in
// one transaction, by compare-and-set of the cursor. No block is skipped, and none counts twice, whoever reads and
// whenever they die (controls D7).
import { and, asc, eq, gte, inArray } from 'drizzle-orm';
import { type BlockDepths, finalBlock, windowBlocks } from '../../domain/deposits/block-depths.ts';
import { insertOperatorEntryForAll, toKeptText } from '../audit/audit-entries.ts';
import type { Database, Transaction } from '../database/connection.ts';
import {
  bookDeparture,
  type Departure,
  finishDeparture,
  loseDeparture,
  seeDeparture,
} from '../departures/departure-steps.ts';
import { listDeparturesFrom, listOpenDepartures } from '../departures/departures.ts';
import {
  clearHalt,
  deleteNetworkBlocks,
  findNetworkBlockFrom,
  keepNetworkBlock,
  lockNetworkState,
  moveCursor,
  type NetworkBlockRow,
} from '../networks/network-states.ts';
import { listBookedOutflows } from '../outflows/outflow-departures.ts';
import { noteReorgedOutflows, type Outflow, type RecordedOutflow, recordOutflows } from '../outflows/outflows.ts';
import type { Seals } from '../seals/seals.ts';
import { type Credit, confirmDeposit, loseDeposit, orphanDeposit, seeDeposit } from './deposit-steps.ts';
import { deposits, listPendingDeposits } from './deposits.ts';

/** What of a network decides over its deposits. */
export interface Depths extends BlockDepths {
  id: string;
}

/** What was seen at one node, in one block: a deposit, or a departure with its fee. */
export interface Sighting {
  id: string;
  blockHash: string;
  symbol: string;
  decimals: number;
  amountBaseUnits: bigint;
}

/** Whether a deposit may be confirmed, and a departure booked. */
export type MayConfirm = (sighting: Sighting) => boolean;

/** What there is to be seen at the second node as well. */
export const withFee = <Each extends { amountBaseUnits: bigint; feeBaseUnits: bigint }>(departure: Each): Each => ({
  ...departure,
  amountBaseUnits: departure.amountBaseUnits + departure.feeBaseUnits,
});

export interface BlockRead {
  /** The cursor as it stood when the block was read. */
  from: number;
  block: Omit<NetworkBlockRow, 'networkId'>;
  credits: readonly Credit[];
  /** What left wallets by transactions that we signed and that no withdrawal settles. */
  departures: readonly Departure[];
  /** What left wallets by no transaction of ours. */
  outflows: readonly Outflow[];
  /** False where these freeze no wallets; else the seals for the audit entry of a freeze. */
  freeze: Seals | false;
}

/** What became of deposits and departures in one transaction. */
export interface Changes {
  seen: number;
  confirmed: number;
  booked: number;
  reorged: number;
}

const NO_CHANGES: Changes = { seen: 0, confirmed: 0, booked: 0, reorged: 0 };

/**
 * One block, whole: undefined, and nothing is changed, when the cursor was moved by somebody else or the network is
 * halted.
 */
export async function recordBlock(
  db: Database,
  network: Depths,
  { from, block, credits, departures, outflows, freeze }: BlockRead,
  mayConfirm: MayConfirm,
): Promise<(Changes & { outflows: RecordedOutflow[] }) | undefined> {
  return db.transaction(async (tx) => {
    if (!(await moveCursor(tx, network.id, from, block.number + 1))) return undefined;
    await keepNetworkBlock(tx, { networkId: network.id, ...block }, block.number - windowBlocks(network) + 1);
    const found = await recordOutflows(tx, outflows, freeze);
    const seen = await seeAll(tx, credits, [...departures, ...(await listBookedOutflows(tx, outflows))]);
    return { seen, ...(await settle(tx, network, block.number, mayConfirm)), outflows: found };
  });
}

/**
 * Deposits and departures that are due by what is read already. For what was recorded late, or could not be confirmed
 * before.
 */
export async function settleDeposits(db: Database, network: Depths, mayConfirm: MayConfirm): Promise<Changes> {
  return db.transaction(async (tx) => {
    const state = await lockNetworkState(tx, network.id);
    if (state === undefined || state.haltedReason !== null) return NO_CHANGES;
    return { ...NO_CHANGES, ...(await settle(tx, network, state.nextBlock - 1, mayConfirm)) };
  });
}

/**
 * `unread`: the cursor has not passed the block. `contradiction`: at its number another one was read, or the network is
 * halted.
 */
export type Recording = { outcome: 'recorded'; seen: number } | { outcome: 'unread' } | { outcome: 'contradiction' };

/** Of a block that was read before, and in which they were missed. */
export async function recordMissed(
  db: Database,
  network: Depths,
  block: Pick<NetworkBlockRow, 'number' | 'hash'>,
  { credits, departures }: Pick<BlockRead, 'credits' | 'departures'>,
): Promise<Recording> {
  return db.transaction(async (tx): Promise<Recording> => {
    const state = await lockNetworkState(tx, network.id);
    if (state === undefined || state.haltedReason !== null) return { outcome: 'contradiction' };
    if (block.number >= state.nextBlock) return { outcome: 'unread' };
    const kept = await findNetworkBlockFrom(tx, network.id, block.number);
    if (kept?.number === block.number && kept.hash !== block.hash) return { outcome: 'contradiction' };
    return { outcome: 'recorded', seen: await seeAll(tx, credits, departures) };
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
  await deleteNetworkBlocks(tx, networkId, first);
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
  const departed = await listDeparturesFrom(tx, networkId, first);
  for (const row of departed) await loseDeparture(tx, row);
  return { reversed: confirmed.length + departed.length, orphaned: pending.length };
}

/**
 * In one order, in which each locks the accounts of the ledger: two transactions wait for each other, never both ways.
 */
async function seeAll(tx: Transaction, credits: readonly Credit[], departures: readonly Departure[]): Promise<number> {
  let seen = 0;
  for (const credit of credits.toSorted(byAccount)) if (await seeDeposit(tx, credit)) seen += 1;
  for (const departure of departures.toSorted(byAccount)) if (await seeDeparture(tx, departure)) seen += 1;
  return seen;
}

type OfAccount = Pick<Credit, 'walletId' | 'assetId'>;

const byAccount = (one: OfAccount, other: OfAccount) =>
  `${one.walletId} ${one.assetId}` < `${other.walletId} ${other.assetId}` ? -1 : 1;

async function settle(
  tx: Transaction,
  network: Depths,
  lastBlock: number,
  mayConfirm: MayConfirm,
): Promise<Omit<Changes, 'seen'>> {
  const changes = { confirmed: 0, booked: 0, reorged: 0 };
  const final = finalBlock(network, lastBlock);
  for (const deposit of await listPendingDeposits(tx, network.id, final)) {
    if (deposit.blockHash === '') changes.reorged += Number(await loseDeposit(tx, deposit));
    else if (mayConfirm(deposit)) changes.confirmed += Number(await confirmDeposit(tx, deposit));
  }
  for (const departure of await listOpenDepartures(tx, network.id, { lastBlock, finalBlock: final })) {
    if (departure.status === 'seen') {
      if (!mayConfirm(withFee(departure))) continue;
      changes.booked += Number(await bookDeparture(tx, departure));
    }
    if (departure.blockNumber <= final) await finishDeparture(tx, departure);
  }
  return changes;
}
