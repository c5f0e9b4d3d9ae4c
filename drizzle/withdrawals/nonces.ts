// The nonces of addresses on chains that have them: which withdrawal has which, and how far a node's word about the
// next one can be true. A nonce stands for a signature, and every signature of a wallet's key is recorded here; so a
// chain cannot have used more of them than were ever made.
import { and, asc, eq, gte, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import { bigint, index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { moment } from '../database/columns.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { networks } from '../networks/networks.ts';
import { signingRequests } from '../signing-requests/signing-requests.ts';
import { withdrawals } from './withdrawals.ts';

/**
 * Who has a nonce of an address: one withdrawal, for good, unless it was the last one given out and nothing was signed
 * with it, or it can never be reached.
 */
export const nonces = pgTable(
  'nonces',
  {
    networkId: uuid('network_id')
      .notNull()
      .references(() => networks.id),
    address: text('address').notNull(),
    nonce: bigint('nonce', { mode: 'number' }).notNull(),
    withdrawalId: uuid('withdrawal_id')
      .notNull()
      .references(() => withdrawals.id),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.networkId, table.address, table.nonce] }),
    uniqueIndex('nonces_withdrawal').on(table.withdrawalId),
  ],
);

/**
 * What an operator has said of an address (src/commands/repair-nonces.ts): nonces below this one are used, whatever the
 * record says. The newest counts.
 */
export const nonceRepairs = pgTable(
  'nonce_repairs',
  {
    id: uuid('id').primaryKey(),
    networkId: uuid('network_id')
      .notNull()
      .references(() => networks.id),
    address: text('address').notNull(),
    nextNonce: bigint('next_nonce', { mode: 'number' }).notNull(),
    note: text('note').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [index('nonce_repairs_address').on(table.networkId, table.address, table.id)],
);

export type Account = Pick<typeof nonces.$inferSelect, 'networkId' | 'address'>;

/**
 * The nonce of a withdrawal: the one that it has, or the lowest from `chainNext` on (that of the chain, waiting ones
 * included) that no withdrawal has. So what another took in vain, or a node made up, is no gap for ever. Whoever else
 * wants one of this address waits until the transaction ends.
 */
export async function reserveNonce(
  tx: Transaction,
  { networkId, address, withdrawalId }: Account & { withdrawalId: string },
  chainNext: number,
): Promise<number> {
  await lockAccount(tx, { networkId, address });
  const [own] = await tx.select({ nonce: nonces.nonce }).from(nonces).where(eq(nonces.withdrawalId, withdrawalId));
  if (own !== undefined) return own.nonce;
  const nonce = await findFreeNonce(tx, { networkId, address }, chainNext);
  await tx.insert(nonces).values({ networkId, address, nonce, withdrawalId });
  return nonce;
}

/** The lowest from `from` on that no withdrawal has. */
export async function findFreeNonce(
  tx: Database | Transaction,
  { networkId, address }: Account,
  from: number,
): Promise<number> {
  const rows = await tx.execute<{ next: string }>(sql`
    select n.next from (
      select ${from}::bigint as next
      union all
      select ${nonces.nonce} + 1 from ${nonces}
      where ${nonces.networkId} = ${networkId} and ${nonces.address} = ${address} and ${nonces.nonce} >= ${from}::bigint
    ) n
    where not exists (
      select 1 from ${nonces}
      where ${nonces.networkId} = ${networkId} and ${nonces.address} = ${address} and ${nonces.nonce} = n.next
    )
    order by n.next limit 1`);
  return Number(rows[0]?.next ?? from);
}

/**
 * Gives back the nonce of a withdrawal that signed nothing with it. False when others stand behind it: then it must be
 * used up.
 */
export async function freeNonce(tx: Transaction, withdrawalId: string): Promise<boolean> {
  const [own] = await tx.select().from(nonces).where(eq(nonces.withdrawalId, withdrawalId));
  if (own === undefined) return true;
  await lockAccount(tx, own);
  if ((await findLastNonce(tx, own)) > own.nonce) return false;
  await tx.delete(nonces).where(eq(nonces.withdrawalId, withdrawalId));
  return true;
}

/** Until the transaction ends, whoever else locks this account waits. */
export async function lockAccount(tx: Transaction, { networkId, address }: Account): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`nonce ${networkId} ${address}`}, 0))`);
}

const ofAccount = ({ networkId, address }: Account) =>
  and(eq(nonces.networkId, networkId), eq(nonces.address, address));

/** −1 before the first. */
export async function findLastNonce(tx: Database | Transaction, account: Account): Promise<number> {
  const [row] = await tx
    .select({ last: sql<string | null>`max(${nonces.nonce})` })
    .from(nonces)
    .where(ofAccount(account));
  return Number(row?.last ?? -1);
}

/** 0 while no operator has said anything. */
export async function findNonceFloor(tx: Database | Transaction, { networkId, address }: Account): Promise<number> {
  const [row] = await tx
    .select({ nextNonce: nonceRepairs.nextNonce })
    .from(nonceRepairs)
    .where(and(eq(nonceRepairs.networkId, networkId), eq(nonceRepairs.address, address)))
    .orderBy(sql`${nonceRepairs.id} desc`)
    .limit(1);
  return row?.nextNonce ?? 0;
}

/**
 * Of the nonces from `floor` up to `next`, how many no withdrawal has: each of them needs a signature that was asked
 * for in another way.
 */
export async function countForeignNonces(
  tx: Database | Transaction,
  account: Account,
  { floor, next }: { floor: number; next: number },
): Promise<number> {
  const between = and(ofAccount(account), gte(nonces.nonce, floor), lt(nonces.nonce, next));
  const own = await tx.$count(nonces, between);
  return Math.max(0, next - floor) - own;
}

/** Whether the wallet's key has signed at least so many transactions, or digests that may be some, by no withdrawal. */
export async function hasSignedBesides(db: Database | Transaction, walletId: string, count: number): Promise<boolean> {
  if (count <= 0) return true;
  const { status, mayBeSigned, attemptsOpen, payloadKind, keyType } = signingRequests;
  const found = await db
    .select({ id: signingRequests.id })
    .from(signingRequests)
    .where(
      and(
        eq(signingRequests.walletId, walletId),
        isNull(signingRequests.withdrawalId),
        eq(keyType, 'secp256k1'),
        inArray(payloadKind, ['raw_digest', 'evm_transaction']),
        or(eq(status, 'success'), eq(mayBeSigned, true), sql`cardinality(${attemptsOpen}) > 0`),
      ),
    )
    .orderBy(asc(signingRequests.createdAt))
    .offset(count - 1)
    .limit(1);
  return found.length > 0;
}
