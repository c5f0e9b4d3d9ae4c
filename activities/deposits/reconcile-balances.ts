// Compares what the ledger says that wallets own with what their addresses hold on the chains. Reads only: what differs
// is for an operator to look into.
import { heartbeat, sleep } from '@temporalio/activity';
import { type BitcoinNetwork, bitcoinNetworkOf } from '../../domain/catalog/bitcoin-networks.ts';
import { networkSeed } from '../../domain/catalog/networks.ts';
import { bitcoinCodecs } from '../../domain/payloads/bitcoin-codecs.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { sumUnbooked } from '../../drizzle/departures/departures.ts';
import { findLedgerImbalances } from '../../drizzle/ledger/ledger.ts';
import {
  findLedgerPosition,
  type LedgerPosition,
  listLedgerPositions,
  type PositionPlace,
} from '../../drizzle/ledger/reconciliation.ts';
import type { Chains } from '../chains/connect-chains.ts';
import type { Chain } from '../chains/port/chain.ts';
import { ChainError } from '../chains/port/chain-error.ts';

/** Amounts are base units as text: a history holds no bigint. */
export interface Difference extends PositionPlace {
  networkCode: string;
  symbol: string;
  decimals: number;
  address: string;
  available: string;
  held: string;
  pendingIn: string;
  onChain: string;
}

export interface ComparedBatch {
  compared: number;
  differences: Difference[];
  /** What a withdrawal, a deposit that is not final yet or a departure that is not booked yet may account for. */
  underWay: Difference[];
  /** By network, why nothing of it could be compared any more. */
  unreached: Record<string, string>;
  /** Absent at the end. */
  next?: PositionPlace;
}

export interface ReconciliationDependencies {
  db: Database;
  chains: Chains;
  bitcoinNetwork: BitcoinNetwork;
}

const BATCH_SIZE = 100;
const AT_ONCE_MAX = 5;
const IMBALANCES_MAX = 100;
/** A block or a step of a withdrawal may come between the question to the chain and that to the ledger. */
const ATTEMPTS_MAX = 3;
const RETRY_AFTER_MS = 2_000;

export function createReconciliationActivities(dependencies: ReconciliationDependencies) {
  const { db, chains } = dependencies;
  const networkCodes = networkSeed.map(({ internalCode }) => internalCode).filter((code) => chains.find(code));
  return {
    /**
     * Safe to repeat: it reads. A network whose node fails is told of, and does not keep the others from being
     * compared.
     */
    async compareBalances(after?: PositionPlace): Promise<ComparedBatch> {
      const positions = await listLedgerPositions(db, networkCodes, after, BATCH_SIZE);
      const batch: ComparedBatch = { compared: 0, differences: [], underWay: [], unreached: {} };
      const last = positions.at(-1);
      if (positions.length === BATCH_SIZE && last !== undefined)
        batch.next = { walletId: last.walletId, assetId: last.assetId };
      const rest = positions.values();
      const compareRest = async () => {
        for (const position of rest) {
          if (batch.unreached[position.networkCode] === undefined) await compareInto(batch, dependencies, position);
          heartbeat();
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE_MAX }, compareRest));
      return batch;
    },

    /** Safe to repeat: it reads. At most IMBALANCES_MAX, each named by one sentence. */
    async findImbalances(): Promise<string[]> {
      return (await findLedgerImbalances(db)).slice(0, IMBALANCES_MAX);
    },
  };
}

export type ReconciliationActivities = ReturnType<typeof createReconciliationActivities>;

async function compareInto(
  batch: ComparedBatch,
  dependencies: ReconciliationDependencies,
  position: LedgerPosition,
): Promise<void> {
  const { networkCode } = position;
  try {
    const { outcome, difference } = await compare(dependencies, position);
    batch.compared += 1;
    if (outcome !== 'agrees') batch[outcome].push(difference);
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    batch.unreached[networkCode] = error.message;
  }
}

type Outcome = 'agrees' | 'differences' | 'underWay';

async function compare(
  { db, chains, bitcoinNetwork }: ReconciliationDependencies,
  position: LedgerPosition,
): Promise<{ outcome: Outcome; difference: Difference }> {
  const { networkCode, contract, decimals } = position;
  const chain = chains.find(networkCode);
  if (chain === undefined) throw new ChainError(`no node of ${networkCode} is configured here`, 'unavailable');
  const address = addressOn(position, bitcoinNetwork);
  let now = position;
  for (let attempt = 1; ; attempt += 1) {
    const onChain = await chain.balance(address, { contract, decimals });
    now = (await findLedgerPosition(db, position)) ?? now;
    const outcome = judge(chain, now, { onChain, unbooked: await sumUnbooked(db, position) });
    if (outcome === 'agrees' || attempt === ATTEMPTS_MAX)
      return { outcome, difference: describe(now, address, onChain) };
    await sleep(RETRY_AFTER_MS);
  }
}

/**
 * What is held has perhaps left the address already, what is pending is perhaps there, and what a second node has not
 * told of has perhaps left. The change of a coin that is being spent is not.
 */
function judge(
  chain: Chain,
  { available, held, pendingIn }: LedgerPosition,
  { onChain, unbooked }: { onChain: bigint; unbooked: bigint },
): Outcome {
  const total = available + held;
  if (onChain === total) return 'agrees';
  const least = chain.model === 'utxo' && held > 0n ? 0n : available - unbooked;
  return onChain >= least && onChain <= total + pendingIn ? 'underWay' : 'differences';
}

function addressOn({ networkCode, address }: LedgerPosition, stored: BitcoinNetwork): string {
  if (!networkCode.startsWith('BTC_') || bitcoinNetworkOf(networkCode) === stored) return address;
  return bitcoinCodecs[bitcoinNetworkOf(networkCode)].encode(bitcoinCodecs[stored].decode(address));
}

function describe(position: LedgerPosition, address: string, onChain: bigint): Difference {
  const { walletId, assetId, networkCode, symbol, decimals, available, held, pendingIn } = position;
  return {
    walletId,
    assetId,
    networkCode,
    symbol,
    decimals,
    address,
    available: `${available}`,
    held: `${held}`,
    pendingIn: `${pendingIn}`,
    onChain: `${onChain}`,
  };
}
