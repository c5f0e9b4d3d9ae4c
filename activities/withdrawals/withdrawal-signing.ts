// The signing operations of a withdrawal's transaction: their rows, and the tasks that the `sign` workflow takes.

import { sha256 } from '@noble/hashes/sha2.js';
import { ApplicationFailure } from '@temporalio/common';
import { v5 as uuidv5 } from 'uuid';
import { type SigningPayload } from '../../domain/signing/signing-payload.ts';
import { workflowIdOf, workflowIdOfRow } from '../../domain/workflow-ids.ts';
import type { SigningTask } from '../../domain/workflow-inputs.ts';
import type { Database, Transaction } from '../../drizzle/database/connection.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import { findSigningRequests } from '../../drizzle/signing-requests/signing-queries.ts';
import { insertSigningRequest } from '../../drizzle/signing-requests/signing-steps.ts';
import type { ChainTransactionRow } from '../../drizzle/withdrawals/chain-transactions.ts';
import type { WithdrawalContext } from '../../drizzle/withdrawals/withdrawal-context.ts';
import type { Payload } from '../mpc/port.ts';
import { contentOf, digestOf, isSolana } from '../mpc/verify/digest.ts';
import { decodePayload } from '../signing/decode-payload.ts';
import type { TransactionRequest } from './withdrawal-transfer.ts';

const NAMESPACE = '7369676e-6564-4000-8000-6f6e63650000';

/**
 * The ids of a transaction's signing operations follow from the withdrawal, the ordinal and the input. The nodes bind
 * an id to its message for ever, so there are never two messages for one ordinal, whatever becomes of the rows.
 */
export const signingIdsOf = (withdrawalId: string, ordinal: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => uuidv5(`${withdrawalId}/${ordinal}/${index}`, NAMESPACE));

export interface Signings {
  signingIds: readonly string[];
  payloads: readonly SigningPayload[];
  /** Their workflows get ids that carry the type. Of a workflow of before they run under the bare ids. */
  namesChildren?: boolean | undefined;
}

/** One row for each payload, under these ids. Not retried: ids that are taken, by rows whose transaction is gone. */
export async function insertSignings(
  tx: Transaction,
  seals: Seals,
  { withdrawal, network }: WithdrawalContext,
  { signingIds, payloads, namesChildren }: Signings,
): Promise<void> {
  if ((await findSigningRequests(tx, withdrawal.workspaceId, signingIds)).length > 0)
    throw ApplicationFailure.nonRetryable('it was made before, and its row is gone', 'row_not_sealed');
  for (const [index, payload] of payloads.entries()) {
    const id = signingIds[index] ?? '';
    await insertSigningRequest(tx, seals, {
      id,
      workflowId: namesChildren === true ? workflowIdOf('sign', id) : null,
      workspaceId: withdrawal.workspaceId,
      walletId: withdrawal.walletId,
      operationType: 'withdrawal',
      withdrawalId: withdrawal.id,
      networkInternalCode: network.internalCode,
      keyType: network.curve,
      signingHash: `0x${Buffer.from(hashOf(decodePayload(payload))).toString('hex')}`,
      unsignedTx: 'hex' in payload ? payload.hex : '0x',
      derivationPath: withdrawal.derivationPath,
      payloadKind: payload.kind,
    });
  }
}

/** What stands for a payload in lists; of a Solana message, which is signed itself, its SHA-256. */
function hashOf(payload: Payload): Uint8Array {
  return isSolana(payload) ? sha256(contentOf(payload)) : digestOf(payload);
}

/** What a `sign` workflow takes, and the id under which it runs: the bare one of its row when there is none. */
export interface SigningChild extends SigningTask {
  workflowId?: string;
}

/** In the order of the payloads, as their rows name them. */
export async function signingChildren(
  db: Database,
  { withdrawal, network }: WithdrawalContext,
  { signingIds, payloads }: ChainTransactionRow,
  { namesChildren }: TransactionRequest,
): Promise<SigningChild[]> {
  const { workspaceId, walletId } = withdrawal;
  const rows = namesChildren === true ? await findSigningRequests(db, workspaceId, signingIds) : [];
  const named = new Map(rows.map((row) => [row.id, workflowIdOfRow(row)]));
  return payloads.map(({ kind }, index) => {
    const signingId = signingIds[index] ?? '';
    const workflowId = named.get(signingId);
    const task = { signingId, workspaceId, walletId, networkCode: network.internalCode, kind };
    return workflowId === undefined ? task : { ...task, workflowId };
  });
}
