// What a withdrawal needs to be asked for without any node: a network whose state is known, and a wallet that holds
// something.
import { v7 as uuidv7 } from 'uuid';
import { hasAdapter } from '../../../domain/catalog/capabilities.ts';
import { networkSeed } from '../../../domain/catalog/networks.ts';
import type { NetworkFees, StoredQuote } from '../../../domain/networks/stored-fees.ts';
import type { PolicyDocument } from '../../../domain/policies/policy-document.ts';
import type { Database } from '../../../drizzle/database/connection.ts';
import { postLedgerEvent } from '../../../drizzle/ledger/ledger.ts';
import { networkStates } from '../../../drizzle/networks/network-states.ts';
import { insertPolicy } from '../../../drizzle/policies/policies.ts';
import { testSealing } from './seals.ts';

/** Native assets of the sandbox's networks, and the networks. */
export const sandbox = {
  ETH: { assetId: 'da01f880-35c5-5bd2-8a69-09f9398dc3b5', networkId: '6e657477-6f72-4000-8000-000000000001' },
  SOL: { assetId: '79071f76-eea8-5c92-af87-e2a40fdb1d37', networkId: '6e657477-6f72-4000-8000-000000000002' },
  BTC: { assetId: 'efd0658f-7086-5a11-8aa9-22beedd38996', networkId: '6e657477-6f72-4000-8000-000000000003' },
} as const;

/** Of a transaction that a test wrote, and that nobody raises. */
export const noQuote: StoredQuote = { level: 'medium', maxFee: '0', parameters: {} };

const level = (maxFee: bigint, parameters = {}) => ({ maxFee: String(maxFee), parameters });
/** Levels that are 1, 2 and 4 times so much, quoted now. */
export const feesOf = (low: bigint, parameters: Record<string, string> = {}): NetworkFees => ({
  low: level(low, parameters),
  medium: level(2n * low, parameters),
  high: level(4n * low, parameters),
  quotedAt: new Date().toISOString(),
});

/**
 * Transactions cost nothing unless said otherwise, so that amounts and sums are those of the withdrawals; null: no
 * quote is known.
 */
export async function connectNetwork(
  db: Database,
  networkId: string,
  fees: NetworkFees | null = feesOf(0n),
): Promise<void> {
  await db.insert(networkStates).values({ networkId, nextBlock: 101, headBlock: 100, fees });
}

/** Every network whose chain the service can read. */
export async function connectEveryNetwork(db: Database): Promise<void> {
  for (const { id, addressType } of networkSeed) if (hasAdapter(addressType)) await connectNetwork(db, id);
}

/** As a deposit that is final. */
export async function credit(
  db: Database,
  walletId: string,
  { assetId }: { assetId: string },
  amount: bigint,
): Promise<void> {
  const movements = [{ assetId, from: 'outside', to: 'available', amount }] as const;
  await db.transaction((tx) =>
    postLedgerEvent(tx, { kind: 'deposit_confirmed', subjectId: uuidv7(), walletId, movements }),
  );
}

export async function activatePolicy(db: Database, workspaceId: string, document: PolicyDocument): Promise<void> {
  const policy = { id: uuidv7(), workspaceId, document, status: 'active', createdBy: uuidv7() } as const;
  await db.transaction((tx) => insertPolicy(tx, testSealing, policy));
}
