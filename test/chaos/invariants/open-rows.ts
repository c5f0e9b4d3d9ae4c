// What still waits for somebody in the database of a run, in sentences: each rule is one query.
import { sql } from 'drizzle-orm';
import type { Database } from '../../../drizzle/database/connection.ts';

/** Each selects a text `what`. */
const queries = [
  sql`select 'signing request ' || id || ' is ' || status as what from signing_requests
    where status not in ('success', 'failed')`,
  sql`select 'withdrawal ' || id || ' is ' || status || coalesce(' (' || sub_status || ')', '') as what from withdrawals
    where status not in ('completed', 'failed', 'rejected', 'cancelled')`,
  sql`select 'wallet ' || id || ' is ' || status as what from wallets where status = 'creating'`,
  sql`select 'deposit ' || id || ' is ' || status as what from deposits where status = 'pending'`,
  sql`select workflow || ' ' || workflow_id || ' waits in the outbox' as what from outbox`,
  sql`select 'event ' || id || ' has no place in the feed' as what from event_outbox`,
  sql`select 'delivery ' || id || ' of event ' || event_seq || ' is ' || status as what from webhook_deliveries
    where status <> 'delivered'`,
  sql`select 'network ' || network_id || ' is halted: ' || halted_reason as what from network_states
    where halted_reason is not null`,
];

export async function findOpenRows(db: Database): Promise<string[]> {
  const open: string[] = [];
  for (const query of queries) for (const { what } of await db.execute<{ what: string }>(query)) open.push(what);
  return open;
}

/** Those whose payments of before this moment may not all be known: they were not read up to a head of after it. */
export async function findUnreadNetworks(db: Database, moment: Date): Promise<string[]> {
  const rows = await db.execute<{ what: string }>(sql`
    select 'network ' || network_id || ' is read up to block ' || next_block - 1 || ' of ' || head_block as what
    from network_states
    where unwatched_at is null and (head_at < ${moment.toISOString()} or next_block <= head_block)`);
  return rows.map(({ what }) => what);
}

/** Those of the feed. */
export async function countEvents(db: Database): Promise<number> {
  const [row] = await db.execute<{ count: number }>(sql`select count(*)::int as count from events`);
  return row?.count ?? 0;
}

export interface UsedNonces {
  address: string;
  used: number[];
}

/** Of each address of the sandbox's Ethereum, those whose transaction is in a block. */
export async function readUsedNonces(db: Database): Promise<UsedNonces[]> {
  const rows = await db.execute<{ address: string; used: number[] }>(sql`
    select t.from_address as address, to_json(array_agg(distinct t.nonce order by t.nonce)) as used
    from chain_transactions t join networks n on n.id = t.network_id
    where n.internal_code = 'ETHEREUM_SANDBOX' and t.nonce is not null and t.status <> 'abandoned'
    group by t.from_address`);
  return [...rows];
}
