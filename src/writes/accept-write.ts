// The way of every write: replay guard, idempotency key, the change, its entry in the audit log and, where workflows
// follow, their outbox entries in one SQL transaction; the workflows after the commit. Nothing of it is stored for a
// request that is refused.
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Json } from '../../domain/canonical-json.ts';
import type { WorkflowStart } from '../../domain/workflow-inputs.ts';
import { insertAuditEntry } from '../../drizzle/audit/audit-entries.ts';
import { toSealedText } from '../../drizzle/audit/sealed-versions.ts';
import type { Database, Transaction } from '../../drizzle/database/connection.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import {
  claimIdempotencyKey,
  claimSignature,
  type EarlierClaim,
  type IdempotencyClaim,
  keepAnswer,
} from '../../drizzle/writes/accepted-writes.ts';
import { insertOutboxEntry, type OutboxEntry } from '../../drizzle/writes/workflow-outbox.ts';
import { ApiError } from '../http/errors.ts';
import { type AuditDetails, acceptedEntry } from './audited-request.ts';
import { isEnd, type WorkflowStarter } from './start-workflow.ts';

export interface Operation<Result> {
  /** What a repeat of the idempotency key finds again: the operation made, or the resource changed. */
  id: string;
  /** The wallet, operation or other resource that the route names, or empty. */
  target: string;
  /**
   * A vote: its idempotency keys are the voter's own, or a second voter's would be taken for a repeat of the first
   * one's.
   */
  isVote?: true;
  /**
   * Throws when this caller may not see what the write is about. Comes before everything, so that a repeat is answered
   * only to who may.
   */
  admit?(tx: Transaction): Promise<unknown>;
  /**
   * Makes the change, or throws what keeps it from being accepted now; `start` takes the workflows that follow. Not
   * called for a repeat, whatever has changed since, so all that may refuse belongs here. It asks the database by `tx`
   * only: who waits here for a second connection may wait for ever. `note` takes what the audit log shall say beside
   * the result: of a change what was there before.
   */
  make(tx: Transaction, start: (workflow: WorkflowStart) => void, note: (noted: AuditDetails) => void): Promise<Result>;
  /**
   * Reads again what an earlier request with this idempotency key made. Absent for a plain change: its result, as JSON
   * and without any secret, is kept and is what a repeat answers.
   */
  find?(tx: Transaction, id: string): Promise<Result | undefined>;
}

export interface WriteDependencies {
  db: Database;
  /** Rows that decide are sealed when they are written, and count only while the seal holds. */
  seals: Seals;
  starter: WorkflowStarter;
}

export async function acceptWrite<Result>(
  { db, starter, seals }: WriteDependencies,
  request: FastifyRequest,
  operation: Operation<Result>,
): Promise<{ created: boolean; result: Result }> {
  const claim = claimOf(request, operation);
  let audited: Promise<void> | undefined;
  const { entries, ...outcome } = await db.transaction(async (tx) => {
    await operation.admit?.(tx);
    const earlier = await passGuards(tx, request, claim);
    if (earlier !== undefined) return { created: false, result: await resultOf(tx, earlier, operation), entries: [] };
    const stored: Promise<OutboxEntry>[] = [];
    const noted: AuditDetails = {};
    const start = (workflow: WorkflowStart) => {
      const entry = insertOutboxEntry(tx, { ...workflow, traceContext: request.traceparent ?? null });
      // What fails beside it is what the caller hears of.
      entry.catch(() => {});
      stored.push(entry);
    };
    const result = await operation.make(tx, start, (more) => {
      const versions = [...(noted.sealed ?? []), ...(more.sealed ?? [])];
      Object.assign(noted, more, { sealed: versions });
    });
    if (claim !== undefined && operation.find === undefined) await keepAnswer(tx, claim, result as Json);
    const entries = await Promise.all(stored);
    const entry = acceptedEntry(request, operation.id, { after: afterOf(operation, result), ...noted });
    const sealed = toSealedText(seals, entry.workspaceId, noted.sealed ?? []);
    audited = insertAuditEntry(tx, { ...entry, sealed });
    audited.catch(() => {});
    return { created: true, result, entries };
  });
  // Sent right before the commit, which saves a round trip. When it failed, the commit has undone everything, and did
  // not say so.
  await audited;
  const workflowIds = entries.map(({ workflowId }) => workflowId);
  request.log.info({ operationId: operation.id, created: outcome.created, workflowIds }, 'write accepted');
  for (const entry of entries) {
    if (isEnd(entry)) await starter.deliverEnd(entry);
    else starter.enqueue(entry);
  }
  return outcome;
}

/** Of a plain change its result, which holds no secret; of an operation its id. */
const afterOf = <Result>(operation: Operation<Result>, result: Result): object =>
  operation.find === undefined && typeof result === 'object' && result !== null ? result : { id: operation.id };

async function resultOf<Result>(
  tx: Transaction,
  { operationId, answer }: EarlierClaim,
  { find }: Pick<Operation<Result>, 'find'>,
): Promise<Result> {
  // Under this key the same route kept it: it is what `make` gave, as JSON.
  if (find === undefined) return answer as Result;
  const result = await find(tx, operationId);
  if (result === undefined) throw new Error('an idempotency key points to an operation that is not there');
  return result;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Paths that are one route as far as idempotency keys go: a key that was used on one is found on the others. The
     * first names the claims, also those of this path when it is not the first.
     */
    idempotencyPaths?: readonly [string, ...string[]];
  }
}

interface Claim extends IdempotencyClaim {
  /** Of this request as it came, and as it would have come by each other path that is the same route. */
  equalHashes: readonly Buffer[];
}

/** Undefined when the request has no idempotency key. */
function claimOf(request: FastifyRequest, operation: { id: string; target: string; isVote?: true }): Claim | undefined {
  const key = readIdempotencyKey(request);
  if (key === undefined) return undefined;
  const { method, caller, routeOptions } = request;
  const [path, ...former] = routeOptions.config.idempotencyPaths ?? [routeOptions.url ?? ''];
  const requestHash = hashRequest(request, request.raw.url ?? '');
  return {
    workspaceId: caller.key.workspaceId,
    route: `${method} ${path}`,
    formerRoutes: former.map((other) => `${method} ${other}`),
    target: operation.isVote ? `${operation.target} by ${caller.key.userId}` : operation.target,
    key,
    requestHash,
    equalHashes: [requestHash, ...urlsByOtherPaths(request).map((url) => hashRequest(request, url))],
    operationId: operation.id,
  };
}

/** Returns the claim that came first, if there is one. */
async function passGuards(
  tx: Transaction,
  request: FastifyRequest,
  claim: Claim | undefined,
): Promise<EarlierClaim | undefined> {
  const { key, signature } = request.caller;
  const [signatureClaim, idempotencyClaim] = await Promise.all([
    claimSignature(tx, { apiKeyId: key.id, signature, idempotencyKey: claim?.key }),
    claim === undefined ? ({ claimed: true } as const) : claimIdempotencyKey(tx, claim),
  ]);
  if (signatureClaim === 'replayed')
    throw new ApiError(
      'request_replayed',
      'An equal request was accepted with this signature: to make another one, sign it at another second or give it an external_id of its own; to repeat one, send its X-Idempotency-Key.',
    );
  if (idempotencyClaim.claimed) return undefined;
  const same = idempotencyClaim.earlier.find(({ requestHash }) =>
    claim?.equalHashes.some((hash) => hash.equals(requestHash)),
  );
  if (same !== undefined) return same;
  throw new ApiError('idempotency_key_reused', 'This X-Idempotency-Key was used with another request: take a new key.');
}

function readIdempotencyKey(request: FastifyRequest): string | undefined {
  const value = request.headers['x-idempotency-key'];
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || !/^[\x21-\x7e]{1,128}$/.test(value))
    throw new ApiError('invalid_request', 'X-Idempotency-Key must be 1 to 128 visible ASCII characters.');
  return value;
}

function hashRequest({ method, rawBody }: FastifyRequest, url: string): Buffer {
  return createHash('sha256').update(`${method} ${url}\n`).update(rawBody).digest();
}

/** The URL as it came, with every other path that is the same route in the place of its own. */
function urlsByOtherPaths({ routeOptions, params, raw }: FastifyRequest): string[] {
  const { idempotencyPaths = [] } = routeOptions.config;
  const query = /\?.*$/.exec(raw.url ?? '')?.[0] ?? '';
  const fill = (path: string) =>
    path.replaceAll(/:(\w+)/g, (_, name: string) => (params as Record<string, string>)[name] ?? '');
  return idempotencyPaths.filter((path) => path !== routeOptions.url).map((path) => fill(path) + query);
}
