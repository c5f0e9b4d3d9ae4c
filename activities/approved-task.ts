// Whether a signing task is exactly what was approved: the row as it is now, and the task as it lies in the workflow's history. Signs nothing.
import { ApplicationFailure } from '@temporalio/common';
import { signingDigest } from '../drizzle/approved-content.ts';
import { digestOf, type Json } from '../drizzle/canonical-json.ts';
import type { Database } from '../drizzle/database.ts';
import { payloadOf } from '../drizzle/signing-payloads.ts';
import { findSigningRequest, type SigningRequestRow } from '../drizzle/signing-requests.ts';
import type { Curve } from '../drizzle/status.ts';
import { assertApproved } from './approvals.ts';

/** What decides over a signature: whose key, and of what. */
interface Asked {
  workspaceId: string;
  walletId: string;
  networkCode: string;
  curve: Curve;
  path: readonly number[];
  payload: unknown;
}

/** Answers the digest of what was approved. Throws, never to be retried, when the row or the task differs from it in any byte. */
export async function assertTaskApproved(db: Database, task: Asked & { signingId: string }): Promise<string> {
  const row = await findSigningRequest(db, task.workspaceId, task.signingId);
  if (row === undefined) throw ApplicationFailure.nonRetryable('the signing request does not exist', 'not_found');
  const digest = signingDigest(row);
  await assertApproved(db, row.id, digest);
  if (digestOf(askedOf(task)) === digestOf(askedOf(taskOf(row)))) return digest;
  throw ApplicationFailure.nonRetryable('what its workflow would sign is not what was approved', 'approval_void');
}

const askedOf = ({ workspaceId, walletId, networkCode, curve, path, payload }: Asked): Json => ({
  workspaceId,
  walletId,
  networkCode,
  curve,
  path: path.join('/'),
  payload: payload as Json,
});

const taskOf = (row: SigningRequestRow): Asked => ({
  workspaceId: row.workspaceId,
  walletId: row.walletId,
  networkCode: row.networkInternalCode,
  curve: row.keyType,
  path: pathOf(row.derivationPath),
  payload: payloadOf(row),
});

/** `m/44/60/0/0/0`; `m` alone has no step. */
const pathOf = (text: string) => text.split('/').slice(1).map(Number);
