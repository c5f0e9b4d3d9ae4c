// What must hold of withdrawals and the ledger at every commit, whatever has happened: each rule is one query, which
// answers with what breaks it. Reads only, and asks no chain.
import { sql } from 'drizzle-orm';
import { withdrawalArrows } from '../../../domain/statuses.ts';
import type { Database } from '../../../drizzle/database/connection.ts';
import { findLedgerImbalances } from '../../../drizzle/ledger/ledger.ts';

const movedOffTheArrows = sql.raw(
  Object.entries(withdrawalArrows)
    .flatMap(([from, targets]) => [from, ...targets].map((to) => `('${from}', '${to}')`))
    .join(', '),
);

/** Each selects a text `what` for everything that breaks it. */
export const withdrawalInvariants = {
  'no account but that of the outside world is below zero, unless the chain took it': sql`
    select 'account ' || kind || ' of wallet ' || wallet_id as what from ledger_accounts a
    where balance < 0 and kind <> 'outside' and not (kind = 'available' and exists (
      select 1 from ledger_entries e join ledger_events v on v.id = e.event_id
      where v.kind in ('deposit_reversed', 'withdrawal_settled') and (e.wallet_id, e.asset_id, e.kind) = (a.wallet_id, a.asset_id, a.kind)))`,
  'what has ended holds nothing': sql`
    select 'withdrawal ' || w.id as what from withdrawals w join ledger_events v on v.subject_id = w.id join ledger_entries e on e.event_id = v.id
    where w.status in ('completed', 'failed', 'rejected', 'cancelled') and e.kind = 'held' group by w.id having sum(e.amount) <> 0`,
  'what is open holds its amount': sql`
    select 'withdrawal ' || w.id as what from withdrawals w
    where w.status in ('pending', 'pending_approval', 'approved', 'processing') and w.amount_base_units > coalesce((
      select sum(e.amount) from ledger_events v join ledger_entries e on e.event_id = v.id
      where v.subject_id = w.id and e.kind = 'held' and e.asset_id = w.asset_id), 0)`,
  'what left the ledger for a withdrawal is its amount and its fee, and only once it has completed': sql`
    select 'withdrawal ' || w.id as what from withdrawals w
    where coalesce((select sum(e.amount) from ledger_events v join ledger_entries e on e.event_id = v.id
      where v.subject_id = w.id and e.kind = 'outside'), 0)
      <> coalesce(w.fee_paid_base_units, 0) + case when w.status = 'completed' then w.amount_base_units else 0 end`,
  'what has completed has one transaction in a block, which is the one that it names': sql`
    select 'withdrawal ' || w.id as what from withdrawals w where w.status = 'completed' and (
      select count(*) from chain_transactions t where t.withdrawal_id = w.id and t.status = 'included' and t.tx_hash = w.tx_hash) <> 1`,
  'a nonce belongs to one withdrawal': sql`
    select 'nonce ' || nonce || ' of ' || from_address as what from chain_transactions
    where nonce is not null and status <> 'abandoned' group by network_id, from_address, nonce having count(distinct withdrawal_id) > 1`,
  'the transactions of a withdrawal have one nonce': sql`
    select 'withdrawal ' || withdrawal_id as what from chain_transactions where nonce is not null
    group by withdrawal_id having count(distinct nonce) > 1`,
  'a coin is spent by one withdrawal': sql`
    select 'coin ' || tx_hash || ':' || index as what from reserved_coins group by network_id, tx_hash, index having count(distinct withdrawal_id) > 1`,
  'what is broadcast is stored': sql`
    select 'transaction ' || id as what from chain_transactions where status in ('signed', 'broadcast', 'included') and (signed is null or tx_hash is null)`,
  'a transaction is signed once for each of its payloads': sql`
    select 'withdrawal ' || t.withdrawal_id as what from chain_transactions t group by t.withdrawal_id
    having sum(cardinality(t.signing_ids)) <> (select count(*) from signing_requests s where s.withdrawal_id = t.withdrawal_id)`,
  'a withdrawal moves along the arrows': sql`
    select 'withdrawal ' || withdrawal_id || ': ' || status_before || ' → ' || status as what from (
      select withdrawal_id, status, lag(status) over (partition by withdrawal_id order by id) as status_before from withdrawal_events) moves
    where status_before is not null and (status_before, status) not in (values ${movedOffTheArrows})`,
  'its history ends where it stands': sql`
    select 'withdrawal ' || w.id as what from withdrawals w where w.status <> (
      select status from withdrawal_events e where e.withdrawal_id = w.id order by e.id desc limit 1)`,
} as const;

export type WithdrawalInvariant = keyof typeof withdrawalInvariants;

/** Empty when all is well. */
export async function findWithdrawalViolations(db: Database): Promise<string[]> {
  // One snapshot: what is committed between two of the questions would look like a contradiction.
  return db.transaction(
    async (tx) => {
      const violations = [...(await findLedgerImbalances(tx as unknown as Database))];
      for (const [rule, query] of Object.entries(withdrawalInvariants))
        for (const { what } of await tx.execute<{ what: string }>(query)) violations.push(`${rule}: ${what}`);
      return violations;
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}
