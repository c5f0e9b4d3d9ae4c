// The way of every write: replay guard, idempotency key, the change and, where workflows follow, their outbox entries in one SQL transaction; the
// workflows after the commit.
// Nothing is stored for a request that is refused.
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { claimIdempotencyKey, claimSignature } from '../../drizzle/accepted-writes.ts';
import type { Database, Transaction } from '../../drizzle/database.ts';
import { insertOutboxEntry } from '../../drizzle/outbox.ts';
import type { WorkflowStart, WorkflowStarter } from '../start-workflow.ts';
import { ApiError, AuthenticationError } from './errors.ts';

export interface Operation<Result> {
  /** What a repeat of the idempotency key finds again: the operation made, or the resource changed. */
  id: string;
  /** The wallet or operation that the route names, or empty. */
  target: string;
  /** One workflow, or one for each operation of a batch. Absent when the change is the whole effect. */
  start?: WorkflowStart | readonly WorkflowStart[];
  /** Makes the change, or throws what keeps it from being accepted now. */
  insert(tx: Transaction): Promise<Result>;
  /** The operation that an earlier request with this idempotency key made. */
  find(tx: Transaction, id: string): Promise<Result | undefined>;
}

export interface WriteDependencies {
  db: Database;
  starter: WorkflowStarter;
}

export async function acceptWrite<Result>(
  { db, starter }: WriteDependencies,
  request: FastifyRequest,
  operation: Operation<Result>,
): Promise<{ created: boolean; result: Result }> {
  const idempotencyKey = readIdempotencyKey(request);
  const starts = operation.start === undefined ? [] : [operation.start].flat();
  const { entries, ...outcome } = await db.transaction(async (tx) => {
    const earlierId = await passGuards(tx, request, operation, idempotencyKey);
    if (earlierId !== undefined) {
      const result = await operation.find(tx, earlierId);
      if (result === undefined) throw new Error('an idempotency key points to an operation that is not there');
      return { created: false, result, entries: [] };
    }
    const [result, ...stored] = await Promise.all([
      operation.insert(tx),
      ...starts.map((start) => insertOutboxEntry(tx, start)),
    ]);
    return { created: true, result, entries: stored };
  });
  for (const entry of entries) starter.enqueue(entry);
  return outcome;
}

/** Returns the id of the operation that came first, if there is one. */
async function passGuards(
  tx: Transaction,
  request: FastifyRequest,
  operation: { id: string; target: string },
  idempotencyKey: string | undefined,
): Promise<string | undefined> {
  const { key, signature } = request.caller;
  const requestHash = hashRequest(request);
  const [signatureClaim, idempotencyClaim] = await Promise.all([
    claimSignature(tx, { apiKeyId: key.id, signature, idempotencyKey }),
    idempotencyKey === undefined
      ? ({ claimed: true } as const)
      : claimIdempotencyKey(tx, {
          workspaceId: key.workspaceId,
          route: `${request.method} ${request.routeOptions.url}`,
          target: operation.target,
          key: idempotencyKey,
          requestHash,
          operationId: operation.id,
        }),
  ]);
  if (signatureClaim === 'replayed') throw new AuthenticationError('replayed signature');
  if (idempotencyClaim.claimed) return undefined;
  if (!requestHash.equals(idempotencyClaim.requestHash))
    throw new ApiError(
      'idempotency_key_reused',
      'This X-Idempotency-Key was used with another request: take a new key.',
    );
  return idempotencyClaim.operationId;
}

function readIdempotencyKey(request: FastifyRequest): string | undefined {
  const value = request.headers['x-idempotency-key'];
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || !/^[\x21-\x7e]{1,128}$/.test(value))
    throw new ApiError('invalid_request', 'X-Idempotency-Key must be 1 to 128 visible ASCII characters.');
  return value;
}

function hashRequest(request: FastifyRequest): Buffer {
  const hash = createHash('sha256');
  hash.update(`${request.method} ${request.raw.url}\n`);
  return hash.update(request.rawBody).digest();
}
