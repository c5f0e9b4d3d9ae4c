// Ends a withdrawal of which nothing is signed: failed, with its money, nonce and coins given back. What is signed is
// never abandoned: it could land. Of what may be signed, by nodes that did not say so, the nonce or the coins are used
// up first; where there are neither, it must have expired.

import { type FailureCode } from '../../domain/failures.ts';
import { isFinal, withdrawalArrows } from '../../domain/statuses.ts';
import { type AbandonmentFacts, judgeAbandonment } from '../../domain/withdrawals/abandonment.ts';
import type { Transaction } from '../database/connection.ts';
import { endSigningRequest, recordEnd } from '../operations/end-operations.ts';
import { hasUnresolvedOutflow } from '../outflows/outflows.ts';
import type { Seals } from '../seals/seals.ts';
import { findLostSignatures } from '../signing-requests/signing-attempts.ts';
import { findSigningRequests } from '../signing-requests/signing-queries.ts';
import {
  advanceChainTransaction,
  type ChainTransactionRow,
  listChainTransactions,
  sealedChainTransactions,
  sealedSignedTransactions,
} from '../withdrawals/chain-transactions.ts';
import { freeNonce } from '../withdrawals/nonces.ts';
import { freeCoins, listReservedCoins } from '../withdrawals/reserved-coins.ts';
import { advanceWithdrawal } from '../withdrawals/withdrawal-steps.ts';
import { lockWithdrawal, type WithdrawalRow } from '../withdrawals/withdrawals.ts';

export interface WithdrawalFailure {
  errorCode: FailureCode;
  errorReason: string;
}

/**
 * `signed`: it can no longer be stopped, and `ordinal` is the transaction that is out or could be. `fill`: others stand
 * behind its nonce, or a node may have its signature: a transaction that moves nothing must use up its nonce or coins,
 * under this `ordinal`; why the withdrawal will fail then is noted on its row. `unclear`: to be asked again, because a
 * signature may still appear, or land.
 */
export type Abandonment =
  | { outcome: 'ended' }
  | { outcome: 'unclear' }
  | { outcome: 'fill' | 'signed'; ordinal: number };

/**
 * Idempotent by withdrawal. `provenDead`: ids of its transactions that every node of the network says can never land,
 * whoever has signed them: without that one that a node may have signed, and that nothing takes the place of, stays
 * `unclear`. Of one with a transaction that this service did not write nothing is known: it stays `unclear`, and no
 * money is given back.
 */
export async function abandonWithdrawal(
  tx: Transaction,
  seals: Seals,
  id: string,
  { provenDead, ...failure }: WithdrawalFailure & { provenDead?: ReadonlySet<string> },
): Promise<Abandonment> {
  const withdrawal = await lockWithdrawal(tx, id);
  if (withdrawal === undefined || isFinal(withdrawalArrows, withdrawal.status)) return { outcome: 'ended' };
  const rows = await listChainTransactions(tx, id);
  if (!rows.every((row) => sealedChainTransactions.counts(seals, row) && sealedSignedTransactions.counts(seals, row)))
    return { outcome: 'unclear' };
  if (rows.every((row) => row.signed === null)) await closeSignings(tx, seals, rows, failure);
  const signed = await findSigned(tx, withdrawal.workspaceId, rows);
  if (signed !== undefined) return { outcome: 'signed', ordinal: signed.ordinal };
  const verdict = judgeAbandonment(await readFacts(tx, withdrawal, rows, provenDead));
  if (verdict === 'ask_again') return { outcome: 'unclear' };
  for (const row of rows.filter(({ status }) => status === 'built'))
    await advanceChainTransaction(tx, row.id, { from: 'built', to: 'abandoned' });
  if (verdict === 'give_back' && (await freeNonce(tx, id))) {
    await freeCoins(tx, id);
    const { errorCode, errorReason } = withdrawal;
    const why = errorCode === null || errorReason === null ? failure : { errorCode, errorReason };
    if (
      await advanceWithdrawal(tx, id, { from: withdrawal.status, to: 'failed', fields: why, details: why.errorReason })
    )
      await recordEnd(tx, seals, withdrawal, why);
    return { outcome: 'ended' };
  }
  if (withdrawal.errorCode === null) {
    const why =
      verdict === 'use_up' ? 'A node may have its signature: what it spends' : 'Others stand behind its nonce, which';
    const details = `It will fail: ${failure.errorReason}. ${why} is used up first.`;
    await advanceWithdrawal(tx, id, {
      from: 'processing',
      to: 'processing',
      fields: { ...failure, subStatus: 'replaced' },
      details,
    });
  }
  return { outcome: 'fill', ordinal: rows.length };
}

async function readFacts(
  tx: Transaction,
  { walletId }: WithdrawalRow,
  rows: readonly ChainTransactionRow[],
  provenDead: ReadonlySet<string> = new Set(),
): Promise<AbandonmentFacts> {
  const signingIds = rows.flatMap((row) => row.signingIds);
  return {
    lostSignature: await findLostSignatures(tx, signingIds),
    isReplaceable: await isReplaceable(tx, rows),
    isProvenDead: rows.every(({ id }) => provenDead.has(id)),
    builtAgoMs: Date.now() - (rows.at(-1)?.createdAt.getTime() ?? 0),
    hasUnresolvedOutflow: await hasUnresolvedOutflow(tx, walletId),
  };
}

const isReplaceable = async (tx: Transaction, rows: readonly ChainTransactionRow[]): Promise<boolean> =>
  rows.some(({ nonce }) => nonce !== null) ||
  (rows[0] !== undefined && (await listReservedCoins(tx, rows[0].withdrawalId)).length > 0);

/**
 * What a worker may still have under way for them finds its operation closed, so that no signature appears after this.
 * One that is there already stays.
 */
export async function closeSignings(
  tx: Transaction,
  seals: Seals,
  rows: readonly ChainTransactionRow[],
  failure: WithdrawalFailure,
): Promise<void> {
  const fields = { statusReason: 'cancelled' as const, ...failure };
  for (const id of rows.filter(({ status }) => status === 'built').flatMap(({ signingIds }) => signingIds)) {
    if (!(await endSigningRequest(tx, seals, id, { from: 'submitted', fields })))
      await endSigningRequest(tx, seals, id, { from: 'pending', fields });
  }
}

/**
 * The newest one. Also when its signatures are there and were not put into the transaction yet: whoever reads them
 * could.
 */
async function findSigned(
  tx: Transaction,
  workspaceId: string,
  rows: readonly ChainTransactionRow[],
): Promise<ChainTransactionRow | undefined> {
  for (const row of rows.toReversed()) {
    if (row.signed !== null) return row;
    if (row.status === 'abandoned') continue;
    const signings = await findSigningRequests(tx, workspaceId, row.signingIds);
    if (signings.length > 0 && signings.every(({ status }) => status === 'success')) return row;
  }
  return undefined;
}
