// The two guards that a write passes in the same transaction as its effect: no captured signature counts twice, and one
// idempotency key makes one operation.
import { and, eq, inArray, sql } from 'drizzle-orm';
import { index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { Json } from '../../domain/canonical-json.ts';
import { ACCEPTED_SIGNATURES_KEPT_SECONDS } from '../../domain/time-limits.ts';
import { bytes, moment } from '../database/columns.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { preparedQuery } from '../database/prepared-query.ts';

/**
 * Signatures of accepted writes: each is kept for longer than it authenticates (`ACCEPTED_SIGNATURES_KEPT_SECONDS`).
 */
export const acceptedSignatures = pgTable(
  'accepted_signatures',
  {
    apiKeyId: uuid('api_key_id').notNull(),
    signature: bytes('signature').notNull(),
    idempotencyKey: text('idempotency_key'),
    acceptedAt: moment('accepted_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.apiKeyId, table.signature] }),
    index('accepted_signatures_accepted_at').on(table.acceptedAt),
  ],
);

/**
 * Idempotency keys, kept for thirty days or longer. `target` is what the route names, or empty; of a vote with the user
 * behind it.
 */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    workspaceId: uuid('workspace_id').notNull(),
    route: text('route').notNull(),
    target: text('target').notNull(),
    key: text('key').notNull(),
    requestHash: bytes('request_hash').notNull(),
    operationId: uuid('operation_id').notNull(),
    /** What a change answered, for its repeats; null for an operation, which is read again. Never a secret. */
    answer: jsonb('answer').$type<Json>(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.route, table.target, table.key] }),
    index('idempotency_keys_created').on(table.createdAt),
  ],
);

export interface IdempotencyClaim {
  workspaceId: string;
  /** Under which a new claim is stored. */
  route: string;
  /** Further names of the same route, under which older versions stored claims. */
  formerRoutes: readonly string[];
  target: string;
  key: string;
  requestHash: Uint8Array;
  operationId: string;
}

const insertSignature = preparedQuery((db) =>
  db
    .insert(acceptedSignatures)
    .values({
      apiKeyId: sql.placeholder('apiKeyId'),
      signature: sql.placeholder('signature'),
      idempotencyKey: sql.placeholder('idempotencyKey'),
    })
    .onConflictDoNothing()
    .returning({ apiKeyId: acceptedSignatures.apiKeyId })
    .prepare('claim_signature'),
);

/**
 * Records that this signature has been used. `replayed` when it had been used with another idempotency key or none;
 * `repeated` when it comes again with the same key. A concurrent holder of the same signature is waited for.
 */
export async function claimSignature(
  tx: Transaction,
  claim: { apiKeyId: string; signature: Uint8Array; idempotencyKey: string | undefined },
): Promise<'accepted' | 'repeated' | 'replayed'> {
  const idempotencyKey = claim.idempotencyKey ?? null;
  const inserted = await insertSignature(tx).execute({ ...claim, idempotencyKey });
  if (inserted.length === 1) return 'accepted';
  const [earlier] = await tx
    .select({ idempotencyKey: acceptedSignatures.idempotencyKey })
    .from(acceptedSignatures)
    .where(
      and(
        eq(acceptedSignatures.apiKeyId, claim.apiKeyId),
        eq(acceptedSignatures.signature, Buffer.from(claim.signature)),
      ),
    );
  return idempotencyKey !== null && earlier?.idempotencyKey === idempotencyKey ? 'repeated' : 'replayed';
}

/**
 * Claims an idempotency key for an operation, or returns the claims that came first: one, or one of each name of the
 * route when an older version stored several. A concurrent claim is waited for.
 */
export async function claimIdempotencyKey(
  tx: Transaction,
  claim: IdempotencyClaim,
): Promise<{ claimed: true } | { claimed: false; earlier: [EarlierClaim, ...EarlierClaim[]] }> {
  if (await insertClaim(tx, claim)) return { claimed: true };
  const { requestHash, operationId, answer } = idempotencyKeys;
  const [first, ...others] = await tx
    .select({ requestHash, operationId, answer })
    .from(idempotencyKeys)
    .where(isNamed(claim, [claim.route, ...claim.formerRoutes]));
  if (first === undefined) throw new Error('an idempotency key conflicted but is not there');
  return { claimed: false, earlier: [first, ...others] };
}

/**
 * One statement, also where a claim of a former name must not be there: a second round trip would be felt by every
 * signature.
 */
async function insertClaim(tx: Transaction, { formerRoutes, ...claim }: IdempotencyClaim): Promise<boolean> {
  if (formerRoutes.length > 0) {
    const { workspaceId, route, target, key, requestHash, operationId } = claim;
    const former = tx.select({ one: sql`1` }).from(idempotencyKeys).where(isNamed(claim, formerRoutes));
    const inserted = await tx.execute(sql`
      insert into ${idempotencyKeys} (workspace_id, route, target, key, request_hash, operation_id)
      select ${workspaceId}::uuid, ${route}, ${target}, ${key}, ${Buffer.from(requestHash)}::bytea, ${operationId}::uuid
      where not exists (${former}) on conflict do nothing returning key`);
    return inserted.length === 1;
  }
  const { key } = idempotencyKeys;
  return (await tx.insert(idempotencyKeys).values(claim).onConflictDoNothing().returning({ key })).length === 1;
}

type ClaimName = Pick<IdempotencyClaim, 'workspaceId' | 'route' | 'target' | 'key'>;

const isNamed = ({ workspaceId, target, key }: Omit<ClaimName, 'route'>, routes: readonly string[]) =>
  and(
    eq(idempotencyKeys.workspaceId, workspaceId),
    inArray(idempotencyKeys.route, [...routes]),
    eq(idempotencyKeys.target, target),
    eq(idempotencyKeys.key, key),
  );

export interface EarlierClaim {
  requestHash: Uint8Array;
  operationId: string;
  answer: Json;
}

/** Keeps what the change under this key answered. In the transaction of the change. */
export async function keepAnswer(tx: Transaction, claim: ClaimName, answer: Json): Promise<void> {
  await tx
    .update(idempotencyKeys)
    .set({ answer })
    .where(isNamed(claim, [claim.route]));
}

/**
 * Those that authenticate nothing any more, at most so many. Answers how many there were. What another process removes
 * at the same time is left to it.
 */
export async function removeOldSignatures(db: Database, atMost: number): Promise<number> {
  const kept = sql`${ACCEPTED_SIGNATURES_KEPT_SECONDS} * interval '1 second'`;
  const removed = await db.execute(sql`
    delete from ${acceptedSignatures} where ctid = any(array(
      select ctid from ${acceptedSignatures} where accepted_at < now() - ${kept}
      order by accepted_at limit ${atMost} for update skip locked)) returning 1`);
  return removed.length;
}

/** In the same way. */
export async function removeOldIdempotencyKeys(db: Database, keptDays: number, atMost: number): Promise<number> {
  const removed = await db.execute(sql`
    delete from ${idempotencyKeys} where ctid = any(array(
      select ctid from ${idempotencyKeys} where created_at < now() - ${keptDays} * interval '1 day'
      order by created_at limit ${atMost} for update skip locked)) returning 1`);
  return removed.length;
}
