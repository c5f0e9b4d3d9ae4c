// Accepts a batch of requests for signatures: each item is read by itself, and all that are accepted are stored in one transaction.
import { setImmediate } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import type { Transaction } from '../../drizzle/database.ts';
import { type BatchOutcome, findBatchOutcomes, insertSigningBatch } from '../../drizzle/signing-batches.ts';
import { findSigningRequests, type SigningRequestRow } from '../../drizzle/signing-requests.ts';
import { acceptWrite } from '../http/accept-write.ts';
import { ApiError } from '../http/errors.ts';
import { assertRawEnabled } from './raw-switch.ts';
import { readMessage } from './read-message.ts';
import { readSignBody } from './read-sign-body.ts';
import { readTransaction } from './read-transaction.ts';
import { readTypedData } from './read-typed-data.ts';
import {
  assertCanSign,
  insertOperation,
  type PlannedOperation,
  planOperation,
  type SigningDependencies,
} from './request-signature.ts';
import type { BatchItem } from './sign-bodies.schema.ts';
import type { SigningIntent } from './signing-content.ts';

export type ItemResult = SigningRequestRow | { code: string; message: string };

export async function requestBatch(
  dependencies: SigningDependencies,
  request: FastifyRequest,
  walletId: string,
  items: readonly BatchItem[],
): Promise<{ created: boolean; result: readonly ItemResult[] }> {
  const { workspaceId } = request.caller.key;
  const owner = { workspaceId, walletId };
  const planned: PlannedOperation[] = [];
  const outcomes: BatchOutcome[] = [];
  for (const item of items) {
    // Hashing a large document takes its time: other requests go on between the items.
    await setImmediate();
    const intent = await readItem(dependencies, item);
    if (intent instanceof ApiError) {
      outcomes.push({ code: intent.code, message: intent.message });
      continue;
    }
    const operation = planOperation(owner, intent, item.external_id);
    planned.push(operation);
    outcomes.push({ signingId: operation.row.id });
  }
  const id = uuidv7();
  try {
    return await acceptWrite(dependencies, request, {
      id,
      target: walletId,
      start: planned.map(({ start }) => start),
      insert: async (tx) => {
        await assertCanSign(tx, workspaceId, walletId);
        if (planned.length === 0) throw new NothingAccepted();
        const [rows] = await Promise.all([
          Promise.all(inLockOrder(planned).map((operation) => insertOperation(tx, operation))),
          insertSigningBatch(tx, { id, ...owner, outcomes }),
        ]);
        return resultsOf(outcomes, rows);
      },
      find: (tx, earlierId) => findResults(tx, workspaceId, earlierId),
    });
  } catch (error) {
    if (error instanceof NothingAccepted) return { created: false, result: resultsOf(outcomes, []) };
    throw error;
  }
}

/** By external id: two batches that name the same ones wait for each other, never both ways. */
const inLockOrder = (operations: readonly PlannedOperation[]) =>
  operations.toSorted((one, other) => ((one.row.externalId ?? '') < (other.row.externalId ?? '') ? -1 : 1));

/** Undoes the transaction of a batch of which nothing is left. */
class NothingAccepted extends Error {}

/** What refuses one item leaves the others alone; what is no fault of the item ends the request. */
async function readItem(dependencies: SigningDependencies, item: BatchItem): Promise<SigningIntent | ApiError> {
  try {
    return await readByType(dependencies, item);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

async function readByType(dependencies: SigningDependencies, item: BatchItem): Promise<SigningIntent> {
  const { networks } = dependencies;
  switch (item.type) {
    case 'raw':
      assertRawEnabled(dependencies);
      return readSignBody(networks, item);
    case 'message':
      return readMessage(networks, item);
    case 'typed':
      return readTypedData(networks, item);
    case 'transaction':
      return readTransaction(networks, item);
  }
}

async function findResults(
  tx: Transaction,
  workspaceId: string,
  batchId: string,
): Promise<readonly ItemResult[] | undefined> {
  const outcomes = await findBatchOutcomes(tx, workspaceId, batchId);
  if (outcomes === undefined) return undefined;
  const ids = outcomes.flatMap((outcome) => ('signingId' in outcome ? [outcome.signingId] : []));
  return resultsOf(outcomes, await findSigningRequests(tx, workspaceId, ids));
}

function resultsOf(outcomes: readonly BatchOutcome[], rows: readonly SigningRequestRow[]): readonly ItemResult[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return outcomes.map((outcome) => {
    if (!('signingId' in outcome)) return outcome;
    const row = byId.get(outcome.signingId);
    if (row === undefined) throw new Error('a batch names an operation that is not there');
    return row;
  });
}
