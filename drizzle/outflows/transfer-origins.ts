// By whom what left wallets of ours was made. A transaction is ours when a withdrawal has recorded its hash, or when
// its signature is one that the cluster made and a signing operation recorded. Both are committed before the bytes
// leave this service, and bytes leave it before they are in a block: what was in a block when it was read is known here
// by then, so that nothing of ours is ever taken for another's. After a restore of an older backup what was signed
// since then is unknown, and is found. Reads only: what is explained is booked as a departure, the rest is an outflow.
import { and, eq } from 'drizzle-orm';
import type { Database } from '../database/connection.ts';
import { anyOf } from '../database/page.ts';
import { signingRequests } from '../signing-requests/signing-requests.ts';
import { chainTransactions } from '../withdrawals/chain-transactions.ts';
import { withdrawals } from '../withdrawals/withdrawals.ts';

/** What is known of an outbound transfer before it is known whose doing it was. */
export interface UnattributedTransfer {
  walletId: string;
  txHash: string;
  /** Of the wallet's key, as `Departure` has them (activities/chains/port/chain.ts). */
  signatures: readonly string[];
}

/** By whom a transfer was made. */
export interface TransferOrigin {
  /** The withdrawal, or the signing operation that a caller asked for. */
  id: string;
  /** The caller's own name for it. */
  externalId: string | null;
  /** What the ledger has of it otherwise: of a withdrawal what it moves and its fee. */
  settledAssetIds: readonly string[];
}

export interface AttributedTransfer<Each> {
  transfer: Each;
  /** Undefined of a signature that was made for a withdrawal, which is to settle it. */
  origin: TransferOrigin | undefined;
}

/** Which of these a withdrawal or signing operations of the wallet explain, and which nothing does. */
export async function attributeTransfers<Each extends UnattributedTransfer>(
  db: Database,
  networkId: string,
  transfers: readonly Each[],
): Promise<{ attributed: AttributedTransfer<Each>[]; unattributed: Each[] }> {
  if (transfers.length === 0) return { attributed: [], unattributed: [] };
  const [sent, signed] = [await findSent(db, networkId, transfers), await findSigned(db, transfers)];
  const attributed: AttributedTransfer<Each>[] = [];
  const unattributed: Each[] = [];
  for (const transfer of transfers) {
    const { walletId, txHash, signatures } = transfer;
    const withdrawal = sent.get(`${walletId} ${txHash}`);
    const operations = signatures.map((signature) => signed.get(`${walletId} ${signature}`));
    const [operation] = operations;
    if (withdrawal !== undefined) attributed.push({ transfer, origin: withdrawal });
    else if (operation !== undefined && !operations.includes(undefined))
      attributed.push({
        transfer,
        origin: operation.isOfWithdrawal ? undefined : operation.origin,
      });
    else unattributed.push(transfer);
  }
  return { attributed, unattributed };
}

async function findSent(
  db: Database,
  networkId: string,
  transfers: readonly UnattributedTransfer[],
): Promise<Map<string, TransferOrigin>> {
  const { id, walletId, assetId, feeAssetId, externalId } = withdrawals;
  const rows = await db
    .select({ id, walletId, assetId, feeAssetId, externalId, txHash: chainTransactions.txHash })
    .from(chainTransactions)
    .innerJoin(withdrawals, eq(withdrawals.id, chainTransactions.withdrawalId))
    .where(
      and(
        eq(chainTransactions.networkId, networkId),
        anyOf(chainTransactions.txHash, [...new Set(transfers.map(({ txHash }) => txHash))]),
      ),
    );
  return new Map(
    rows.map((row) => [
      `${row.walletId} ${row.txHash}`,
      { id: row.id, externalId: row.externalId, settledAssetIds: [row.assetId, row.feeAssetId] },
    ]),
  );
}

/** By the index: a wallet may have millions. On secp256k1 v stands behind, which a block tells in another way. */
async function findSigned(
  db: Database,
  transfers: readonly UnattributedTransfer[],
): Promise<Map<string, { origin: TransferOrigin; isOfWithdrawal: boolean }>> {
  const signatures = transfers.flatMap((transfer) => transfer.signatures);
  if (signatures.length === 0) return new Map();
  const forms = signatures.flatMap((signature) => [signature, `${signature}1b`, `${signature}1c`]);
  const { id, walletId, signature, operationType, externalId } = signingRequests;
  const rows = await db
    .select({ id, walletId, signature, operationType, externalId })
    .from(signingRequests)
    .where(anyOf(signature, forms));
  return new Map(
    rows.map((row) => [
      `${row.walletId} ${row.signature?.slice(0, SIGNATURE_CHARACTERS)}`,
      {
        origin: { id: row.id, externalId: row.externalId, settledAssetIds: [] },
        isOfWithdrawal: row.operationType === 'withdrawal',
      },
    ]),
  );
}

/** 0x and 64 bytes. */
const SIGNATURE_CHARACTERS = 2 + 128;
