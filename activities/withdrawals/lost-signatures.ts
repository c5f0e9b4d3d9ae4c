// Which transactions of a withdrawal can never land although an MPC node may hold a signature that nobody stored: on
// chains where nothing takes their place, by the word of every node of the network. Gives nothing back, and moves no
// row but for noting a dispute.
import { ApplicationFailure } from '@temporalio/common';
import { ASKED_IN_ROW_STEP_MAX_MS } from '../../domain/time-limits.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { isResolvedOutflow } from '../../drizzle/outflows/outflows.ts';
import { BrokenSealError, type Seals } from '../../drizzle/seals/seals.ts';
import { type ChainTransactionRow, listSealedTransactions } from '../../drizzle/withdrawals/chain-transactions.ts';
import { clearDispute } from '../../drizzle/withdrawals/withdrawal-steps.ts';
import type { WithdrawalRow } from '../../drizzle/withdrawals/withdrawals.ts';
import { canJudgeBuilt, judgeBuilt, type Verdict, witnessesOf } from '../chains/agreement-of-nodes.ts';
import type { Chains } from '../chains/connect-chains.ts';
import { ChainError } from '../chains/port/chain-error.ts';
import type { BuiltTransaction } from '../chains/port/transactions.ts';
import { requireWithdrawal } from './require-withdrawal.ts';
import { noteDispute, singleNodeReason } from './withdrawal-disputes.ts';

export const asBuilt = ({ unsigned, createdAt, validUntil }: ChainTransactionRow): BuiltTransaction => ({
  unsigned,
  builtAt: createdAt,
  validUntil,
});

/** Their ids. None while a node cannot be asked in time, and where the chain has another way (`canJudgeBuilt`). */
export async function findProvenDead(
  dependencies: { db: Database; seals: Seals; chains: Chains },
  id: string,
): Promise<ReadonlySet<string>> {
  const late = new Promise<ReadonlySet<string>>((resolve) => {
    setTimeout(() => resolve(new Set()), ASKED_IN_ROW_STEP_MAX_MS).unref();
  });
  try {
    return await Promise.race([prove(dependencies, id), late]);
  } catch (error) {
    // Of rows that this service did not write nothing is known: it stays unclear, and an operator hears of the seal.
    const isUnsealed = error instanceof ApplicationFailure && error.type === 'row_not_sealed';
    if (isUnsealed || error instanceof BrokenSealError) return new Set();
    throw error;
  }
}

async function prove(
  { db, seals, chains }: { db: Database; seals: Seals; chains: Chains },
  id: string,
): Promise<ReadonlySet<string>> {
  const { withdrawal, network } = await requireWithdrawal(db, seals, id);
  const witnesses = witnessesOf(chains, network.internalCode);
  const rows = await listSealedTransactions(db, seals, id);
  if (rows.length === 0 || !canJudgeBuilt(witnesses)) return new Set();
  const proven = new Set<string>();
  for (const row of rows) {
    const verdict = await judgeBuilt(witnesses, [asBuilt(row)]).catch(asDisputed);
    if (verdict.outcome === 'disputed') {
      await noteDispute(db, id, verdict.reason);
      return new Set();
    }
    if (verdict.outcome === 'dead' || (await isSeenTo(db, withdrawal, verdict))) proven.add(row.id);
  }
  if (proven.size > 0 && witnesses.length === 1 && !chains.isTrustedAlone(network.internalCode)) {
    await noteDispute(db, id, singleNodeReason(network.internalCode));
    return new Set();
  }
  if (withdrawal.disputedAt !== null) await clearDispute(db, id);
  return proven;
}

/** It has landed, and an operator has looked at it and said what becomes of it. */
export const isSeenTo = async (
  db: Database,
  { networkId }: Pick<WithdrawalRow, 'networkId'>,
  { txHash }: Verdict,
): Promise<boolean> => txHash !== undefined && isResolvedOutflow(db, { networkId, txHash });

function asDisputed(error: unknown): Verdict {
  if (!(error instanceof ChainError)) throw error;
  return { outcome: 'disputed', reason: `The first node cannot answer (${error.message.replace(/\.$/, '')}).` };
}
