// Accepts a batch of requests for signatures: each item is read by itself, and all that are accepted are stored in one
// transaction.
import { setImmediate } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import type { BatchOutcome } from '../../domain/signing/batch-outcome.ts';
import type { Transaction } from '../../drizzle/database/connection.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import { type SigningRequestView, viewSigningRequests } from '../../drizzle/signing-requests/signing-approvals.ts';
import { findBatchOutcomes, insertSigningBatch } from '../../drizzle/signing-requests/signing-batches.ts';
import { ApiError } from '../http/errors.ts';
import { decideEach } from '../policies/decide.ts';
import { assertWalletMaySign } from '../wallets/assert-can-sign.ts';
import { acceptWrite } from '../writes/accept-write.ts';
import { assertSignable } from './assert-signable.ts';
import { readMessage } from './bodies/read-message.ts';
import type { SigningWallet } from './bodies/read-offchain.ts';
import { readSignBody } from './bodies/read-sign-body.ts';
import { readTransaction } from './bodies/read-transaction.ts';
import { readTypedData } from './bodies/read-typed-data.ts';
import type { BatchItem } from './bodies/sign-bodies.schema.ts';
import { assertRawEnabled } from './raw-switch.ts';
import {
  type AcceptedOperation,
  denialOf,
  insertMoved,
  insertSigningOperation,
  type Owner,
  type PlannedOperation,
  planOperation,
  type SigningDependencies,
  type Storing,
} from './request-signature.ts';
import { missingSignerCheck } from './require-solana-signer.ts';
import type { SigningIntent } from './signing-intent.ts';

export type ItemResult = SigningRequestView | { code: string; message: string };

export async function requestBatch(
  dependencies: SigningDependencies,
  request: FastifyRequest,
  walletId: string,
  items: readonly BatchItem[],
): Promise<{ created: boolean; result: readonly ItemResult[] }> {
  const { key } = request.caller;
  const { workspaceId, userId: initiator } = key;
  const owner = { workspaceId, walletId };
  const planned = await planBatch(dependencies, { ...owner, initiator, production: dependencies.production }, items);
  assertDistinctNames(items);
  const id = uuidv7();
  try {
    return await acceptWrite(dependencies, request, {
      id,
      target: walletId,
      make: async (tx, start, note) => {
        await assertWalletMaySign(tx, workspaceId, walletId);
        const { accepted, outcomes } = await decideBatch(
          tx,
          dependencies.seals,
          await refuseMissingSigners(tx, dependencies.seals, owner, planned),
        );
        if (accepted.length === 0) throw new NothingAccepted(outcomes);
        await dependencies.quotas.admitOperations(tx, workspaceId, accepted.length);
        note({ after: { id, outcomes } });
        const rows = await insertAll({ tx, seals: dependencies.seals, start, key }, accepted);
        await insertMoved(tx, accepted);
        await insertSigningBatch(tx, { id, ...owner, outcomes });
        return resultsOf(outcomes, rows);
      },
      find: (tx, earlierId) => findResults(tx, workspaceId, earlierId),
    });
  } catch (error) {
    if (!(error instanceof NothingAccepted)) throw error;
    request.refusedCode = error.code;
    return { created: false, result: resultsOf(error.outcomes, []) };
  }
}

/** The second of two would be refused for a first that is not there: the batch is stored whole or not at all. */
function assertDistinctNames(items: readonly BatchItem[]): void {
  const names = items.flatMap(({ external_id: name }) => (name === undefined ? [] : [name]));
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new ApiError('invalid_request', `Two items have the external_id ${twice}: each item needs one of its own.`);
}

async function insertAll(into: Storing, accepted: readonly AcceptedOperation[]): Promise<SigningRequestView[]> {
  const ordered = inLockOrder(accepted);
  const insertOne = ({ operation, decision }: AcceptedOperation) => insertSigningOperation(into, operation, decision);
  // Side by side only what is one statement each: a second one could follow when another operation has failed already,
  // and the transaction with it.
  if (ordered.every(({ decision }) => decision.action === 'allow')) return Promise.all(ordered.map(insertOne));
  const views: SigningRequestView[] = [];
  for (const one of ordered) views.push(await insertOne(one));
  return views;
}

/** By external id: two batches that name the same ones wait for each other, never both ways. */
const inLockOrder = (accepted: readonly AcceptedOperation[]) =>
  accepted.toSorted((one, other) =>
    (one.operation.row.externalId ?? '') < (other.operation.row.externalId ?? '') ? -1 : 1,
  );

/** Undoes the transaction of a batch of which nothing is left. */
class NothingAccepted extends Error {
  readonly outcomes: readonly BatchOutcome[];

  constructor(outcomes: readonly BatchOutcome[]) {
    super('every item of a batch was refused');
    this.outcomes = outcomes;
  }

  /** Of the first item. */
  get code(): string | undefined {
    return this.outcomes.map((outcome) => ('code' in outcome ? outcome.code : undefined))[0];
  }
}

/** One for each item, in the order of the items: what is to be stored, or why it was refused. */
type PlannedItem = PlannedOperation | ApiError;

async function refuseMissingSigners(
  tx: Transaction,
  seals: Seals,
  { workspaceId, walletId }: { workspaceId: string; walletId: string },
  planned: readonly PlannedItem[],
): Promise<PlannedItem[]> {
  const check = missingSignerCheck(tx, seals, { workspaceId, id: walletId });
  return Promise.all(planned.map(async (item) => (item instanceof ApiError ? item : ((await check(item)) ?? item))));
}

/** All are decided before any is stored, so that whoever waits for a lock of the policy holds nothing yet. */
async function decideBatch(
  tx: Transaction,
  seals: Seals,
  planned: readonly PlannedItem[],
): Promise<{ accepted: AcceptedOperation[]; outcomes: BatchOutcome[] }> {
  const operations = planned.filter((item): item is PlannedOperation => !(item instanceof ApiError));
  const decisions = await decideEach(
    tx,
    seals,
    operations.map(({ intent }) => intent),
  );
  const byOperation = new Map(operations.map((operation, index) => [operation, decisions[index]]));
  const accepted: AcceptedOperation[] = [];
  const outcomes = planned.map((item): BatchOutcome => {
    if (item instanceof ApiError) return { code: item.code, message: item.message };
    const decision = byOperation.get(item);
    if (decision === undefined) throw new Error('an item of a batch was not decided');
    const denial = denialOf(decision);
    if (denial !== undefined) return { code: denial.code, message: denial.message };
    accepted.push({ operation: item, decision });
    return { signingId: item.row.id };
  });
  return { accepted, outcomes };
}

async function planBatch(
  dependencies: SigningDependencies,
  owner: Owner,
  items: readonly BatchItem[],
): Promise<PlannedItem[]> {
  const planned: PlannedItem[] = [];
  for (const item of items) {
    // Hashing a large document takes its time: other requests go on between the items.
    await setImmediate();
    const intent = await readItem({ ...dependencies, ...owner }, item);
    planned.push(
      intent instanceof ApiError ? intent : planOperation({ id: uuidv7(), ...owner }, intent, item.external_id),
    );
  }
  return planned;
}

type ItemDependencies = Pick<SigningDependencies, 'networks' | 'signRawEnabled'> & SigningWallet;

/** What refuses one item leaves the others alone; what is no fault of the item ends the request. */
async function readItem(dependencies: ItemDependencies, item: BatchItem): Promise<SigningIntent | ApiError> {
  try {
    return await readByType(dependencies, item);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

export const readByType = async (dependencies: ItemDependencies, item: BatchItem): Promise<SigningIntent> =>
  assertSignable(dependencies, await readIntent(dependencies, item));

async function readIntent(dependencies: ItemDependencies, item: BatchItem): Promise<SigningIntent> {
  const { networks } = dependencies;
  switch (item.type) {
    case 'raw':
      assertRawEnabled(dependencies);
      return readSignBody(networks, item);
    case 'message':
      return readMessage(networks, item, dependencies);
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
  return resultsOf(outcomes, await viewSigningRequests(tx, workspaceId, ids));
}

function resultsOf(outcomes: readonly BatchOutcome[], rows: readonly SigningRequestView[]): readonly ItemResult[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return outcomes.map((outcome) => {
    if (!('signingId' in outcome)) return outcome;
    const row = byId.get(outcome.signingId);
    if (row === undefined) throw new Error('a batch names an operation that is not there');
    return row;
  });
}
