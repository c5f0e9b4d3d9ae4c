// What stands still, and for how long: the numbers that metrics, alerts and the status page are made of. Reads only, in
// one short transaction, and looks at what is open, never through the whole of a table.
import { type SQL, sql } from 'drizzle-orm';
import type { OperationKind } from '../../domain/workflow-inputs.ts';
import { isOpenFinding } from '../audit/audit-checkpoints.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { operationRows } from '../operations/operation-kinds.ts';
import { isWithdrawalOpen } from '../withdrawals/withdrawals.ts';

/** How many wait, and since when the oldest does; 0 when none does. */
export interface Backlog {
  count: number;
  oldestSeconds: number;
}

export interface OpenOperations extends Backlog {
  kind: OperationKind;
  status: string;
}

export interface ChainGauge {
  network: string;
  headBlock: number;
  /** Blocks up to the head that are not read yet. */
  lagBlocks: number;
  /** Since the node was asked last. */
  headAgeSeconds: number;
  haltedReason: string | null;
  /** Why it could not be read on when that was tried last. */
  readingFailure: string | null;
  /** Deposits deep enough to be confirmed that are not, since the second node does not tell of them. */
  unconfirmedDeposits: number;
}

export interface NodeGauge {
  cluster: string;
  node: number;
  status: 'up' | 'down';
  bans: number;
  /** The nodes that it has banned, ascending. */
  bannedNodes: number[];
  /** How long it took to answer, and how long it usually takes in a signature; null while nobody knows. */
  answerMs: number | null;
  signingMs: number | null;
  /** What it says of itself. */
  version: string | null;
  /** How many nodes of the cluster sign together, as the worker knows it that asked. */
  threshold: number;
  error: string | null;
  /** As hex; null while the node does not say. */
  policySha256: string | null;
  checkedAgeSeconds: number;
}

export interface Gauges {
  outbox: Backlog;
  /** Events that are recorded and have no place in the feed yet. */
  unsequencedEvents: Backlog;
  unsealedAudit: Backlog;
  webhooksPending: number;
  webhooksOverdue: Backlog;
  operations: OpenOperations[];
  chains: ChainGauge[];
  /** By network: withdrawals under way of which its nodes do not agree how they end. */
  disputes: { network: string; count: number; oldestSeconds: number }[];
  /** By network: nonces given out under which nothing is out, while a later one of the same address is. */
  nonceGaps: { network: string; count: number }[];
  nodes: NodeGauge[];
  /** By what they are of: since the last that an operator has told of. */
  backups: { subject: string; ageSeconds: number }[];
  /** By cluster that a worker knows: since all its keys got new shares. */
  refreshes: { subject: string; ageSeconds: number }[];
  /** That no operator has resolved. */
  unexplainedOutflows: number;
  auditFindings: number;
  setBackRows: number;
}

/** What is asked ends by itself after so long, so that nothing piles up. */
const STATEMENT_TIMEOUT_MS = 2_000;
/** Who asks for the gauges waits for that end. */
export const GAUGES_WITHIN_MS = STATEMENT_TIMEOUT_MS + 1_000;

export async function readGauges(db: Database): Promise<Gauges> {
  return db.transaction(
    async (tx) => {
      await tx.execute(sql.raw(`set local statement_timeout = ${STATEMENT_TIMEOUT_MS}`));
      const [
        outbox,
        unsequencedEvents,
        unsealedAudit,
        webhooks,
        operations,
        chains,
        nonceGaps,
        disputes,
        nodes,
        maintained,
        findings,
      ] = await Promise.all([
        backlog(tx, sql`select count(*) as count, min(created_at) as oldest from outbox`),
        backlog(tx, sql`select count(*) as count, min(created_at) as oldest from event_outbox`),
        backlog(tx, unsealed),
        readWebhooks(tx),
        readOperations(tx),
        readChains(tx),
        readNonceGaps(tx),
        readDisputes(tx),
        readNodes(tx),
        readMaintenance(tx),
        readFindings(tx),
      ]);
      const backlogs = { outbox, unsequencedEvents, unsealedAudit };
      return { ...backlogs, ...webhooks, operations, chains, nonceGaps, disputes, nodes, ...maintained, ...findings };
    },
    { accessMode: 'read only' },
  );
}

const unsealed = sql`
  select count(*) as count, (select created_at from audit_logs where position = min(audit_unsealed.position)) as oldest
  from audit_unsealed`;

/** The query answers `count` and `oldest`. */
async function backlog(tx: Transaction, query: SQL): Promise<Backlog> {
  const [row] = await tx.execute<{ count: number; age: number }>(
    sql`select count::int as count, ${age(sql`oldest`)} as age from (${query}) as waiting`,
  );
  return { count: row?.count ?? 0, oldestSeconds: row?.age ?? 0 };
}

/** Clocks differ: never below zero. */
const age = (moment: SQL): SQL => sql`greatest(coalesce(extract(epoch from now() - ${moment}), 0), 0)::float8`;

/**
 * Overdue is what nobody tries although its endpoint takes what it is sent: one that fails is left alone for a while on
 * purpose, with all that is due to it.
 */
async function readWebhooks(tx: Transaction): Promise<Pick<Gauges, 'webhooksPending' | 'webhooksOverdue'>> {
  const isOverdue = sql`next_attempt_at < now() and webhooks.failing_since is null`;
  const [row] = await tx.execute<{ pending: number; overdue: number; age: number }>(sql`
    select count(*)::int as pending,
      (count(*) filter (where ${isOverdue}))::int as overdue,
      ${age(sql`min(next_attempt_at) filter (where ${isOverdue})`)} as age
    from webhook_deliveries join webhooks on webhooks.id = webhook_id where webhook_deliveries.status = 'pending'`);
  const { pending = 0, overdue = 0, age: oldest = 0 } = row ?? {};
  return { webhooksPending: pending, webhooksOverdue: { count: overdue, oldestSeconds: oldest } };
}

/** In the words of the partial indexes. */
async function readOperations(tx: Transaction): Promise<OpenOperations[]> {
  const each = Object.entries(operationRows).map(
    ([kind, { table, isOpen, since, shownStatus }]) =>
      sql`select ${sql.raw(`'${kind}'`)} as kind, ${shownStatus} as status, ${since} as since from ${table} where ${isOpen}`,
  );
  const rows = await tx.execute<{ kind: OperationKind; status: string; count: number; age: number }>(sql`
    select kind, status, count(*)::int as count, ${age(sql`min(since)`)} as age
    from (${sql.join(each, sql` union all `)}) as open group by kind, status order by kind, status`);
  return rows.map(({ age: oldestSeconds, ...row }) => ({ ...row, oldestSeconds }));
}

/** Of those that are watched. */
async function readChains(tx: Transaction): Promise<ChainGauge[]> {
  const rows = await tx.execute<{
    network: string;
    head: string;
    lag: string;
    age: number;
    halted: string | null;
    failure: string | null;
    unconfirmed: number;
  }>(sql`
    select internal_code as network, head_block as head, greatest(head_block - next_block + 1, 0) as lag,
      ${age(sql`head_at`)} as age, halted_reason as halted, reading_failure as failure,
      (select count(*)::int from deposits where deposits.network_id = networks.id and deposits.status = 'pending'
        and block_number <= next_block - greatest(confirmation_blocks, 1)) as unconfirmed
    from network_states join networks on networks.id = network_id
    where unwatched_at is null order by internal_code`);
  return rows.map(({ network, head, lag, age, halted, failure, unconfirmed }) => ({
    network,
    headAgeSeconds: age,
    haltedReason: halted,
    readingFailure: failure,
    headBlock: Number(head),
    lagBlocks: Number(lag),
    unconfirmedDeposits: unconfirmed,
  }));
}

/**
 * Only open withdrawals can hold such a nonce: one that fails before it is signed gives its nonce back or uses it up.
 */
async function readNonceGaps(tx: Transaction): Promise<Gauges['nonceGaps']> {
  const isOut = sql`other.status in ('broadcast', 'included')`;
  const ofAddress = sql`other.network_id = nonces.network_id and other.from_address = nonces.address`;
  const rows = await tx.execute<{ network: string; count: number }>(sql`
    select internal_code as network, count(*)::int as count
    from withdrawals
      join nonces on nonces.withdrawal_id = withdrawals.id
      join networks on networks.id = nonces.network_id
    where ${isWithdrawalOpen}
      and exists (select from chain_transactions other where ${ofAddress} and other.nonce > nonces.nonce and ${isOut})
      and not exists (select from chain_transactions other where ${ofAddress} and other.nonce = nonces.nonce and ${isOut})
    group by internal_code order by internal_code`);
  return [...rows];
}

async function readDisputes(tx: Transaction): Promise<Gauges['disputes']> {
  const rows = await tx.execute<{ network: string; count: number; age: number }>(sql`
    select internal_code as network, count(*)::int as count, ${age(sql`min(disputed_at)`)} as age
    from withdrawals join networks on networks.id = network_id
    where ${isWithdrawalOpen} and disputed_at is not null
    group by internal_code order by internal_code`);
  return rows.map(({ network, count, age: oldestSeconds }) => ({ network, count, oldestSeconds }));
}

async function readNodes(tx: Transaction): Promise<NodeGauge[]> {
  const rows = await tx.execute<Omit<NodeGauge, 'checkedAgeSeconds'> & { age: number }>(
    sql`select cluster, node, status, bans, to_jsonb(banned_nodes) as "bannedNodes", answer_ms as "answerMs",
        signing_ms as "signingMs", version, threshold, error, policy_sha256 as "policySha256",
        ${age(sql`checked_at`)} as age
      from node_health order by cluster, node`,
  );
  return rows.map(({ age: checkedAgeSeconds, ...row }) => ({ ...row, checkedAgeSeconds }));
}

async function readMaintenance(tx: Transaction): Promise<Pick<Gauges, 'backups' | 'refreshes'>> {
  const rows = await tx.execute<{ kind: string; subject: string; age: number }>(sql`
    select kind, subject, ${age(sql`done_at`)} as age from maintenance
    where kind = 'backup' or subject in (select cluster from node_health) order by kind, subject`);
  const of = (kind: string) =>
    rows.filter((row) => row.kind === kind).map(({ subject, age: ageSeconds }) => ({ subject, ageSeconds }));
  return { backups: of('backup'), refreshes: of('refresh') };
}

async function readFindings(
  tx: Transaction,
): Promise<Pick<Gauges, 'unexplainedOutflows' | 'auditFindings' | 'setBackRows'>> {
  const [row] = await tx.execute<{ outflows: number; findings: number; setback: number }>(sql`
    select (select count(*)::int from unexplained_outflows where resolved_at is null) as outflows,
      (select count(*)::int from audit_findings where ${isOpenFinding}) as findings,
      (select count(*)::int from set_back_rows where resolved_at is null) as setback`);
  const { outflows = 0, findings = 0, setback = 0 } = row ?? {};
  return { unexplainedOutflows: outflows, auditFindings: findings, setBackRows: setback };
}
