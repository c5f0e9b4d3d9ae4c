// Makes and sends the transactions of a withdrawal. What is journaled is gone on with, never made twice, and the signed
// bytes are a row before they are broadcast.
import { ApplicationFailure } from '@temporalio/common';
import { bitcoinNetworkOf } from '../../domain/catalog/bitcoin-networks.ts';
import { isFailureCode } from '../../domain/failures.ts';
import { type ChainTransactionStatus, isFinal, withdrawalArrows } from '../../domain/statuses.ts';
import type { FeeCapSettings } from '../../domain/withdrawals/fee-caps.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import { findSigningRequests } from '../../drizzle/signing-requests/signing-queries.ts';
import type { SigningRequestRow } from '../../drizzle/signing-requests/signing-requests.ts';
import { withdrawalDigest } from '../../drizzle/votes/approved-content.ts';
import {
  type ChainTransactionRow,
  listSealedTransactions,
  storeSigned,
} from '../../drizzle/withdrawals/chain-transactions.ts';
import type { WithdrawalContext } from '../../drizzle/withdrawals/withdrawal-context.ts';
import { noteWithdrawalWait } from '../../drizzle/withdrawals/withdrawal-waits.ts';
import { witnessesOf } from '../chains/agreement-of-nodes.ts';
import { asChainFailure, isRetried, lacksFunds, missingIn, requireChain } from '../chains/chain-failure.ts';
import type { Chains } from '../chains/connect-chains.ts';
import { addressOf } from '../chains/key-address.ts';
import type { Chain } from '../chains/port/chain.ts';
import type { SignedTransaction } from '../chains/port/transactions.ts';
import { OneAtATime } from '../runtime/one-at-a-time.ts';
import { withHeartbeat } from '../runtime/with-heartbeat.ts';
import { approvedDigestOf } from '../signing/approvals.ts';
import type { ShortAttempts } from '../signing/short-attempts.ts';
import { goOnAtOnce, type Prepared, type Sent, type StepsAtOnce, signSideBySide } from './go-on-at-once.ts';
import { mayMakeTransaction } from './may-make-transaction.ts';
import { noteBroadcast } from './note-broadcast.ts';
import { assertNotFrozen, requireWithdrawal } from './require-withdrawal.ts';
import { attemptsEndAt, reportShortage } from './shortages.ts';
import { holdBackUntilRead } from './unread-blocks.ts';
import { journalTransaction } from './withdrawal-journal.ts';
import { signingChildren } from './withdrawal-signing.ts';
import type { TransactionAttempt, TransactionRequest } from './withdrawal-transfer.ts';

export interface SendDependencies {
  db: Database;
  chains: Chains;
  seals: Seals;
  /** The operator's own caps of fees; what is not named has the default (domain/withdrawals/fee-caps.ts). */
  feeCaps?: FeeCapSettings | undefined;
  /** Those of all that this worker signs. */
  shortAttempts: ShortAttempts;
  follow: StepsAtOnce['follow'];
}

/** On their chain's way, or there: not sent by this once more. */
const sentStatuses: ReadonlySet<ChainTransactionStatus> = new Set(['broadcast', 'included']);

export function createSendActivities({ db, chains, seals, feeCaps, shortAttempts, follow }: SendDependencies) {
  const steps = { sign: signSideBySide({ db, seals, shortAttempts }), follow };
  const untilRead = holdBackUntilRead(db);
  const accounts = new OneAtATime();

  /** Journals it, unless it is. */
  const prepare = async (sending: TransactionRequest): Promise<Prepared> => {
    const { withdrawalId, ordinal } = sending;
    const context = await requireWithdrawal(db, seals, withdrawalId);
    if (isFinal(withdrawalArrows, context.withdrawal.status)) return { outcome: 'ended' };
    assertNotFrozen(seals, context);
    // Before it is built: what is built is what this row says, and what was approved.
    await approvedDigestOf(db, seals, context.withdrawal, withdrawalDigest(context.withdrawal));
    try {
      const { internalCode } = context.network;
      const chain = requireChain(chains, internalCode);
      const witnesses = witnessesOf(chains, internalCode);
      const earlier = await listSealedTransactions(db, seals, withdrawalId);
      if (!earlier.some((row) => row.ordinal === ordinal)) {
        const asking = { db, seals, context, sending, earlier, witnesses };
        if (!(await mayMakeTransaction(asking))) return { outcome: 'ended' };
        await untilRead(chain, context.network);
        // What was read meanwhile may have frozen it.
        assertNotFrozen(seals, await requireWithdrawal(db, seals, withdrawalId));
        await journalTransaction({ ...asking, chain, feeCaps, accounts });
      }
    } catch (error) {
      const failure = asChainFailure(error);
      if (!lacksFunds(failure)) {
        if (isRetried(failure)) await noteWithdrawalWait(db, withdrawalId, 'queued', `It waits: ${failure.message}.`);
        throw failure;
      }
      // What is out may land while a replacement waited for funds.
      if (sending.kind === 'speed_up' || sending.kind === 'drop')
        throw ApplicationFailure.nonRetryable(failure.message, 'insufficient_funds');
      const short = { db, chain: requireChain(chains, context.network.internalCode), context, kind: sending.kind };
      await reportShortage({ ...short, waitsUntil: attemptsEndAt() }, refusalOf(failure));
      throw failure;
    }
    const journaled = (await listTransactions(db, seals, withdrawalId)).find((row) => row.ordinal === ordinal);
    if (journaled === undefined) return { outcome: 'ended' };
    const tasks = await signingChildren(db, context, journaled, sending);
    return { outcome: 'prepared', tasks };
  };

  const broadcast = async ({ withdrawalId, ordinal }: TransactionAttempt): Promise<Sent> => {
    const context = await requireWithdrawal(db, seals, withdrawalId);
    const row = (await listTransactions(db, seals, withdrawalId)).find((one) => one.ordinal === ordinal);
    if (row === undefined) throw ApplicationFailure.nonRetryable('the transaction was never built', 'not_found');
    // Whoever follows it sends what the nodes forget.
    if (sentStatuses.has(row.status)) return { outcome: 'sent' };
    const signatures = row.signed === null ? await signaturesOf(db, context, row) : [];
    const chain = requireChain(chains, context.network.internalCode);
    try {
      const signed = storedBytes(row) ?? (await assembleAndStore({ db, seals, chain, context }, row, signatures));
      const answer = await chain.broadcast(signed.raw, row.validUntil ?? undefined);
      if (answer.outcome === 'accepted') {
        await noteBroadcast(db, context, row, signed.txHash);
        return { outcome: 'sent' };
      }
      if (answer.dead === true) return { outcome: 'dead', reason: answer.reason };
      await noteWithdrawalWait(db, withdrawalId, 'stuck', answer.reason);
      return { outcome: 'refused', reason: answer.reason };
    } catch (error) {
      const failure = asChainFailure(error);
      const short = { db, chain, context, kind: row.kind, maxFee: row.maxFeeBaseUnits, waitsUntil: null };
      if (lacksFunds(failure)) await reportShortage(short, refusalOf(failure));
      throw failure;
    }
  };

  return {
    /**
     * Idempotent by (withdrawal, ordinal): what is journaled is returned as it is. Another one is made only when the
     * rows say that it is due (may-make-transaction.ts): whoever calls this names a withdrawal and nothing else that is
     * believed. Retried while the wallet lacks the fee, or the fee is above the operator's cap: no nonce is taken
     * before. Retried also until the chain is read (unread-blocks.ts). Not retried: a freeze, a fee above the caller's
     * limit, a replacement that is above any limit or that the wallet cannot pay, and what the chain can never do. Then
     * goes on for as long as all goes well (go-on-at-once.ts).
     */
    async prepareTransaction(sending: TransactionRequest): Promise<Prepared> {
      return withHeartbeat(async () => {
        const prepared = await prepare(sending);
        return sending.goesOnAtOnce === true ? goOnAtOnce({ ...steps, broadcast }, sending, prepared) : prepared;
      });
    },

    /**
     * Idempotent by (withdrawal, ordinal): verifies and stores the bytes once, then broadcasts these and no others.
     * Retried while the node cannot be asked, or the sender lacks funds. Not retried: a signature that there is not.
     */
    async broadcastTransaction(sending: TransactionAttempt): Promise<Sent> {
      return withHeartbeat(() => broadcast(sending));
    },
  };
}

const refusalOf = (failure: ApplicationFailure) => ({ message: failure.message, missing: missingIn(failure) });

/** In the order of the payloads. A signing operation that failed ends the transaction with its own code. */
async function signaturesOf(
  db: Database,
  { withdrawal }: WithdrawalContext,
  { signingIds }: ChainTransactionRow,
): Promise<{ signature: string; publicKey: string }[]> {
  const rows = await findSigningRequests(db, withdrawal.workspaceId, signingIds);
  const byId = new Map<string, SigningRequestRow>(rows.map((row) => [row.id, row]));
  return signingIds.map((id) => {
    const { status, statusReason, errorReason, signature, publicKey } = byId.get(id) ?? {};
    if (status === 'success' && signature != null && publicKey != null) return { signature, publicKey };
    const reason = `its signing operation ${id} is ${status ?? 'missing'}: ${errorReason ?? 'it has no result'}`;
    throw ApplicationFailure.nonRetryable(reason, isFailureCode(statusReason) ? statusReason : 'mpc_error');
  });
}

const storedBytes = ({ signed, txHash }: ChainTransactionRow): SignedTransaction | undefined =>
  signed === null || txHash === null ? undefined : { raw: signed, txHash };

async function listTransactions(db: Database, seals: Seals, withdrawalId: string): Promise<ChainTransactionRow[]> {
  try {
    return await listSealedTransactions(db, seals, withdrawalId);
  } catch (error) {
    throw asChainFailure(error);
  }
}

/** The signatures are those of the address that the sealed row names, whatever the rows of their operations say. */
async function assembleAndStore(
  { db, seals, chain, context }: { db: Database; seals: Seals; chain: Chain; context: WithdrawalContext },
  row: ChainTransactionRow,
  signatures: readonly { signature: string; publicKey: string }[],
): Promise<SignedTransaction> {
  const publicKey = signatures[0]?.publicKey ?? '';
  const { addressType, internalCode } = context.network;
  const signer = Buffer.from(publicKey.replace(/^0x/, ''), 'hex');
  if (addressOf(addressType, signer, bitcoinNetworkOf(internalCode)) !== row.fromAddress)
    throw ApplicationFailure.nonRetryable('its signature is of another key', 'signature_invalid');
  const signed = chain.assemble(
    row.unsigned,
    signatures.map(({ signature }) => signature),
    publicKey,
  );
  if (await storeSigned(db, seals, row, { signed: signed.raw, txHash: signed.txHash })) return signed;
  const stored = (await listSealedTransactions(db, seals, row.withdrawalId)).find(({ id }) => id === row.id);
  const bytes = stored === undefined ? undefined : storedBytes(stored);
  if (bytes === undefined) throw ApplicationFailure.nonRetryable('the transaction was abandoned', 'abandoned');
  return bytes;
}
