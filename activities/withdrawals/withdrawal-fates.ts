// Whether the transactions of a withdrawal that were made so far can be forgotten: by the rows and by every node of the
// network. Decides nothing, and moves no row.

import { OUTFLOWS_KNOWN_AFTER_MS } from '../../domain/withdrawals/abandonment.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { hasUnresolvedOutflow } from '../../drizzle/outflows/outflows.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import { findLostSignatures } from '../../drizzle/signing-requests/signing-attempts.ts';
import { findSigningRequests } from '../../drizzle/signing-requests/signing-queries.ts';
import { type ChainTransactionRow, listSealedTransactions } from '../../drizzle/withdrawals/chain-transactions.ts';
import type { WithdrawalRow } from '../../drizzle/withdrawals/withdrawals.ts';
import { canJudgeBuilt, judgeBuilt, judgeFates, type Verdict } from '../chains/agreement-of-nodes.ts';
import type { Chain } from '../chains/port/chain.ts';
import type { SentTransaction } from '../chains/port/transactions.ts';
import { asBuilt, isSeenTo } from './lost-signatures.ts';
import { movesNothing } from './withdrawal-transfer.ts';

/**
 * Whether every transaction of a withdrawal with an ordinal below `before` (all of them without it) is proven dead: it
 * has not landed and never can. Only then may the money be given back, or another be signed that needs neither the
 * nonce nor the coins of the one before it (a renewal). The rows are read anew, and are those that this service wrote:
 * no caller's word counts, and none of who writes the database (BrokenSealError).
 *
 * - `dead`: every node that is configured for the network (`witnessesOf`) says so of each signed transaction, and no
 *   MPC node can have a signature that is not stored.
 * - `alive`: one of them has landed, waits, may land, or may still be signed.
 * - `disputed`: a node contradicts another, cannot tell, or cannot be asked. `reason` is a sentence for the history:
 *   the withdrawal waits.
 */
export async function judgeEarlier(
  { db, seals }: { db: Database; seals: Seals },
  witnesses: readonly Chain[],
  withdrawal: WithdrawalRow,
  before = Number.POSITIVE_INFINITY,
): Promise<Verdict> {
  const rows = (await listSealedTransactions(db, seals, withdrawal.id)).filter(({ ordinal }) => ordinal < before);
  for (const row of rows.filter(({ signed }) => signed === null))
    if (await maybeSigned(db, withdrawal, row))
      return { outcome: 'alive', reason: `Transaction ${row.ordinal + 1} may still be signed.` };
  const verdict = await judgeFates(witnesses, rows.flatMap(asSent));
  if (verdict.outcome !== 'dead') return verdict;
  const lost = await findLost(db, rows);
  if (lost.length === 0) return verdict;
  // Signed by a node that kept the signature, it has another hash: where nothing takes its place every node is asked
  // for its content.
  if (canJudgeBuilt(witnesses)) {
    const ofBuilt = await judgeBuilt(witnesses, lost.map(asBuilt));
    if (ofBuilt.outcome !== 'dead' && !(await isSeenTo(db, withdrawal, ofBuilt)))
      return { ...ofBuilt, outcome: 'disputed' };
  }
  if (!(await mayHaveLanded(db, withdrawal, rows))) return verdict;
  const reason = `${verdict.reason.replace(/\.$/, '')}: perhaps by its own transaction, signed by a node that kept the signature.`;
  return { outcome: 'disputed', reason };
}

const asSent = ({ signed, txHash, createdAt, validUntil }: ChainTransactionRow): SentTransaction[] =>
  signed === null || txHash === null ? [] : [{ raw: signed, txHash, builtAt: createdAt, validUntil }];

/**
 * While an operation of its is open, or when all have succeeded: whoever reads their signatures could put them into it.
 */
async function maybeSigned(
  db: Database,
  { workspaceId }: WithdrawalRow,
  { signingIds }: ChainTransactionRow,
): Promise<boolean> {
  const signings = await findSigningRequests(db, workspaceId, signingIds);
  return signings.length !== signingIds.length || signings.every(({ status }) => status !== 'failed');
}

/** Those that move something, of which an MPC node may have kept a signature. */
async function findLost(db: Database, rows: readonly ChainTransactionRow[]): Promise<ChainTransactionRow[]> {
  const lost: ChainTransactionRow[] = [];
  for (const row of rows.filter(({ kind }) => !movesNothing(kind)))
    if ((await findLostSignatures(db, row.signingIds)) !== 'none') lost.push(row);
  return lost;
}

/**
 * Of some whose signature may be lost: until an operator has said what has left the wallet, or nothing has, which is
 * known a while after.
 */
async function mayHaveLanded(
  db: Database,
  { walletId }: WithdrawalRow,
  rows: readonly ChainTransactionRow[],
): Promise<boolean> {
  const newestMs = Math.max(...rows.map(({ createdAt }) => createdAt.getTime()));
  return Date.now() - newestMs < OUTFLOWS_KNOWN_AFTER_MS || hasUnresolvedOutflow(db, walletId);
}
