// What the workflows of deposits do: read a network on, and look again at one transaction of it. Decides nothing that
// rows do not say.
import { ApplicationFailure } from '@temporalio/common';
import type { BitcoinNetwork } from '../../domain/catalog/bitcoin-networks.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { listCreditedAssets } from '../../drizzle/deposits/deposits.ts';
import { recordMissed } from '../../drizzle/deposits/network-steps.ts';
import { findNetworkByCode, findNetworkState, noteUnwatched } from '../../drizzle/networks/network-states.ts';
import type { NetworkRow } from '../../drizzle/networks/networks.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import { asChainFailure, requireChain } from '../chains/chain-failure.ts';
import type { Chains } from '../chains/connect-chains.ts';
import type { Chain } from '../chains/port/chain.ts';
import { ChainError } from '../chains/port/chain-error.ts';
import type { Block } from '../chains/port/movements.ts';
import { withHeartbeat } from '../runtime/with-heartbeat.ts';
import { SecondSource, type SecondSourceAbove } from './confirm-by-second-node.ts';
import { readMovements } from './deposit-credits.ts';
import { keepReading, type Pace, type Reading } from './read-network.ts';
import { NetworkFeeQuotes } from './refresh-network-fees.ts';
import { ReleaseOfSigned } from './release-signed.ts';

export interface DepositDependencies {
  db: Database;
  chains: Chains;
  /** Of which network the stored addresses of wallets are. */
  bitcoinNetwork: BitcoinNetwork;
  seals: Seals;
  secondSourceAbove?: SecondSourceAbove;
  /** Whether a wallet signs no more once money has left it by no transaction of ours; true when absent. */
  freezeOnUnexplainedOutflow?: boolean;
}

/**
 * `unread`: the transaction is in a block that is read in its turn. `recorded`: how many deposits and departures it
 * has, and how many were missing.
 */
export type Rescan =
  | { outcome: 'unknown' | 'pending' | 'failed' | 'unread' }
  | { outcome: 'recorded'; found: number; recorded: number };

export function createDepositActivities(dependencies: DepositDependencies) {
  const { db, chains, bitcoinNetwork, seals, secondSourceAbove = {}, freezeOnUnexplainedOutflow = true } = dependencies;
  const freeze = freezeOnUnexplainedOutflow && seals;
  const [secondSource, feeQuotes] = [new SecondSource(secondSourceAbove), new NetworkFeeQuotes()];
  const releases = new ReleaseOfSigned();
  return {
    /**
     * Safe to repeat at any point, and by several at once: each block is one transaction that moves the cursor by
     * compare-and-set. Without a node of the network it says so, and nothing is read. Not retried: a network that the
     * catalogue does not know.
     */
    async readBlocks(networkCode: string, pace: Pace): Promise<Reading & { delayMs: number }> {
      return asking(async () => {
        const network = await requireNetwork(db, networkCode);
        const chain = chains.find(networkCode);
        if (chain === undefined) return leaveUnwatched(db, network, pace);
        const second = chains.findSecond(networkCode);
        const source = { db, chain, network, bitcoinNetwork, second, secondSource, feeQuotes, releases };
        const nextBroadcast = (signal: AbortSignal) => chains.nextBroadcast(networkCode, signal);
        return keepReading({ ...source, nextBroadcast, freeze }, pace);
      });
    },

    /**
     * Idempotent by inbound transfer: what is recorded already is left as it is. Not retried: a network that the
     * catalogue does not know.
     */
    async recordTransaction(networkCode: string, txHash: string): Promise<Rescan> {
      return asking(async () => {
        const network = await requireNetwork(db, networkCode);
        const chain = requireChain(chains, networkCode);
        const status = await chain.follow(txHash);
        if (status.state !== 'included') return { outcome: status.state };
        const block = await blockOf(chain, status);
        const assets = await listCreditedAssets(db, network.id);
        const read = await readMovements({ db, chain, network, bitcoinNetwork }, assets, block);
        const credits = read.credits.filter((credit) => credit.txHash === txHash);
        const departures = read.departures.filter((departure) => departure.txHash === txHash);
        const found = credits.length + departures.length;
        if (!status.succeeded && found === 0) return { outcome: 'failed' };
        const missed = { credits, departures };
        const recording = await recordMissed(db, network, block, missed);
        if (recording.outcome === 'contradiction')
          throw ApplicationFailure.retryable('the block is not the one that was read', 'dependency_unavailable');
        if (recording.outcome === 'unread') return { outcome: 'unread' };
        return { outcome: 'recorded', found, recorded: recording.seen };
      });
    },
  };
}

/** A node that cannot be asked is a failure that Temporal retries. */
const asking = <Result>(work: () => Promise<Result>): Promise<Result> =>
  withHeartbeat(() =>
    work().catch((error: unknown) => {
      throw asChainFailure(error);
    }),
  );

/** An operator has taken the network out of the configuration: its cursor stays where it is. */
async function leaveUnwatched(db: Database, { id }: NetworkRow, pace: Pace): Promise<Reading & { delayMs: number }> {
  await noteUnwatched(db, id);
  const nextBlock = (await findNetworkState(db, id))?.nextBlock ?? 0;
  return { state: 'unwatched', blocks: 0, behind: false, nextBlock, delayMs: pace.delayMs };
}

async function requireNetwork(db: Database, networkCode: string): Promise<NetworkRow> {
  const network = await findNetworkByCode(db, networkCode);
  if (network === undefined)
    throw ApplicationFailure.nonRetryable(`the catalogue has no network ${networkCode}`, 'not_found');
  return network;
}

async function blockOf(
  chain: Chain,
  { blockNumber, blockHash }: { blockNumber: number; blockHash: string },
): Promise<Block> {
  const block = await chain.block(blockNumber);
  if (block?.hash !== blockHash) throw new ChainError('The node contradicts itself about the block of a transaction.');
  return block;
}
